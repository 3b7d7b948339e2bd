/* Spans: a track for each place of a ray, and one for the bus. */
#include "workloads/hierarchy/run.h"

#include <inttypes.h>
#include <stdio.h>

enum { UNITS = 1, MEMORY = 2, BUS = 1, NAME_BYTES = 64 };

fs_status fs_hierarchy_timeline_open(fs_hierarchy_timeline *t, const char *path,
                                     const fs_fpga_params *machine, fs_error *err) {
    *t = (fs_hierarchy_timeline){.places = (uint32_t)(machine->traversal.units * machine->traversal.rays),
                                 .trace = fs_trace_open(path, (double)machine->clock, err)};
    if (t->trace == NULL)
        return err->status;
    fs_trace_process(t->trace, UNITS, "traversal");
    for (uint32_t p = 0; p < t->places; p++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "unit %" PRIu32 ", ray place %" PRIu32,
                 p / (uint32_t)machine->traversal.rays, p % (uint32_t)machine->traversal.rays);
        fs_trace_track(t->trace, (fs_track){UNITS, p + 1}, name);
    }
    fs_trace_process(t->trace, MEMORY, "memory");
    fs_trace_track(t->trace, (fs_track){MEMORY, BUS}, "bus");
    return FS_OK;
}

static void stage(const fs_hierarchy_timeline *t, uint32_t place, const char *name, uint64_t from,
                  uint64_t to) {
    if (to > from)
        fs_trace_span(t->trace, (fs_track){UNITS, place + 1}, name, from, to - from, NULL, 0);
}

void fs_hierarchy_timeline_served(void *self, const fs_engine_span *s) {
    fs_hierarchy_timeline *t = self;
    if (t->trace == NULL || t->spans == FS_HIERARCHY_SPANS)
        return;
    t->spans++;
    const char *name = s->request == UINT64_MAX ? "spilled entries" : s->leaf ? "leaf" : "node";
    fs_trace_span(t->trace, (fs_track){UNITS, s->place + 1}, name, s->raised, s->answered - s->raised, "ray",
                  s->ray);
    stage(t, s->place, "grant", s->raised, s->granted);
    stage(t, s->place, s->cached ? "cache" : "memory", s->granted, s->first);
    stage(t, s->place, "bus", s->first, s->last);
    stage(t, s->place, "pipeline", s->last, s->answered);
    if (!s->cached && s->last > s->first)
        fs_trace_span(t->trace, (fs_track){MEMORY, BUS}, name, s->first, s->last - s->first, "unit",
                      s->place);
}
