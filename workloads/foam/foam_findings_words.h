/* What findings call tiles and levels. Private to foam_findings*.c. */
#ifndef FOAMSIM_WORKLOADS_FOAM_FOAM_FINDINGS_WORDS_H
#define FOAMSIM_WORKLOADS_FOAM_FOAM_FINDINGS_WORDS_H

#include "workloads/foam/foam_run.h"

enum { FS_FOAM_NAME_TEXT = 160 };

typedef struct fs_foam_finder {
    const fs_foam_run *run;
    fs_findings *out;
} fs_foam_finder;

/* "tile 412, the tracer of shard 284 (the camera's)", "tile 1364, a router of level 5". Returns text. */
const char *fs_foam_tile_text(const fs_foam_books *b, uint32_t tile, char text[FS_FOAM_NAME_TEXT]);
/* "the tracers", "the routers of level 2", "the generator". Returns text, or a constant. */
const char *fs_foam_level_text(const fs_overlay *o, uint32_t level, char text[FS_FOAM_NAME_TEXT]);

/* Those of a decoupled run, beside loss, drain, imbalance and sram. */
void fs_foam_findings_decoupled(fs_foam_finder *w);

#endif
