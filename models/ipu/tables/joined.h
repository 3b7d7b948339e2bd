/* What several chips of a run did: figures, chips.csv, a finding, a section of the page. */
#pragma once

#include "models/ipu/device.h"
#include "sim/results/page_plan.h"
#include "sim/results/results.h"

typedef struct fs_joined_figures {
    uint64_t count;   /* chips that are joined */
    uint64_t cycles;  /* between them: barriers and exchange */
    uint64_t bytes;   /* over all links, headers and every edge of a route */
    double busy;      /* share of the run in which the busiest edge carried bytes; NAN on one chip */
    double crossings; /* of a ray; NAN on one chip */
} fs_joined_figures;
extern const fs_stat_table fs_joined_stats;

/* After the run. rays: what workloads count by, with so many bytes each in a transfer. */
fs_joined_figures fs_joined_figures_of(const fs_device *device, uint64_t rays, uint32_t bytes);

/* chips.csv: a row for each edge between chips; no file on one chip. FS_IO. */
fs_status fs_joined_write(const fs_device *device, fs_results *results, fs_error *err);

/* The finding "chips": what they cost, the busiest edge, and where links do not bound. `more`: a clause for that case,
 * what does; NULL: none. Nothing on one chip. */
void fs_joined_find(const fs_joined_figures *figures, const fs_device *device, const char *more,
                    fs_findings *out);

extern const fs_plan_section fs_joined_section;
