/* Dense matrices as text. Within src/input. */
#pragma once

#include "input/input.h"
#include "input/text.h"

/* Reads "f.csv" (commas, semicolons or blanks between values, '#' comments) or a
 * MatrixMarket file into input->dense with its bounds. FALSE with diagnostics. */
gboolean tl_read_dense (TlText  *text,
                        TlInput *input);
