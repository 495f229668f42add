/* Template libraries: written, read again, found; what was changed is refused with the reason. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "place/template.h"
#include "support/support.h"

static TlTarget *
target_of (const char *name)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlTarget *target = tl_target_load (name, NULL, NULL, NULL, tl_span (0, 0), diags);

  ck_assert_ptr_nonnull (target);
  return target;
}

static TlSignature *
signature_of (guint tile_n, TlGemmOperand operand)
{
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlGemmShape shape
      = { .m = 64, .n = 1024, .k = 1024, .tile_m = 64, .tile_n = tile_n, .tile_k = 64, .quantum = 128, .resident = 1 };

  return tl_signature_of_gemm (&shape, operand, diags);
}

static TlTemplate *
template_of (const char *name, const TlTarget *target, guint tile_n, TlGemmOperand operand, guint split)
{
  g_autoptr (TlSignature) signature = signature_of (tile_n, operand);
  TlPlanOptions options = { .columns = 3, .domains = 7 - split, .step_limit = TL_PLAN_STEP_LIMIT };
  TlFreePlan    plan;

  tl_plan_free_domains (signature->sequence, &options, &plan);
  return tl_template_new (name, target, signature, &plan, split);
}

static GPtrArray *
some_library (void)
{
  g_autoptr (TlTarget) target = target_of ("cu-t8b16");
  GPtrArray *templates = g_ptr_array_new_with_free_func ((GDestroyNotify) tl_template_free);

  g_ptr_array_add (templates, template_of ("A<&\"", target, 128, TL_GEMM_A, 0));
  g_ptr_array_add (templates, template_of ("W", target, 128, TL_GEMM_B, 0));
  g_ptr_array_add (templates, template_of ("W", target, 128, TL_GEMM_B, 2));
  return templates;
}

START_TEST (there_and_back)
{
  g_autoptr (GPtrArray) templates = some_library ();
  g_autofree char *text = tl_templates_text (templates);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autofree char *folder = g_dir_make_tmp ("templates-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "library.xml", NULL);
  g_autoptr (GError) error = NULL;

  ck_assert_msg (tl_templates_save (templates, path, &error), "%s", error != NULL ? error->message : "");
  g_autoptr (GPtrArray) read = tl_templates_load (path, diags);
  ck_assert_msg (read != NULL, "%s", tl_diags_count (diags) > 0 ? tl_diags_get (diags, 0)->message : "");
  g_autofree char *again = tl_templates_text (read);
  ck_assert_str_eq (again, text);
  ck_assert_uint_eq (read->len, 3);
  for (guint i = 0; i < read->len; i++)
    {
      const TlTemplate *a = g_ptr_array_index (read, i), *b = g_ptr_array_index (templates, i);
      ck_assert_uint_eq (tl_template_hash (a), tl_template_hash (b));
      ck_assert_str_eq (a->name, b->name);
      ck_assert_int_eq (memcmp (&a->placement, &b->placement, sizeof a->placement), 0);
    }
  /* A second writing replaces the file; a folder that is not there is an error, and leaves nothing. */
  ck_assert (tl_templates_save (templates, path, NULL));
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  ck_assert_str_eq (g_dir_read_name (dir), "library.xml");
  ck_assert_ptr_null (g_dir_read_name (dir));
  g_autofree char *nowhere = g_build_filename (folder, "no", "library.xml", NULL);
  ck_assert (!tl_templates_save (templates, nowhere, &error));
  ck_assert_ptr_null (tl_templates_load (nowhere, diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "templates-file");
  ck_assert_ptr_null (tl_templates_load (folder, diags));
  g_unlink (path);
  g_rmdir (folder);
}
END_TEST

