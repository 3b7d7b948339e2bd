/* The naive model's tracer, router and generator: each rule of docs/design/kernels.md in the order in which
 * it stands there. */
#include "tests/support/foam/naive_model.h"

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdlib.h>

static const fs_lane *in_lane(const fs_overlay *overlay, uint32_t tile, uint32_t port, uint32_t *number) {
    *number = overlay->in_lane[overlay->in_start[tile] + port];
    return &overlay->lanes[*number];
}

static uint32_t in_ports(const fs_overlay *overlay, uint32_t tile) {
    return overlay->in_start[tile + 1] - overlay->in_start[tile];
}

static uint32_t out_ports(const fs_overlay *overlay, uint32_t tile) {
    return overlay->out_start[tile + 1] - overlay->out_start[tile];
}

static fs_naive_buffer *in_buffer(fs_naive_model *m, uint32_t tile, uint32_t port) {
    uint32_t number;
    const fs_lane *lane = in_lane(m->config->overlay, tile, port, &number);
    FS_ASSERT(lane->dst == tile && lane->dst_port == port, "lane %u is not the in lane %u of tile %u", number,
              port, tile);
    return &m->in[number];
}

static uint32_t out_number(const fs_naive_model *m, uint32_t tile, uint32_t port) {
    return m->config->overlay->out_lane[m->config->overlay->out_start[tile] + port];
}

static void clear(fs_naive_buffer *buffer) {
    for (uint32_t i = 0; i < buffer->room; i++)
        buffer->slot[i].mark = FS_NAIVE_EMPTY;
}

static void put(fs_naive_buffer *buffer, uint32_t slot, const fs_naive_ray *ray) {
    FS_ASSERT(slot < buffer->capacity, "slot %u of a buffer of %u", slot, buffer->capacity);
    if (slot >= buffer->room)
        fs_naive_make_room(buffer, 2 * slot + 1);
    buffer->slot[slot].mark = FS_NAIVE_RAY;
    buffer->slot[slot].ray = *ray;
}

/* Wipes what the previous iteration left beyond this one's extent: an event of worker 0. */
static void wipe(fs_naive_model *m, uint32_t tile) {
    for (uint32_t port = 0; port < out_ports(m->config->overlay, tile); port++) {
        uint32_t number = out_number(m, tile, port);
        uint32_t extent = fs_naive_extent(&m->out[number]);
        if (m->extent_before[number] > extent)
            *fs_naive_count(m, tile, 0, "wipe") += m->extent_before[number] - extent;
        m->extent_before[number] = extent;
    }
}

/* Every ray in the in buffers of a tile is visited, once. */
static void visit_all(fs_naive_model *m, uint32_t tile) {
    const fs_overlay *overlay = m->config->overlay;
    uint8_t role = overlay->role[tile];
    for (uint32_t port = 0; port < in_ports(m->config->overlay, tile); port++) {
        fs_naive_buffer *in = in_buffer(m, tile, port);
        for (uint32_t i = 0; i < in->room; i++) {
            if (in->slot[i].mark != FS_NAIVE_RAY)
                continue;
            fs_naive_ray *ray = &in->slot[i].ray;
            ray->visits++;
            m->result->held[(uint64_t)m->now * m->result->tiles + tile]++;
            if (ray->was_spilled) {
                ray->was_spilled = false;
                ray->misrouted++;
                m->result->iteration[m->now].misrouted++;
                m->result->iteration[m->now].misrouted_at[m->config->overlay->level[tile]]++;
            }
            if (ray->finished)
                ray->delivery_hops++;
            else if (role == FS_ROLE_ROUTER ||
                     (fs_naive_routes(overlay, tile) && ray->tracer != overlay->tracer_of_tile[tile]))
                ray->router_visits++;
            else if (role == FS_ROLE_TRACER)
                ray->tracer_visits++;
        }
    }
}

/* ---- picking among equals ---- */

/* The mix of a pixel's number with a salt: the rules' arithmetic modulo 2^32, in 64 bits. */
static uint32_t mix(uint32_t pixel, uint32_t salt) {
    const uint64_t golden = 2654435769u, modulus = UINT64_C(1) << 32;
    uint64_t h = (pixel + salt * golden) % modulus;
    for (int round = 0; round < 2; round++)
        h = (h ^ h / 65536) * golden % modulus;
    return (uint32_t)(h ^ h / 65536);
}

