/* What a network could do at best: the shares of its lanes under a pattern. */
#include "workloads/traffic/books.h"

#include "sim/base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* The ways of all rays to one tracer at a time. */
typedef struct ways {
    const fs_overlay *overlay;
    const fs_hop_cost *cost;
    uint32_t dst;
    uint32_t *known;   /* [tiles] dst + 1: the next two hold */
    uint32_t *hops;    /* [tiles] to dst */
    uint64_t *cycles;  /* [tiles] to dst */
    uint32_t *path;    /* [tiles] */
    double *made;      /* [tiles] rays made there for all tracers */
    double *flow;      /* [tiles] rays that are at a tile and have still to go */
    uint32_t *waiting; /* [tiles] the next tile of the same distance with a flow */
    uint32_t *bucket;  /* [tiles + 1] by distance: a tile with a flow, UINT32_MAX: none */
    double *lane_flow; /* [lanes] */
} ways;

/* First of the equal lanes by which a ray leaves `tile`, and how many there are. */
static uint32_t next_lanes(const ways *w, uint32_t tile, uint32_t *choices) {
    const fs_overlay *o = w->overlay;
    uint32_t first = o->out_start[tile];
    *choices = fs_overlay_out_degree(o, tile);
    if (o->route_start[tile] < 0)
        return first;
    first += o->route[o->route_start[tile] + w->dst];
    *choices = o->lanes[first].choices > 0 ? o->lanes[first].choices : 1;
    return first;
}

static uint64_t hop_cycles(const ways *w, const fs_lane *lane) {
    const fs_hop_cost *c = w->cost;
    return c->fixed + (c->dynamic ? c->ray_cycles + fs_fabric_latency(c->fabric, lane->src, lane->dst) : 0);
}

/* Distance and time from `tile` on: walks to the first tile that knows, and tells the way back. */
static void measure(ways *w, uint32_t tile) {
    uint32_t steps = 0, choices;
    for (; w->known[tile] != w->dst + 1; steps++) {
        w->path[steps] = tile;
        tile = w->overlay->lanes[next_lanes(w, tile, &choices)].dst;
    }
    while (steps-- > 0) {
        const fs_lane *lane = &w->overlay->lanes[next_lanes(w, w->path[steps], &choices)];
        w->hops[lane->src] = w->hops[lane->dst] + 1;
        w->cycles[lane->src] = w->cycles[lane->dst] + hop_cycles(w, lane);
        w->known[lane->src] = w->dst + 1;
    }
}

static void put(ways *w, uint32_t tile, double rays) {
    if (w->flow[tile] == 0 && w->hops[tile] > 0) {
        w->waiting[tile] = w->bucket[w->hops[tile]];
        w->bucket[w->hops[tile]] = tile;
    }
    w->flow[tile] += rays;
}

/* Lets the flows run down to dst, the farthest first. */
static void run_down(ways *w, uint32_t farthest) {
    for (uint32_t hops = farthest; hops > 0; hops--) {
        while (w->bucket[hops] != UINT32_MAX) {
            uint32_t tile = w->bucket[hops], choices, first = next_lanes(w, tile, &choices);
            double each = w->flow[tile] / choices;
            w->bucket[hops] = w->waiting[tile];
            w->flow[tile] = 0;
            for (uint32_t l = first; l < first + choices; l++) {
                uint32_t to = w->overlay->lanes[l].dst;
                w->lane_flow[l] += each;
                measure(w, to);
                put(w, to, each);
            }
        }
    }
}

static ways ways_create(const fs_overlay *o, const fs_hop_cost *cost) {
    ways w = {.overlay = o, .cost = cost};
    w.known = fs_calloc(o->tiles, sizeof *w.known);
    w.hops = fs_calloc(o->tiles, sizeof *w.hops);
    w.cycles = fs_calloc(o->tiles, sizeof *w.cycles);
    w.path = fs_calloc(o->tiles, sizeof *w.path);
    w.made = fs_calloc(o->tiles, sizeof *w.made);
    w.flow = fs_calloc(o->tiles, sizeof *w.flow);
    w.waiting = fs_calloc(o->tiles, sizeof *w.waiting);
    w.bucket = fs_malloc(((size_t)o->tiles + 1) * sizeof *w.bucket);
    w.lane_flow = fs_calloc(o->lane_count, sizeof *w.lane_flow);
    memset(w.bucket, 0xff, ((size_t)o->tiles + 1) * sizeof *w.bucket);
    return w;
}

static void ways_free(ways *w) {
    free(w->known);
    free(w->hops);
    free(w->cycles);
    free(w->path);
    free(w->made);
    free(w->flow);
    free(w->waiting);
    free(w->bucket);
    free(w->lane_flow);
}

static void find_busiest(const ways *w, fs_outlook *out) {
    const fs_overlay *o = w->overlay;
    double *port = fs_calloc(2 * (size_t)o->tiles, sizeof *port); /* in, out */
    for (uint32_t l = 0; l < o->lane_count; l++) {
        port[2 * (size_t)o->lanes[l].dst] += w->lane_flow[l];
        port[2 * (size_t)o->lanes[l].src + 1] += w->lane_flow[l];
        if (w->lane_flow[l] > out->lane_rays) {
            out->lane_rays = w->lane_flow[l];
            out->lane = l;
        }
    }
    for (uint32_t p = 0; p < 2 * o->tiles; p++)
        if (port[p] > out->port_rays * (1 + 1e-12)) { /* equal but for the order of sums is equal */
            out->port_rays = port[p];
            out->port_tile = p / 2;
            out->port_in = p % 2 == 0;
        }
    for (uint32_t t = 0; t < o->tiles; t++) {
        double held = port[2 * (size_t)t] + w->made[t];
        out->tile_rays = held > out->tile_rays ? held : out->tile_rays;
    }
    free(port);
}

fs_outlook fs_outlook_make(const fs_overlay *overlay, const fs_pattern *pattern, const fs_hop_cost *cost) {
    fs_outlook out = {0};
    ways w = ways_create(overlay, cost);
    double rays = 0;
    for (w.dst = 0; w.dst < overlay->tracers; w.dst++) {
        uint32_t goal = overlay->tracer_tile[w.dst], farthest = 0;
        w.known[goal] = w.dst + 1;
        w.hops[goal] = 0;
        w.cycles[goal] = 0;
        for (uint32_t src = 0; src < overlay->tracers; src++) {
            double share = fs_pattern_share(pattern, src, w.dst);
            uint32_t from = overlay->tracer_tile[src];
            if (share == 0)
                continue;
            measure(&w, from);
            put(&w, from, share);
            rays += share;
            w.made[from] += share;
            out.hops += share * w.hops[from];
            out.cycles += share * (double)w.cycles[from];
            farthest = w.hops[from] > farthest ? w.hops[from] : farthest;
        }
        run_down(&w, farthest);
        w.flow[goal] = 0;
        out.hops_max = farthest > out.hops_max ? farthest : out.hops_max;
    }
    out.hops = rays > 0 ? out.hops / rays : 0;
    out.cycles = rays > 0 ? out.cycles / rays : 0;
    find_busiest(&w, &out);
    ways_free(&w);
    return out;
}
