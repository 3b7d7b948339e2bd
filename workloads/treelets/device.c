/* The device: one step, whose calls and moves are those of the activity. */
#include "workloads/treelets/run.h"

#include <inttypes.h>

enum { CAMERA = 64, COLOUR = 12 }; /* B: a camera's matrix; a pixel's three f32 */

/* ---- the client ---- */

static void count_tile(fs_treelets_run *r, uint64_t k) {
    uint32_t rows[FS_TRAVEL_WORKERS][FS_TRAVEL_EVENTS];
    const uint32_t tile = fs_treelets_tile(r->params, r->of.machine, r->activity->tile[k]),
                   width = fs_program_width(r->program);
    uint32_t *counts = fs_device_counts(r->of.device, tile);
    if (!fs_travelled_rows(r->activity, k, rows))
        __atomic_store_n(&r->damaged, FS_BROKEN, __ATOMIC_RELAXED);
    for (uint32_t w = 0; w < r->activity->workers; w++)
        fs_treelets_counts(rows[w], r->geometry.smooth != 0, counts + (size_t)w * width);
    for (uint32_t e = 0; e < FS_TREELETS_EVENTS; e++) {
        uint64_t sum = 0;
        for (uint32_t w = 0; w < r->activity->workers; w++)
            sum += counts[w * width + e];
        if (sum > 0)
            __atomic_fetch_add(&r->totals[e], sum, __ATOMIC_RELAXED);
    }
    fs_device_done(r->of.device, tile);
}

static fs_status on_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *count,
                            fs_error *err) {
    fs_treelets_run *r = self;
    const fs_travelled_step *s = &r->activity->step[at.iteration];
    *active = r->active;
    *count = (uint32_t)(s[1].first_tile - s->first_tile);
    for (uint32_t i = 0; i < *count; i++)
        r->active[i] = fs_treelets_tile(r->params, r->of.machine, r->activity->tile[s->first_tile + i]);
#pragma omp parallel for schedule(static)
    for (uint64_t k = s->first_tile; k < s[1].first_tile; k++)
        count_tile(r, k);
    return r->damaged == FS_OK
               ? FS_OK
               : fs_fail(err, FS_BROKEN, "step %" PRIu64 ": the counts of a tile cannot be read",
                         at.iteration);
}

static fs_status on_exchange(void *self, fs_moment at, const uint32_t **occupied, fs_error *err) {
    (void)err;
    fs_treelets_run *r = self;
    const fs_travelled_step *s = &r->activity->step[at.iteration];
    const uint32_t bytes = fs_treelets_payload(r->params);
    *occupied = NULL;
    if (fs_treelets_exchange(r->params, r->of.machine) == FS_TREELETS_ROTATION)
        return FS_OK;
    uint32_t n = 0;
    for (uint64_t i = s->first_move; i < s[1].first_move; i++) {
        const fs_travel_move *m = &r->activity->move[i];
        r->moves[n++] = (fs_transfer){fs_treelets_tile(r->params, r->of.machine, m->src),
                                      fs_treelets_tile(r->params, r->of.machine, m->dst), m->rays * bytes};
    }
    fs_device_give_transfers(r->of.device, r->moves, n);
    return FS_OK;
}

static void note_end(fs_treelets_run *r, uint64_t iteration) {
    const fs_step_times took = fs_device_step_times(r->of.device, 0);
    r->end_of[iteration] = took.start + took.compute + took.sync + took.exchange;
}

static void on_settled(void *self, const fs_iteration *iteration) {
    note_end(self, iteration->number);
}

static fs_status on_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)err;
    fs_treelets_run *r = self;
    note_end(r, iteration);
    *stop = iteration + 1 == r->activity->steps;
    if (*stop)
        *visit = (fs_host_visit){.visit = true,
                                 .bytes_to_host =
                                     (uint64_t)r->params->width * (uint64_t)r->params->height * COLOUR};
    return FS_OK;
}

/* ---- the plan ---- */

static uint32_t most_moves(const fs_travelled *a) {
    uint64_t most = 1;
    for (uint64_t s = 0; s < a->steps; s++) {
        const uint64_t moves = a->step[s + 1].first_move - a->step[s].first_move;
        most = moves > most ? moves : most;
    }
    return (uint32_t)most;
}

static void make_plan(fs_treelets_run *r) {
    static const char *const roles[] = {"spare", "treelets"};
    fs_arena *arena = r->of.run.arena;
    const uint32_t all = fs_machine_tiles(r->of.machine), most = most_moves(r->activity),
                   chips = fs_machine_chips(r->of.machine);
    const bool rotation = fs_treelets_exchange(r->params, r->of.machine) == FS_TREELETS_ROTATION;
    uint8_t *runs = FS_NEW(arena, uint8_t, all);
    const fs_program **programs = FS_NEW(arena, const fs_program *, 1);
    for (uint32_t t = 0; t < r->tiles; t++)
        runs[fs_treelets_tile(r->params, r->of.machine, t)] = 1;
    r->active = FS_NEW(arena, uint32_t, r->tiles);
    programs[0] = r->program;
    r->moves = FS_NEW(arena, fs_transfer, most);
    const fs_device_step step = {
        .name = "superstep",
        .most_transfers = rotation ? 0 : most,
        .rotation = rotation ? (uint32_t)r->params->slots * fs_treelets_payload(r->params) : 0,
        .only_active = true};
    r->of.plan =
        fs_plan_of_step(arena, all, &(fs_device_programs){programs, 1, runs}, &step, 0,
                        &(fs_host_visit){.visit = true, .bytes_to_device = (uint64_t)chips * CAMERA});
    r->of.plan.host_parts = chips; /* pixels lie evenly on the chips, each of which has a camera */
    r->of.plan.host_most = 1;
    r->of.labels = (fs_books_labels){.roles = roles, .role_count = 2, .role = runs};
}

fs_status fs_treelets_run_device(fs_treelets_run *r, fs_error *err) {
    const fs_device_client client = {.self = r,
                                     .compute = on_compute,
                                     .exchange = on_exchange,
                                     .decide = on_decide,
                                     .settled = on_settled};
    r->end_of = FS_NEW(r->of.run.arena, uint64_t, r->activity->steps);
    r->totals = FS_NEW(r->of.run.arena, uint64_t, FS_TREELETS_EVENTS);
    r->of.ledger = fs_treelets_ledger(r, err);
    if (r->of.ledger == NULL)
        return err->status;
    make_plan(r);
    if (fs_chip_run_make(&r->of, err) ||
        fs_chip_run_device(&r->of, &client, "steps", r->activity->steps, err))
        return err->status;
    fs_treelets_figures_make(r);
    return FS_OK;
}