uint32_t fs_naive_tracer_of(const fs_overlay *overlay, uint32_t shard, uint32_t pixel) {
    uint32_t owners[1024], count = 0;
    owners[count++] = shard;
    for (uint32_t i = overlay->shards; i < overlay->tracers; i++) /* replicas come later, in their order */
        if (overlay->shard_of_tile[overlay->tracer_tile[i]] == shard)
            owners[count++] = i;
    return owners[mix(pixel, 0) % count];
}

/* How the policy of one call stands. */
typedef struct policy {
    uint32_t seen[FS_MAX_WORKERS][FS_MAX_PORTS]; /* by a worker, of a group */
    uint32_t got[FS_MAX_PORTS];                  /* rays given to a port */
} policy;

static uint32_t pick(const fs_naive_model *m, uint32_t tile, policy *p, uint32_t first, uint32_t choices,
                     uint32_t worker, uint32_t pixel) {
    const fs_overlay *overlay = m->config->overlay;
    uint32_t least = first;
    switch (overlay->dispatch) {
    case FS_DISPATCH_HASH:
        return first + mix(pixel, overlay->level[tile]) % choices;
    case FS_DISPATCH_ROUND_ROBIN:
        return first + (worker + p->seen[worker][first]++ + m->now) % choices;
    case FS_DISPATCH_LEAST_OCCUPIED:
        for (uint32_t port = first; port < first + choices; port++)
            if (p->got[port] < p->got[least])
                least = port;
        return least;
    }
    fs_panic(__FILE__, __LINE__, "no such dispatch");
}

/* The ports that a ray may leave a tile by: [first, first + the result). */
static uint32_t ways(const fs_overlay *overlay, uint32_t tile, uint32_t tracer, uint32_t *first) {
    *first = 0;
    if (overlay->route_start[tile] == FS_NO_ROUTE)
        return out_ports(overlay, tile);
    *first = overlay->route[overlay->route_start[tile] + tracer];
    FS_ASSERT(*first < out_ports(overlay, tile), "tile %u has no out port %u", tile, *first);
    uint32_t choices = overlay->lanes[overlay->out_lane[overlay->out_start[tile] + *first]].choices;
    return choices == 0 ? 1 : choices;
}

/* ---- tracer ---- */

static void pass_on(fs_naive_model *m, uint32_t tile);

static void count_march(fs_naive_model *m, uint32_t tile, uint32_t worker, const fs_march_counts *counts) {
    *fs_naive_count(m, tile, worker, "setup") += 1;
    *fs_naive_count(m, tile, worker, "cell") += counts->cells;
    *fs_naive_count(m, tile, worker, "face") += counts->faces;
    *fs_naive_count(m, tile, worker, "front") += counts->front;
    *fs_naive_count(m, tile, worker, "nearest") += counts->nearest;
    *fs_naive_count(m, tile, worker, "depth") += counts->depth_marks;
    m->result->total.cells += counts->cells;
    m->result->total.faces += counts->faces;
}

/* Marches the ray through the shard. True when the ray has something to carry on (it goes to the out slot). */
static bool march(fs_naive_model *m, uint32_t tile, uint32_t worker, fs_naive_ray *ray) {
    const fs_naive_config *config = m->config;
    const fs_camera *camera = config->camera;
    uint32_t shard = ray->shard, tracer = ray->tracer;
    float direction[3];
    fs_camera_direction(camera, ray->pixel % camera->width, ray->pixel / camera->width, direction);
    fs_march_counts counts = {0};
    fs_march_exit how = fs_march(config->scene, &config->march, camera->origin, direction,
                                 config->partition->shard_start[shard],
                                 config->partition->shard_start[shard + 1], &ray->cell, &ray->state, &counts);
    count_march(m, tile, worker, &counts);
    if (how == FS_EXIT_CROSSED) {
        *fs_naive_count(m, tile, worker, "cross") += 1;
        ray->shard = config->scene->cell[ray->cell].shard;
        ray->tracer = fs_naive_tracer_of(config->overlay, ray->shard, ray->pixel);
        ray->shortest += fs_naive_distance(config->overlay, tracer, ray->tracer);
        fs_payload_round(config->payload, &ray->state);
        return true;
    }
    if (config->local_framebuffer) {
        *fs_naive_count(m, tile, worker, "pixel") += 1;
        fs_naive_finish(m, tile, ray);
        return false;
    }
    ray->finished = true;
    ray->shard = ray->tracer = fs_naive_owner(camera, config->overlay->shards, ray->pixel % camera->width,
                                              ray->pixel / camera->width);
    ray->shortest += fs_naive_distance(config->overlay, tracer, ray->tracer);
    fs_payload_round(config->payload, &ray->state);
    if (ray->tracer == tracer && fs_naive_routes(config->overlay, tile)) {
        *fs_naive_count(m, tile, worker, "pixel") += 1;
        fs_naive_finish(m, tile, ray);
        return false;
    }
    *fs_naive_count(m, tile, worker, "finish") += 1;
    return true;
}

