/* Layouts of place lines: all notations of one map, what is written reads back, and what is wrong is refused at its
 * place with its reason. */
#include "base/gf2.h"
#include "place/place-line.h"
#include "support/support.h"

#include <string.h>

typedef struct
{
  gboolean    fine;
  TlPlacement placement;
  char       *reason;
  char       *at; /* the text that is blamed */
} Read;

static void
read_clear (Read *read)
{
  g_free (read->reason);
  g_free (read->at);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Read, read_clear)

/* Reads "place W = layout EXPR" for tiles of 2^@bits units on a machine of 2^@columns units a row, 2^@domains domains. */
static void
read_layout (const char *layout, guint bits, guint columns, guint domains, Read *read)
{
  g_autofree char *text = g_strdup_printf ("place W = layout %s\n", layout);
  g_autoptr (TlSource) source = tl_source_new ("p.gdsl", text, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  const TlPlaceDecl *line = tl_ast_place (ast, "W");
  TlSpan             span = tl_span (0, 0);

  *read = (Read) { 0 };
  ck_assert_msg (tl_diags_errors (diags) == 0 && line != NULL && line->value != NULL && line->value->n_args == 1,
                 "%s: %s", layout, tl_diags_count (diags) ? tl_diags_get (diags, 0)->message : "no layout");
  read->fine = tl_place_line_read (line->value->args[0], source, bits, columns, domains, &read->placement,
                                   &read->reason, &span);
  ck_assert_msg (read->fine == (read->reason == NULL), "%s: %s", layout, read->reason);
  if (read->fine)
    return;
  ck_assert_msg (span.start < span.end && span.end <= strlen (text), "%s: %u..%u", layout, span.start, span.end);
  read->at = g_strndup (text + span.start, span.end - span.start);
}

/* --- right ones --- */

static const struct
{
  const char *layout;
  guint       bits, columns, domains;
  const char *gf2; /* the same map */
} right[] = {
  { "gf2 [domain: 4 2 | row: 8 | column: 1]", 4, 2, 3, "gf2 [domain: 4 2 | row: 8 | column: 1]" },
  { "gf2 [domain: | row: | column: 1 2]", 2, 2, 3, "gf2 [domain: | row: | column: 1 2]" },
  { "gf2 [domain: 3 | row: 2 | column:]", 2, 2, 3, "gf2 [domain: 3 | row: 2 | column:]" },
  /* spatial is the domain, local row and column, the column fastest */
  { "spatial(8).local(8)", 6, 3, 7, "gf2 [domain: 8 16 32 | row: | column: 1 2 4]" },
  { "local(8).spatial(8)", 6, 3, 7, "gf2 [domain: 1 2 4 | row: | column: 8 16 32]" },
  { "local(16).spatial(4)", 6, 3, 7, "gf2 [domain: 1 2 | row: 32 | column: 4 8 16]" },
  { "spatial(64)", 6, 3, 7, "gf2 [domain: 1 2 4 8 16 32 | row: | column:]" },
  { "local(64)", 6, 3, 7, "gf2 [domain: | row: 8 16 32 | column: 1 2 4]" },
  { "spatial(2,2).local(2,4)", 5, 3, 7, "gf2 [domain: 4 16 | row: | column: 1 2 8]" },
  { "register_layout([64],[8,8],[0],[1])", 6, 3, 7, "gf2 [domain: 8 16 32 | row: | column: 1 2 4]" },
  /* a quantum address in the tile's own room, first mode fastest: column, domain, row from the bottom */
  { "(64):(1)", 6, 3, 7, "gf2 [domain: 8 16 32 | row: | column: 1 2 4]" },
  { "(8,8):(1,8)", 6, 3, 7, "gf2 [domain: 8 16 32 | row: | column: 1 2 4]" },
  { "(8,8):(8,1)", 6, 3, 7, "gf2 [domain: 1 2 4 | row: | column: 8 16 32]" },
  { "((2,4),8):((4,8),(1))", 6, 3, 7, NULL },
  { "(2,2,2,2):(8,4,2,1)", 4, 1, 2, "gf2 [domain: 4 2 | row: 1 | column: 8]" },
  { "(2):(1)", 1, 3, 7, "gf2 [domain: | row: | column: 1]" },
};

START_TEST (notations)
{
  g_auto (Read) read = { 0 }, same = { 0 };

  read_layout (right[_i].layout, right[_i].bits, right[_i].columns, right[_i].domains, &read);
  if (right[_i].gf2 == NULL)
    {
      /* Its strides are not each once. */
      ck_assert (!read.fine);
      return;
    }
  ck_assert_msg (read.fine, "%s: %s", right[_i].layout, read.reason);
  read_layout (right[_i].gf2, right[_i].bits, right[_i].columns, right[_i].domains, &same);
  g_autofree char *text = tl_place_line_text (&read.placement);
  g_autofree char *wanted = tl_place_line_text (&same.placement);
  ck_assert_str_eq (text, wanted);
  ck_assert_uint_eq (read.placement.nonzeros, same.placement.nonzeros);
  ck_assert_uint_eq (read.placement.n_domain + read.placement.n_row + read.placement.n_column, right[_i].bits);
}
END_TEST

/* --- wrong ones --- */

static const struct
{
  const char *layout;
  guint       bits;
  const char *reason, *at; /* what is said, and of which part of the text */
} wrong[] = {
  { "gf2 [domain: 4 2 | row: | column: 1]", 4, "it has 3 bits, a unit's number 4",
    "gf2 [domain: 4 2 | row: | column: 1]" },
  { "gf2 [domain: 4 2 | row: 8 | column: 1 3]", 4, "more than 4 bits", "3" },
  { "gf2 [domain: 4 2 | row: 8 | column: 16]", 4, "a mask of unit bits is 1 to 15", "16" },
  { "gf2 [domain: 4 0 | row: 8 | column: 1]", 4, "a mask of unit bits is 1 to 15", "0" },
  { "gf2 [domain: 4 2 | row: 6 | column: 1]", 4, "not independent", "gf2 [domain: 4 2 | row: 6 | column: 1]" },
  { "gf2 [domain: 4 4 | row: 8 | column: 1]", 4, "not independent", "gf2 [domain: 4 4 | row: 8 | column: 1]" },
  { "local(8)", 4, "it maps 8 units, and a tile is laid out as 16 (2^4)", "local(8)" },
  { "spatial(8).local(4)", 4, "it maps 32 units", "spatial(8).local(4)" },
  { "spatial(3).local(8)", 4, "24 units", "spatial(3).local(8)" },
  { "replicated(1,num_workers=2).spatial(4).local(4)", 4, "in 2 domains", NULL },
  { "local(4", 4, NULL, NULL },
  { "somewhere(16)", 4, NULL, NULL },
  { "(16):(2)", 4, "holes or overlap: the addresses of a tile are 0 to 15", "2" },
  { "(4,4):(1,2)", 4, "holes or overlap", "(1,2)" },
  { "(4,4):(1)", 4, "2 sizes and 1 strides", "(4,4):(1)" },
  { "(4,3):(1,4)", 4, "powers of two up to 65536", "3" },
  { "(4,4):(1,0)", 4, "powers of two", "0" },
  { "(4,4):(1,131072)", 4, "powers of two", "131072" },
  { "(4,8):(1,4)", 4, "it maps 32 units", "(4,8):(1,4)" },
  { "(65536,65536,65536,65536,65536):(1,1,1,1,1)", 4, "units", NULL },
};

static gboolean
is_blamed (guint row, const char *reason)
{
  g_autofree char *text = g_strdup_printf ("place W = layout %s\n", wrong[row].layout);
  g_autoptr (TlSource) source = tl_source_new ("p.gdsl", text, -1);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlAst) ast = tl_parse (source, diags);
  g_auto (Read) read = { 0 };

  /* Some are wrong by their text alone. */
  if (tl_diags_errors (diags) > 0)
    return wrong[row].at == NULL && wrong[row].reason == NULL;
  read_layout (wrong[row].layout, wrong[row].bits, 2, 3, &read);
  return !read.fine && (reason == NULL || strstr (read.reason, reason) != NULL)
         && (wrong[row].at == NULL || strcmp (read.at, wrong[row].at) == 0);
}

