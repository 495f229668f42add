/* The same as test-engine-random.c, 10,000 times. */
#define ROUNDS 10000
#include "test-engine-random.c"
