/* tierc layout: one register layout in all its notations. */
#include "cli/layout.h"
#include "base/number.h"

#include <glib/gi18n.h>
#include <string.h>

enum
{
  MAX_MAP = 1 << 22, /* places printed of a map */
};

typedef enum
{
  FORM_MODES = 1 << 0,
  FORM_KRON = 1 << 1,
  FORM_CUTE = 1 << 2,
  FORM_GF2 = 1 << 3,
  FORM_MAP = 1 << 4,
  FORM_INVERSE = 1 << 5,
  FORM_TABLE = 1 << 6,
  FORM_ALL = (1 << 7) - 1,
} Form;

static const struct
{
  const char *name;
  Form        form;
} forms[] = {
  { "modes", FORM_MODES }, { "kron", FORM_KRON },       { "cute", FORM_CUTE },   { "gf2", FORM_GF2 },
  { "map", FORM_MAP },     { "inverse", FORM_INVERSE }, { "table", FORM_TABLE }, { "all", FORM_ALL },
};

/* "0+4:1": the threads that hold element @index, and as which local. (transfer full) */
static char *
place_text (const TlLayout *layout, guint64 index, guint32 *threads)
{
  GString *text = g_string_new (NULL);
  guint    local, n = tl_layout_where (layout, index, threads, &local);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? "+" : "", threads[i]);
  g_string_append_printf (text, ":%u", local);
  return g_string_free (text, FALSE);
}

static void
print_list (const char *name, const gint32 *list, guint n)
{
  printf ("%-14s [", name);
  for (guint i = 0; i < n; i++)
    printf ("%s%d", i > 0 ? ", " : "", list[i]);
  puts ("]");
}

static void
print_map (const TlLayout *layout)
{
  g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (layout));
  guint64             n = tl_layout_elements (layout);

  for (guint64 x = 0; x < n; x++)
    {
      g_autofree char *text = place_text (layout, x, threads);
      printf ("%s%c", text, x + 1 < n ? ' ' : '\n');
    }
}

static void
print_inverse (const TlLayout *layout)
{
  guint               threads = tl_layout_threads (layout), locals = tl_layout_locals (layout);
  g_autofree guint64 *indices = g_new (guint64, (gsize) threads * locals);

  tl_layout_map (layout, indices);
  for (guint t = 0; t < threads; t++)
    for (guint l = 0; l < locals; l++)
      printf ("%" G_GUINT64_FORMAT "%c", indices[(gsize) t * locals + l], l + 1 < locals ? ' ' : '\n');
}

/* The last two dimensions as a grid of thread:local, one grid for each of the others. */
static void
print_table (const TlLayout *layout)
{
  g_autofree guint32 *threads = g_new (guint32, tl_layout_copies (layout));
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  guint64 n = tl_layout_elements (layout);
  guint64 columns = layout->n_dims > 0 ? (guint64) layout->shape[layout->n_dims - 1] : 1;
  guint64 rows = layout->n_dims > 1 ? (guint64) layout->shape[layout->n_dims - 2] : 1;
  gsize   width = 1;

  for (guint64 x = 0; x < n; x++)
    {
      char *text = place_text (layout, x, threads);
      width = MAX (width, strlen (text));
      g_ptr_array_add (cells, text);
    }
  for (guint64 x = 0; x < n; x++)
    {
      if (n > rows * columns && x % (rows * columns) == 0)
        {
          guint64 rest = x / (rows * columns), sizes = n / (rows * columns);

          printf ("%s[", x > 0 ? "\n" : "");
          for (guint d = 0; d + 2 < layout->n_dims; d++)
            {
              sizes /= (guint64) layout->shape[d];
              printf ("%" G_GUINT64_FORMAT ", ", rest / sizes);
              rest %= sizes;
            }
          puts (":, :]");
        }
      printf ("%*s%c", (int) width, (const char *) g_ptr_array_index (cells, x), (x + 1) % columns == 0 ? '\n' : ' ');
    }
}