START_TEST (found_or_refused)
{
  g_autoptr (GPtrArray) templates = some_library ();
  g_autoptr (TlTarget) here = target_of ("cu-t8b16");
  g_autoptr (TlTarget) there = target_of ("cu-t4b32");
  g_autoptr (TlSignature) known = signature_of (128, TL_GEMM_B);
  g_autoptr (TlSignature) other = signature_of (64, TL_GEMM_B);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  const TlTemplate *found = tl_templates_find (templates, "W", here, known, -1, diags);

  ck_assert (found != NULL && found->split == 0 && found->signature_hash == known->hash);
  ck_assert_uint_eq (tl_templates_find (templates, "W", here, known, 2, diags)->split, 2);
  ck_assert_uint_eq (tl_diags_count (diags), 0);
  ck_assert_ptr_null (tl_templates_find (templates, "W", there, known, -1, diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "template-target");
  ck_assert_ptr_null (tl_templates_find (templates, "W", here, other, -1, diags));
  ck_assert_str_eq (tl_diags_get (diags, 1)->code, "template-signature");
  ck_assert_ptr_null (tl_templates_find (templates, "V", there, other, -1, diags));
  ck_assert_str_eq (tl_diags_get (diags, 2)->code, "template-missing");
  for (guint i = 0; i < 3; i++)
    ck_assert_ptr_nonnull (tl_diags_get (diags, i)->reason);
}
END_TEST

/* Every digit of the text: once changed, the library is refused or says the same. */
START_TEST (every_digit_counts)
{
  g_autoptr (GPtrArray) templates = some_library ();
  g_ptr_array_set_size (templates, 1);
  g_autofree char *text = tl_templates_text (templates);
  gsize            length = strlen (text);
  guint            changed = 0;

  for (gsize at = strstr (text, "<template ") - text; at < length; at++)
    {
      g_autoptr (TlDiags) diags = tl_diags_new ();
      char before = text[at];

      if (!g_ascii_isalnum (before))
        continue;
      text[at] = before == '1' ? '0' : '1';
      g_autoptr (GPtrArray) read = tl_templates_parse ("t", text, length, diags);
      ck_assert_msg (read == NULL && tl_diags_errors (diags) > 0, "a change at %" G_GSIZE_FORMAT " passed", at);
      text[at] = before;
      changed++;
    }
  ck_assert_uint_gt (changed, 300);
}
END_TEST

static const struct
{
  const char *from, *to, *code;
} edits[] = {
  { "version=\"1\"", "version=\"2\"", "templates-shape" },
  { "hits=\"", "hats=\"", "templates-shape" },
  { "</templates>", "", "xml" },
  { "<templates", "<!DOCTYPE t [<!ENTITY a \"b\">]><templates", "xml-doctype" },
  { "<row></row>", "<row>11111111111111111</row>", "template-layout" },
  { "<row></row>", "<row>100000</row>", "template-layout" },
  { "<column>000001", "<column>000000", "template-layout" },
  { "<column>000001 000010", "<column>000010 000001", "template-hash" },
  { "quantum=\"128\"", "quantum=\"64\"", "template-layout" },
  { "quantum=\"128\"", "quantum=\"999999999999999\"", "template-number" },
  { "terms=\"6\"", "terms=\"7\"", "template-rank" },
  { "hits=\"56\"", "hits=\"57\"", "template-rank" },
  { "exact=\"true\"", "exact=\"false\"", "template-hash" },
  { "name=\"W\"", "name=\"V\"", "template-hash" },
};

START_TEST (changed_libraries)
{
  g_autoptr (GPtrArray) templates = some_library ();
  g_autofree char *text = tl_templates_text (templates);
  g_auto (GStrv) parts = g_strsplit (text, edits[_i].from, 2);
  g_autofree char *changed = g_strjoin (edits[_i].to, parts[0], parts[1], NULL);
  g_autoptr (TlDiags) diags = tl_diags_new ();

  ck_assert_ptr_nonnull (parts[1]);
  ck_assert_ptr_null (tl_templates_parse ("t.xml", changed, strlen (changed), diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, edits[_i].code);
  ck_assert_str_eq (tl_diags_get (diags, 0)->file, "t.xml");
}
END_TEST

START_TEST (twice_and_none)
{
  g_autoptr (GPtrArray) templates = some_library ();
  g_autoptr (TlTarget) target = target_of ("cu-t8b16");
  g_autoptr (TlDiags) diags = tl_diags_new ();
  static const char none[] = "<templates version='1'/>";

  g_autoptr (GPtrArray) empty = tl_templates_parse ("t", none, strlen (none), diags);
  ck_assert (empty != NULL && empty->len == 0);
  g_ptr_array_add (templates, template_of ("W", target, 128, TL_GEMM_B, 0));
  g_autofree char *text = tl_templates_text (templates);
  ck_assert_ptr_null (tl_templates_parse ("t", text, strlen (text), diags));
  ck_assert_str_eq (tl_diags_get (diags, 0)->code, "template-twice");
  ck_assert_uint_gt (tl_diags_get (diags, 0)->from.line, 20);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("place-template");
  TCase *cases = tcase_create ("libraries");

  tcase_add_test (cases, there_and_back);
  tcase_add_test (cases, found_or_refused);
  tcase_add_test (cases, every_digit_counts);
  tcase_add_loop_test (cases, changed_libraries, 0, G_N_ELEMENTS (edits));
  tcase_add_test (cases, twice_and_none);
  suite_add_tcase (suite, cases);
  return tl_test_run (suite);
}
