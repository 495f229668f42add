/* The programs of the language's page, the spellings of a closure, and the way back
 * from tree to text. */
#include "dsl-test.h"

/* Programs without a remark. */
static const char *const programs[] = {
  /* The page's own. */
  "algorithm apsp\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = graph(\"ca-GrQc.txt\")\n"
  "config target = gendram\n",
  "algorithm align\n"
  "  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), H[i-1,j] - gap, H[i,j-1] - gap)  for i, j within band\n"
  "data q = reads(\"lambda-pacbio15.fastq\")\ndata r = sequence(\"lambda.fa\")\ndata PTR, CAL = index(r, k = 11)\n"
  "data hits = stream(PTR, CAL, q)\nconfig target = gendram, mode = pipeline\n"
  "config score = match 2 mismatch -4, gap = 2\nconfig band = 15%\n",
  "algorithm expert_up\n  C[m,n] = C[m,n] + A[m,k] * W[k,n]  for m, n, k\ndata A: f16[64, 5120]\n"
  "data W: i6[5120, 8192]\nconfig target = cu-t8b16, tile = (64, 128, 64), stages = 3\nplace W = plan\n",
  "algorithm apsp\n  for k in 0..N: for i in 0..N: for j in 0..N:\n    t = D[i,k] + D[k,j]\n"
  "    if t < D[i,j]: D[i,j] = t\ndata D: i32 = graph(\"ca-GrQc.txt\")\n",
  "algorithm edit\n  E[i,0] = i\n  E[0,j] = j\n"
  "  E[i,j] = min(E[i-1,j-1] + (q[i] != r[j]), E[i-1,j] + 1, E[i,j-1] + 1)  for i, j\n  result = last E\n"
  "data q = sequence(\"a.fa\")\ndata r = sequence(\"b.fa\")\n",
  "algorithm viterbi\n  V[0,s] = init[s] + logB[s,o[0]]\n"
  "  V[t,s] = max over p (V[t-1,p] + logA[p,s]) + logB[s,o[t]]  for t, s\n  result = max over s (V[last, s])\n"
  "data init = matrix(\"init.csv\")\ndata logA = matrix(\"a.csv\")\ndata logB = matrix(\"b.csv\")\ndata o = "
  "matrix(\"o.csv\")\n",
  "semiring (max, *) on 0..1: zero = 0, one = 1\nalgorithm reliable\n"
  "  D[i,j] = max(D[i,j], D[i,k] * D[k,j])  for k, i, j\ndata D: f32 = graph(\"g.mtx\")\nconfig target = gendram\n",
  "algorithm affine\n  E[i,j] = max(H[i,j-1] - gap.open, E[i,j-1] - gap.extend)  for i, j\n"
  "  F[i,j] = max(H[i-1,j] - gap.open, F[i-1,j] - gap.extend)  for i, j\n"
  "  H[i,j] = max(0, H[i-1,j-1] + score(q[i], r[j]), E[i,j], F[i,j])  for i, j\n  result = max H\n"
  "data q = sequence(\"a.fa\")\ndata r = sequence(\"b.fa\")\nconfig gap = open 5 extend 1, score = matrix "
  "\"blosum62.txt\"\n",
  "algorithm widest\n  D[i,j] = max(D[i,j], min(D[i,k], D[k,j]))  for k, i, j\ndata D: i32 = road(1024, 7)\n",
  "algorithm closure\n  R[i,j] = R[i,j] or (R[i,k] and R[k,j])  for k, i, j\ndata R: bool = powerlaw(1024, 7)\n",
  /* Operators of one's own. */
  "op f(a, b) = a + b - a * b\nop g = table([[0, 1], [1, 0]])\nop xor = table(\"xor.csv\")\nsemiring (xor, f) on u1\n"
  "algorithm a\n  D[i,j] = xor(D[i,j], f(D[i,k], g(D[k,j], 1)))  for k, i, j\ndata D: u1 = random(3)\n",
  /* The spellings of a scalar nest. */
  "algorithm a\n  for a in 1..N+1:\n    for b in 0..=N-1:\n\tfor c in 0..N: # a tab is eight\n"
  "          D[b,c] = D[b,a-1] + D[a-1,c] if D[b,a-1] + D[a-1,c] < D[b,c] else D[b,c]\ndata D: i32 = graph(\"g.gr\")\n",
  "algorithm a\n  for k in 0..N: for j in 0..N: for i in 0..N: D[i,j] = -max(-D[i,j], -(D[k,j] + D[i,k]))\ndata D: i32 "
  "= graph(\"g.gr\")\n",
  "algorithm a\n  for k in 0..N:\n    for i in 0..N:\n      for j in 0..N:\n        if not D[i,k] + D[k,j] >= D[i,j]:\n"
  "          D[i,j] = D[i,k] + D[k,j]\n        else:\n          D[i,j] = D[i,j]\ndata D: i32 = graph(\"g.gr\")\n",
  /* Lines that go on; comments and blank lines anywhere; no last newline. */
  "# c\n\nalgorithm a # c\n\n  D[i,j] = min(D[i,j], # c\n\n    D[i,k] +\n# c\n  D[k,j])  for k,\n    i, j\n\n"
  "data D: i32 =\n  graph(\"f\")\nconfig tile = 64,\n  ring = free",
  /* Everything a config and a place line may say. */
  "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = graph(\"f\")\n"
  "config target = \"dir/mine.xml\", tile = 256, mode = broadcast, traversal = blocked, barriers = strict\n"
  "config owner = (i*(M|1)+j) mod P, edges = padded, copies = home, copy_writes = charged, ring = free, buffers = 2\n"
  "config split = 8 : 24, precision = 16, page = open, queue = 32, band = adaptive(64), quantum = 128 B, resident = 4\n"
  "config skew = 7, weights = nxk, slab = 2, values = off, baseline = B1, seed = 12, target.tRRD = 5ns, target.pus = "
  "8\n"
  "place D = tier 3\n",
  "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = graph(\"f\")\nplace D = fill "
  "0..7\n",
  "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = graph(\"f\")\nplace D = layout "
  "reduce(spatial(3, 4), [0], keepdims = True) * local(2, 1).spatial(8, 4)\n",
  "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = graph(\"f\")\nplace D = layout gf2 "
  "[domain: 4 "
  "2 | row: | column: 0x1]\n",
  "algorithm a\n  D[i,j] = min(D[i,j], D[i,k] + D[k,j])  for k, i, j\ndata D: i32 = graph(\"f\")\nplace D = layout "
  "((2,2),(2,3)):((4,1),(2,8))\n",
  /* Section words are names elsewhere. */
  "algorithm data\n  for k in 0..N: for i in 0..N: for j in 0..N:\n    data = D[i,k] + D[k,j]\n    if data < D[i,j]: "
  "D[i,j] = "
  "data\ndata D: i32 = graph(\"f\")\n",
};

