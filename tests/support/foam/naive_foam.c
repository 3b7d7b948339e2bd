/* The naive model's run: compute, exchange, host, and the identities after each. The kernels are in
 * naive_kernels.c. */
#include "tests/support/foam/naive_foam.h"

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "tests/support/foam/naive_model.h"

#include <stdlib.h>
#include <string.h>

const char *const fs_naive_event_names[FS_ROLE_COUNT][FS_NAIVE_EVENTS + 1] = {
    [FS_ROLE_TRACER] = {"slot", "pass", "pixel", "setup", "cell", "face", "front", "nearest", "depth",
                        "cross", "finish", "wipe", "count", "skip", "forward", "spill", "statistics"},
    [FS_ROLE_ROUTER] = {"count", "skip", "forward", "spill", "wipe", "statistics"},
    [FS_ROLE_GENERATOR] = {"backlog", "spill", "ray", "wipe"},
};

static uint32_t event_index(uint8_t role, const char *name) {
    for (uint32_t e = 0; fs_naive_event_names[role][e]; e++)
        if (strcmp(fs_naive_event_names[role][e], name) == 0)
            return e;
    fs_panic(__FILE__, __LINE__, "a %s has no event %s", fs_role_names[role], name);
}

static uint64_t event_at(const fs_naive_result *result, uint32_t iteration, uint32_t tile, uint32_t worker,
                         uint32_t event) {
    FS_ASSERT(tile < result->tiles && worker < result->workers, "no worker %u on tile %u", worker, tile);
    return (((uint64_t)iteration * result->tiles + tile) * result->workers + worker) * FS_NAIVE_EVENTS +
           event;
}

uint32_t fs_naive_event(const fs_naive_config *config, const fs_naive_result *result, uint32_t iteration,
                        uint32_t tile, uint32_t worker, const char *name) {
    FS_ASSERT(iteration < result->iterations, "no iteration %u", iteration);
    return result
        ->events[event_at(result, iteration, tile, worker, event_index(config->overlay->role[tile], name))];
}

uint64_t fs_naive_event_sum(const fs_naive_config *config, const fs_naive_result *result, fs_role role,
                            const char *name) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < result->iterations; k++)
        for (uint32_t tile = 0; tile < result->tiles; tile++)
            for (uint32_t w = 0; w < result->workers && config->overlay->role[tile] == role; w++)
                sum += fs_naive_event(config, result, k, tile, w, name);
    return sum;
}

uint32_t *fs_naive_count(fs_naive_model *m, uint32_t tile, uint32_t worker, const char *name) {
    uint32_t event = event_index(m->config->overlay->role[tile], name);
    return &m->result->events[event_at(m->result, m->now, tile, worker, event)];
}

uint32_t fs_naive_extent(const fs_naive_buffer *buffer) {
    uint32_t extent = 0;
    while (extent < buffer->room && buffer->slot[extent].mark != FS_NAIVE_EMPTY)
        extent++;
    return extent;
}

void fs_naive_make_room(fs_naive_buffer *buffer, uint32_t slots) {
    if (slots <= buffer->room)
        return;
    buffer->slot = fs_realloc(buffer->slot, slots * sizeof *buffer->slot);
    memset(buffer->slot + buffer->room, 0, (slots - buffer->room) * sizeof *buffer->slot);
    buffer->room = slots;
}

uint32_t fs_naive_owner(const fs_camera *camera, uint32_t shards, uint32_t i, uint32_t j) {
    uint32_t n = 0;
    while ((1u << n) < shards)
        n++;
    FS_ASSERT((1u << n) == shards, "%u shards are no power of two", shards);
    uint32_t columns = 1u << ((n + 1) / 2), rows = 1u << (n / 2);
    uint32_t slice_width = (camera->width + columns - 1) / columns;
    uint32_t slice_height = (camera->height + rows - 1) / rows;
    return (j / slice_height) * columns + i / slice_width;
}

