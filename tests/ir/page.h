/* The four modules on the page of the dialects: text to read, to change and to compare. */
#pragma once

#include "ir/ir.h"
#include "support/support.h"

#include <string.h>

/* The module after @group, 1..4. (transfer full) */
static inline char *
page_module (guint group)
{
  g_autofree char *path = tl_test_source_path ("src/ir/DIALECTS.md");
  g_autofree char *page = NULL;
  const char      *at;
  const char      *end;

  ck_assert (g_file_get_contents (path, &page, NULL, NULL));
  at = page;
  for (guint g = 0; g < group; g++)
    {
      at = strstr (at, "```mlir\n");
      ck_assert_ptr_nonnull (at);
      at += strlen ("```mlir\n");
    }
  end = strstr (at, "```");
  ck_assert_ptr_nonnull (end);
  return g_strndup (at, end - at);
}

/* @text with the first @from replaced by @to; @from must be there. (transfer full) */
static inline char *
page_edit (const char *text, const char *from, const char *to)
{
  const char *at = strstr (text, from);
  GString    *edited;

  ck_assert_msg (at != NULL, "nothing to replace: %s", from);
  edited = g_string_new_len (text, at - text);
  g_string_append (edited, to);
  g_string_append (edited, at + strlen (from));
  return g_string_free (edited, FALSE);
}

static inline TlModule *
page_parse (const char *text, TlDiags *diags)
{
  g_autoptr (TlSource) source = tl_source_new ("page.mlir", text, -1);

  return tl_module_parse (source, diags);
}