/* What becomes of slot i of an in buffer: it is left in `to`, which may be the same. */
static void trace_slot(fs_naive_model *m, uint32_t tile, const fs_naive_buffer *in, fs_naive_buffer *to,
                       uint32_t i, uint32_t worker) {
    const fs_overlay *overlay = m->config->overlay;
    *fs_naive_count(m, tile, worker, "slot") += 1;
    bool is_ray = in->slot[i].mark == FS_NAIVE_RAY;
    fs_naive_ray ray = in->slot[i].ray;
    if (to->room <= i)
        fs_naive_make_room(to, i + 1);
    to->slot[i].mark = FS_NAIVE_CONSUMED;
    if (!is_ray)
        return;
    if (ray.tracer != overlay->tracer_of_tile[tile]) {
        if (!fs_naive_routes(overlay, tile))
            *fs_naive_count(m, tile, worker, "pass") += 1;
        put(to, i, &ray);
    } else if (ray.finished) {
        *fs_naive_count(m, tile, worker, "pixel") += 1;
        fs_naive_finish(m, tile, &ray);
    } else if (march(m, tile, worker, &ray)) {
        put(to, i, &ray);
    }
}

void fs_naive_tracer(fs_naive_model *m, uint32_t tile) {
    const fs_naive_config *config = m->config;
    bool routes = fs_naive_routes(config->overlay, tile);
    visit_all(m, tile);
    for (uint32_t port = 0; port < in_ports(config->overlay, tile); port++) {
        fs_naive_buffer *in = in_buffer(m, tile, port);
        fs_naive_buffer *to = routes ? in : &m->out[out_number(m, tile, port)];
        uint32_t extent = fs_naive_extent(in);
        if (!routes)
            clear(to);
        for (uint32_t worker = 0; worker < config->workers; worker++)
            for (uint32_t i = worker; i < extent; i += config->workers)
                trace_slot(m, tile, in, to, i, worker);
    }
    if (routes)
        pass_on(m, tile);
    else
        wipe(m, tile);
}

/* ---- router ---- */

typedef struct passenger {
    fs_naive_ray *ray;
    uint32_t worker;
    uint32_t own;  /* out port that the route names */
    bool stays;    /* with its own lane */
    bool aboard;   /* has a lane at all */
    uint32_t lane; /* out port it takes, if aboard */
} passenger;

/* The own lane of every ray in the in buffers, port by port and slot by slot: own[port][slot]. */
static void choose_own(fs_naive_model *m, uint32_t tile, uint32_t **own) {
    const fs_overlay *overlay = m->config->overlay;
    policy *p = fs_calloc(1, sizeof *p);
    for (uint32_t port = 0; port < in_ports(overlay, tile); port++) {
        fs_naive_buffer *in = in_buffer(m, tile, port);
        own[port] = fs_calloc(in->room + 1, sizeof *own[port]);
        for (uint32_t i = 0; i < fs_naive_extent(in); i++) {
            if (in->slot[i].mark != FS_NAIVE_RAY)
                continue;
            const fs_naive_ray *ray = &in->slot[i].ray;
            uint32_t first, choices = ways(overlay, tile, ray->tracer, &first);
            own[port][i] =
                choices > 1 ? pick(m, tile, p, first, choices, i % m->config->workers, ray->pixel) : first;
            p->got[own[port][i]]++;
        }
    }
    free(p);
}