uint32_t fs_naive_distance(const fs_overlay *overlay, uint32_t from, uint32_t to) {
    uint32_t tile = from == UINT32_MAX ? overlay->generator_tile : overlay->tracer_tile[from];
    uint32_t hops = 0;
    if (tile == overlay->tracer_tile[to] && fs_naive_routes(overlay, tile))
        return 0;
    do {
        uint32_t port = 0;
        if (overlay->route_start[tile] != FS_NO_ROUTE)
            port = overlay->route[overlay->route_start[tile] + to];
        tile = overlay->lanes[overlay->out_lane[overlay->out_start[tile] + port]].dst;
        hops++;
    } while (tile != overlay->tracer_tile[to]);
    return hops;
}

bool fs_naive_routes(const fs_overlay *overlay, uint32_t tile) {
    return overlay->role[tile] == FS_ROLE_TRACER && overlay->route_start[tile] != FS_NO_ROUTE;
}

/* ---- pixels and frames ---- */

static void note_first_frame(fs_naive_model *m, const fs_naive_ray *ray, uint32_t alive) {
    fs_naive_pixel *pixel = &m->result->pixel[ray->pixel];
    FS_ASSERT(!pixel->written, "pixel %u was written twice in frame 0", ray->pixel);
    *pixel = (fs_naive_pixel){.written = true,
                              .tracer_visits = ray->tracer_visits,
                              .router_visits = ray->router_visits,
                              .misrouted = ray->misrouted,
                              .delivery_hops = ray->delivery_hops,
                              .alive = alive,
                              .shortest = ray->shortest,
                              .waiting = alive - ray->shortest};
}

static void note_frames(fs_naive_model *m, const fs_naive_ray *ray) {
    for (uint32_t f = m->newest[ray->pixel]; f <= ray->frame && f < m->result->frames; f++) {
        fs_naive_frame *frame = &m->result->frame[f];
        frame->written++;
        if (frame->written == m->result->pixels) {
            frame->whole = true;
            frame->last_pixel = m->now;
        }
    }
    if (m->newest[ray->pixel] < ray->frame + 1)
        m->newest[ray->pixel] = ray->frame + 1;
}

/* A pixel gets its colour: from its owner, or when the host has read it from a tile's own buffer. */
static void paint(fs_naive_model *m, const fs_naive_ray *ray) {
    fs_naive_result *result = m->result;
    result->painted[ray->pixel] = true;
    result->rgb[3 * ray->pixel] = ray->state.r;
    result->rgb[3 * ray->pixel + 1] = ray->state.g;
    result->rgb[3 * ray->pixel + 2] = ray->state.b;
    result->depth[ray->pixel] = ray->state.depth;
    note_frames(m, ray);
}

void fs_naive_finish(fs_naive_model *m, uint32_t tile, const fs_naive_ray *ray) {
    fs_naive_result *result = m->result;
    uint32_t alive = m->now - ray->born + 1;
    FS_ASSERT(alive == ray->visits + ray->ring_waiting, "a ray of %u iterations has %u visits and waited %u",
              alive, ray->visits, ray->ring_waiting);
    FS_ASSERT(alive >= ray->shortest, "a ray came in %u iterations, sooner than %u", alive, ray->shortest);
    result->iteration[m->now].finished++;
    result->total.tracer_visits += ray->tracer_visits;
    result->total.router_visits += ray->router_visits;
    result->total.delivery_hops += ray->delivery_hops;
    result->total.alive += alive;
    result->total.waiting += alive - ray->shortest;
    if (ray->frame == 0)
        note_first_frame(m, ray, alive);
    if (!m->config->local_framebuffer) {
        paint(m, ray);
        return;
    }
    if (m->records[tile] == m->record_room[tile]) {
        FS_ASSERT(m->records[tile] < m->config->local_records || m->config->infinite,
                  "tile %u has no room for a finished ray", tile);
        m->record_room[tile] += m->config->local_records + 1;
        m->record[tile] = fs_realloc(m->record[tile], m->record_room[tile] * sizeof *m->record[tile]);
    }
    FS_ASSERT(m->records[tile] < m->config->local_records || m->config->infinite,
              "tile %u has no room for a finished ray", tile);
    m->record[tile][m->records[tile]++] = *ray;
}

