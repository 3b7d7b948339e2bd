#include "tests/support/overlay_case.h"
#include "tests/support/test.h"

fs_overlay overlay_plan(const fs_overlay_kind *kind, const void *params, const fs_overlay_site *site,
                        fs_arena *arena) {
    fs_overlay overlay;
    fs_error err = {0};
    if (kind->plan(params, site, arena, &overlay, &err))
        fail_msg("%s: %s", kind->name, err.text);
    return overlay;
}

void overlay_refused(const fs_overlay_kind *kind, const void *params, const fs_overlay_site *site,
                     const char *told) {
    fs_arena *arena = fs_arena_create();
    fs_overlay overlay;
    fs_error err = {0};
    fs_status status = kind->plan(params, site, arena, &overlay, &err);
    if (status != FS_INPUT)
        fail_msg("%s: status %d, not refused as input (\"%s\" expected)", kind->name, status, told);
    if (strstr(err.text, told) == NULL)
        fail_msg("%s: \"%s\" is not in: %s", kind->name, told, err.text);
    fs_arena_free(arena);
}

void overlay_passes(const fs_overlay *o, const char *what) {
    fs_error err = {0};
    if (fs_overlay_check(o, &err))
        fail_msg("%s: %s", what, err.text);
}

/* Lanes from every tile to `goal`; UINT32_MAX: no way. */
static void search(const fs_overlay *o, uint32_t goal, uint32_t *hops, uint32_t *queue) {
    uint32_t head = 0, tail = 0;
    memset(hops, 0xff, o->tiles * sizeof *hops);
    hops[goal] = 0;
    queue[tail++] = goal;
    while (head < tail) {
        const uint32_t at = queue[head++];
        for (uint32_t p = o->in_start[at]; p < o->in_start[at + 1]; p++) {
            const uint32_t from = o->lanes[o->in_lane[p]].src;
            if (hops[from] != UINT32_MAX)
                continue;
            hops[from] = hops[at] + 1;
            if (o->route_start[from] >= 0 && from != o->generator_tile)
                queue[tail++] = from;
        }
    }
}

void overlay_is_shortest(const fs_overlay *o, const char *what) {
    uint32_t *hops = calloc(o->tiles, sizeof *hops), *queue = calloc(o->tiles, sizeof *queue);
    const uint32_t step = o->tracers > 300 ? 4 : 1;
    for (uint32_t goal = 0; goal < o->tracers; goal += step) {
        search(o, o->tracer_tile[goal], hops, queue);
        for (uint32_t from = 0; from <= o->tracers; from++) {
            const bool generator = from == o->tracers, self = from == goal;
            const bool answers = self && o->route_start[o->tracer_tile[goal]] < 0;
            const uint32_t tile = generator ? o->generator_tile : o->tracer_tile[from];
            const uint32_t want = answers ? 2 : hops[tile];
            const uint32_t have = fs_overlay_distance(o, generator ? UINT32_MAX : from, goal);
            if (want != have)
                fail_msg("%s: tile %u to tracer %u: %u hops, the graph has %u", what, tile, goal, have, want);
        }
    }
    free(hops);
    free(queue);
}

uint64_t *overlay_buffer_bytes(const fs_overlay *o, fs_arena *arena) {
    uint64_t *bytes = FS_NEW(arena, uint64_t, o->tiles);
    for (uint32_t l = 0; l < o->lane_count; l++) {
        bytes[o->lanes[l].src] += o->lanes[l].src_share;
        bytes[o->lanes[l].dst] += o->lanes[l].dst_share;
    }
    return bytes;
}

void overlay_equal(const fs_overlay *a, const fs_overlay *b, const char *what) {
    print_message("%s\n", what);
    assert_int_equal(a->tiles, b->tiles);
    assert_int_equal(a->shards, b->shards);
    assert_int_equal(a->tracers, b->tracers);
    assert_int_equal(a->routers, b->routers);
    assert_int_equal(a->spares, b->spares);
    assert_int_equal(a->levels, b->levels);
    assert_int_equal(a->generator_tile, b->generator_tile);
    assert_int_equal(a->generator_ring, b->generator_ring);
    assert_int_equal(a->lane_count, b->lane_count);
    assert_int_equal(a->route_count, b->route_count);
    assert_memory_equal(a->role, b->role, a->tiles);
    assert_memory_equal(a->level, b->level, a->tiles);
    assert_memory_equal(a->tracer_tile, b->tracer_tile, a->tracers * sizeof *a->tracer_tile);
    assert_memory_equal(a->lanes, b->lanes, a->lane_count * sizeof *a->lanes);
    assert_memory_equal(a->in_lane, b->in_lane, a->lane_count * sizeof *a->in_lane);
    for (uint32_t t = 0; t < a->tiles; t++) {
        assert_int_equal(a->route_start[t] < 0, b->route_start[t] < 0);
        if (a->route_start[t] >= 0)
            assert_memory_equal(a->route + a->route_start[t], b->route + b->route_start[t], a->tracers);
    }
}