START_TEST (examples_have_no_remark)
{
  g_auto (Checked) checked = check_text (programs[_i]);
  g_autofree char *said = diags_text (checked.diags);

  ck_assert_msg (tl_diags_count (checked.diags) == 0, "%s\n%s", programs[_i], said);
}
END_TEST

/* CR LF, CR, a BOM, tabs for blanks, no last newline: the same tree. */
START_TEST (line_ends_make_no_difference)
{
  g_auto (Checked) plain = check_text (programs[_i]);
  g_autofree char *text = tl_ast_text (plain.ast);

  for (guint i = 0; i < 3; i++)
    {
      g_auto (GStrv) lines = g_strsplit (programs[_i], "\n", -1);
      g_autofree char *joined = g_strjoinv (i == 0 ? "\r\n" : i == 1 ? "\r" : "\n", lines);
      g_autofree char *whole = g_strconcat (i == 2 ? "\xef\xbb\xbf" : "", joined, NULL);
      g_auto (Checked) other = check_text (whole);
      g_autofree char *other_text = tl_ast_text (other.ast);
      ck_assert_uint_eq (tl_diags_count (other.diags), 0);
      ck_assert_str_eq (other_text, text);
    }
}
END_TEST

static void
dump_expr (GString *text, const TlExpr *expr)
{
  if (expr == NULL)
    {
      g_string_append (text, " ()");
      return;
    }
  g_string_append_printf (text, " (%d %s %" G_GINT64_FORMAT " %a %d", expr->kind, expr->text ? expr->text : "-",
                          expr->integer, expr->real, expr->bracketed);
  for (guint i = 0; i < expr->n_loops; i++)
    g_string_append_printf (text, " %s", expr->loops[i].name);
  for (guint i = 0; i < expr->n_args; i++)
    dump_expr (text, expr->args[i]);
  g_string_append_c (text, ')');
}

