/* Waves with affine tiling alone. */
#include "sim/pipe-flows.h"

#include "base/number.h"
#include "sim/flows.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const TlPipeProgram *program;
  const TlWaveTiling  *tiling;
  guint8               sides[TL_WAVE_N_EDGES]; /* that tiles wait for, as TL_PIPE_EDGE's a */
  guint                n_sides;
  gboolean             writes_row, writes_column;
  double               row; /* ps a row cycle */
} B1;

static void
find_sides (B1 *b1)
{
  const TlPipeStream *code = &b1->program->pus[b1->program->search];

  for (guint s = 0; s < code->n_code && b1->n_sides < TL_WAVE_N_EDGES; s++)
    if (code->code[s].kind == TL_PIPE_EDGE)
      {
        guint32 side = code->code[s].a;

        b1->sides[b1->n_sides++] = (guint8) side;
        b1->writes_row |= side != 2;
        b1->writes_column |= side == 2;
      }
}

static guint64
bytes_of (const B1 *b1, guint64 cells)
{
  return tl_tile_bytes (cells * b1->program->n_tables, 1, b1->program->element_bits);
}

static double
rows_time (const B1 *b1, guint64 bytes)
{
  return (double) tl_ceil_div (bytes, b1->program->machine.row_bytes) * b1->row;
}

static double
fetch_time (const B1 *b1, guint64 bytes)
{
  const TlPimMachine *machine = &b1->program->machine;

  return rows_time (b1, bytes) + (double) bytes * machine->pus / 4.0 / (2.0 * machine->ring_bytes) * machine->clock;
}

/* Cells of the edge that tile (i, j) waits for on that side; 0: there is no tile. A row of a
 * trellis waits for all of the one above. */
static guint64
cells_of (const B1 *b1, guint side, guint32 i, guint32 j)
{
  guint32 down = side & 1, right = side >> 1, from, to;

  if (i < down || j < right || !tl_wave_row (b1->tiling, i - down, &from, &to))
    return 0;
  if (b1->tiling->reduced > 0)
    return b1->tiling->columns;
  return j - right < from || j - right > to ? 0 : side == 3 ? 1 : b1->tiling->tile;
}

static double
tile_time (const B1 *b1, guint32 i, guint32 j)
{
  double time = (double) (tl_wave_cycles (b1->tiling, i, j, TRUE) * b1->program->machine.clock);

  for (guint s = 0; s < b1->n_sides; s++)
    {
      guint64 cells = cells_of (b1, b1->sides[s], i, j);
      time += cells > 0 ? fetch_time (b1, bytes_of (b1, cells)) : 0;
    }
  return time + (b1->writes_row + b1->writes_column) * rows_time (b1, bytes_of (b1, b1->tiling->tile));
}

double
tl_pipe_affine_problem (const TlPipeProgram *program, const TlWaveTiling *tiling)
{
  const guint32      pus = program->machine.pus;
  const guint64      columns = tl_wave_tile_columns (tiling);
  g_autofree double *load = g_new (double, pus);
  B1                 b1 = { .program = program, .tiling = tiling };
  TlB0Costs          costs;
  guint64            first, last;
  double             total = 0;

  find_sides (&b1);
  tl_flow_b0_costs (&program->machine, &costs);
  b1.row = costs.row;
  if (!tl_wave_range (tiling, &first, &last))
    return 0;
  for (guint64 w = first; w <= last; w++)
    {
      guint32 i, j;
      gint32  di, dj;
      guint32 n = tl_wave_tiles (tiling, w, &i, &j, &di, &dj);
      double  most = 0;

      memset (load, 0, pus * sizeof *load);
      for (guint32 t = 0; t < n; t++, i = (guint32) ((gint32) i + di), j = (guint32) ((gint32) j + dj))
        {
          double *own = &load[(i * columns + j) % pus];

          *own += tile_time (&b1, i, j);
          most = MAX (most, *own);
        }
      total += most;
    }
  return total;
}

guint64
tl_pipe_affine (const TlPipeRun *run)
{
  double total = 0;

  for (guint j = 0; j < run->jobs->len; j++)
    {
      TlWaveTiling tiling;

      tl_pipe_job_tiling (run->program, &g_array_index (run->jobs, TlPipeJob, j), &tiling);
      total += tl_pipe_affine_problem (run->program, &tiling);
    }
  return (guint64) llround (total);
}
