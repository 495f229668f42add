/* Sections of a stream that have files of their own. */
#pragma once

#include "emit/stream-form-private.h"

void tl_put_semiring (GByteArray         *out,
                      const TlSemiring   *semiring);
/* Fills @semiring, which is all zeros. */
void tl_get_semiring (TlStreamReader     *reader,
                      TlSemiring         *semiring);
/* One section a PU, its number among the codes in it. */
void tl_put_owners   (GByteArray         *out,
                      const TlPimProgram *program,
                      const guint32      *code_of_pu);
/* Fills the map of owners, which must be whole at the end. */
void tl_get_owners   (TlStreamReader     *file,
                      TlPimProgram       *program);