static void
dump_stmts (GString *text, TlStmt *const *stmts, guint n_stmts)
{
  for (guint i = 0; i < n_stmts; i++)
    {
      g_string_append_printf (text, "{%d", stmts[i]->kind);
      dump_expr (text, stmts[i]->target);
      dump_expr (text, stmts[i]->value);
      dump_expr (text, stmts[i]->within);
      for (guint k = 0; k < stmts[i]->n_loops; k++)
        {
          g_string_append_printf (text, " %s", stmts[i]->loops[k].name);
          dump_expr (text, stmts[i]->loops[k].range);
        }
      dump_stmts (text, stmts[i]->body, stmts[i]->n_body);
      g_string_append_c (text, '/');
      dump_stmts (text, stmts[i]->otherwise, stmts[i]->n_otherwise);
      g_string_append_c (text, '}');
    }
}

/* All of a tree but its places, told apart field by field. (transfer full) */
static char *
dump_tree (const TlAst *ast)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ast->n_algorithms; i++)
    {
      g_string_append_printf (text, "algorithm %s ", ast->algorithms[i]->name);
      dump_stmts (text, ast->algorithms[i]->body, ast->algorithms[i]->n_body);
    }
  for (guint i = 0; i < ast->n_semirings; i++)
    {
      dump_expr (text, ast->semirings[i]->plus);
      dump_expr (text, ast->semirings[i]->times);
      dump_expr (text, ast->semirings[i]->carrier);
      dump_expr (text, ast->semirings[i]->zero);
      dump_expr (text, ast->semirings[i]->one);
    }
  for (guint i = 0; i < ast->n_ops; i++)
    {
      g_string_append_printf (text, "\nop %s %s %s", ast->ops[i]->name,
                              ast->ops[i]->parameters[0] ? ast->ops[i]->parameters[0] : "-",
                              ast->ops[i]->parameters[1] ? ast->ops[i]->parameters[1] : "-");
      dump_expr (text, ast->ops[i]->value);
    }
  for (guint i = 0; i < ast->n_data; i++)
    {
      const TlDataDecl *data = ast->data[i];
      g_string_append_printf (text, "\ndata %d.%d.%d.%d", data->type.kind, data->type.bits, data->type.exponent,
                              data->type.mantissa);
      for (guint k = 0; k < data->n_names; k++)
        g_string_append_printf (text, " %s", data->names[k]);
      for (guint k = 0; k < data->n_shape; k++)
        dump_expr (text, data->shape[k]);
      dump_expr (text, data->source);
    }
  for (guint i = 0; i < ast->n_config; i++)
    {
      g_string_append_printf (text, "\n%s", ast->config[i]->key);
      dump_expr (text, ast->config[i]->value);
    }
  for (guint i = 0; i < ast->n_places; i++)
    {
      g_string_append_printf (text, "\n%s", ast->places[i]->name);
      dump_expr (text, ast->places[i]->value);
    }
  return g_string_free (text, FALSE);
}

START_TEST (printing_and_parsing_gives_the_same_tree)
{
  g_auto (Checked) first = check_text (programs[_i]);
  g_autofree char *text = tl_ast_text (first.ast);
  g_auto (Checked) second = check_text (text);
  g_autofree char *again = tl_ast_text (second.ast), *said = diags_text (second.diags);
  g_autofree char *tree = dump_tree (first.ast), *tree_again = dump_tree (second.ast);

  ck_assert_msg (tl_diags_count (second.diags) == 0, "%s\n%s", text, said);
  ck_assert_str_eq (again, text);
  ck_assert_str_eq (tree_again, tree);
}
END_TEST

static guint64
random_below (guint64 *state, guint bound)
{
  return tl_test_random_below (state, bound);
}

