/* The device of the chip that is last: four local steps a sample, and a visit of the host after each step. */
#include "workloads/smallpaint/run.h"

#include "sim/config/config.h"

#include <string.h>

enum { ENTRY_BYTES = 20, STACK_FRAME_BYTES = 800 };

void fs_smallpaint_begin(fs_smallpaint_run *r) {
    const fs_config *config = r->of.run.config;
    r->of.machine = fs_config_section(config, "machine");
    r->of.run.how = fs_config_section(config, "run");
    r->params = fs_config_section(config, "workload");
    r->programs = fs_paint_programs(&r->params->kernels, r->of.run.arena);
}

/* ---- memory ---- */

static const char *role_of(const void *self, uint32_t tile) {
    (void)self;
    (void)tile;
    return "path tracer";
}

fs_ledger *fs_smallpaint_ledger(const fs_smallpaint_run *r, uint32_t chip, fs_error *err) {
    const fs_smallpaint_params *p = r->params;
    const fs_image_tiles tiles = fs_paint_tiles(p, r->of.machine);
    const uint64_t number = fs_paint_number_bytes(p->number_type), ray = fs_paint_number_bytes(p->ray_type),
                   value = fs_paint_number_bytes(p->framebuffer),
                   workers = (uint64_t)r->of.machine->tile.workers;
    uint64_t code = 0;
    for (uint32_t i = 0; i < FS_PAINT_PROGRAMS; i++)
        code += r->programs[i]->code_bytes;
    fs_ledger *ledger = fs_ledger_create(r->of.run.arena, tiles.of_chip, &r->of.machine->memory);
    for (uint32_t t = 0; t < tiles.of_chip && chip * tiles.of_chip + t < tiles.count; t++) {
        const fs_image_tile tile = fs_paint_tile_of(&tiles, chip * tiles.of_chip + t);
        const uint64_t points = (uint64_t)tile.width * tile.height;
        fs_ledger_add(ledger, t, "frame buffer", points * 3 * value);
        fs_ledger_add(ledger, t, "rays", points * 3 * ray);
        fs_ledger_add(ledger, t, "random numbers", points * (uint64_t)p->numbers * number);
        fs_ledger_add(ledger, t, "noise", points * 2 * 2);
        /* A pointer and 32 bytes an object: 468 bytes of 13 (poplar_path_tracer.md 2). */
        fs_ledger_add(ledger, t, "scene", (uint64_t)r->scene.objects * 36);
        fs_ledger_add(ledger, t, "stacks of the workers",
                      workers * ((uint64_t)p->cap * ENTRY_BYTES + STACK_FRAME_BYTES));
        fs_ledger_add(ledger, t, "code", code);
    }
    return fs_ledger_check(ledger, role_of, NULL, err) ? NULL : ledger;
}

/* ---- the plan ---- */

static void make_plan(fs_smallpaint_run *r) {
    static const char *const names[] = {"noise", "ray_gen", "uniform", "path_trace"};
    const uint32_t all = r->forecast.activity->tiles.of_chip;
    fs_device_step *steps = FS_NEW(r->of.run.arena, fs_device_step, FS_PAINT_PROGRAMS);
    fs_device_branch *branch = FS_NEW(r->of.run.arena, fs_device_branch, 1);
    fs_device_stage *stage = FS_NEW(r->of.run.arena, fs_device_stage, 1);
    uint8_t *role = FS_NEW(r->of.run.arena, uint8_t, all);
    for (uint32_t i = 0; i < FS_PAINT_PROGRAMS; i++) {
        uint8_t *runs = FS_NEW(r->of.run.arena, uint8_t, all);
        memset(runs, (int)i + 1, r->tiles);
        steps[i] = (fs_device_step){.name = names[i],
                                    .runs = runs,
                                    .calls = r->forecast.barriers ? 1 : (uint32_t)r->forecast.step_samples,
                                    .only_active = true};
    }
    memset(role, 1, r->tiles);
    *branch = (fs_device_branch){
        .steps = steps, .step_count = FS_PAINT_PROGRAMS, .times = (uint32_t)r->forecast.step_samples};
    *stage = (fs_device_stage){.branches = branch, .branch_count = 1};
    r->of.plan = (fs_device_plan){.tiles = all,
                                  .program = r->programs,
                                  .programs = FS_PAINT_PROGRAMS,
                                  .stages = stage,
                                  .stage_count = 1,
                                  .first = {.visit = true}};
    static const char *const roles[] = {"spare", "path tracer"};
    r->of.labels = (fs_books_labels){.roles = roles, .role_count = 2, .role = role};
}