static void
print_text (const TlLayout *layout, Form form)
{
  gboolean titled = form == FORM_ALL;

  if (form & FORM_MODES)
    {
      g_autofree char *threads = tl_format_count (tl_layout_threads (layout));
      g_autofree char *locals = tl_format_count (tl_layout_locals (layout));

      print_list ("shape", layout->shape, layout->n_dims);
      print_list ("mode_shape", layout->modes, layout->n_modes);
      print_list ("spatial_modes", layout->spatial, layout->n_spatial);
      print_list ("local_modes", layout->local, layout->n_local);
      printf ("%-14s %s\n%-14s %s\n", "threads", threads, "locals", locals);
    }
  static const struct
  {
    Form        form;
    const char *name;
  } lines[] = { { FORM_KRON, "kron" }, { FORM_CUTE, "cute" }, { FORM_GF2, "gf2" } };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *reason = NULL;
      g_autofree char *text = NULL;
      TlLayoutBases    bases;

      if (!(form & lines[i].form))
        continue;
      if (lines[i].form == FORM_KRON)
        text = tl_layout_to_kronecker (layout, &reason);
      else if (lines[i].form == FORM_CUTE)
        text = tl_layout_to_cute (layout);
      else if (tl_layout_to_bases (layout, &bases, &reason))
        text = tl_layout_bases_to_text (&bases);
      if (titled)
        printf ("%-14s %s%s\n", lines[i].name, text != NULL ? text : "none: ", text != NULL ? "" : reason);
      else
        printf ("%s%s\n", text != NULL ? text : "none: ", text != NULL ? "" : reason);
    }
  if (form & FORM_MAP)
    {
      if (titled)
        puts ("\nmap (threads:local of each element, row-major)");
      print_map (layout);
    }
  if (form & FORM_INVERSE)
    {
      if (titled)
        puts ("\ninverse (a line for each thread: the element of each local)");
      print_inverse (layout);
    }
  if (form & FORM_TABLE)
    {
      if (titled)
        puts ("\ntable (threads:local)");
      print_table (layout);
    }
}

static void
json_list (JsonBuilder *builder, const char *name, const gint32 *list, guint n)
{
  tl_json_begin_array (builder, name);
  for (guint i = 0; i < n; i++)
    json_builder_add_int_value (builder, list[i]);
  json_builder_end_array (builder);
}

