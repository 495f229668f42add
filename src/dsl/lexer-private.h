/* The lexer as the parser calls it: one count of mistakes for both. */
#pragma once

#include "dsl/lexer.h"
#include "dsl/report-private.h"

/* (transfer full) GArray of TlToken */
GArray *tl_lex_reporting (TlReporter *reporter);
