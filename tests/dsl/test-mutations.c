/* Any text at all: no crash, every span inside the text, fixes that apply, the same
 * remarks each time; and how long a program takes. */
#include "dsl-test.h"
#include "dsl/lexer.h"

static const char *const seeds[] = {
  "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = graph(\"ca-GrQc.txt\")\n"
  "config target = gendram\n",
  "algorithm align\n  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap)  for i, j within band\n"
  "  result = max over s (H[last, s])\ndata q = reads(\"l.fastq\")\ndata r = sequence(\"lambda.fa\")\n"
  "data PTR, CAL = index(r, k = 11)\ndata hits = stream(PTR, CAL, q)\nconfig score = match 2 mismatch -4, gap = 2, "
  "band = 15%\n",
  "algorithm apsp\n  for k in 0..N: for i in 0..=N-1: for j in 1..N+1:\n    t = D[i,k] + D[k,j-1]\n"
  "    if t < D[i,j-1]: D[i,j-1] = t\n    else if t == 2:\n      D[i,0] = 1 if t > 3 else 4\ndata D: f6e3m2[64, N] = "
  "random(3)\n",
  "semiring (max, *) on 0..1: zero = 0, one = 1\nop f(a, b) = a * b if a < b else -max(-a, -b)\nop g = table([[0, 1], "
  "[1, 0]])\n"
  "algorithm x\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\ndata A: f16[64, 5120]\ndata W: i6[5120, 8192]\n"
  "config target = cu-t8b16, tile = (64, 128, 64), split = 8 : 24, owner = (i*(M|1)+j) mod P, target.tRRD = 5ns\n"
  "place W = layout local(2,1).spatial(8,4)\nplace A = layout gf2 [domain: 4 2 | row: 8 | column: 1]\n"
  "place C = fill 0..7\n",
};

static const char *const pieces[] = {
  "(",
  ")",
  "[",
  "]",
  ",",
  ":",
  "=",
  "==",
  "..",
  "..=",
  "+",
  "-",
  "*",
  "/",
  "//",
  "|",
  "%",
  ".",
  "\"",
  "'",
  "#",
  "\n",
  "\r\n",
  "\t",
  "  ",
  "for ",
  "if ",
  "else",
  " in ",
  "min",
  "max over ",
  "within ",
  "not ",
  "and ",
  "or ",
  " mod ",
  "inf",
  "result = ",
  "algorithm ",
  "data ",
  "config ",
  "place ",
  "semiring ",
  "op ",
  "layout ",
  "gf2 [",
  "target = ",
  "score = ",
  "gap = ",
  "tile = ",
  "1..N",
  "0x",
  "1e999",
  "99999999999999999999",
  "1_",
  ".5",
  "5ns",
  "\xff",
  "\xe2\x82",
  "ä",
  "×",
  "∞",
  "\xef\xbb\xbf",
  "a.b",
  "&&",
  "{",
  ";",
  "D[i,j]",
  "op f(a,b) = ",
  "for i in 0..N: ",
  "table([[0]])",
  "\\",
  "i",
  "j",
  "k",
  "N",
  "D",
};

static GString *
mutate (guint64 *state)
{
  GString *text = g_string_new (seeds[tl_test_random_below (state, G_N_ELEMENTS (seeds))]);
  guint    rounds = 1 + (guint) tl_test_random_below (state, 6);

  for (guint i = 0; i < rounds; i++)
    {
      gsize at = tl_test_random_below (state, text->len + 1);
      switch (tl_test_random_below (state, 6))
        {
        case 0:
        case 1:
          g_string_insert (text, (gssize) at, pieces[tl_test_random_below (state, G_N_ELEMENTS (pieces))]);
          break;
        case 2:
          {
            gsize cut = 1 + tl_test_random_below (state, 12);
            g_string_erase (text, (gssize) at, (gssize) MIN (text->len - at, cut));
            break;
          }
        case 3:
          if (at < text->len)
            text->str[at] = (char) tl_test_random (state);
          break;
        case 4:
          g_string_truncate (text, at);
          break;
        default:
          {
            const char      *other = seeds[tl_test_random_below (state, G_N_ELEMENTS (seeds))];
            gsize            from = tl_test_random_below (state, strlen (other));
            g_autofree char *part = g_strndup (other + from, tl_test_random_below (state, 60));
            g_string_insert (text, (gssize) at, part);
            break;
          }
        }
    }
  return text;
}

