#include "golden.h"

#include <string.h>

#include "support/support.h"

TlTarget *
golden_target (const char *name, const char *override)
{
  g_autofree char *folder = tl_test_source_path ("tests/targets");
  const char      *folders[] = { folder, NULL };
  const char      *overrides[] = { override, NULL };
  TlTargetSearch   search = { .folders = folders };
  g_autoptr (TlDiags) diags = tl_diags_new ();
  TlTarget *target = tl_target_load (name, &search, overrides, NULL, tl_span (0, 0), diags);

  ck_assert_msg (target != NULL, "%s", name);
  return target;
}

guint64
golden_address (const char *pattern, guint64 i, guint unit)
{
  guint64 a_row = 128 / unit;

  if (strcmp (pattern, "seq") == 0)
    return i * unit;
  return i / (64 * a_row) * 128 + i / a_row % 64 * 8192 + i % a_row * unit;
}
