/* What a path tracer's run has to say: findings and rungs of the ladder beyond the machine's. */
#include "workloads/smallpaint/run.h"

#include "models/ipu/tables/conclusions.h"

/* Share of the path's slots that sines and cosines take. */
static double sine_share(const fs_smallpaint_run *r) {
    const fs_priced_program *program = &r->forecast.program[FS_PAINT_TRACE];
    const uint16_t *op = program->program->events[FS_PAINT_DIFFUSE].op;
    const double each = (double)op[FS_OP_SINCOS] * (double)r->of.machine->tile.cost[FS_OP_SINCOS] +
                        (double)op[FS_OP_SIN_F64] * (double)r->of.machine->tile.cost[FS_OP_SIN_F64];
    return each * (double)r->figures.total[FS_PAINT_DIFFUSE] / (double)r->figures.traced / r->figures.slots;
}

/* ---- findings ---- */

static void find_paths(const fs_smallpaint_run *r, fs_findings *out) {
    const fs_paint_activity *a = r->activity;
    const fs_smallpaint_figures *f = &r->figures;
    const fs_smallpaint_params *p = r->params;
    if (a->drawn < a->samples || a->traced < a->tiles.count)
        FS_FIND(out, "sampling",
                "Of {@samples|whole} samples {@drawn|whole} were drawn and traced, on {@traced|whole} of "
                "{@tiles|whole} rectangles; the 95 % interval of the time is {@time|s} ± {half_width|share}, "
                "that of the bounces {@bounces|.4} ± {@bounces_width|.4} a path.",
                FS_IS("interval_percent", 95), FS_IS("half_width", f->half_width),
                FS_IS("shrinkage", r->forecast.shrinkage), FS_IS("@samples", a->samples),
                FS_IS("@drawn", a->drawn), FS_IS("@traced", a->traced), FS_IS("@tiles", a->tiles.count),
                FS_IS("@time", f->chip.device.seconds), FS_IS("@bounces", f->bounces),
                FS_IS("@bounces_width", f->bounces_half_width));
    if (p->tile_width > p->width || p->tile_height > p->height)
        FS_FIND(out, "clipped",
                "The rectangle of {@tile_width|.0}x{@tile_height|.0} points is larger than the picture of "
                "{@width|.0}x{@height|.0} and was cut to it.",
                FS_IS("@tile_width", p->tile_width), FS_IS("@tile_height", p->tile_height),
                FS_IS("@width", p->width), FS_IS("@height", p->height));
    FS_FIND(out, "bounce",
            "A path takes {bounces|.2} bounces and {slots|whole} issue slots, {@each|whole} a bounce; sines "
            "and cosines take {sine|share} of them.",
            FS_IS("sine", sine_share(r)), FS_IS("bounces", f->bounces), FS_IS("slots", f->slots),
            FS_IS("@each", f->slots / f->bounces));
    FS_FIND(out, "workers",
            "A tile waits for its slowest worker: the average one is idle in {waiting|share} of path_trace.",
            FS_IS("waiting", 1.0 - f->worker_cycles / f->cycles[FS_PAINT_TRACE]));
}

/* Mean over the drawn samples of the slowest tile in each, over the slowest tile of all. */
static void find_barriers(const fs_smallpaint_run *r, fs_findings *out) {
    const fs_paint_forecast *c = &r->forecast;
    const fs_paint_activity *a = r->activity;
    if (c->barriers || a->samples < 2)
        return;
    double sum = 0.0;
    for (uint64_t k = 0; k < a->drawn; k++) {
        uint64_t most = 0;
        for (uint32_t t = 0; t < a->tiles.count; t++)
            most = c->path[t * a->drawn + k] > most ? c->path[t * a->drawn + k] : most;
        sum += (double)most / (double)a->drawn;
    }
    FS_FIND(out, "barriers",
            "Tiles go on without waiting for each other: a barrier after each sample would make path_trace "
            "{longer|share} longer, as each sample has a slowest tile of its own.",
            FS_IS("longer", sum / c->slowest_tile - 1.0));
}

static void find_picture(const fs_smallpaint_figures *f, fs_findings *out) {
    FS_FIND(out, "numbers",
            "Paths use {used|share} of the random numbers that are made in advance[@wrapped?, and workers "
            "take {@wrapped|.0} of their own again].",
            FS_IS("used", (double)f->total[FS_PAINT_NUMBERS] / (double)f->numbers_given),
            FS_IS("@wrapped", f->numbers_wrapped));
    FS_FIND(out, "picture",
            "The PSNR against the converged picture is {psnr_db|.1} dB (estimated from two halves of the "
            "samples); each doubling of the samples adds {decibels_per_doubling|.2} dB.",
            FS_IS("psnr_db", f->psnr), FS_IS("decibels_per_doubling", f->decibels));
}

/* ---- ladder ---- */

/* balanced_workers: each worker of a tile takes their mean; free_sine: sines and cosines take no issue slots. */
enum { OWN_RUNGS = 2 };
static void make_rungs(const fs_smallpaint_run *r, fs_rung out[OWN_RUNGS]) {
    const fs_smallpaint_figures *f = &r->figures;
    const fs_device_figures *d = &f->chip.device;
    const double saved[OWN_RUNGS] = {1.0 - f->worker_cycles / f->cycles[FS_PAINT_TRACE], sine_share(r)};
    out[0] = (fs_rung){.name = "balanced_workers",
                       .kind = "estimate",
                       .detail = "The workers of a tile share its paths evenly, as by a queue."};
    out[1] = (fs_rung){.name = "free_sine",
                       .kind = "estimate",
                       .detail = "Sines and cosines take no issue slots.",
                       .sets = "machine.cost.f32_sincos=0slots machine.cost.f64_sin=0slots"};
    for (int i = 0; i < OWN_RUNGS; i++)
        fs_ladder_time(&out[i], (double)(d->cycles - (uint64_t)(saved[i] * (double)d->cycles_compute)),
                       (double)d->cycles, r->of.machine->clock);
}

fs_status fs_smallpaint_conclude(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_smallpaint_run *r = run;
    fs_rung *rungs = FS_NEW(r->of.run.arena, fs_rung, FS_BOOKS_RUNGS + OWN_RUNGS);
    const fs_power_figures *power = &r->of.chip.power;
    out->rungs = rungs;
    out->rung_count = FS_BOOKS_RUNGS + OWN_RUNGS;
    fs_books_notes_rungs(&r->of.notes, rungs);
    make_rungs(r, rungs + FS_BOOKS_RUNGS);
    fs_ladder_energy(rungs, out->rung_count, power->energy.joules, fs_power_standing(power));
    find_paths(r, out->findings);
    find_barriers(r, out->findings);
    find_picture(&r->figures, out->findings);
    fs_books_findings(&r->of.notes, power, r->of.each, out->findings);
    return FS_OK;
}