/* @view and @recipe_type may be NULL. */
static JsonNode *
layout_json (const char *expression, const TlLayout *layout, const TlView *view, const TlElementType *recipe_type)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  guint               threads = tl_layout_threads (layout), locals = tl_layout_locals (layout);
  g_autofree guint32 *holders = g_new (guint32, tl_layout_copies (layout));
  g_autofree guint64 *indices = g_new (guint64, (gsize) threads * locals);
  g_autofree char    *canonical = tl_layout_to_text (layout);
  g_autofree char    *kron_reason = NULL;
  g_autofree char    *gf2_reason = NULL;
  g_autofree char    *kron = tl_layout_to_kronecker (layout, &kron_reason);
  g_autofree char    *cute = tl_layout_to_cute (layout);
  g_autofree char    *gf2 = NULL;
  TlLayoutBases       bases;

  if (tl_layout_to_bases (layout, &bases, &gf2_reason))
    gf2 = tl_layout_bases_to_text (&bases);
  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "expression", expression);
  tl_json_text (builder, "literal", canonical);
  json_list (builder, "shape", layout->shape, layout->n_dims);
  json_list (builder, "mode_shape", layout->modes, layout->n_modes);
  json_list (builder, "spatial_modes", layout->spatial, layout->n_spatial);
  json_list (builder, "local_modes", layout->local, layout->n_local);
  tl_json_int (builder, "threads", threads);
  tl_json_int (builder, "locals", locals);
  tl_json_begin_array (builder, "map");
  for (guint64 x = 0; x < tl_layout_elements (layout); x++)
    {
      g_autofree char *text = place_text (layout, x, holders);
      json_builder_add_string_value (builder, text);
    }
  json_builder_end_array (builder);
  tl_layout_map (layout, indices);
  tl_json_begin_array (builder, "inverse");
  for (guint t = 0; t < threads; t++)
    {
      json_builder_begin_array (builder);
      for (guint l = 0; l < locals; l++)
        json_builder_add_int_value (builder, (gint64) indices[(gsize) t * locals + l]);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
  tl_json_text (builder, "kron", kron);
  if (kron == NULL)
    tl_json_text (builder, "kron_reason", kron_reason);
  tl_json_text (builder, "cute", cute);
  tl_json_text (builder, "gf2", gf2);
  if (gf2 == NULL)
    tl_json_text (builder, "gf2_reason", gf2_reason);
  if (view != NULL)
    tl_layout_json_view (builder, view);
  if (recipe_type != NULL)
    tl_layout_json_recipe (builder, *recipe_type, layout);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* What the command line asks for; the texts are owned. */
typedef struct
{
  char         *form_name;
  char         *type_name;
  char         *view_text;
  char         *element;
  char         *target;
  gboolean      recipe;
  gboolean      json;
  /* Read from those. */
  Form          form;
  TlElementType type;
  TlElementType view_type;
  TlLayout      view_layout;
} Wishes;

static void
wishes_clear (Wishes *wishes)
{
  g_free (wishes->form_name);
  g_free (wishes->type_name);
  g_free (wishes->view_text);
  g_free (wishes->element);
  g_free (wishes->target);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wishes, wishes_clear)

/* Do they go together? An exit status, or that it goes on. */
static int
read_wishes (Wishes *wishes)
{
  const gboolean alone = wishes->element != NULL;
  int            status;

  wishes->form = FORM_ALL & ~(FORM_MAP | FORM_INVERSE | FORM_TABLE);
  for (guint i = 0; wishes->form_name != NULL && i <= G_N_ELEMENTS (forms); i++)
    {
      if (i == G_N_ELEMENTS (forms))
        return tl_cli_usage (&tl_cli_layout, "there is no form \"%s\"", wishes->form_name);
      wishes->form = forms[i].form;
      if (strcmp (wishes->form_name, forms[i].name) == 0)
        break;
    }
  if (wishes->target != NULL && !alone)
    return tl_cli_usage (&tl_cli_layout, "--target goes with --element=ROW,COLUMN");
  if (alone && wishes->json && wishes->target == NULL)
    return tl_cli_usage (&tl_cli_layout, "--element is JSON only with --target=NAME; the map is in --json alone");
  if (alone && (wishes->view_text != NULL || wishes->recipe || wishes->form_name != NULL))
    return tl_cli_usage (&tl_cli_layout, "--element is shown alone; leave out --form, --view and --recipe");
  if ((wishes->view_text != NULL || wishes->recipe || alone) && wishes->type_name == NULL)
    return tl_cli_usage (&tl_cli_layout, "--view, --recipe and --element want --type=TYPE, the type of the elements");
  if (wishes->type_name != NULL && (status = tl_layout_read_type (wishes->type_name, &wishes->type)) != TL_GO_ON)
    return status;
  if (wishes->view_text != NULL
      && (status = tl_layout_read_side (wishes->view_text, &wishes->view_type, &wishes->view_layout)) != TL_GO_ON)
    return status;
  return TL_GO_ON;
}

/* "-" is standard input. NULL when that cannot be read. (transfer full) */
static TlSource *
read_expression (const char *argument)
{
  if (strcmp (argument, "-") != 0)
    return tl_source_new ("<expression>", argument, -1);

  g_autoptr (GBytes) bytes = tl_cli_read ("-", 1 << 16);
  return bytes != NULL ? tl_source_new ("<stdin>", g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes))
                       : NULL;
}

/* FALSE after saying why. */
static gboolean
parse_layout (TlSource *source, const Wishes *wishes, TlLayout *parsed)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autofree char *reason = NULL;
  const char      *text = tl_source_text (source);
  gsize            at = 0;

  if (!tl_layout_parse (parsed, text, -1, &at, &reason))
    tl_diags_add (diags, TL_SEVERITY_ERROR, "layout-expression", source, tl_span ((guint32) at, (guint32) at + 1), "%s",
                  reason);
  else if ((wishes->json || (wishes->form & (FORM_MAP | FORM_INVERSE | FORM_TABLE)))
           && (guint64) tl_layout_threads (parsed) * tl_layout_locals (parsed) > MAX_MAP)
    tl_diags_add (diags, TL_SEVERITY_ERROR, "layout-too-large", source, tl_span (0, (guint32) strlen (text)),
                  "%u threads with %u locals are too many places to print; ask for --form=modes",
                  tl_layout_threads (parsed), tl_layout_locals (parsed));
  if (tl_diags_errors (diags) == 0)
    return TRUE;
  tl_cli_diags_print (diags, source);
  return FALSE;
}

