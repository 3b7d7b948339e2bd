#include "tests/support/foam/decoupled_case.h"
#include "workloads/foam/books/books.h"

#include "models/overlay/device_plan.h"
#include "tests/support/chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fs_error error;

#define MUST(call)                                                                                           \
    do {                                                                                                     \
        if (call) {                                                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, error.text);                                  \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

void fs_decoupled_case_make(fs_decoupled_case *d, const fs_case_spec *spec) {
    *d = (fs_decoupled_case){
        .kernels = {.router_statistics = true, .generator_workers = 1, .fixed_cost = true}};
    fs_case_make(&d->c, spec);
    d->c.machine.exchange.mode = FS_EXCHANGE_DYNAMIC;
    d->c.machine.decoupled_slice = 10000;
    const fs_overlay *o = &d->c.overlay;
    d->transfers = FS_NEW(d->c.arena, fs_transfer, o->lane_count);
    for (uint32_t l = 0; l < o->lane_count; l++)
        d->transfers[l] = (fs_transfer){
            .src = o->lanes[l].src, .dst = o->lanes[l].dst, .bytes = d->c.capacity[l] * d->c.payload.bytes};
}

void fs_decoupled_case_free(fs_decoupled_case *d) {
    fs_case_free(&d->c);
}

static void make_programs(fs_decoupled_case *d) {
    d->programs = fs_foam_programs(&d->c.overlay, &d->kernels, d->c.arena);
}

/* ---- decoupled ---- */

typedef struct listener {
    fs_slice_sums *sums;
    const fs_foam_simulation *sim;
} listener;

static void look(void *self, const uint32_t *active, uint32_t active_count, const uint32_t *sources,
                 uint32_t source_count) {
    listener *l = self;
    (void)sources, (void)source_count;
    for (uint32_t i = 0; i < active_count; i++)
        l->sums->rays += fs_foam_simulation_held(l->sim)[active[i]];
}

static void finished(void *self, const fs_iteration *slice) {
    listener *l = self;
    fs_slice_sums *s = l->sums;
    const fs_foam_step *step = fs_foam_simulation_step(l->sim);
    s->contiguous = slice->number == s->slices && (s->slices == 0 || slice->start == s->end) &&
                    (s->slices == 0 || s->contiguous);
    s->slices++;
    s->cycles += slice->compute + slice->sync + slice->exchange + slice->host;
    s->end = slice->start + slice->compute + slice->sync + slice->exchange + slice->host;
    s->generated += step->generated;
    s->finished += step->finished;
}

fs_status fs_decoupled_case_run(fs_decoupled_case *d, fs_slice_sums *sums, fs_foam_figures *out,
                                fs_error *err) {
    make_programs(d);
    *sums = (fs_slice_sums){0};
    *out = (fs_foam_figures){0};
    listener l = {.sums = sums, .sim = d->c.sim};
    const fs_foam_slices slices = {.self = &l, .look = look, .finished = finished};
    const fs_host_visit first = {.bytes_to_device = FS_CAMERA_BYTES + d->c.setup.upload_bytes,
                                 .broadcast_bytes = FS_CAMERA_BYTES};
    fs_foam_decoupled *f = fs_foam_decoupled_create(d->c.arena, &d->c.setup, d->c.sim, &d->c.machine,
                                                    &d->programs, d->transfers, &first, err);
    if (f == NULL || fs_foam_decoupled_run(f, &slices, err))
        return err->status;
    const fs_device_totals totals = fs_device_totals_of(fs_foam_decoupled_device(f));
    fs_foam_decoupled_figures(f, d->c.machine.clock, out);
    out->chip.device.cycles = totals.cycles;
    out->chip.device.cycles_compute = totals.cycles_compute;
    out->chip.device.cycles_host = totals.cycles_host;
    return FS_OK;
}

/* ---- under barriers ---- */

typedef struct counted {
    uint32_t *rows; /* [tiles][FS_MAX_WORKERS][FS_MAX_EVENTS] */
} counted;

static uint32_t *counts_at(const counted *c, uint32_t tile) {
    return c->rows + (size_t)tile * FS_MAX_WORKERS * FS_MAX_EVENTS;
}

static uint32_t *counts_of(void *self, uint32_t tile) {
    uint32_t *rows = counts_at(self, tile);
    memset(rows, 0, (size_t)FS_MAX_WORKERS * FS_MAX_EVENTS * sizeof *rows);
    return rows;
}

static void nothing(void *self, uint32_t tile) {
    (void)self;
    (void)tile;
}

static fs_count_sink sink_of(fs_decoupled_case *d, counted *c) {
    c->rows = FS_NEW(d->c.arena, uint32_t, (size_t)d->c.overlay.tiles * FS_MAX_WORKERS * FS_MAX_EVENTS);
    return (fs_count_sink){.self = c, .counts = counts_of, .done = nothing};
}

fs_status fs_decoupled_case_lone_ray(fs_decoupled_case *d, fs_lone_ray *out, fs_error *err) {
    counted c;
    const fs_count_sink sink = sink_of(d, &c);
    const fs_machine_params *m = &d->c.machine;
    make_programs(d);
    fs_exchange *x = fs_test_exchange(d->c.arena, &m->exchange, &m->geometry, d->c.overlay.tiles,
                                      d->transfers, d->c.overlay.lane_count, err);
    *out = (fs_lone_ray){0};
    for (uint64_t k = 0; k < 10000; k++) {
        const uint32_t *active, *occupied;
        uint32_t active_count;
        fs_foam_visit visit;
        fs_foam_simulation_compute(d->c.sim, k, &sink, &active, &active_count);
        for (uint32_t i = 0; i < active_count; i++) {
            const uint32_t tile = active[i];
            if (fs_foam_simulation_held(d->c.sim)[tile] == 0 &&
                (k > 0 || tile != d->c.overlay.generator_tile))
                continue;
            uint32_t *row = counts_at(&c, tile);
            fs_priced_program priced;
            fs_tile_times times;
            if (d->c.overlay.role[tile] == FS_ROLE_TRACER) /* a ray that stays leaves no slot in a queue */
                row[FS_TRACER_EVENTS + (int)FS_ROUTER_SKIP_COUNT] =
                    row[FS_TRACER_EVENTS + (int)FS_ROUTER_SKIP_FORWARD] = 0;
            MUST(fs_program_price(d->programs.program[d->programs.of_tile[tile] - 1], &m->tile, &priced,
                                  &error));
            fs_tile_times_closed(&priced, row, &times);
            out->service += times.cycles;
        }
        fs_foam_simulation_exchange(d->c.sim, &occupied);
        if (fs_foam_simulation_step(d->c.sim)->in_flight == 0)
            return FS_OK;
        for (uint32_t l = 0; l < d->c.overlay.lane_count; l++)
            if (occupied[l] > 0)
                out->service += fs_exchange_port_cycles(x, fs_exchange_message(x, l, occupied[l])) +
                                fs_exchange_latency(x, d->transfers[l].src, d->transfers[l].dst);
        out->barriers += fs_sync_internal(&m->sync, &m->geometry) + (uint64_t)m->exchange.program_overhead;
        if (fs_foam_simulation_decide(d->c.sim, k, &visit, err))
            return err->status;
    }
    return fs_fail(err, FS_RUN, "the ray never ends");
}

/* ---- a device under barriers ---- */

static uint32_t *device_counts(void *self, uint32_t tile) {
    return fs_device_counts(self, tile);
}
static void device_done(void *self, uint32_t tile) {
    fs_device_done(self, tile);
}

typedef struct bsp_run {
    fs_decoupled_case *d;
    fs_device *device;
} bsp_run;

static fs_status bsp_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *active_count,
                             fs_error *err) {
    (void)err;
    bsp_run *r = self;
    const fs_count_sink sink = {.self = r->device, .counts = device_counts, .done = device_done};
    fs_foam_simulation_compute(r->d->c.sim, at.iteration, &sink, active, active_count);
    return FS_OK;
}

