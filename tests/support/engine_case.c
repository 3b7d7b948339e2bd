#include "tests/support/engine_case.h"

#include "sim/config/config.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

fs_fpga_params engine_board(fs_arena *arena) {
    fs_fpga_params m;
    fs_params_default(arena, &fs_fpga_table, &m);
    m.link.kind = FS_LINK_NONE;
    return m;
}

static void set_memory(fs_engine_itinerary *it, uint64_t nodes, uint64_t triangles) {
    it->tree_bytes = nodes * ENGINE_NODE_BYTES + triangles * ENGINE_TRIANGLE_BYTES;
    it->node_bytes = ENGINE_NODE_BYTES;
    it->ray_in = 36;
    it->ray_out = 16;
}

fs_engine_itinerary engine_rays(fs_arena *arena, uint64_t rays, uint32_t leaves, uint32_t triangles) {
    const uint32_t each = leaves + 1;
    fs_engine_request *request = FS_NEW(arena, fs_engine_request, rays * each);
    uint64_t *first = FS_NEW(arena, uint64_t, rays + 1);
    bool *hit = FS_NEW(arena, bool, rays);
    fs_engine_itinerary it = {.request = request, .first = first, .hit = hit, .rays = rays, .queue = 32};
    set_memory(&it, 1, (uint64_t)leaves * triangles);
    for (uint64_t r = 0; r < rays; r++) {
        hit[r] = true;
        first[r + 1] = first[r] + each;
        request[first[r]] =
            (fs_engine_request){.bytes = ENGINE_NODE_BYTES, .items = 4, .inserted = (uint8_t)leaves};
        for (uint32_t l = 0; l < leaves; l++)
            request[first[r] + 1 + l] = (fs_engine_request){
                .address = ENGINE_NODE_BYTES + (uint64_t)l * triangles * ENGINE_TRIANGLE_BYTES,
                .bytes = triangles * ENGINE_TRIANGLE_BYTES,
                .leaf = true,
                .items = (uint8_t)triangles};
    }
    return it;
}

enum { NODES = 300, TRIANGLES = 2000 };

static fs_engine_request random_leaf(fs_rng *rng) {
    const uint32_t triangles = 1 + fs_rng_below(rng, 16);
    return (fs_engine_request){.address = (uint64_t)NODES * ENGINE_NODE_BYTES +
                                          fs_rng_below(rng, TRIANGLES - 16) * ENGINE_TRIANGLE_BYTES,
                               .bytes = triangles * ENGINE_TRIANGLE_BYTES,
                               .leaf = true,
                               .items = (uint8_t)triangles};
}

static fs_engine_request random_node(fs_rng *rng, uint32_t queue, uint32_t held) {
    fs_engine_request r = {.address = (uint64_t)fs_rng_below(rng, NODES) * ENGINE_NODE_BYTES,
                           .bytes = ENGINE_NODE_BYTES,
                           .items = 4,
                           .inserted = (uint8_t)fs_rng_below(rng, 5)};
    if (queue > 0 && held + r.inserted > queue)
        r.lost = (uint8_t)(held + r.inserted - queue);
    return r;
}

fs_engine_itinerary engine_random_rays(fs_arena *arena, fs_rng *rng, uint64_t rays, uint32_t most,
                                       uint32_t queue) {
    fs_engine_request *request = FS_NEW(arena, fs_engine_request, rays * most);
    uint64_t *first = FS_NEW(arena, uint64_t, rays + 1);
    bool *hit = FS_NEW(arena, bool, rays);
    fs_engine_itinerary it = {.request = request, .first = first, .hit = hit, .rays = rays, .queue = queue};
    set_memory(&it, NODES, TRIANGLES);
    for (uint64_t r = 0; r < rays; r++) {
        uint32_t held = 1, asked = 0;
        while (held > 0 && asked < most) {
            fs_engine_request *next = &request[first[r] + asked++];
            held--;
            *next = fs_rng_below(rng, 3) == 0 ? random_leaf(rng) : random_node(rng, queue, held);
            held += (uint32_t)next->inserted - next->lost;
        }
        hit[r] = held > 0; /* what is left is left behind a hit */
        first[r + 1] = first[r] + asked;
    }
    return it;
}

static int64_t between(fs_rng *rng, int64_t low, int64_t high) {
    return low + (int64_t)fs_rng_below(rng, (uint32_t)(high - low + 1));
}

