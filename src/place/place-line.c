/* Layout expressions of place lines. */
#include "place/place-line.h"

#include "base/gf2.h"
#include "layout/convert.h"

#include <string.h>

#define MAX_MODES 32

typedef struct
{
  TlSource    *source;
  guint        bits, columns, domains;
  TlPlacement *placement;
  char       **reason;
  TlSpan      *span;
} Reader;

static gboolean refuse (Reader *reader, TlSpan span, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (Reader *reader, TlSpan span, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  *reader->reason = g_strdup_vprintf (format, args);
  va_end (args);
  *reader->span = span;
  return FALSE;
}

static gboolean
fills (Reader *reader, TlSpan span, guint64 units)
{
  if (units == (guint64) 1 << reader->bits)
    return TRUE;
  return refuse (reader, span, "it maps %" G_GUINT64_FORMAT " units, and a tile is laid out as %u (2^%u)", units,
                 1u << reader->bits, reader->bits);
}

/* --- gf2 [domain: 4 2 | row: 8 | column: 1] --- */

static gboolean
read_masks (Reader *reader, const TlExpr *expr)
{
  static const char *const names[] = { "domain", "row", "column" };
  TlPlacement             *placement = reader->placement;
  guint *const             counts[] = { &placement->n_domain, &placement->n_row, &placement->n_column };
  guint                    n = 0;
  guint64                  rows[TL_PLACE_MAX_BITS];

  for (guint part = 0; part < G_N_ELEMENTS (names); part++)
    for (guint i = 0; i < expr->n_args; i++)
      for (guint m = 0; strcmp (expr->args[i]->text, names[part]) == 0 && m < expr->args[i]->n_args; m++)
        {
          const TlExpr *mask = expr->args[i]->args[m];

          if (n == reader->bits)
            return refuse (reader, mask->span, "it has more than %u bits, and so many has a unit's number", n);
          if (mask->integer < 1 || mask->integer >> reader->bits != 0)
            return refuse (reader, mask->span, "a mask of unit bits is 1 to %u", (1u << reader->bits) - 1);
          rows[n] = (guint64) mask->integer;
          placement->rows[n++] = (guint16) mask->integer;
          ++*counts[part];
        }
  if (n < reader->bits)
    return refuse (reader, expr->span, "it has %u bits, a unit's number %u: some units would share a place", n,
                   reader->bits);
  if (tl_gf2_rank (rows, n) < n)
    return refuse (reader, expr->span, "its masks are not independent, so that some units would share a place");
  return TRUE;
}

/* --- digits: each unit bit is one bit of a place --- */

/* @domain and @local list the unit bit of each domain bit and of each local bit, the lowest first. */
static void
place_bits (Reader *reader, const guint *domain, guint n_domain, const guint *local, guint n_local)
{
  TlPlacement *placement = reader->placement;
  guint        columns = MIN (reader->columns, n_local), n = 0;

  placement->n_domain = n_domain;
  placement->n_column = columns;
  placement->n_row = n_local - columns;
  for (guint i = 0; i < n_domain; i++)
    placement->rows[n++] = (guint16) (1u << domain[i]);
  for (guint i = columns; i < n_local; i++)
    placement->rows[n++] = (guint16) (1u << local[i]);
  for (guint i = 0; i < columns; i++)
    placement->rows[n++] = (guint16) (1u << local[i]);
}

/* The unit bit at coordinates that are one power of two in one dimension. */
static guint
unit_bit (const TlLayoutBases *bases, const gint32 *coordinates)
{
  guint64 index = 0;

  for (guint d = 0; d < bases->n_dims; d++)
    index = index * (guint64) bases->shape[d] + (guint64) coordinates[d];
  return (guint) __builtin_ctzll (index | (guint64) 1 << 63);
}

static gboolean
read_product (Reader *reader, const TlExpr *expr)
{
  const char      *text = tl_source_text (reader->source) + expr->span.start;
  g_autofree char *reason = NULL;
  TlLayout         layout;
  TlLayoutBases    bases;
  guint            domain[TL_PLACE_MAX_BITS], local[TL_PLACE_MAX_BITS];
  gsize            at = 0;

  if (!tl_layout_parse (&layout, text, expr->span.end - expr->span.start, &at, &reason))
    return refuse (reader,
                   tl_span (expr->span.start + (guint32) at, MAX (expr->span.start + (guint32) at + 1, expr->span.end)),
                   "%s", reason);
  if (tl_layout_copies (&layout) > 1)
    return refuse (reader, expr->span, "it keeps each unit in %u domains, and a unit lies in one",
                   tl_layout_copies (&layout));
  if (!fills (reader, expr->span, tl_layout_elements (&layout)))
    return FALSE;
  if (!tl_layout_to_bases (&layout, &bases, &reason))
    return refuse (reader, expr->span, "%s", reason);
  for (guint k = 0; k < bases.n_thread; k++)
    domain[k] = unit_bit (&bases, bases.thread[k]);
  for (guint k = 0; k < bases.n_local; k++)
    local[k] = unit_bit (&bases, bases.local[k]);
  place_bits (reader, domain, bases.n_thread, local, bases.n_local);
  return TRUE;
}

/* The integers of a nested tuple, in their order. */
static gboolean
read_modes (Reader *reader, const TlExpr *expr, gint64 *modes, guint *n)
{
  gint64 value;

  if (expr->kind == TL_EXPR_TUPLE)
    {
      for (guint i = 0; i < expr->n_args; i++)
        if (!read_modes (reader, expr->args[i], modes, n))
          return FALSE;
      return TRUE;
    }
  if (!tl_expr_integer (expr, &value) || value < 1 || (value & (value - 1)) != 0 || value > 1 << TL_PLACE_MAX_BITS)
    return refuse (reader, expr->span, "sizes and strides of a place are powers of two up to %u",
                   1u << TL_PLACE_MAX_BITS);
  if (*n == MAX_MODES)
    return refuse (reader, expr->span, "it has more than %d modes", MAX_MODES);
  modes[(*n)++] = value;
  return TRUE;
}

static gboolean
read_strides (Reader *reader, const TlExpr *expr)
{
  gint64  shape[MAX_MODES], stride[MAX_MODES];
  guint   n = 0, n_strides = 0, unit = 0;
  guint   low = MIN (reader->columns, reader->bits), middle;
  guint   bit_of[TL_PLACE_MAX_BITS], local[TL_PLACE_MAX_BITS], n_local = 0;
  guint64 seen = 0, units = 1;

  if (!read_modes (reader, expr->args[0], shape, &n) || !read_modes (reader, expr->args[1], stride, &n_strides))
    return FALSE;
  if (n != n_strides)
    return refuse (reader, expr->span, "it has %u sizes and %u strides", n, n_strides);
  for (guint i = 0; i < n && units <= (guint64) 1 << TL_PLACE_MAX_BITS; i++)
    units *= (guint64) shape[i];
  if (!fills (reader, expr->span, units))
    return FALSE;
  for (guint i = 0; i < n; i++)
    for (gint64 step = 1; step < shape[i]; step *= 2, unit++)
      {
        guint64 address = (guint64) stride[i] * (guint64) step;

        if (address >> reader->bits != 0 || (seen & address) != 0)
          return refuse (reader, expr->args[1]->span,
                         "the strides leave holes or overlap: the addresses of a tile are 0 to %u, each once",
                         (1u << reader->bits) - 1);
        seen |= address;
        bit_of[__builtin_ctzll (address)] = unit;
      }
  middle = MIN (low + reader->domains, reader->bits);
  for (guint i = 0; i < low; i++)
    local[n_local++] = bit_of[i];
  for (guint i = middle; i < reader->bits; i++)
    local[n_local++] = bit_of[i];
  place_bits (reader, bit_of + low, middle - low, local, n_local);
  return TRUE;
}

gboolean
tl_place_line_read (const TlExpr *expr, TlSource *source, guint bits, guint columns, guint domains,
                    TlPlacement *placement, char **reason, TlSpan *span)
{
  Reader reader = { source, bits, columns, domains, placement, reason, span };

  *placement = (TlPlacement) { .bits = bits };
  gboolean fine = expr->kind == TL_EXPR_GF2     ? read_masks (&reader, expr)
                  : expr->kind == TL_EXPR_RATIO ? read_strides (&reader, expr)
                                                : read_product (&reader, expr);
  for (guint i = 0; i < bits; i++)
    placement->nonzeros += (guint) __builtin_popcount (placement->rows[i]);
  return fine;
}

static void
add_part (GString *text, const char *name, const guint16 *rows, guint n)
{
  g_string_append_printf (text, "%s:", name);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, " %u", rows[i]);
}

char *
tl_place_line_text (const TlPlacement *placement)
{
  GString *text = g_string_new ("gf2 [");

  add_part (text, "domain", placement->rows, placement->n_domain);
  add_part (text, " | row", placement->rows + placement->n_domain, placement->n_row);
  add_part (text, " | column", placement->rows + placement->n_domain + placement->n_row, placement->n_column);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}