START_TEST (refusals_have_their_place)
{
  ck_assert_msg (is_blamed ((guint) _i, wrong[_i].reason), "%s", wrong[_i].layout);
}
END_TEST

START_TEST (a_wrong_row_fails)
{
  ck_assert (!is_blamed (0, "it has 4 bits"));
}
END_TEST

/* --- any map --- */

static void
random_placement (guint bits, guint64 *state, TlPlacement *placement)
{
  guint64 rows[TL_PLACE_MAX_BITS];
  guint   n = 0;

  *placement = (TlPlacement) { .bits = bits };
  while (n < bits)
    {
      rows[n] = 1 + tl_test_random_below (state, ((guint64) 1 << bits) - 1);
      if (tl_gf2_rank (rows, n + 1) == n + 1)
        {
          placement->rows[n] = (guint16) rows[n];
          placement->nonzeros += (guint) __builtin_popcountll (rows[n]);
          n++;
        }
    }
  placement->n_domain = (guint) tl_test_random_below (state, bits + 1);
  placement->n_row = (guint) tl_test_random_below (state, bits - placement->n_domain + 1);
  placement->n_column = bits - placement->n_domain - placement->n_row;
}

START_TEST (what_is_written_reads_back)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < tl_test_rounds (2000); round++)
    {
      guint       bits = 1 + (guint) tl_test_random_below (&state, TL_PLACE_MAX_BITS);
      TlPlacement placement;
      g_auto (Read) read = { 0 };

      random_placement (bits, &state, &placement);
      g_autofree char *text = tl_place_line_text (&placement);
      read_layout (text, bits, 3, 7, &read);
      ck_assert_msg (read.fine, "%s: %s", text, read.reason);
      ck_assert_msg (memcmp (&read.placement, &placement, sizeof placement) == 0, "%s", text);
    }
}
END_TEST

