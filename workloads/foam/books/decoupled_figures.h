#ifndef FOAMSIM_WORKLOADS_FOAM_BOOKS_DECOUPLED_FIGURES_H
#define FOAMSIM_WORKLOADS_FOAM_BOOKS_DECOUPLED_FIGURES_H

#include "workloads/foam/books/books.h"
#include "workloads/foam/kernels/decoupled/decoupled.h"

/* Figures of decoupled execution, and frame times to the cycle, where those of the books are to the slice.
 * f: after its run; NULL: a bsp run. clock: Hz. */
void fs_foam_decoupled_figures(const fs_foam_decoupled *f, double clock, fs_foam_figures *out);

#endif
