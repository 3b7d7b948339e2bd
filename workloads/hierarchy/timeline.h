/* The timeline of a run: requests of the units, the memory's bus, grants. */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_TIMELINE_H
#define FOAMSIM_WORKLOADS_HIERARCHY_TIMELINE_H

#include "models/fpga/engine.h"
#include "sim/trace/trace.h"

enum { FS_HIERARCHY_SPANS = 50000 }; /* requests that a timeline shows: the first of the run */

typedef struct fs_hierarchy_timeline {
    fs_trace *trace;
    uint32_t places;
    uint64_t spans;
} fs_hierarchy_timeline;

/* Opens it and names the tracks. FS_IO. Ends with fs_trace_close or fs_trace_discard of `trace`. */
fs_status fs_hierarchy_timeline_open(fs_hierarchy_timeline *timeline, const char *path,
                                     const fs_fpga_params *machine, fs_error *err);
/* A listener's `served`, self the timeline. */
void fs_hierarchy_timeline_served(void *self, const fs_engine_span *span);

#endif
