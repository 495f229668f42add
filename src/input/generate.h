/* Data without a file. Within src/input; what they make is said in input.h. */
#pragma once

#include "input/input.h"

/* Makes the input of a generator's plan. Returns: (transfer full) */
TlInput *tl_generate       (const TlInputPlan *plan);
/* Element (row, column) of a dense random matrix. */
TlScalar tl_random_element (const TlInputPlan *plan,
                            guint64            row,
                            guint64            column);
