/* The traversal engine alone: rays made by hand through the default board, in the detail of parts without
 * state, and single reads of its memory's module. */
#include "validation/machine/checks.h"

#include "models/fpga/engine.h"
#include "models/fpga/machine.h"
#include "sim/config/config.h"

enum { NODE = 112, TRIANGLE = 48, PADDED = 96, RAYS = 4000 };

enum { GRANTS, BOXES, TRIANGLES, BUS, LINK, LATENCY, REGISTERS, LUTS, BLOCK_RAM, LEFT, CHECKS };

static const fs_machine_check published[CHECKS] = {
    [GRANTS] = {"requests accepted a cycle, at most", "requests", 1, 1, 0, "fpga_engine.md 1, FHR",
                "32 units ask at once, memory and pipelines without end: grants over the cycles between the "
                "first and the last"},
    [BOXES] = {"last byte of a node to its answer", "cycles", 40, 40, 0, "fpga_engine.md 1, FHR",
               "a root of four boxes, one a cycle, which come slower than that"},
    [TRIANGLES] = {"last byte of a leaf to its answer", "cycles", 84, 84, 0, "fpga_engine.md 1, FHR",
                   "a leaf of four triangles"},
    [BUS] = {"bytes of a cycle, memory saturated", "B", 9.6, 9.6, 0, "fpga_engine.md 2, FHR",
             "32 units with requests that overlap, nodes of 96 B, which are whole cycles"},
    [LINK] = {"rays over the link", "1e6/s", 55, 55, 0, "fpga_engine.md 2, FHR",
              "rays of 32 B in packets of 128 B with 20 B around them: what is published leaves no room for "
              "more, 36.4 B without headers"},
    [LATENCY] = {"read of a closed row", "ns", 114, 180, 0, "fpga_engine.md 2, EMI",
                 "ddr2-300, its activate, CL and the cycles of controller and pins, up to the first byte"},
    [REGISTERS] = {"registers used", "%", 26, 26, 0, "fpga_engine.md 2, FHR",
                   "four units of 32 entries by the linear rule, whose fixed part is what these leave: no "
                   "test of the rule"},
    [LUTS] = {"look-up tables used", "%", 25, 25, 0, "fpga_engine.md 2, FHR", "as before"},
    [BLOCK_RAM] = {"block RAM used", "%", 15, 15, 0, "fpga_engine.md 2, FHR", "as before"},
    [LEFT] = {"block RAM left for a cache", "KiB", 1239, 1239.5, 0, "fpga_engine.md 2, FHR",
              "85 % of 11,664 Kbit"},
};

/* Rays that are alike: a root, and a leaf where triangles > 0. */
static fs_engine_itinerary rays_of(fs_arena *arena, uint64_t rays, uint32_t node, uint32_t triangles) {
    const uint32_t each = triangles > 0 ? 2 : 1;
    fs_engine_request *request = FS_NEW(arena, fs_engine_request, rays * each);
    uint64_t *first = FS_NEW(arena, uint64_t, rays + 1);
    bool *hit = FS_NEW(arena, bool, rays);
    for (uint64_t r = 0; r < rays; r++) {
        first[r + 1] = first[r] + each;
        request[first[r]] = (fs_engine_request){.bytes = node, .items = 4, .inserted = (uint8_t)(each - 1)};
        if (triangles > 0)
            request[first[r] + 1] = (fs_engine_request){
                .address = node, .bytes = triangles * TRIANGLE, .leaf = true, .items = (uint8_t)triangles};
    }
    return (fs_engine_itinerary){.request = request,
                                 .first = first,
                                 .hit = hit,
                                 .rays = rays,
                                 .tree_bytes = node + triangles * TRIANGLE,
                                 .node_bytes = node,
                                 .ray_in = 32,
                                 .ray_out = 16,
                                 .queue = 32};
}

static void last_span(void *self, const fs_engine_span *span) {
    ((fs_engine_span *)self)[span->leaf] = *span;
}

