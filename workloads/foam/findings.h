/* What a run has to say: sentences with their figures, most important first. */
#ifndef FOAMSIM_WORKLOADS_FOAM_FINDINGS_H
#define FOAMSIM_WORKLOADS_FOAM_FINDINGS_H

#include "workloads/foam/books.h"
#include "workloads/foam/congestion.h"
#include "workloads/foam/ladder.h"
#include "workloads/foam/layout.h"

#include <stdint.h>

enum { FS_FINDINGS_MOST = 16, FS_FINDING_FIGURES = 8, FS_FINDING_TEXT = 640 };

typedef struct fs_finding {
    const char *key; /* "pace" */
    char text[FS_FINDING_TEXT];
    struct {
        const char *name;
        double value;
    } figure[FS_FINDING_FIGURES];
    uint32_t figures;
} fs_finding;

typedef struct fs_findings {
    fs_finding finding[FS_FINDINGS_MOST];
    uint32_t count;
} fs_findings;

/* What they are drawn from. Borrowed. */
typedef struct fs_findings_source {
    const fs_foam_books *books;
    const fs_foam_figures *figures;
    const fs_congestion *congestion;
    const fs_ladder *ladder;
    const fs_layout *layout;
    uint64_t sram; /* bytes of a tile */
} fs_findings_source;

void fs_findings_make(const fs_findings_source *source, fs_findings *out);

#endif
