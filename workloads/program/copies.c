/* Copies on a tile: rows gathered into one piece for a kernel, results put back. */
#include "workloads/program/private.h"

enum { WORD = 8, MOST_BYTES = 1 << 30 };

/* A worker moves a word of 64 bits with one instruction, and begins anew for each run. */
static const fs_event events[] = {
    FS_EVENT("run", "bytes that lie together at both ends", "measurements.md 5, LOUW",
             .op[FS_OP_COPY_RUN] = 1),
    FS_EVENT("word", "eight bytes", "ipu.md 2, ISA", .op[FS_OP_LOAD64_STORE64] = 1),
};
enum { RUN, WORDS, EVENTS };

/* The one kernel of all copies, made when the first is read. */
static uint32_t copying(fs_superstep_reader *r) {
    if (!r->copies) {
        r->copying = r->kernels.count;
        r->copies = true;
        fs_program *kernel = fs_superstep_add(r->arena, &r->kernels, sizeof *kernel);
        *kernel = (fs_program){.name = "copies", .segments = 1, .events = events, .event_count = EVENTS};
    }
    return r->copying;
}

bool fs_superstep_read_copy(fs_superstep_reader *r, const fs_node *item, const char *step,
                            fs_superstep_group *on, fs_superstep_call *call) {
    static const char *const keys[] = {"on", "bytes", "runs", NULL};
    int64_t bytes = 0, runs = 1;
    if (!fs_yaml_mapping(r->yaml, item, keys))
        return false;
    const fs_node *where = fs_yaml_get(r->yaml, item, "on", true),
                  *in_runs = fs_yaml_get(r->yaml, item, "runs", false);
    if (where == NULL || !fs_superstep_tiles(r, where, on) ||
        !fs_yaml_int(r->yaml, fs_yaml_get(r->yaml, item, "bytes", true), FS_UNIT_BYTES, 1, MOST_BYTES,
                     &bytes) ||
        (in_runs != NULL && !fs_yaml_int(r->yaml, in_runs, FS_UNIT_NONE, 1, bytes, &runs)))
        return false;
    uint64_t *count = FS_NEW(r->arena, uint64_t, EVENTS);
    count[RUN] = (uint64_t)runs;
    count[WORDS] = ((uint64_t)bytes + WORD - 1) / WORD;
    *call = (fs_superstep_call){.kernel = copying(r), .count = count};
    *(fs_superstep_memory *)fs_superstep_add(r->arena, &r->memory, sizeof(fs_superstep_memory)) =
        (fs_superstep_memory){.name = fs_arena_printf(r->arena, "copies of %s", step),
                              .tile = on->tile,
                              .tiles = on->count,
                              .bytes = (uint64_t)bytes};
    return true;
}
