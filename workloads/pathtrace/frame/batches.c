#include "workloads/pathtrace/frame/batches.h"

#include "sim/base/alloc.h"

#include <stdlib.h>

static uint64_t workers_of(const fs_pathtrace_fixed *f) {
    return (uint64_t)f->render_tiles * f->workers;
}

uint64_t fs_pathtrace_rows_kept_of(const fs_pathtrace_fixed *fixed) {
    return workers_of(fixed) * (fixed->each ? fixed->drawn : 1);
}

void fs_pathtrace_sum_rows(const fs_pathtrace_fixed *fixed, fs_pathtrace_row *rows) {
    const uint64_t workers = workers_of(fixed);
    for (uint64_t i = workers; !fixed->each && i < fixed->drawn * workers; i++)
        for (int e = 0; e < FS_WALK_EVENTS; e++) {
            uint32_t *sum = &rows[i % workers][e];
            *sum = rows[i][e] > UINT32_MAX - *sum ? UINT32_MAX : *sum + rows[i][e];
        }
}

fs_status fs_pathtrace_batches_close(const fs_pathtrace_fixed *fixed, uint64_t batches,
                                     const fs_walk_counts *counts, fs_pathtrace_batch *batch, double *share,
                                     fs_error *err) {
    const uint64_t kept = fs_pathtrace_rows_kept_of(fixed);
    fs_pathtrace_row *rows = fs_calloc(kept, sizeof *rows);
    fs_status status = FS_OK;
    *share = fs_pathtrace_share(fixed, batch, batches);
    for (uint64_t b = 0; b < batches && status == FS_OK; b++) {
        fs_walk_counts_rows(counts, b * kept, kept, rows);
        if (!fixed->each)
            status = fs_pathtrace_grow(fixed, *share, rows, err);
        fs_pathtrace_batch_close(fixed, rows, &batch[b]);
    }
    free(rows);
    return status;
}