static void random_memory(fs_fpga_params *m, fs_rng *rng) {
    static const int64_t clocks[] = {250000000, 100000000, 500000000, 320000000};
    m->clock = clocks[fs_rng_below(rng, 4)];
    m->memory.kind = fs_rng_below(rng, 2) == 0 ? FS_MEMORY_FIXED : between(rng, 1, FS_DRAM_KINDS);
    m->memory.in_flight = between(rng, 0, 2);
    m->memory.latency = (double)between(rng, 1, 60) / (double)m->clock;
    m->memory.bandwidth = between(rng, 3, 100) * 100000000;
    m->memory.burst = 1 << between(rng, 0, 4);
    m->memory.overhead = between(rng, 0, 20);
    m->memory.scheduler = between(rng, 0, 2);
    m->cache.kind = fs_rng_below(rng, 2) == 0 ? FS_CACHE_NONE : between(rng, 1, 2);
    m->cache.size = between(rng, 1, 64) * 1024;
    m->cache.ways = between(rng, 1, 8);
    m->cache.latency = between(rng, 1, 8);
    m->cache.bytes_per_cycle = 1 << between(rng, 0, 7);
}

fs_fpga_params engine_random_machine(fs_arena *arena, fs_rng *rng) {
    fs_fpga_params m = engine_board(arena);
    m.traversal.units = between(rng, 1, 9);
    m.traversal.rays = fs_rng_below(rng, 2) == 0 ? 1 : between(rng, 1, 4);
    m.traversal.queue = fs_rng_below(rng, 4) == 0 ? 0 : between(rng, 4, 32);
    m.traversal.request = between(rng, 1, 10);
    m.traversal.answer = between(rng, 1, 10);
    m.traversal.spill = m.traversal.queue == 0 ? FS_SPILL_NONE : between(rng, 0, 2);
    m.traversal.spill_cycles = between(rng, 0, 4);
    m.traversal.fifo = between(rng, 1, 40);
    m.intersection.arbiter = between(rng, 0, 2);
    m.intersection.box_interval = between(rng, 1, 4);
    m.intersection.triangle_interval = between(rng, 1, 6);
    m.intersection.box_depth = between(rng, m.intersection.box_interval, 50);
    m.intersection.triangle_depth = between(rng, m.intersection.triangle_interval, 90);
    m.link.kind = between(rng, 0, 1);
    m.link.generation = between(rng, 1, 5);
    m.link.lanes = between(rng, 1, 16);
    m.link.outstanding = between(rng, 1, 8);
    const int64_t link = between(rng, 0, 400);
    random_memory(&m, rng);
    m.link.latency = (double)link / (double)m.clock;
    return m;
}

/* ---- equality ---- */

#define SAME(member)                                                                                         \
    if (memcmp(&a->member, &b->member, sizeof a->member) != 0)                                               \
    return #member
#define SAME_LIST(member, count)                                                                             \
    if ((a->member == NULL) != (b->member == NULL) ||                                                        \
        (a->member != NULL && memcmp(a->member, b->member, (size_t)(count) * sizeof *a->member) != 0))       \
    return #member

const char *engine_difference(const fs_engine_results *a, const fs_engine_results *b) {
    SAME(cycles);
    SAME(rays);
    SAME(hits);
    SAME(requests);
    SAME(nodes);
    SAME(leaves);
    SAME(boxes);
    SAME(triangles);
    SAME(bytes);
    SAME(bus_bytes);
    SAME(stage);
    SAME(granted);
    SAME(longest_wait);
    SAME(units);
    SAME(places);
    SAME(arbiter);
    SAME(memory);
    SAME(box);
    SAME(triangle);
    SAME(link_in);
    SAME(link_out);
    SAME(inserted);
    SAME(extracted);
    SAME(lost);
    SAME(left);
    SAME(lossy_rays);
    SAME(peak);
    SAME(spilled);
    SAME(refilled);
    SAME(spill_accesses);
    SAME(cache_hits);
    SAME(cache_misses);
    SAME(dram);
    SAME(link_bytes_in);
    SAME(link_bytes_out);
    SAME(upload_cycles);
    SAME_LIST(unit, a->units);
    SAME_LIST(occupancy, FS_ENGINE_OCCUPANCIES);
    SAME_LIST(banks, a->bank_count);
    SAME_LIST(series, 1);
    return NULL;
}

uint64_t engine_event_cycles(const fs_fpga_params *machine, const fs_engine_itinerary *itinerary) {
    int ends[2];
    uint64_t cycles = 0;
    fflush(NULL);
    if (pipe(ends) != 0)
        return 0;
    const pid_t child = fork();
    if (child == 0) {
        fs_arena *arena = fs_arena_create();
        fs_engine_results results;
        fs_error err = {0};
        if (fs_engine_run(machine, itinerary, FS_ENGINE_EVENT, NULL, arena, &results, &err) == FS_OK)
            cycles = results.cycles;
        else
            fprintf(stderr, "%s\n", err.text);
        const bool told = write(ends[1], &cycles, sizeof cycles) == sizeof cycles;
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &cycles, sizeof cycles) != sizeof cycles)
        cycles = 0;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return cycles;
}
