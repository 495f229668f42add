/* The knobs of a build, for people and as JSON. */
#include "cli/build-product.h"
#include "engine/knob-list.h"

#include <string.h>

/* Values as long as a layout stand alone on their line. */
#define VALUE_ROOM 16

void
tl_cli_build_knobs_print (const TlBuild *build)
{
  g_autoptr (GPtrArray) knobs = tl_build_knobs (build, NULL);

  if (knobs->len > 0)
    printf ("  knobs\n");
  for (guint i = 0; i < knobs->len; i++)
    {
      const TlKnobState *knob = knobs->pdata[i];
      g_autofree char   *name = tl_knob_state_name (knob);
      const char        *why = knob->chosen == TL_CHOSEN_DERIVED ? knob->rule : "";
      gboolean           wide = strlen (knob->value) > VALUE_ROOM;

      printf ("    %-12s %-*s", name, VALUE_ROOM, knob->value);
      if (wide)
        printf ("\n    %-12s %-*s", "", VALUE_ROOM, "");
      printf ("  %-8s %s%s[%s]", tl_chosen_name (knob->chosen), why, *why != '\0' ? " " : "", knob->legal);
      printf (knob->detail != NULL ? "; %s\n" : "\n", knob->detail);
    }
}

void
tl_json_knobs (JsonBuilder *builder, const TlBuild *build)
{
  g_autoptr (GPtrArray) knobs = tl_build_knobs (build, NULL);

  tl_json_begin_array (builder, "knobs");
  for (guint i = 0; i < knobs->len; i++)
    {
      const TlKnobState *knob = knobs->pdata[i];

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "key", knob->key);
      tl_json_text (builder, "operand", knob->operand);
      tl_json_text (builder, "value", knob->value);
      tl_json_text (builder, "chosen", tl_chosen_name (knob->chosen));
      tl_json_text (builder, "rule", knob->chosen == TL_CHOSEN_DERIVED ? knob->rule : NULL);
      tl_json_text (builder, "legal", knob->legal);
      if (knob->detail != NULL)
        tl_json_text (builder, "detail", knob->detail);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