/* The rays of all in buffers in the order (worker, in lane, slot). Counts what the count pass sees. */
static uint32_t line_up(fs_naive_model *m, uint32_t tile, passenger *line) {
    const fs_overlay *overlay = m->config->overlay;
    uint32_t rays = 0, *own[FS_MAX_PORTS];
    choose_own(m, tile, own);
    for (uint32_t worker = 0; worker < m->config->workers; worker++) {
        for (uint32_t port = 0; port < in_ports(overlay, tile); port++) {
            fs_naive_buffer *in = in_buffer(m, tile, port);
            uint32_t extent = fs_naive_extent(in);
            for (uint32_t i = worker; i < extent; i += m->config->workers) {
                if (in->slot[i].mark == FS_NAIVE_CONSUMED) {
                    *fs_naive_count(m, tile, worker, "skip") += 2; /* once in each pass */
                    continue;
                }
                *fs_naive_count(m, tile, worker, "count") += 1;
                line[rays++] = (passenger){.ray = &in->slot[i].ray, .worker = worker, .own = own[port][i]};
            }
        }
    }
    for (uint32_t port = 0; port < in_ports(overlay, tile); port++)
        free(own[port]);
    return rays;
}

/* Own rays first, then the spilled ones to what is free, lane by lane. */
static void assign(fs_naive_model *m, uint32_t tile, passenger *line, uint32_t rays) {
    uint32_t ports = out_ports(m->config->overlay, tile);
    uint32_t room[FS_MAX_PORTS];
    for (uint32_t port = 0; port < ports; port++)
        room[port] = m->out[out_number(m, tile, port)].capacity;
    for (uint32_t r = 0; r < rays; r++) {
        if (room[line[r].own] > 0) {
            room[line[r].own]--;
            line[r].stays = line[r].aboard = true;
            line[r].lane = line[r].own;
        }
    }
    for (uint32_t r = 0; r < rays; r++) {
        for (uint32_t port = 0; port < ports && !line[r].aboard; port++) {
            if (room[port] > 0) {
                room[port]--;
                line[r].aboard = true;
                line[r].lane = port;
            }
        }
    }
}

/* The router's rules over what lies in the in buffers. */
static void pass_on(fs_naive_model *m, uint32_t tile) {
    const fs_overlay *overlay = m->config->overlay;
    uint32_t slots = 0;
    for (uint32_t port = 0; port < in_ports(overlay, tile); port++)
        slots += in_buffer(m, tile, port)->room;
    passenger *line = fs_calloc(slots, sizeof *line);
    uint32_t rays = line_up(m, tile, line);
    assign(m, tile, line, rays);
    const uint32_t lost = m->result->iteration[m->now].lost;

    for (uint32_t r = 0; r < rays; r++) {
        *fs_naive_count(m, tile, line[r].worker, "forward") += 1;
        *fs_naive_count(m, tile, 0, "statistics") += 1;
        if (line[r].stays)
            continue;
        *fs_naive_count(m, tile, line[r].worker, "spill") += 1;
        m->result->lane[out_number(m, tile, line[r].own)].turned_away++;
        m->result->iteration[m->now].spilled++;
        m->result->iteration[m->now].spilled_at[overlay->level[tile]] += line[r].aboard;
        line[r].ray->was_spilled = true;
        if (line[r].aboard)
            m->result->lane[out_number(m, tile, line[r].lane)].spilled++;
        else
            m->result->iteration[m->now].lost++;
    }
    m->result->iteration[m->now].dropped += m->result->iteration[m->now].lost - lost;
    for (uint32_t port = 0; port < out_ports(overlay, tile); port++) {
        fs_naive_buffer *out = &m->out[out_number(m, tile, port)];
        uint32_t slot = 0;
        clear(out);
        for (int own = 0; own < 2; own++) /* spilled rays, then own ones */
            for (uint32_t r = 0; r < rays; r++)
                if (line[r].aboard && line[r].lane == port && line[r].stays == (own == 1))
                    put(out, slot++, line[r].ray);
    }
    wipe(m, tile);
    free(line);
}

void fs_naive_router(fs_naive_model *m, uint32_t tile) {
    visit_all(m, tile);
    pass_on(m, tile);
}

/* ---- generator ---- */

/* One call of the generator. */
typedef struct emission {
    uint32_t tile, number; /* rays handled so far */
    policy policy;
} emission;

static bool has_room(const fs_naive_model *m, uint32_t tile, uint32_t port) {
    const fs_naive_buffer *out = &m->out[out_number(m, tile, port)];
    return fs_naive_extent(out) < out->capacity;
}

