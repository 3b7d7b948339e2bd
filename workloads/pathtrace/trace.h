/* Walks the paths of a batch, sample by sample, and keeps the books of workers, pixels and paths. */
#pragma once

#include "workloads/pathtrace/frame/frame.h"

/* What paths did, over all that were traced. */
typedef struct fs_pathtrace_paths {
    uint64_t count, segments, hits;
    uint64_t ended[3]; /* by fs_walk_end */
    uint64_t event[FS_WALK_EVENTS];
} fs_pathtrace_paths;

/* What a pixel cost over its drawn samples; tests: of primitives. */
typedef struct fs_pathtrace_pixel_cost {
    uint32_t nodes, tests, segments;
} fs_pathtrace_pixel_cost;

typedef struct fs_pathtrace_tracer {
    const fs_pathtrace_params *params;
    const fs_pathtrace_layout *layout;
    const fs_walk_scene *scene;
    fs_walk_params walk;
    const uint32_t *slots; /* [FS_WALK_EVENTS] issue slots of an event: a queue's order */
    bool looped;           /* a queue hands out a ray with all of its samples */
    fs_walk_light light;
    const void *light_of;
    const fs_walk_counts *walked; /* not NULL: no path is walked, since their counts are known; no books */
    fs_walk_counts *kept;         /* not NULL: counts of all paths; both: row pixel * n + sample */
    /* Books. Pixels: [pixels], NULL when nobody asks. */
    fs_pathtrace_paths paths;
    float (*colour)[3]; /* mean over the drawn samples */
    fs_pathtrace_pixel_cost *cost;
} fs_pathtrace_tracer;

/* Traces (or takes from `walked`) the drawn samples 0 ... n - 1 of batch `batch` and adds each worker's
 * occurrences to rows[n][render_tiles * workers], zero at first. Adds to the books. */
void fs_pathtrace_trace(fs_pathtrace_tracer *tracer, uint64_t batch, fs_pathtrace_row *rows);
