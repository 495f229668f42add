/* What the row buffers make of one tile alone, read in its order, without a plan. */
#pragma once

#include "dram/in-order.h"
#include "place/gemm-stream.h"
#include "place/sequence.h"

/* The tile at the start of the operand, as the matrix has it, row by row, or @packed. @shape is admitted, and @sequence
 * the order of its units (place/signature.h). Addresses past the map are taken modulo it. */
void tl_gemm_count_tile (const TlGemmShape *shape,
                         TlGemmOperand      operand,
                         const TlSequence  *sequence,
                         TlAddressMap      *map,
                         gboolean           packed,
                         TlInOrderCounts   *counts);