/* The three parts in any order and with one left out say what they say. */
START_TEST (parts_may_be_left_out)
{
  static const char *const texts[]
      = { "gf2 [domain: 4 | row: | column: 1 2]", "gf2 [column: 1 2 | domain: 4]", "gf2 [domain: 4 | column: 1 2]" };
  g_autofree char *first = NULL;

  for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      g_auto (Read) read = { 0 };
      g_autofree char *line = g_strdup_printf ("place W = layout %s\n", texts[t]);
      g_autoptr (TlSource) source = tl_source_new ("p.gdsl", line, -1);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlAst) ast = tl_parse (source, diags);

      ck_assert (ast != NULL);
      if (tl_diags_errors (diags) > 0)
        continue; /* the grammar may want all three */
      read_layout (texts[t], 3, 2, 3, &read);
      ck_assert_msg (read.fine, "%s: %s", texts[t], read.reason);
      g_autofree char *text = tl_place_line_text (&read.placement);
      if (first == NULL)
        first = g_strdup (text);
      ck_assert_str_eq (text, first);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-line");
  TCase *tcase = tcase_create ("line");

  tcase_set_timeout (tcase, 60);
  tcase_add_loop_test (tcase, notations, 0, G_N_ELEMENTS (right));
  tcase_add_loop_test (tcase, refusals_have_their_place, 0, G_N_ELEMENTS (wrong));
  tcase_add_test (tcase, a_wrong_row_fails);
  tcase_add_test (tcase, what_is_written_reads_back);
  tcase_add_test (tcase, parts_may_be_left_out);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