/* To the lane that the policy picks, else to the others in turn. False when none has room. */
static bool send(fs_naive_model *m, emission *e, const fs_naive_ray *ray) {
    const fs_overlay *overlay = m->config->overlay;
    uint32_t ports = out_ports(overlay, e->tile), open = 0, first;
    for (uint32_t port = 0; port < ports; port++) {
        e->policy.got[port] = fs_naive_extent(&m->out[out_number(m, e->tile, port)]);
        open += has_room(m, e->tile, port);
    }
    if (open == 0)
        return false;
    uint32_t choices = ways(overlay, e->tile, ray->tracer, &first);
    uint32_t port = choices > 1 ? pick(m, e->tile, &e->policy, first, choices, 0, ray->pixel) : first;
    while (!has_room(m, e->tile, port))
        port = (port + 1) % ports;
    fs_naive_buffer *out = &m->out[out_number(m, e->tile, port)];
    put(out, fs_naive_extent(out), ray);
    return true;
}

static void count_ray(fs_naive_model *m, emission *e, const char *name) {
    uint32_t workers = m->config->generator_workers;
    *fs_naive_count(m, e->tile, workers > 1 ? e->number % workers : 0, name) += 1;
    e->number++;
}

static void emit(fs_naive_model *m, emission *e, const fs_naive_ray *ray) {
    if (send(m, e, ray))
        return;
    if (m->backlog < m->config->ring)
        m->ring[m->backlog++] = *ray;
    else
        m->result->iteration[m->now].dropped++;
}

static fs_naive_ray new_ray(const fs_naive_model *m, uint32_t i, uint32_t j, uint32_t frame) {
    const fs_naive_config *config = m->config;
    fs_naive_ray ray = {.pixel = j * config->camera->width + i, .frame = frame, .born = m->now, .visits = 1};
    ray.state.T = 1.0f;
    ray.cell = fs_march_nearest(config->scene, config->partition, config->camera->origin);
    ray.shard = config->scene->cell[ray.cell].shard;
    ray.tracer = fs_naive_tracer_of(config->overlay, ray.shard, ray.pixel);
    ray.shortest = 1 + fs_naive_distance(config->overlay, UINT32_MAX, ray.tracer);
    return ray;
}

static uint32_t batches(const fs_naive_config *config) {
    uint32_t lines = config->columns ? config->camera->width : config->camera->height;
    return (lines + config->per_batch - 1) / config->per_batch;
}

bool fs_naive_exhausted(const fs_naive_model *m) {
    const fs_naive_config *config = m->config;
    uint64_t period = (uint64_t)batches(config) + config->idle;
    return !config->stream && m->now + 1 >= (config->frames - 1) * period + batches(config);
}

static void generate(fs_naive_model *m, emission *e) {
    const fs_naive_config *config = m->config;
    uint32_t period = batches(config) + config->idle;
    uint32_t frame = m->now / period, batch = m->now % period;
    if (batch >= batches(config) || (frame >= config->frames && !config->stream))
        return;
    m->result->iteration[m->now].injecting = true;
    uint32_t lines = config->columns ? config->camera->width : config->camera->height;
    uint32_t length = config->columns ? config->camera->height : config->camera->width;
    for (uint32_t line = batch * config->per_batch; line < (batch + 1) * config->per_batch && line < lines;
         line++) {
        for (uint32_t along = 0; along < length; along++) {
            fs_naive_ray ray =
                config->columns ? new_ray(m, line, along, frame) : new_ray(m, along, line, frame);
            count_ray(m, e, "ray");
            m->result->iteration[m->now].generated++;
            emit(m, e, &ray);
        }
    }
}

void fs_naive_generator(fs_naive_model *m, uint32_t tile) {
    const fs_overlay *overlay = m->config->overlay;
    emission *e = fs_calloc(1, sizeof *e);
    e->tile = tile;
    visit_all(m, tile);
    for (uint32_t port = 0; port < out_ports(overlay, tile); port++)
        clear(&m->out[out_number(m, tile, port)]);
    while (m->backlog > 0 && send(m, e, &m->ring[0])) {
        for (uint32_t i = 1; i < m->backlog; i++)
            m->ring[i - 1] = m->ring[i];
        m->backlog--;
        count_ray(m, e, "backlog");
    }
    for (uint32_t port = 0; port < in_ports(overlay, tile); port++) {
        fs_naive_buffer *in = in_buffer(m, tile, port);
        for (uint32_t i = 0; i < fs_naive_extent(in); i++) {
            if (in->slot[i].mark != FS_NAIVE_RAY)
                continue;
            count_ray(m, e, "spill");
            emit(m, e, &in->slot[i].ray);
        }
    }
    generate(m, e);
    wipe(m, tile);
    for (uint32_t i = 0; i < m->backlog; i++)
        m->ring[i].ring_waiting++;
    free(e);
}
