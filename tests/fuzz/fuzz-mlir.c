/* Module text: parsed, verified, printed; what is printed must read back the same. */
#include "ir/ir.h"
#include "ir/owner.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (TlSource) source = tl_source_new ("fuzz.mlir", (const char *) data, (gssize) size);
  g_autoptr (TlDiags) diags = tl_diags_new ();
  g_autoptr (TlModule) module = tl_module_parse (source, diags);
  g_autoptr (TlSource) source_again = NULL;
  g_autoptr (TlModule) again = NULL;
  g_autofree char *text = NULL;
  g_autofree char *text_again = NULL;

  if (module == NULL)
    {
      g_autoptr (TlOwnerRule) rule = NULL;
      g_autofree char *rule_text = g_strndup ((const char *) data, size);
      guint32          i;
      guint32          j;
      gint64           pu;

      g_assert (tl_diags_errors (diags) == 1);
      rule = tl_owner_rule_parse (rule_text, 3, 4, NULL);
      if (rule != NULL)
        tl_owner_rule_check (rule, &i, &j, &pu);
      return 0;
    }
  tl_module_verify (module, diags);
  text = tl_module_print (module, TL_PRINT_DEFAULT);
  source_again = tl_source_new ("again.mlir", text, -1);
  again = tl_module_parse (source_again, diags);
  if (again == NULL)
    g_error ("does not read back: %s\n%s", tl_diags_get (diags, tl_diags_count (diags) - 1)->message, text);
  text_again = tl_module_print (again, TL_PRINT_DEFAULT);
  g_assert_cmpstr (text, ==, text_again);
  return 0;
}