/* A visit of the host: empties the tiles' own buffers and looks which frames are done. True ends the run. */
static bool host_visit(fs_naive_model *m) {
    fs_naive_result *result = m->result;
    result->iteration[m->now].visit = true;
    for (uint32_t tile = 0; tile < result->tiles; tile++) {
        for (uint32_t i = 0; i < m->records[tile]; i++)
            paint(m, &m->record[tile][i]);
        m->records[tile] = 0;
    }
    result->complete = true;
    for (uint32_t f = 0; f < result->frames; f++) {
        fs_naive_frame *frame = &result->frame[f];
        if (!frame->done && (double)frame->written >= m->config->coverage * (double)result->pixels) {
            frame->done = true;
            frame->done_after = m->now + 1;
        }
        result->complete = result->complete && frame->done;
    }
    return result->complete || (fs_naive_exhausted(m) && result->iteration[m->now].in_flight == 0);
}

static bool host_is_due(const fs_naive_model *m) {
    const fs_naive_config *config = m->config;
    if ((m->now + 1) % config->repeat == 0)
        return true;
    for (uint32_t s = 0; config->local_framebuffer && s < config->overlay->tracers; s++) {
        uint32_t tile = config->overlay->tracer_tile[s], slots = 0;
        for (uint32_t l = config->overlay->in_start[tile]; l < config->overlay->in_start[tile + 1]; l++)
            slots += config->lane_capacity[config->overlay->in_lane[l]];
        if (m->records[tile] + slots > config->local_records)
            return true;
    }
    return false;
}

/* ---- compute and exchange ---- */

static uint32_t rays_in(const fs_naive_buffer *buffer) {
    uint32_t rays = 0;
    for (uint32_t i = 0; i < buffer->room; i++)
        rays += buffer->slot[i].mark == FS_NAIVE_RAY;
    return rays;
}

static uint32_t rays_at(const fs_naive_model *m, uint32_t tile, bool in) {
    const fs_overlay *overlay = m->config->overlay;
    const uint32_t *start = in ? overlay->in_start : overlay->out_start;
    const uint32_t *lane = in ? overlay->in_lane : overlay->out_lane;
    uint32_t rays = 0;
    for (uint32_t i = start[tile]; i < start[tile + 1]; i++)
        rays += rays_in(in ? &m->in[lane[i]] : &m->out[lane[i]]);
    return rays;
}

/* What a tile took in and generated it has sent, kept in the ring, written or dropped. */
static void compute(fs_naive_model *m, uint32_t tile) {
    const fs_naive_iteration *it = &m->result->iteration[m->now];
    fs_naive_iteration before = *it;
    uint32_t backlog = m->backlog, rays = rays_at(m, tile, true);
    switch (m->config->overlay->role[tile]) {
    case FS_ROLE_TRACER:
        fs_naive_tracer(m, tile);
        break;
    case FS_ROLE_ROUTER:
        fs_naive_router(m, tile);
        break;
    case FS_ROLE_GENERATOR:
        fs_naive_generator(m, tile);
        break;
    default:
        return;
    }
    uint32_t came = rays + backlog + (it->generated - before.generated);
    uint32_t went = rays_at(m, tile, false) + m->backlog + (it->finished - before.finished) +
                    (it->dropped - before.dropped);
    FS_ASSERT(came == went, "tile %u had %u rays and accounts for %u", tile, came, went);
}

