/* Networks on chip for tests. */
#pragma once

#include "models/noc/noc.h"

/* The graph of these options with sizes as text, "8 8". Options that are 0: links of 1 cycle, 1,000 um apart, 16 channels,
 * an end point a router. Fails the test where it can't be made. */
fs_noc_graph *make_network(fs_arena *arena, fs_noc_options options, const char *sizes);
