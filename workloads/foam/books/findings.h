/* What a foam run has to say. */
#ifndef FOAMSIM_WORKLOADS_FOAM_BOOKS_FINDINGS_H
#define FOAMSIM_WORKLOADS_FOAM_BOOKS_FINDINGS_H

#include "sim/results/findings.h"
#include "workloads/foam/books/books.h"
#include "workloads/foam/books/congestion.h"
#include "workloads/foam/books/ladder.h"
#include "workloads/foam/kernels/layout.h"

#include <stdint.h>

/* What they are drawn from. Borrowed. */
typedef struct fs_foam_findings_source {
    const fs_foam_books *books;
    const fs_foam_figures *figures;
    const fs_congestion *congestion;
    const fs_foam_ladder *ladder;
    const fs_foam_layout *layout;
    const fs_machine_params *machine;
} fs_foam_findings_source;

void fs_foam_findings_make(const fs_foam_findings_source *source, fs_findings *out);

#endif
