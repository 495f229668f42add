/* The files of tierc figure: moments of a run (figure.c), of a trace (figure-replay.c),
 * lenses (figure-lens.c) and the pass ladder (figure-passes.c).
 * Private to src/cli. */
#pragma once

#include "cli/cli.h"
#include "scene/compose.h"
#include "scene/paint.h"

typedef struct
{
  char    *view, *at, *size, *theme, *output, *select;
  char    *layout, *type, *as, *element, *operand; /* of lenses */
  char    *target; /* FILE is a trace, to be run on it */
  char    *placement; /* of a product's operands: one of TlProductLayout */
  gint64   ctas;   /* its first blocks; 0: all */
  gboolean wrap;
  double   width_mm;
  double   scale;
  gboolean moment_known; /* the picture has it already */
} TlFigureWishes;

enum
{
  TL_FORMAT_SVG,
  TL_FORMAT_PDF,
  TL_FORMAT_PNG
};

/* Whether the view is one of a layout, not of a run. */
gboolean tl_cli_figure_is_layout (const TlFigureWishes *wishes); /* of units in DRAM */
gboolean tl_cli_figure_is_lens (const TlFigureWishes *wishes);
/* Draws it; @path NULL with a layout of its own, or for the lesson of eight units. Returns an exit status. */
int      tl_cli_figure_lens    (TlCli                *cli,
                                const TlFigureWishes *wishes,
                                const TlPicture      *picture,
                                const char           *path,
                                char                **sets,
                                int                   format);
/* Whether the view is the pass ladder. */
gboolean tl_cli_figure_is_passes (const TlFigureWishes *wishes);
/* Draws the program and its module after each group, as far as the build got. Returns an exit status. */
int      tl_cli_figure_passes  (TlCli                *cli,
                                const TlFigureWishes *wishes,
                                const TlPicture      *picture,
                                const TlCliSource    *source,
                                char                **sets,
                                int                   format);
/* Writes the file and says so. Returns an exit status. */
int      tl_cli_figure_write   (const TlScene        *scene,
                                const TlFigureWishes *wishes,
                                const TlFigure       *figure,
                                int                   format);
/* A moment of a product's requests. Returns an exit status. */
int      tl_cli_figure_product (TlCli                *cli,
                                const TlFigureWishes *wishes,
                                const TlPicture      *picture,
                                TlBuild              *build,
                                int                   format);
/* A moment of the run of the trace at @path; @sets override numbers of the target. Returns an exit status. */
int      tl_cli_figure_replay  (TlCli                *cli,
                                const TlFigureWishes *wishes,
                                const TlPicture      *picture,
                                const char           *path,
                                char                **sets,
                                int                   format);