static int
layout (TlCli *cli, int argc, char **argv)
{
  g_auto (GStrv) arguments = NULL;
  g_auto (Wishes) wishes = { 0 };
  const GOptionEntry entries[] = {
    { "form", 'f', 0, G_OPTION_ARG_STRING, &wishes.form_name,
      N_ ("What to print: modes, kron, cute, gf2, map, inverse, table or all; by default all notations"), "FORM" },
    { "type", 't', 0, G_OPTION_ARG_STRING, &wishes.type_name, N_ ("Type of the elements, for --view and --recipe"),
      "TYPE" },
    { "view", 'v', 0, G_OPTION_ARG_STRING, &wishes.view_text,
      N_ ("Judge reading the same bits as elements of TYPE under the layout EXPR"), "TYPE:EXPR" },
    { "recipe", 'r', 0, G_OPTION_ARG_NONE, &wishes.recipe,
      N_ ("Say how threads load the tile as bytes, and what it costs"), NULL },
    { "element", 'e', 0, G_OPTION_ARG_STRING, &wishes.element,
      N_ ("Follow one element to its threads, its bits and the bytes that the recipe loads"), "ROW,COLUMN" },
    { "target", 0, 0, G_OPTION_ARG_STRING, &wishes.target,
      N_ ("With --element: on to unit, tier, bank, row and column of this machine"), "NAME" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &wishes.json, N_ ("Print one JSON object"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  int      status = tl_cli_options (&tl_cli_layout, entries, argc, argv, &arguments);
  TlLayout parsed;

  if (status != TL_GO_ON)
    return status;
  if (g_strv_length (arguments) != 1)
    return tl_cli_usage (&tl_cli_layout, "one expression is expected, such as \"local(2,1).spatial(8,4)\"");
  if ((status = read_wishes (&wishes)) != TL_GO_ON)
    return status;
  g_autoptr (TlSource) source = read_expression (arguments[0]);
  if (source == NULL || !parse_layout (source, &wishes, &parsed))
    return TL_EXIT_WRONG;
  if (wishes.element != NULL)
    return tl_layout_print_element (wishes.element, wishes.type, &parsed, wishes.target, wishes.json);
  g_auto (TlView) view = { 0 };
  if (wishes.view_text != NULL)
    tl_view_judge (&view, (TlViewSide) { wishes.type, &parsed }, (TlViewSide) { wishes.view_type, &wishes.view_layout },
                   0, FALSE);
  if (wishes.json)
    {
      g_autofree char *text = g_strchomp (g_strdup (tl_source_text (source)));

      return tl_cli_write_json ("-", layout_json (text, &parsed, wishes.view_text != NULL ? &view : NULL,
                                                  wishes.recipe ? &wishes.type : NULL));
    }
  if (wishes.form_name != NULL || (wishes.view_text == NULL && !wishes.recipe))
    print_text (&parsed, wishes.form);
  if (wishes.view_text != NULL)
    tl_layout_print_view (&view);
  if (wishes.recipe)
    tl_layout_print_recipe (wishes.type, &parsed);
  return TL_EXIT_FINE;
}

const TlCliCommand tl_cli_layout = {
  .name = "layout",
  .arguments = "EXPR",
  .summary = N_ ("A register layout in all its notations"),
  .details
  = N_ ("EXPR is a product of local, spatial, column_local, column_spatial, replicated and register_layout,\n"
        "chained by \".\", or a function of layouts: compose, divide, left_divide, reduce, reduce_to, permute,\n"
        "reshape, squeeze, unsqueeze, concat, flatten, auto_local_spatial."),
  .run = layout,
};
