/* Prices by the thousand: configurations of one traffic, from its recorded activity.
 *
 * What no price touches is made once: overlay, layout, the activity in memory. A point prices the programs,
 * turns counts into cycles group by group (price_calls.c), and then goes through the same books, figures and
 * ladder as a run. Exchange phases depend on the exchange's parameters alone; those of the last few are kept.
 */
#include "workloads/foam/foam_run.h"

#include <stdlib.h>
#include <string.h>

enum { PHASES_KEPT = 16 };

/* Exchange phases of a machine, [iterations]: they hold for all machines with the same exchange.* rows, since
 * what else shapes them touches the traffic. */
typedef struct phases {
    const fs_config *config; /* of such a machine; NULL: not known yet */
    uint64_t *cycles;
} phases;

/* What all points share. */
typedef struct ground {
    fs_arena *arena;
    fs_foam_run base; /* scene, overlay, layout and activity; of the first point that they were made for */
    bool made;
    uint16_t *largest;
    fs_activity_sums sums;
    uint32_t *cycles, *told; /* [calls of all groups] of the point: group by group; of an iteration's tiles */
    uint64_t *call_start;    /* [groups + 1] */
    uint32_t *tile_of;       /* [groups] some tile of it */
    phases exchange[PHASES_KEPT];
    size_t oldest;           /* of them */
    fs_foam_figures counted; /* of a point, if `counted_once`: what follows from the rays alone */
    bool counted_once;
} ground;

static void ground_unmake(void *kept) {
    ground *g = kept;
    if (!g->made)
        return;
    fs_activity_free(&g->base.activity);
    fs_arena_free(g->arena);
    free(g->largest);
    free(g->cycles);
    free(g->told);
    for (size_t i = 0; i < PHASES_KEPT; i++)
        free(g->exchange[i].cycles);
    memset(g->exchange, 0, sizeof g->exchange);
    g->largest = NULL;
    g->cycles = g->told = NULL;
    g->made = g->counted_once = false;
}

static void run_of(fs_foam_run *r, const fs_config *config) {
    r->of.run.config = config;
    r->of.run.prices = true;
    fs_foam_sections(r);
}

/* Groups in one array of cycles, and a tile of each. */
static void place_groups(ground *g, const fs_device_programs *programs) {
    const fs_activity *a = &g->base.activity;
    g->call_start = FS_NEW(g->arena, uint64_t, a->groups + 1);
    g->tile_of = FS_NEW(g->arena, uint32_t, a->groups);
    for (uint32_t i = 0; i < a->groups; i++)
        g->call_start[i + 1] = g->call_start[i] + a->calls[i];
    for (uint32_t t = 0; t < g->base.overlay.tiles; t++)
        if (programs->of_tile[t] > 0)
            g->tile_of[programs->of_tile[t] - 1] = t;
    g->cycles = fs_malloc((a->actives + 1) * sizeof *g->cycles);
    g->told = fs_malloc((a->actives + 1) * sizeof *g->told);
    for (size_t i = 0; i < PHASES_KEPT; i++)
        g->exchange[i].cycles = fs_malloc((size_t)a->iterations * sizeof *g->exchange[i].cycles);
    g->largest = fs_price_largest(a);
    fs_activity_sums_make(a, &g->base.overlay, programs, &g->base.of.machine->geometry, g->base.payload.bytes,
                          g->arena, &g->sums);
}

static fs_status ground_make(ground *g, const fs_recording *recording, const fs_config *config,
                             fs_error *err) {
    fs_foam_run *r = &g->base;
    ground_unmake(g);
    *r = (fs_foam_run){.of.run = {.arena = fs_arena_create(), .replay = recording}};
    g->arena = r->of.run.arena;
    g->made = true;
    run_of(r, config);
    if (fs_foam_make_cameras(r, err) || fs_foam_make_scene(r, err) || fs_foam_make_overlay(r, err))
        return err->status;
    fs_foam_make_setup(r);
    fs_activity_sections(&(fs_recorded){.recording = recording, .arena = r->of.run.arena, .err = err},
                         &r->setup, (fs_activity_wants){.moved = true}, &r->activity);
    if (err->status != FS_OK)
        return err->status;
    r->programs = fs_foam_programs(&r->overlay, &r->params->kernels, r->of.run.arena);
    if (r->activity.unfinished == NULL)
        place_groups(g, &r->programs);
    return FS_OK;
}