/* check notes each of its assertions in a file, too slow for millions. */
#define EXPECT(condition)                                                                                              \
  do                                                                                                                   \
    if (!(condition))                                                                                                  \
      ck_abort_msg ("%s", #condition);                                                                                 \
  while (0)

static gboolean
inside (TlSpan span, guint32 length)
{
  return span.start <= span.end && span.end <= length;
}

static void
check_spans (const TlExpr *expr, guint32 length)
{
  if (expr == NULL)
    return;
  EXPECT (inside (expr->span, length) && inside (expr->op_span, length));
  EXPECT (expr->depth <= TL_MAX_EXPR_DEPTH);
  for (guint i = 0; i < expr->n_args; i++)
    {
      EXPECT (expr->args[i] != NULL);
      EXPECT (expr->args[i]->depth < expr->depth);
      check_spans (expr->args[i], length);
    }
}

static void
check_stmt (const TlStmt *stmt, guint32 length, guint depth)
{
  EXPECT (inside (stmt->span, length) && inside (stmt->head_span, length) && inside (stmt->assign_span, length));
  EXPECT (depth <= TL_MAX_NEST_DEPTH + 1);
  check_spans (stmt->target, length);
  check_spans (stmt->value, length);
  check_spans (stmt->within, length);
  EXPECT (stmt->kind == TL_STMT_FOR ? stmt->n_loops == 1 : stmt->value != NULL);
  EXPECT ((stmt->target != NULL) == (stmt->kind == TL_STMT_UPDATE || stmt->kind == TL_STMT_ASSIGN));
  for (guint i = 0; i < stmt->n_loops; i++)
    {
      EXPECT (stmt->loops[i].name != NULL);
      check_spans (stmt->loops[i].range, length);
    }
  for (guint i = 0; i < stmt->n_body; i++)
    check_stmt (stmt->body[i], length, depth + 1);
  for (guint i = 0; i < stmt->n_otherwise; i++)
    check_stmt (stmt->otherwise[i], length, depth + 1);
}

static void
check_all (const Checked *checked)
{
  guint32      length = tl_source_length (checked->source);
  const TlAst *ast = checked->ast;

  for (guint i = 0; i < tl_diags_count (checked->diags); i++)
    {
      const TlDiag *diag = tl_diags_get (checked->diags, i);
      EXPECT (inside (diag->span, length));
      EXPECT (diag->from.line >= 1 && diag->from.column >= 1);
      EXPECT (g_utf8_validate (diag->message, -1, NULL));
      for (guint k = 0; k < diag->fixes->len; k++)
        {
          const TlFix *fix = g_ptr_array_index (diag->fixes, k);
          for (guint e = 0; e < fix->edits->len; e++)
            {
              const TlEdit *edit = &g_array_index (fix->edits, TlEdit, e);
              EXPECT (inside (edit->span, length));
              EXPECT (e == 0 || g_array_index (fix->edits, TlEdit, e - 1).span.end <= edit->span.start);
            }
          g_autofree char *fixed = tl_edit_apply (checked->source, fix->edits, NULL);
          g_auto (Checked) again = check_text (fixed);
          EXPECT (again.ast != NULL);
        }
    }
  for (guint i = 0; i < ast->n_algorithms; i++)
    for (guint k = 0; k < ast->algorithms[i]->n_body; k++)
      check_stmt (ast->algorithms[i]->body[k], length, 1);
  for (guint i = 0; i < ast->n_data; i++)
    {
      EXPECT (inside (ast->data[i]->span, length) && inside (ast->data[i]->type_span, length));
      check_spans (ast->data[i]->source, length);
    }
  for (guint i = 0; i < ast->n_config; i++)
    {
      EXPECT (inside (ast->config[i]->span, length) && inside (ast->config[i]->value_span, length)
              && inside (ast->config[i]->line_span, length));
      check_spans (ast->config[i]->value, length);
    }
  for (guint i = 0; i < ast->n_places; i++)
    check_spans (ast->places[i]->value, length);
  for (guint i = 0; i < ast->n_ops; i++)
    check_spans (ast->ops[i]->value, length);
}

/* A program in which nothing was found wrong prints to one in which nothing is. */
static void
check_print (const Checked *checked)
{
  if (tl_diags_errors (checked->diags) > 0)
    return;
  g_autofree char *text = tl_ast_text (checked->ast);
  g_auto (Checked) again = check_text (text);
  g_autofree char *text_again = tl_ast_text (again.ast), *said = diags_text (again.diags);

  if (tl_diags_errors (again.diags) > 0)
    ck_abort_msg ("%s\n%s\n%s", tl_source_text (checked->source), text, said);
  EXPECT (strcmp (text, text_again) == 0);
}

START_TEST (mutations_never_crash)
{
  guint64 state = tl_test_seed ();

  for (guint round = 0; round < tl_test_rounds (12000); round++)
    {
      g_autoptr (GString) text = mutate (&state);
      g_auto (Checked) checked = check_bytes (text->str, (gssize) text->len);
      check_all (&checked);
      check_print (&checked);
      if (round % 16 == 0)
        {
          g_auto (Checked) again = check_bytes (text->str, (gssize) text->len);
          g_autofree char *first = diags_text (checked.diags), *second = diags_text (again.diags);
          EXPECT (strcmp (first, second) == 0);
        }
    }
}
END_TEST

/* Every prefix of a program is a text that someone has just typed. */
START_TEST (prefixes_never_crash)
{
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    for (gsize length = 0; length <= strlen (seeds[i]); length++)
      {
        g_auto (Checked) checked = check_bytes (seeds[i], (gssize) length);
        check_all (&checked);
      }
}
END_TEST

/* The time of big and hostile texts grows with their size and no faster. */
START_TEST (hostile_texts_take_no_longer)
{
  static const char *const units[] = {
    "(",
    "[",
    "x = f(]",
    "f(] ",
    "a b ",
    "config tile = 1, ",
    "data D: i32\n",
    "t = t\n",
    " t%u = t%u + 1\n",
    "op f%u(a, b) = a\n",
    "  D[i%u,j] = Q%u[i,j]  for i, j\n",
    "config k%u = 3\n",
    "\"",
    "# \xff\n",
    "x.",
    "else: x\n",
    "for i in 0..N:\n",
    "E%u[0] = 1\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autoptr (GString) text = g_string_new ("algorithm a\n  x = ");
      for (guint k = 0; text->len < 150000; k++)
        {
          const char *number = strstr (units[i], "%u");
          if (number == NULL)
            g_string_append (text, units[i]);
          else
            for (const char *at = units[i]; *at != '\0'; at++)
              if (at[0] == '%' && at[1] == 'u')
                {
                  g_string_append_printf (text, "%u", k);
                  at++;
                }
              else
                g_string_append_c (text, *at);
        }
      gint64 start = g_get_monotonic_time ();
      g_auto (Checked) checked = check_text (text->str);
      gint64 took = g_get_monotonic_time () - start;
      ck_assert_uint_le (tl_diags_count (checked.diags), 4 * TL_MAX_MISTAKES);
      ck_assert_msg (took < 5000000, "%s took %" G_GINT64_FORMAT " us", units[i], took);
    }
}
END_TEST

/* A figure, not a verdict. */
START_TEST (four_lines_are_quick)
{
  gint64 best = G_MAXINT64;

  for (guint round = 0; round < 200; round++)
    {
      gint64 start = g_get_monotonic_time ();
      g_auto (Checked) checked = check_text (seeds[0]);
      best = MIN (best, g_get_monotonic_time () - start);
      ck_assert_uint_eq (tl_diags_count (checked.diags), 0);
    }
  g_print ("parse and check of four lines: %" G_GINT64_FORMAT " us\n", best);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dsl-mutations");
  TCase *tcase = tcase_create ("mutations");

  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, mutations_never_crash);
  tcase_add_test (tcase, prefixes_never_crash);
  tcase_add_test (tcase, hostile_texts_take_no_longer);
  tcase_add_test (tcase, four_lines_are_quick);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