static fs_status pipelines(const fs_fpga_params *board, fs_machine_check *out, fs_arena *arena,
                           fs_error *err) {
    const fs_engine_itinerary it = rays_of(arena, 1, NODE, 4);
    fs_engine_span span[2];
    const fs_engine_listener listener = {.self = span, .served = last_span};
    fs_engine_results results;
    if (fs_engine_run(board, &it, FS_ENGINE_PHASE, &listener, arena, &results, err))
        return err->status;
    out[BOXES].simulated = (double)(span[0].answered - span[0].last);
    out[TRIANGLES].simulated = (double)(span[1].answered - span[1].last);
    return FS_OK;
}

typedef struct grants {
    uint64_t first, last, count;
} grants;

static void note_grant(void *self, const fs_engine_span *span) {
    grants *g = self;
    g->first = g->count == 0 || span->granted < g->first ? span->granted : g->first;
    g->last = span->granted > g->last ? span->granted : g->last;
    g->count++;
}

/* Many units with overlapping requests: what the arbiter grants, and what the bus moves. */
static fs_status saturated(fs_fpga_params many, fs_machine_check *out, fs_arena *arena, fs_error *err) {
    const fs_engine_itinerary it = rays_of(arena, RAYS, PADDED, 0);
    fs_engine_results results;
    many.traversal.units = 32;
    many.memory.in_flight = FS_IN_FLIGHT_MANY;
    if (fs_engine_run(&many, &it, FS_ENGINE_PHASE, NULL, arena, &results, err))
        return err->status;
    out[BUS].simulated = (double)results.bus_bytes / (double)results.memory.busy;

    const fs_engine_itinerary one = rays_of(arena, 32, PADDED, 0);
    grants g = {0};
    const fs_engine_listener listener = {.self = &g, .served = note_grant};
    many.memory.bandwidth = 1000000000000;
    if (fs_engine_run(&many, &one, FS_ENGINE_PHASE, &listener, arena, &results, err))
        return err->status;
    out[GRANTS].simulated = (double)(g.count - 1) / (double)(g.last - g.first);
    return FS_OK;
}

static double rays_over_link(const fs_fpga_params *board) {
    const uint64_t rays = 1000000;
    fs_link_lane lane;
    uint64_t end = 0;
    fs_link_lane_init(&lane, &board->link, (uint64_t)board->clock, false);
    for (uint64_t r = 0; r < rays; r++)
        end = fs_link_send(&lane, 0, 32);
    return 1e-6 * (double)rays * (double)board->clock / (double)end;
}

static double read_of_closed_row(const fs_fpga_params *board, fs_arena *arena) {
    const fs_dram_kind *kind = &fs_dram_kinds[0];
    fs_dram *dram = fs_dram_create(arena, kind, FS_DRAM_IN_ORDER, 1);
    const fs_dram_access access = {.bytes = NODE};
    fs_dram_data data = {0};
    fs_dram_offer(dram, 0, &access);
    fs_dram_step(dram, fs_dram_next_due(dram), &data);
    return 1e9 * (double)(data.first + (uint64_t)board->memory.overhead) / (double)kind->clock;
}

static fs_status simulate(fs_machine_check *out, fs_arena *arena, fs_error *err) {
    fs_fpga_params board, alone;
    fs_params_default(arena, &fs_fpga_table, &board);
    alone = board;
    alone.link.kind = FS_LINK_NONE;
    if (pipelines(&alone, out, arena, err) || saturated(alone, out, arena, err))
        return err->status;
    out[LINK].simulated = rays_over_link(&board);
    out[LATENCY].simulated = read_of_closed_row(&board, arena);
    fs_resource used[FS_RESOURCE_KINDS];
    fs_resources_of(&board, used);
    static const int shares[] = {FS_RESOURCE_REGISTERS, FS_RESOURCE_LUTS, FS_RESOURCE_BLOCK_RAM};
    for (int i = 0; i < 3; i++)
        out[REGISTERS + i].simulated =
            100.0 * (double)used[shares[i]].used / (double)used[shares[i]].available;
    const fs_resource *ram = &used[FS_RESOURCE_BLOCK_RAM];
    out[LEFT].simulated = (double)(ram->available - ram->used) / 1024;
    return FS_OK;
}

static fs_status checks(fs_machine_check *out, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    for (size_t i = 0; i < CHECKS; i++)
        out[i] = published[i];
    const fs_status status = simulate(out, arena, err);
    fs_arena_free(arena);
    return status;
}

const fs_machine_checks fs_machine_checks_fpga = {"fpga", CHECKS, checks};