/* A random expression; brackets wherever precedence might matter. */
static void
grow (GString *text, guint64 *state, guint depth)
{
  static const char *const operators[]
      = { "+", "-", "*", "/", "//", "mod", "and", "or", "xor", "|", "^", "&", "<", "<=", "==", "!=" };
  static const char *const leaves[] = { "i", "j", "D[i,j]", "0.25", "7", "inf", "1e-9", "k", "true", "12_345", "0x7f" };
  guint                    choice = depth == 0 ? 0 : (guint) random_below (state, 9);

  switch (choice)
    {
    case 1:
    case 2:
    case 3:
      g_string_append_c (text, '(');
      grow (text, state, depth - 1);
      g_string_append_printf (text, ") %s (", operators[random_below (state, G_N_ELEMENTS (operators))]);
      grow (text, state, depth - 1);
      g_string_append_c (text, ')');
      break;
    case 4:
      grow (text, state, depth - 1);
      g_string_append_printf (text, "%s", random_below (state, 2) ? " + " : " * ");
      grow (text, state, depth - 1);
      break;
    case 5:
      g_string_append (text, random_below (state, 2) ? "min(" : "f(");
      grow (text, state, depth - 1);
      g_string_append (text, ", ");
      grow (text, state, depth - 1);
      g_string_append_c (text, ')');
      break;
    case 6:
      g_string_append_c (text, '(');
      grow (text, state, depth - 1);
      g_string_append (text, ") if (");
      grow (text, state, depth - 1);
      g_string_append (text, ") else ");
      grow (text, state, depth - 1);
      break;
    case 7:
      g_string_append (text, random_below (state, 2) ? "-(" : "max over p, s (");
      grow (text, state, depth - 1);
      g_string_append_c (text, ')');
      break;
    default:
      g_string_append (text, leaves[random_below (state, G_N_ELEMENTS (leaves))]);
      break;
    }
}

START_TEST (random_expressions_round_trip)
{
  guint64 state = tl_test_seed ();
  guint   compared = 0;

  for (guint round = 0; round < 2000; round++)
    {
      g_autoptr (GString) text = g_string_new ("algorithm a\n  D[i,j] = ");
      grow (text, &state, 5);
      g_string_append (text, "  for k, i, j\n");
      g_autoptr (TlSource) source = tl_source_new ("t", text->str, -1);
      g_autoptr (TlDiags) diags = tl_diags_new ();
      g_autoptr (TlAst) ast = tl_parse (source, diags);
      /* A sign may stand before no condition, and so on: what does not parse is left out. */
      if (tl_diags_count (diags) > 0)
        continue;
      compared++;
      g_autofree char *printed = tl_ast_text (ast), *tree = dump_tree (ast);
      g_autoptr (TlSource) source_again = tl_source_new ("t", printed, -1);
      g_autoptr (TlAst) ast_again = tl_parse (source_again, diags);
      g_autofree char *tree_again = dump_tree (ast_again);
      ck_assert_msg (tl_diags_count (diags) == 0, "%s", printed);
      ck_assert_str_eq (tree_again, tree);
    }
  ck_assert_uint_ge (compared, 1000);
}
END_TEST

/* The dump tells trees apart: a wrong expectation fails. */
START_TEST (different_programs_differ)
{
  g_auto (Checked) a = check_text (programs[0]), b = check_text (programs[1]);
  g_autofree char *tree = dump_tree (a.ast), *other = dump_tree (b.ast);

  ck_assert_str_ne (tree, other);
}
END_TEST

