/* Printing: the picture of the moment, then the program. */
#pragma once

#include "app/window.h"

void tl_print (TlWindow *window);
