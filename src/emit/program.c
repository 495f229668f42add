/* The life of a program, and what is looked up in it. */
#include "emit/program.h"

#include "base/hash.h"
#include "emit/program-private.h"

#include <string.h>

TlPimProgram *
tl_pim_program_alloc (void)
{
  TlPimProgram *program = g_new0 (TlPimProgram, 1);

  g_atomic_ref_count_init (&program->references);
  program->data = g_ptr_array_new_with_free_func ((GDestroyNotify) tl_data_source_free);
  program->objects = g_array_new (FALSE, TRUE, sizeof (TlObjectShare));
  g_array_set_clear_func (program->objects, tl_object_share_clear);
  return program;
}

TlPimProgram *
tl_pim_program_ref (TlPimProgram *program)
{
  g_atomic_ref_count_inc (&program->references);
  return program;
}

void
tl_pim_program_unref (TlPimProgram *program)
{
  if (program == NULL || !g_atomic_ref_count_dec (&program->references))
    return;
  for (guint pu = 0; program->streams != NULL && pu < program->machine.pus; pu++)
    {
      g_free (program->streams[pu].code);
      g_free (program->streams[pu].row_runs);
      g_free (program->streams[pu].runs);
    }
  g_free (program->streams);
  g_free (program->name);
  g_free (program->target);
  g_free (program->owner_rule);
  g_free (program->mode);
  g_free (program->base);
  if (program->semiring != NULL)
    tl_semiring_free (program->semiring);
  g_ptr_array_unref (program->data);
  g_array_unref (program->objects);
  g_free (program->owner);
  g_free (program->tier);
  g_free (program);
}

guint64
tl_pim_program_owner_hash (const TlPimProgram *program)
{
  gsize              count = (gsize) program->tiles * program->tiles;
  gboolean           wide = program->machine.pus > 256;
  g_autofree guint8 *bytes = g_malloc (wide ? 2 * count : count);

  for (gsize x = 0; x < count; x++)
    if (wide)
      {
        bytes[2 * x] = program->owner[x] & 0xff;
        bytes[2 * x + 1] = program->owner[x] >> 8;
      }
    else
      bytes[x] = (guint8) program->owner[x];
  return tl_fnv1a64 (TL_FNV1A64_START, bytes, wide ? 2 * count : count);
}

gboolean
tl_code_equal (TlCodeView a, TlCodeView b)
{
  if (a.n != b.n)
    return FALSE;
  for (guint s = 0; s < a.n; s++)
    if (a.steps[s].kind != b.steps[s].kind || a.steps[s].a != b.steps[s].a || a.steps[s].b != b.steps[s].b)
      return FALSE;
  return TRUE;
}
