/* The pass ladder as a picture: the program's text and, beside it, the module after each pass group with the lines that
 * the group made or changed; numbered chips tie a module's line to the lines of the text that it stems from. */
#pragma once

#include "scene/scene.h"

#define TL_N_PASS_GROUPS 4

typedef struct
{
  const char *source;                 /* the program's text */
  const char *dump[TL_N_PASS_GROUPS]; /* modules with locations after G1 to G4; NULL where the build did not get */
} TlPassesShown;

/* The height at which nothing is left out. */
float       tl_view_passes_height (const TlPassesShown *shown);
/* At least 480 x 240. Where the box is lower than that, every group's longest stretch is cut, and how many lines are
 * missing is said. Ids: "source-3", "group-1", "line-1-12" (group, line of its module). */
void        tl_view_passes        (TlScene             *scene,
                                   TlBox                box,
                                   const TlPassesShown *shown);
/* A line of a module as the ladder prints it: names of operations without their quotes, integers of 64 bits without
 * their type, of the signature only what comes out. (transfer full) */
char       *tl_passes_brief       (const char          *line);
/* "recognised", ... of G1 to G4. */
const char *tl_pass_group_name    (guint                group);
