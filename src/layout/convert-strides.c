/* Modes <-> CuTe thread-value shape:stride onto the row-major flat index. */
#include "layout/convert.h"
#include "layout/layout-private.h"

void
tl_layout_to_strides (const TlLayout *layout, TlLayoutStride *thread, guint *n_thread, TlLayoutStride *value,
                      guint *n_value)
{
  guint64 weights[2 * TL_LAYOUT_MAX_MODES];

  tl_layout_weights (layout, weights);
  *n_thread = *n_value = 0;
  for (guint i = layout->n_spatial; i-- > 0;)
    {
      gint32 m = layout->spatial[i];
      thread[(*n_thread)++]
          = m < 0 ? (TlLayoutStride) { (guint64) -m, 0 } : (TlLayoutStride) { (guint64) layout->modes[m], weights[m] };
    }
  for (guint i = layout->n_local; i-- > 0;)
    {
      gint32 m = layout->local[i];
      value[(*n_value)++] = (TlLayoutStride) { (guint64) layout->modes[m], weights[m] };
    }
}

static void
append_side (GString *text, const TlLayoutStride *modes, guint n, gboolean strides)
{
  g_string_append_c (text, '(');
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, i > 0 ? "," : "", strides ? modes[i].stride : modes[i].size);
  if (n == 0)
    g_string_append_c (text, strides ? '0' : '1');
  g_string_append_c (text, ')');
}

char *
tl_layout_to_cute (const TlLayout *layout)
{
  TlLayoutStride thread[TL_LAYOUT_MAX_SPATIAL], value[TL_LAYOUT_MAX_SPATIAL];
  guint          n_thread, n_value;
  GString       *text = g_string_new ("(");

  tl_layout_to_strides (layout, thread, &n_thread, value, &n_value);
  append_side (text, thread, n_thread, FALSE);
  g_string_append_c (text, ',');
  append_side (text, value, n_value, FALSE);
  g_string_append (text, "):(");
  append_side (text, thread, n_thread, TRUE);
  g_string_append_c (text, ',');
  append_side (text, value, n_value, TRUE);
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

/* A run of digits of the flat index, or a replication. */
typedef struct
{
  guint64 size;
  guint64 stride;
  guint   side;  /* 0 thread, 1 value */
  guint   order; /* in its side's list, fastest first */
  guint   mode;  /* as given */
} Piece;

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const Piece *x = a, *y = b;

  return x->stride != y->stride ? (x->stride < y->stride ? 1 : -1) : 0;
}

/* Cuts a mode where it crosses from one dimension into the next. */
static gboolean
cut_mode (GArray *pieces, TlLayoutStride mode, guint side, guint number, const guint64 *borders, guint n_borders,
          char **reason)
{
  guint64 size = mode.size, stride = mode.stride;

  for (guint b = 0; b < n_borders; b++)
    if (stride != 0 && borders[b] > stride && borders[b] < stride * size)
      {
        if (borders[b] % stride != 0 || size % (borders[b] / stride) != 0)
          return tl_refuse (reason,
                            "%s mode %u (%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT
                            ") crosses the border of a dimension unevenly",
                            side == 0 ? "thread" : "value", number, mode.size, mode.stride);
        Piece piece = { borders[b] / stride, stride, side, pieces->len, number };
        g_array_append_val (pieces, piece);
        size /= piece.size;
        stride = borders[b];
      }
  Piece rest = { size, stride, side, pieces->len, number };
  g_array_append_val (pieces, rest);
  return TRUE;
}

gboolean
tl_layout_from_strides (TlLayout *layout, const gint64 *shape, guint n_dims, const TlLayoutStride *thread,
                        guint n_thread, const TlLayoutStride *value, guint n_value, char **reason)
{
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  TlLayout l = { .n_dims = n_dims };
  guint64  borders[TL_LAYOUT_MAX_DIMS], total = 1;
  gint32   mode_of[4 * TL_LAYOUT_MAX_SPATIAL];

  if (!tl_layout_shape_valid (shape, n_dims, reason))
    return FALSE;
  if (n_thread > TL_LAYOUT_MAX_SPATIAL || n_value > TL_LAYOUT_MAX_MODES)
    return tl_refuse (reason, "a layout has at most %d modes", TL_LAYOUT_MAX_MODES);
  for (guint d = n_dims; d-- > 0;)
    {
      l.shape[d] = (gint32) shape[d];
      if (__builtin_mul_overflow (total, (guint64) shape[d], &total) || total > (guint64) 1 << 40)
        return tl_refuse (reason, "the shape has too many elements");
      borders[n_dims - 1 - d] = total;
    }
  for (guint i = 0; i < n_thread + n_value; i++)
    {
      TlLayoutStride mode = i < n_thread ? thread[i] : value[i - n_thread];
      guint          side = i < n_thread ? 0 : 1, number = i < n_thread ? i : i - n_thread;
      const char    *name = side == 0 ? "thread" : "value";

      if (mode.size < 1 || mode.size > TL_LAYOUT_MAX_SIZE || mode.stride > total)
        return tl_refuse (reason, "%s mode %u (%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ") is out of range", name,
                          number, mode.size, mode.stride);
      if (mode.size == 1)
        continue;
      if (mode.stride == 0 && side == 1)
        return tl_refuse (reason, "value mode %u has stride 0; only threads can replicate", number);
      if (!cut_mode (pieces, mode, side, number, borders, n_dims, reason))
        return FALSE;
    }
  if (pieces->len > 2 * TL_LAYOUT_MAX_MODES)
    return tl_refuse (reason, "a layout has at most %d modes", TL_LAYOUT_MAX_MODES);
  /* By falling stride the pieces must be the digits of the flat index, replications last. */
  g_autoptr (GArray) sorted = g_array_copy (pieces);
  g_array_sort (sorted, compare_pieces);
  guint64 weight = total;
  for (guint i = 0; i < sorted->len; i++)
    {
      const Piece *piece = &g_array_index (sorted, Piece, i);

      if (piece->stride == 0)
        break;
      if (piece->size * piece->stride != weight)
        return tl_refuse (reason,
                          "%s mode %u leaves a gap or overlaps: digits of weight %" G_GUINT64_FORMAT
                          " and size %" G_GUINT64_FORMAT " do not end at %" G_GUINT64_FORMAT,
                          piece->side == 0 ? "thread" : "value", piece->mode, piece->stride, piece->size, weight);
      weight = piece->stride;
      guint d = n_dims - 1;
      while (d > 0 && borders[n_dims - 1 - d] <= piece->stride)
        d--;
      mode_of[piece->order] = (gint32) l.n_modes;
      l.dim[l.n_modes] = (guint8) d;
      l.modes[l.n_modes++] = (gint32) piece->size;
    }
  if (weight != 1)
    return tl_refuse (reason, "no mode has stride 1: %" G_GUINT64_FORMAT " neighbours are never reached", weight);
  for (guint i = pieces->len; i-- > 0;)
    {
      const Piece *piece = &g_array_index (pieces, Piece, i);

      if (piece->side == 1)
        l.local[l.n_local++] = mode_of[i];
      else
        l.spatial[l.n_spatial++] = piece->stride == 0 ? (gint32) - (gint64) piece->size : mode_of[i];
    }
  if (!tl_layout_canonicalize (&l, reason))
    return FALSE;
  *layout = l;
  return TRUE;
}