START_TEST (trees_have_their_shape)
{
  g_auto (Checked) checked = check_text (
      "algorithm a\n  D[i,j] = D[i,j] + 2 * (3 - 1) - D[j,i] if not i < j and j == 2 else 0  for i, j\n"
      "data D: i32 = graph(\"f\")\nconfig score = match 2 mismatch -4, owner = (i*(M|1)+j) mod P, split = 8 : 24\n"
      "config target = cu-t8b16, band = 15%, target.tRRD = 5 ns, tile = 2 * 32\nplace D = stripe 0..3\n");
  const TlStmt *update = checked.ast->algorithms[0]->body[0];
  const TlExpr *value = update->value;
  gint64        number = 0;

  ck_assert_int_eq (value->kind, TL_EXPR_CONDITION);
  ck_assert_str_eq (value->args[0]->text, "-");
  ck_assert_str_eq (value->args[0]->args[0]->text, "+");
  ck_assert (value->args[0]->args[0]->args[1]->args[1]->bracketed);
  ck_assert_str_eq (value->args[1]->text, "and");
  ck_assert_str_eq (value->args[1]->args[0]->text, "not");
  ck_assert_uint_eq (update->n_loops, 2);
  ck_assert_str_eq (update->loops[1].name, "j");
  ck_assert (tl_expr_integer (value->args[0]->args[0]->args[1], &number));
  ck_assert_int_eq (number, 4);

  const TlExpr *score = tl_ast_config (checked.ast, "score")->value;
  ck_assert_int_eq (score->kind, TL_EXPR_WORDS);
  ck_assert (tl_expr_integer (tl_expr_named (score, "mismatch"), &number));
  ck_assert_int_eq (number, -4);
  ck_assert_int_eq (tl_ast_config (checked.ast, "split")->value->kind, TL_EXPR_RATIO);
  ck_assert_str_eq (tl_ast_config (checked.ast, "target")->value->text, "cu-t8b16");
  ck_assert_double_eq (tl_ast_config (checked.ast, "band")->value->real, 0.15);
  ck_assert_str_eq (tl_ast_config (checked.ast, "target.tRRD")->value->text, "5 ns");
  ck_assert (tl_expr_integer (tl_ast_config (checked.ast, "tile")->value, &number));
  ck_assert_int_eq (number, 64);
  ck_assert_ptr_null (tl_ast_config (checked.ast, "ring"));
  ck_assert_str_eq (tl_ast_place (checked.ast, "D")->value->text, "stripe");
  ck_assert_ptr_nonnull (tl_ast_data (checked.ast, "D"));
}
END_TEST

static gboolean
spans_inside (const TlExpr *expr, TlSpan outer)
{
  if (expr == NULL)
    return TRUE;
  gboolean fine = expr->span.start >= outer.start && expr->span.end <= outer.end && expr->span.start <= expr->span.end;
  for (guint i = 0; i < expr->n_args; i++)
    fine &= spans_inside (expr->args[i], expr->span);
  return fine;
}

static gboolean
stmt_spans_inside (const TlStmt *stmt, TlSpan outer)
{
  gboolean fine = stmt->span.start >= outer.start && stmt->span.end <= outer.end && stmt->span.start < stmt->span.end
                  && spans_inside (stmt->target, stmt->span) && spans_inside (stmt->value, stmt->span);
  for (guint i = 0; i < stmt->n_body; i++)
    fine &= stmt_spans_inside (stmt->body[i], stmt->span);
  for (guint i = 0; i < stmt->n_otherwise; i++)
    fine &= stmt_spans_inside (stmt->otherwise[i], stmt->span);
  return fine;
}

START_TEST (spans_nest)
{
  g_auto (Checked) checked = check_text (programs[_i]);
  const TlAlgorithm *algorithm = checked.ast->algorithms[0];

  for (guint i = 0; i < algorithm->n_body; i++)
    ck_assert (stmt_spans_inside (algorithm->body[i], algorithm->span));
  for (guint i = 0; i < checked.ast->n_config; i++)
    ck_assert (spans_inside (checked.ast->config[i]->value, checked.ast->config[i]->value_span));
  for (guint i = 0; i < checked.ast->n_places; i++)
    ck_assert (spans_inside (checked.ast->places[i]->value, checked.ast->places[i]->value_span));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("dsl-examples");
  TCase *tcase = tcase_create ("examples");

  tcase_add_loop_test (tcase, examples_have_no_remark, 0, G_N_ELEMENTS (programs));
  tcase_add_loop_test (tcase, line_ends_make_no_difference, 0, G_N_ELEMENTS (programs));
  tcase_add_loop_test (tcase, printing_and_parsing_gives_the_same_tree, 0, G_N_ELEMENTS (programs));
  tcase_add_loop_test (tcase, spans_nest, 0, G_N_ELEMENTS (programs));
  tcase_add_test (tcase, random_expressions_round_trip);
  tcase_add_test (tcase, different_programs_differ);
  tcase_add_test (tcase, trees_have_their_shape);
  suite_add_tcase (suite, tcase);
  return tl_test_run (suite);
}