/* ---- one point ---- */

typedef struct point {
    fs_foam_run run; /* first: some calls of the client are a run's */
    ground *ground;
    fs_count_sink sink;
    phases *phases;
    bool known;  /* they are told */
    bool counts; /* 32 bits may not hold some call's cycles: counts are priced one by one */
} point;

/* The generator's rays are shared out among its workers; its calls are few. */
static void price_generator(point *p, uint32_t group) {
    ground *g = p->ground;
    const fs_activity *a = &g->base.activity;
    const uint32_t tile = g->tile_of[group];
    const fs_priced_program *program = fs_device_program(p->run.of.device, 0, tile);
    uint32_t counts[FS_MAX_WORKERS * FS_MAX_EVENTS];
    for (uint64_t c = 0; c < a->calls[group]; c++) {
        fs_tile_times times;
        memset(counts, 0, sizeof counts);
        fs_activity_call(&p->run.cursor, tile, c, counts);
        fs_tile_times_closed(program, counts, &times);
        p->counts = p->counts || times.cycles > UINT32_MAX;
        g->cycles[g->call_start[group] + c] = (uint32_t)times.cycles;
    }
}

static void price_groups(point *p) {
    ground *g = p->ground;
    for (uint32_t i = 0; i < g->base.activity.groups && !p->counts; i++)
        if (p->run.overlay.role[g->tile_of[i]] == FS_ROLE_GENERATOR)
            price_generator(p, i);
        else
            p->counts = !fs_price_calls(&g->base.activity, g->largest, i,
                                        fs_device_program(p->run.of.device, 0, g->tile_of[i]),
                                        g->cycles + g->call_start[i]);
    for (size_t i = 0; i < g->base.activity.actives && !p->counts; i++)
        g->told[i] = g->cycles[g->sums.call[i]];
}

static fs_status on_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *active_count,
                            fs_error *err) {
    (void)at;
    (void)err;
    point *p = self;
    fs_foam_run *r = &p->run;
    fs_activity_compute(&r->cursor, p->counts ? &p->sink : NULL, &r->active, &r->active_count);
    *active = r->active;
    *active_count = r->active_count;
    if (!p->counts)
        fs_device_give(r->of.device, r->active, p->ground->told + r->cursor.active, r->active_count);
    return FS_OK;
}

/* For the accounts of energy: what the calls of this iteration counted and, where the exchange was told, what
 * it moved. */
static void tell_sums(point *p, uint64_t iteration) {
    const fs_activity_sums *sums = &p->ground->sums;
    const uint64_t *row = sums->row + (size_t)iteration * sums->groups * FS_SUM_ROW;
    for (uint32_t i = 0; i < sums->groups && !p->counts; i++)
        fs_device_give_counts(p->run.of.device, i, row + (size_t)i * FS_SUM_ROW);
    if (!p->known || fs_fabric_plans(&p->run.of.machine->exchange))
        return;
    const uint64_t header = (uint64_t)p->run.of.machine->exchange.header;
    const fs_moved *message = &sums->message[iteration], *payload = &sums->payload[iteration];
    fs_device_give_moved(p->run.of.device, (fs_moved){.bytes = payload->bytes + header * message->bytes,
                                                      .way = payload->way + header * message->way});
}

static fs_status on_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)err;
    tell_sums(self, iteration);
    fs_activity_decide(&((point *)self)->run.cursor, visit, stop);
    return FS_OK;
}

static void on_finished(void *self, const fs_iteration *iteration) {
    point *p = self;
    p->phases->cycles[iteration->number] = iteration->exchange;
    fs_foam_books_note(&p->run.books, iteration, p->run.active, p->run.active_count);
}

static void on_settled(void *self, const fs_iteration *iteration) {
    point *p = self;
    p->phases->cycles[iteration->number] = iteration->exchange;
    p->run.books.note[iteration->number].times = *iteration;
}

