/* Checks of matrix products: that the operands lie as some tensor-core atom wants them, and
 * that each warp has the rows and columns of what it computes. */
#include "tile/atoms.h"
#include "tile/plan-private.h"

/* What of the tile of atoms each warp holds: layouts of warps over atoms. */
typedef struct
{
  TlLayout a, b, c;
} Quotients;

static gboolean
find_atom (const TlTileTensor *a, const TlTileTensor *b, const TlTileTensor *c, TlTileAtom *atom, Quotients *of)
{
  for (guint vector = 4; vector >= 1; vector--)
    if (tl_tile_atom_find (a->type, vector, atom) && tl_layout_divide (&of->a, &a->layout, &atom->a, NULL)
        && tl_layout_divide (&of->b, &b->layout, &atom->b, NULL)
        && tl_layout_divide (&of->c, &c->layout, &atom->c, NULL))
      return TRUE;
  return FALSE;
}

/* Whether thread @warp of @layout holds @index. */
static gboolean
holds (const TlLayout *layout, guint warp, guint64 index)
{
  guint locals = tl_layout_locals (layout);

  for (guint l = 0; l < locals; l++)
    if (tl_layout_index (layout, warp, l) == index)
      return TRUE;
  return FALSE;
}

static gboolean
check_warps (TlTileCheck *check, const Quotients *of, guint64 columns, guint64 depth)
{
  guint locals = tl_layout_locals (&of->c);

  for (guint w = 0; w < check->plan->threads / TL_TILE_WARP; w++)
    for (guint l = 0; l < locals; l++)
      {
        guint64 index = tl_layout_index (&of->c, w, l), row = index / columns, column = index % columns;

        for (guint64 k = 0; k < depth; k++)
          if (!holds (&of->a, w, row * depth + k) || !holds (&of->b, w, k * columns + column))
            return tl_tile_refuse (check,
                                   "warp %u computes atom (%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT
                                   ") and does not hold all operands of it",
                                   w, row, column);
      }
  return TRUE;
}

gboolean
tl_tile_plan_dot (TlTileCheck *check)
{
  const TlTileInstruction *at = tl_tile_checked (check);
  TlTileStep              *step = &check->plan->steps[check->at];
  const TlTileKernel      *kernel = check->plan->kernel;
  TlTileAtom               atom;
  Quotients                of;

  for (guint k = 0; k < 3; k++)
    if (!tl_tile_use_register (check, at->operands[k]))
      return FALSE;
  if (!tl_tile_use_register (check, at->result))
    return FALSE;
  const TlTileTensor       *a = tl_tile_kernel_tensor (kernel, at->operands[0]);
  const TlTileTensor       *b = tl_tile_kernel_tensor (kernel, at->operands[1]);
  const TlTileTensor       *c = tl_tile_kernel_tensor (kernel, at->operands[2]);
  const TlTileTensor       *d = tl_tile_kernel_tensor (kernel, at->result);
  const TlTileRegisterPlan *pa = &check->plan->registers[at->operands[0]];
  const TlTileRegisterPlan *pb = &check->plan->registers[at->operands[1]];
  const TlTileRegisterPlan *pc = &check->plan->registers[at->operands[2]];
  if (pa->n_dims != 2 || pb->n_dims != 2 || pc->n_dims != 2 || pa->shape[1] != pb->shape[0]
      || pa->shape[0] != pc->shape[0] || pb->shape[1] != pc->shape[1])
    return tl_tile_refuse (check, "%s, %s and %s are not m x k, k x n and m x n", a->name, b->name, c->name);
  if (!tl_layout_equal (&c->layout, &d->layout) || !tl_element_type_equal (c->type, d->type))
    return tl_tile_refuse (check, "%s and %s differ in type or layout", c->name, d->name);
  if (!tl_tile_atom_find (a->type, 1, &atom) || a->type.bits != b->type.bits
      || (a->type.kind == TL_ELEMENT_FLOAT && !tl_element_type_equal (a->type, b->type))
      || (a->type.kind != TL_ELEMENT_FLOAT && b->type.kind == TL_ELEMENT_FLOAT)
      || !tl_element_type_equal (c->type, tl_tile_atom_result (a->type)))
    {
      g_autofree char *x = tl_element_type_name (a->type);
      g_autofree char *y = tl_element_type_name (b->type);
      g_autofree char *z = tl_element_type_name (c->type);
      return tl_tile_refuse (
          check, "no atom multiplies %s by %s into %s; two of f16 or bf16 make f32, i8 and u8 make i32", x, y, z);
    }
  if (check->plan->threads % TL_TILE_WARP != 0 || !find_atom (a, b, c, &atom, &of))
    return tl_tile_refuse (check, "the layouts of %s, %s and %s are not tiled from those of an atom", a->name, b->name,
                           c->name);
  if (!check_warps (check, &of, (guint64) pc->shape[1] / atom.n, (guint64) pa->shape[1] / atom.k))
    return FALSE;
  step->holder[0] = tl_tile_holders (check->plan, at->operands[0]);
  step->holder[1] = tl_tile_holders (check->plan, at->operands[1]);
  step->index = tl_tile_indices (check->plan, at->operands[2]);
  step->atoms = (guint64) (pc->shape[0] / atom.m) * (guint64) (pc->shape[1] / atom.n)
                * (guint64) (pa->shape[1] / atom.k) * atom.vector;
  return TRUE;
}