static void exchange(fs_naive_model *m) {
    const fs_overlay *overlay = m->config->overlay;
    for (uint32_t l = 0; l < overlay->lane_count; l++) {
        const fs_naive_buffer *out = &m->out[l];
        uint32_t extent = fs_naive_extent(out), rays = 0;
        fs_naive_make_room(&m->in[l], out->room);
        for (uint32_t i = 0; i < m->in[l].room; i++)
            m->in[l].slot[i].mark = FS_NAIVE_EMPTY;
        for (uint32_t i = 0; i < out->room; i++) {
            fs_naive_mark mark = out->slot[i].mark;
            FS_ASSERT((i < extent) == (mark != FS_NAIVE_EMPTY), "lane %u has a gap before slot %u", l, i);
            FS_ASSERT(mark != FS_NAIVE_CONSUMED || overlay->role[overlay->lanes[l].src] == FS_ROLE_TRACER,
                      "lane %u of a %s has a consumed slot", l,
                      fs_role_names[overlay->role[overlay->lanes[l].src]]);
            m->in[l].slot[i].mark = mark;
            if (mark == FS_NAIVE_RAY) {
                m->in[l].slot[i].ray = out->slot[i].ray;
                rays++;
            }
        }
        fs_naive_lane *lane = &m->result->lane[l];
        lane->rays += rays;
        bool stalled = lane->turned_away > m->turned_before[l];
        m->turned_before[l] = lane->turned_away;
        lane->stalled += stalled;
        lane->used += !stalled && rays > 0;
        lane->peak = rays > lane->peak ? rays : lane->peak;
        lane->full_iterations += rays == out->capacity;
    }
}

/* After the exchange: no ray is lost or doubled, and each spill leads to one misrouted visit. */
static void check_balance(fs_naive_model *m) {
    fs_naive_iteration *it = &m->result->iteration[m->now];
    fs_naive_totals *total = &m->result->total;
    uint32_t on_the_way = 0;
    it->backlog = it->in_flight = m->backlog;
    for (uint32_t l = 0; l < m->result->lanes; l++)
        for (uint32_t i = 0; i < m->in[l].room; i++)
            if (m->in[l].slot[i].mark == FS_NAIVE_RAY) {
                it->in_flight++;
                on_the_way += m->in[l].slot[i].ray.was_spilled;
            }
    uint64_t spilled_into_lanes = 0;
    for (uint32_t l = 0; l < m->result->lanes; l++)
        spilled_into_lanes += m->result->lane[l].spilled;
    total->generated += it->generated;
    total->finished += it->finished;
    total->dropped += it->dropped;
    total->spilled += it->spilled;
    total->misrouted += it->misrouted;
    total->in_flight = it->in_flight;
    FS_ASSERT(total->generated == total->finished + total->dropped + total->in_flight,
              "iteration %u: rays were lost or made", m->now);
    FS_ASSERT(spilled_into_lanes == total->misrouted + on_the_way,
              "iteration %u: spills and misrouted visits differ", m->now);
}

/* ---- the run ---- */

static void check_config(const fs_naive_config *c) {
    const fs_overlay *overlay = c->overlay;
    FS_ASSERT(c->workers >= 1 && c->workers <= FS_MAX_WORKERS && c->per_batch >= 1 && c->repeat >= 1 &&
                  c->frames >= 1 && c->max_iterations >= 1,
              "the configuration has a number out of its range");
    for (uint32_t tile = 0; tile < overlay->tiles; tile++) {
        uint32_t slots = 0, ports = overlay->in_start[tile + 1] - overlay->in_start[tile];
        if (overlay->role[tile] != FS_ROLE_TRACER)
            continue;
        for (uint32_t port = 0; port < ports; port++) {
            uint32_t in = c->lane_capacity[overlay->in_lane[overlay->in_start[tile] + port]];
            uint32_t out = c->lane_capacity[overlay->out_lane[overlay->out_start[tile] + port]];
            slots += in;
            FS_ASSERT(fs_naive_routes(overlay, tile) || out >= in, "tracer tile %u can't answer all it hears",
                      tile);
        }
        FS_ASSERT(!c->local_framebuffer || c->local_records >= slots,
                  "tracer tile %u may take in more rays than it has room for", tile);
    }
    for (uint32_t l = 0; l < overlay->lane_count; l++)
        FS_ASSERT(c->lane_capacity[l] >= 1, "lane %u has no slot", l);
}

