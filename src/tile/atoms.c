/* Atoms and the layouts made of them. */
#include "tile/atoms.h"

static gboolean
parse (TlLayout *layout, const char *format, guint size)
{
  g_autofree char *size_text = g_strdup_printf ("%u", size);
  g_auto (GStrv) pieces = g_strsplit (format, "@", -1);
  g_autofree char *text = g_strjoinv (size_text, pieces);

  return tl_layout_parse (layout, text, -1, NULL, NULL);
}

gboolean
tl_tile_atom_find (TlElementType type, guint vector, TlTileAtom *atom)
{
  gboolean half = type.kind == TL_ELEMENT_FLOAT && type.bits == 16;
  gboolean byte = (type.kind == TL_ELEMENT_INT || type.kind == TL_ELEMENT_UINT) && type.bits == 8;
  guint    pieces = (half ? 2 : 4) * vector;

  if ((!half && !byte) || vector < 1 || vector > 4)
    return FALSE;
  *atom = (TlTileAtom) { .m = 16, .n = 8, .k = (half ? 16 : 32) * vector, .vector = vector };
  return parse (&atom->a, "column_local(2,2).spatial(8,4).local(1,@)", pieces)
         && parse (&atom->b, "local(2,1).column_spatial(4,8).local(@,1)", pieces)
         && parse (&atom->c, "local(2,1).spatial(8,4).local(1,2)", 0);
}

TlElementType
tl_tile_atom_result (TlElementType type)
{
  static const TlElementType f32 = { TL_ELEMENT_FLOAT, 32, 8, 23 }, i32 = { TL_ELEMENT_INT, 32, 0, 0 };

  return type.kind == TL_ELEMENT_FLOAT ? f32 : i32;
}

/* outer . local(x, y) * atom */
static gboolean
tile (TlLayout *layout, const TlLayout *outer, guint x, guint y, const TlLayout *atom, char **reason)
{
  gint64   shape[] = { x, y };
  TlLayout inner;

  return tl_layout_local (&inner, shape, 2, NULL, reason) && tl_layout_compose (layout, outer, &inner, reason)
         && tl_layout_compose (layout, layout, atom, reason);
}

gboolean
tl_tile_dot_layouts (const TlTileAtom *atom, const TlTileTiling *tiling, TlLayout *a, TlLayout *b, TlLayout *c,
                     char **reason)
{
  gint64       a_warps[] = { tiling->warps_m, 1, tiling->warps_n }, a_ranks[] = { 1, 0, 2 };
  gint64       b_warps[] = { 1, tiling->warps_n, tiling->warps_m }, b_ranks[] = { 0, 2, 1 };
  gint64       c_warps[] = { tiling->warps_m, tiling->warps_n };
  const gint64 last[] = { 2 };
  TlLayout     outer;

  return tl_layout_spatial (&outer, a_warps, 3, a_ranks, reason)
         && tl_layout_reduce (&outer, &outer, last, 1, FALSE, reason)
         && tile (a, &outer, tiling->repeat_m, tiling->repeat_k, &atom->a, reason)
         && tl_layout_spatial (&outer, b_warps, 3, b_ranks, reason)
         && tl_layout_reduce (&outer, &outer, last, 1, FALSE, reason)
         && tile (b, &outer, tiling->repeat_k, tiling->repeat_n, &atom->b, reason)
         && tl_layout_spatial (&outer, c_warps, 2, NULL, reason)
         && tile (c, &outer, tiling->repeat_m, tiling->repeat_n, &atom->c, reason);
}