/* ---- the device's client ---- */

/* Without barriers a tile's samples are counted together in the first round: nothing lies between them. */
static void count_tile(const fs_smallpaint_run *r, uint32_t program, uint32_t tile, uint64_t round) {
    const fs_paint_forecast *f = &r->forecast;
    const uint32_t place = r->first_tile + tile, drawn = (uint32_t)f->activity->drawn;
    if (f->barriers || program != FS_PAINT_TRACE) {
        fs_paint_fill_counts(f, r->params, program, place, r->step.pick[round],
                             fs_device_counts(r->of.device, tile));
        fs_device_done_times(r->of.device, tile, f->barriers ? 1 : (uint32_t)f->step_samples);
        return;
    }
    for (uint32_t k = 0; k <= drawn; k++)
        if (r->step.times[k] > 0) {
            fs_paint_fill_counts(f, r->params, program, place, k, fs_device_counts(r->of.device, tile));
            fs_device_done_times(r->of.device, tile, r->step.times[k]);
        }
}

static fs_status on_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *active_count,
                            fs_error *err) {
    (void)err;
    fs_smallpaint_run *r = self;
    *active = r->active;
    *active_count = 0;
    if (at.step == 0 && at.round == 0)
        fs_paint_step_of(&r->forecast, at.iteration, &r->step);
    if (!r->forecast.barriers && at.round > 0)
        return FS_OK;
#pragma omp parallel for schedule(static)
    for (uint32_t t = 0; t < r->tiles; t++)
        count_tile(r, at.step, t, at.round);
    *active_count = r->tiles;
    return FS_OK;
}

/* Of the picture on the chip. */
static uint64_t points_of(const fs_smallpaint_run *r) {
    uint64_t points = 0;
    for (uint32_t t = 0; t < r->tiles; t++) {
        const fs_image_tile tile = fs_paint_tile_of(&r->forecast.activity->tiles, r->first_tile + t);
        points += (uint64_t)tile.width * tile.height;
    }
    return points;
}

static fs_status on_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)err;
    const fs_smallpaint_run *r = self;
    const uint64_t points = points_of(r);
    *stop = iteration + 1 == r->forecast.steps;
    *visit = (fs_host_visit){.visit = true,
                             .bytes_to_host = points * 3 * fs_paint_number_bytes(r->params->framebuffer)};
    return FS_OK;
}

static fs_status make_device(fs_smallpaint_run *r, fs_error *err) {
    const fs_image_tiles *tiles = &r->activity->tiles;
    r->first_tile = r->forecast.pace_chip * tiles->of_chip;
    r->tiles = tiles->count - r->first_tile < tiles->of_chip ? tiles->count - r->first_tile : tiles->of_chip;
    make_plan(r);
    r->step = fs_paint_step_room(&r->forecast, r->of.run.arena);
    r->active = FS_NEW(r->of.run.arena, uint32_t, tiles->of_chip);
    for (uint32_t t = 0; t < r->tiles; t++)
        r->active[t] = t;
    r->of.chips = r->forecast.chips;
    r->of.ledger = fs_smallpaint_ledger(r, r->forecast.pace_chip, err);
    return r->of.ledger == NULL ? err->status : fs_chip_run_make(&r->of, err);
}

fs_status fs_smallpaint_run_device(fs_smallpaint_run *r, fs_error *err) {
    const fs_device_client client = {.self = r, .compute = on_compute, .decide = on_decide};
    if (fs_paint_forecast_make(&r->forecast, r->activity, r->params, r->of.machine,
                               (uint64_t)r->of.run.how->seed, r->of.run.arena, err) ||
        make_device(r, err) || fs_chip_run_device(&r->of, &client, "steps", r->forecast.steps, err) ||
        fs_smallpaint_figures_make(&r->figures, &r->forecast, r->params, err))
        return err->status;
    r->figures.chip = r->of.chip;
    r->figures.joules_per_path = r->of.chip.power.energy.joules / (double)r->figures.paths;
    fs_smallpaint_figures_time(&r->figures);
    r->of.each = (fs_energy_each){"path", r->figures.joules_per_path};
    return FS_OK;
}