static fs_status bsp_exchange(void *self, fs_moment at, const uint32_t **occupied, fs_error *err) {
    (void)at;
    (void)err;
    fs_foam_simulation_exchange(((bsp_run *)self)->d->c.sim, occupied);
    return FS_OK;
}

static fs_status bsp_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    fs_foam_visit v;
    fs_status status = fs_foam_simulation_decide(((bsp_run *)self)->d->c.sim, iteration, &v, err);
    *visit = (fs_host_visit){.visit = v.visit,
                             .bytes_to_host = v.bytes_to_host,
                             .bytes_to_device = v.bytes_to_device,
                             .broadcast_bytes = v.bytes_to_device};
    *stop = v.stop;
    return status;
}

fs_status fs_decoupled_case_bsp(fs_decoupled_case *d, uint64_t *cycles, fs_error *err) {
    make_programs(d);
    const fs_host_visit first = {
        .visit = true, .bytes_to_device = FS_CAMERA_BYTES, .broadcast_bytes = FS_CAMERA_BYTES};
    bsp_run r = {.d = d};
    const fs_device_plan plan =
        fs_overlay_device_plan(&d->c.overlay, &d->programs, d->transfers, &first, d->c.arena);
    r.device = fs_device_create(d->c.arena, &d->c.machine, &plan, FS_DETAIL_PHASE, err);
    const fs_device_client client = {
        .self = &r, .compute = bsp_compute, .exchange = bsp_exchange, .decide = bsp_decide};
    if (r.device == NULL || fs_device_run(r.device, &client, err))
        return err->status;
    const fs_device_totals totals = fs_device_totals_of(r.device);
    *cycles = totals.cycles - totals.cycles_host;
    return FS_OK;
}