static void make_room(fs_naive_model *m) {
    fs_naive_result *r = m->result;
    uint64_t per = (uint64_t)r->tiles * r->workers * FS_NAIVE_EVENTS;
    if (m->now == m->iteration_room) {
        m->iteration_room = 2 * m->iteration_room + 16;
        r->iteration = fs_realloc(r->iteration, m->iteration_room * sizeof *r->iteration);
        r->held = fs_realloc(r->held, (uint64_t)m->iteration_room * r->tiles * sizeof *r->held);
        r->events = fs_realloc(r->events, m->iteration_room * per * sizeof *r->events);
    }
    memset(&r->iteration[m->now], 0, sizeof *r->iteration);
    memset(&r->held[(uint64_t)m->now * r->tiles], 0, r->tiles * sizeof *r->held);
    memset(&r->events[m->now * per], 0, per * sizeof *r->events);
    r->iterations = m->now + 1;
}

static fs_naive_buffer *make_buffers(const fs_naive_config *config) {
    fs_naive_buffer *buffers = fs_calloc(config->overlay->lane_count, sizeof *buffers);
    for (uint32_t l = 0; l < config->overlay->lane_count; l++) {
        buffers[l].capacity = config->infinite ? UINT32_MAX : config->lane_capacity[l];
        fs_naive_make_room(&buffers[l], config->lane_capacity[l]);
    }
    return buffers;
}

static void free_buffers(fs_naive_buffer *buffers, uint32_t count) {
    for (uint32_t l = 0; l < count; l++)
        free(buffers[l].slot);
    free(buffers);
}

static void begin(fs_naive_model *m, const fs_naive_config *config, fs_naive_result *r) {
    *m = (fs_naive_model){.config = config, .result = r};
    *r = (fs_naive_result){.tiles = config->overlay->tiles,
                           .workers = config->workers,
                           .pixels = config->camera->width * config->camera->height,
                           .frames = config->frames,
                           .lanes = config->overlay->lane_count};
    r->pixel = fs_calloc(r->pixels, sizeof *r->pixel);
    r->rgb = fs_calloc(r->pixels, 3 * sizeof *r->rgb);
    r->depth = fs_calloc(r->pixels, sizeof *r->depth);
    r->painted = fs_calloc(r->pixels, sizeof *r->painted);
    r->frame = fs_calloc(r->frames, sizeof *r->frame);
    r->lane = fs_calloc(r->lanes, sizeof *r->lane);
    m->in = make_buffers(config);
    m->out = make_buffers(config);
    m->turned_before = fs_calloc(r->lanes, sizeof *m->turned_before);
    m->extent_before = fs_calloc(r->lanes, sizeof *m->extent_before);
    m->ring = fs_calloc(config->ring + 1, sizeof *m->ring);
    m->records = fs_calloc(r->tiles, sizeof *m->records);
    m->record_room = fs_calloc(r->tiles, sizeof *m->record_room);
    m->record = fs_calloc(r->tiles, sizeof *m->record);
    m->newest = fs_calloc(r->pixels, sizeof *m->newest);
}

void fs_naive_run(const fs_naive_config *config, fs_naive_result *out) {
    fs_naive_model m;
    check_config(config);
    begin(&m, config, out);
    for (bool over = false; !over && !out->limited; m.now++) {
        make_room(&m);
        for (uint32_t tile = 0; tile < out->tiles; tile++)
            compute(&m, tile);
        exchange(&m);
        check_balance(&m);
        over = host_is_due(&m) && host_visit(&m);
        out->limited = !over && m.now + 1 == config->max_iterations;
    }
    out->coverage = (double)out->frame[out->frames - 1].written / (double)out->pixels;
    free_buffers(m.in, out->lanes);
    free_buffers(m.out, out->lanes);
    free(m.turned_before);
    free(m.extent_before);
    free(m.ring);
    free(m.records);
    free(m.record_room);
    for (uint32_t tile = 0; tile < out->tiles; tile++)
        free(m.record[tile]);
    free(m.record);
    free(m.newest);
}

void fs_naive_free(fs_naive_result *r) {
    free(r->iteration);
    free(r->held);
    free(r->events);
    free(r->pixel);
    free(r->rgb);
    free(r->depth);
    free(r->painted);
    free(r->frame);
    free(r->lane);
    *r = (fs_naive_result){0};
}
