/* Who sends to whom: patterns of destinations. */
#include "workloads/traffic/pattern.h"

const char *const fs_pattern_names[] = {"uniform",        "hotspot",   "neighbour",
                                        "bit_complement", "transpose", NULL};

static fs_status take_hotspots(fs_pattern *p, const char *where, fs_arena *arena, fs_error *err) {
    p->is_hot = FS_NEW(arena, bool, p->tracers);
    for (uint32_t h = 0; h < p->hots; h++) {
        if (p->hot[h] >= p->tracers)
            return fs_fail(err, FS_INPUT, "%s: expected tracers, 0 ... %u, found %u", where, p->tracers - 1,
                           p->hot[h]);
        if (p->is_hot[p->hot[h]])
            return fs_fail(err, FS_INPUT, "%s: tracer %u is named twice", where, p->hot[h]);
        p->is_hot[p->hot[h]] = true;
    }
    return FS_OK;
}

fs_status fs_pattern_make(fs_pattern_kind kind, uint32_t tracers, const uint32_t *hot, uint32_t hots,
                          double hot_share, const char *where, fs_arena *arena, fs_pattern *out,
                          fs_error *err) {
    *out = (fs_pattern){.kind = kind, .tracers = tracers, .hot = hot, .hots = hots, .hot_share = hot_share};
    FS_ASSERT(tracers > 1, "a pattern of %u tracers", tracers);
    if (kind == FS_PATTERN_HOTSPOT)
        return take_hotspots(out, where, arena, err);
    while (out->side * out->side < tracers)
        out->side++;
    if (kind == FS_PATTERN_TRANSPOSE && out->side * out->side != tracers)
        return fs_fail(err, FS_INPUT,
                       "%s: transpose needs a square of tracers; %u are none, the nearest are %u and %u",
                       where, tracers, (out->side - 1) * (out->side - 1), out->side * out->side);
    return FS_OK;
}

static uint32_t another(uint32_t tracers, uint32_t src, fs_rng *rng) {
    uint32_t dst = fs_rng_below(rng, tracers - 1);
    return dst < src ? dst : dst + 1;
}

/* The one goal of a source in the patterns that leave nothing to chance. */
static uint32_t goal_of(const fs_pattern *p, uint32_t src) {
    uint32_t dst = src;
    if (p->kind == FS_PATTERN_NEIGHBOUR)
        dst = src + 1 == p->tracers ? 0 : src + 1;
    else if (p->kind == FS_PATTERN_BIT_COMPLEMENT)
        dst = p->tracers - 1 - src;
    else if (p->kind == FS_PATTERN_TRANSPOSE)
        dst = src % p->side * p->side + src / p->side;
    return dst == src ? FS_NO_TRACER : dst;
}

uint32_t fs_pattern_draw(const fs_pattern *p, uint32_t src, fs_rng *rng) {
    if (p->kind == FS_PATTERN_UNIFORM)
        return another(p->tracers, src, rng);
    if (p->kind != FS_PATTERN_HOTSPOT)
        return goal_of(p, src);
    if (fs_rng_unit(rng) < p->hot_share) {
        uint32_t dst = p->hot[fs_rng_below(rng, p->hots)];
        if (dst != src)
            return dst;
    }
    return another(p->tracers, src, rng);
}

double fs_pattern_share(const fs_pattern *p, uint32_t src, uint32_t dst) {
    if (src == dst)
        return 0;
    double alike = 1.0 / (p->tracers - 1);
    if (p->kind == FS_PATTERN_UNIFORM)
        return alike;
    if (p->kind != FS_PATTERN_HOTSPOT)
        return goal_of(p, src) == dst ? 1.0 : 0.0;
    double each = p->hot_share / p->hots, rest = 1.0 - p->hot_share + (p->is_hot[src] ? each : 0.0);
    return rest * alike + (p->is_hot[dst] ? each : 0.0);
}