/* A static schedule takes equally long in every iteration. */
static void fill_static(point *p) {
    const uint64_t cycles = (uint64_t)p->run.of.machine->exchange.program_overhead +
                            fs_fabric_plan_of(fs_device_fabric(p->run.of.device, 0)).arrival;
    for (uint64_t k = 0; k < p->run.activity.iterations; k++)
        p->phases->cycles[k] = cycles;
}

/* The phases of such a machine, or the place of the oldest ones. */
static phases *phases_of(ground *g, const fs_machine_params *machine) {
    for (size_t i = 0; i < PHASES_KEPT; i++)
        if (g->exchange[i].config != NULL &&
            fs_params_equal(&fs_machine_table, "exchange",
                            fs_config_section(g->exchange[i].config, "machine"), machine))
            return &g->exchange[i];
    phases *oldest = &g->exchange[g->oldest];
    g->oldest = (g->oldest + 1) % PHASES_KEPT;
    oldest->config = NULL;
    return oldest;
}

static fs_status run_point(point *p, fs_error *err) {
    fs_foam_run *r = &p->run;
    ground *g = p->ground;
    const fs_device_client client = {.self = p,
                                     .compute = on_compute,
                                     .exchange = fs_foam_recorded_exchange,
                                     .decide = on_decide,
                                     .finished = on_finished,
                                     .settled = on_settled};
    fs_activity_begin(&r->cursor, &r->activity, r->sim, &r->programs, &r->setup, r->of.run.arena);
    r->cursor.sums = g->counted_once;
    price_groups(p);
    p->sink = fs_foam_sink(r);
    p->phases = phases_of(g, r->of.machine);
    /* What moves over a network is told by its packets alone, what between chips by their edges. */
    p->known = p->phases->config != NULL && r->of.machine->exchange.kind == FS_FABRIC_PORTS &&
               fs_machine_chips(r->of.machine) == 1;
    if (fs_fabric_plans(&r->of.machine->exchange) && fs_machine_chips(r->of.machine) == 1) {
        fill_static(p);
        p->known = true;
    }
    if (p->known)
        fs_device_give_exchange(r->of.device, p->phases->cycles);
    if (fs_device_replay(r->of.device, &client, err))
        return err->status;
    p->phases->config = r->of.run.config;
    fs_activity_close_books(&r->activity, &r->books);
    r->books.counted = g->counted_once ? &g->counted : NULL;
    fs_foam_make_figures(r);
    g->counted = r->figures;
    g->counted_once = true;
    return FS_OK;
}

/* The same traffic, so the same overlay and activity; what is wrong with the rest is wrong with this point. */
static fs_status price_point(void *kept, const fs_recording *recording, const fs_config *config,
                             json_t *summary, const fs_price_view *view, fs_error *err) {
    ground *g = kept;
    const fs_machine_params *machine = fs_config_section(config, "machine");
    if ((!g->made || g->base.of.machine->memory.check != machine->memory.check) &&
        ground_make(g, recording, config, err)) {
        ground_unmake(g);
        return err->status;
    }
    point p = {.run = g->base, .ground = g};
    fs_foam_run *r = &p.run;
    r->of.run.arena = fs_arena_create();
    run_of(r, config);
    fs_foam_make_setup(r);
    fs_status status = fs_foam_check_finished(r, err);
    if (status == FS_OK) {
        r->sim = fs_activity_shell(&r->activity, &r->setup, r->of.run.arena);
        status = fs_foam_make_device(r, err);
    }
    if (status == FS_OK) {
        fs_foam_make_books(r, (uint32_t)r->activity.iterations);
        status = run_point(&p, err);
    }
    if (status == FS_OK) {
        fs_results_stats_json(&fs_foam_stats, &r->figures, summary);
        status = fs_chip_run_view(&r->of, fs_foam_climb, !p.counts, view, err);
    }
    fs_arena_free(r->of.run.arena);
    return status;
}

/* The ground's scene and overlay were made for one, and phases are compared with those of some. */
static bool keeps(const void *kept, const fs_config *config) {
    const ground *g = kept;
    bool found = g->made && g->base.of.run.config == config;
    for (size_t i = 0; i < PHASES_KEPT; i++)
        found = found || g->exchange[i].config == config;
    return found;
}

const fs_workload_prices fs_foam_prices = {
    .size = sizeof(ground), .point = price_point, .keeps = keeps, .close = ground_unmake};
