/* The two files of tierc plan: a bare sequence (plan.c) and the operands of a program. */
#pragma once

#include "cli/cli.h"
#include "place/gemm-plan.h"
#include "place/product.h"

/* What was asked of a program. */
typedef struct
{
  const char *path;
  char      **sets;       /* NULL or "KEY=VALUE", ... */
  const char *operand;    /* show only this one; NULL: both */
  const char *output;     /* templates are written there; NULL: nowhere */
  const char *templates;  /* layouts come from this library; NULL: planned */
  int         candidates; /* ties shown of each operand */
  const char *element;    /* "3,17": show only where this element lies; NULL */
  const char *at;         /* "tier=0,bank=1": show only what lies there; NULL */
  gboolean    json;
} TlPlanWishes;

/* A search at work, as the data of its progress: shown, and stopped when the command is interrupted. */
typedef struct
{
  TlCli      *cli;
  TlProgress *progress;
} TlPlanWatch;

gboolean tl_cli_plan_watch (double fraction,
                            gpointer watch);

/* Returns an exit status. */
int  tl_cli_plan_program (TlCli              *cli,
                          const TlPlanWishes *wishes);

/* What --element and --at ask of the planned @operand. Returns an exit status. */
int  tl_cli_plan_chain   (const TlPlanWishes *wishes,
                          const TlAst        *ast,
                          const TlProduct    *product,
                          const TlGemmPlan   *plan,
                          TlGemmOperand       operand);

/* The members "kernel", "domain_kernel" and "rows", "nonzeros" of a map. */
void tl_cli_json_map     (JsonBuilder        *builder,
                          const TlFreePlan   *plan);
/* "domain  b3,  b4 ^ b5" and so on, three lines. */
void tl_cli_print_map    (const TlPlacement  *placement);
