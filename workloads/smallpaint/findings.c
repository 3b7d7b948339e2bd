/* What a path tracer's run has to say: findings and rungs of the ladder beyond the machine's. */
#include "workloads/smallpaint/run.h"

#include "models/ipu/tables/conclusions.h"
#include "sim/base/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Share of the path's slots that sines and cosines take. */
static double sine_share(const fs_smallpaint_run *r) {
    const fs_priced_program *program = &r->forecast.program[FS_PAINT_TRACE];
    const uint16_t *op = program->program->events[FS_PAINT_DIFFUSE].op;
    const double each = (double)op[FS_OP_SINCOS] * (double)r->of.machine->tile.cost[FS_OP_SINCOS] +
                        (double)op[FS_OP_SIN_F64] * (double)r->of.machine->tile.cost[FS_OP_SIN_F64];
    return each * (double)r->figures.total[FS_PAINT_DIFFUSE] / (double)r->figures.traced / r->figures.slots;
}

/* ---- findings ---- */

static void find_sampling(const fs_smallpaint_run *r, fs_findings *out) {
    const fs_paint_activity *a = r->activity;
    const fs_smallpaint_figures *f = &r->figures;
    if (a->drawn == a->samples && a->traced == a->tiles.count)
        return;
    fs_finding *g = fs_finding_begin(out, "sampling");
    fs_finding_say(g,
                   "Of %s samples %s were drawn and traced, on %s of %s rectangles; the 95 %% interval of "
                   "the time is %s "
                   "± %s, that of the bounces %.4f ± %.4f a path.",
                   fs_number_grouped((double)a->samples), fs_number_grouped((double)a->drawn),
                   fs_number_grouped(a->traced), fs_number_grouped(a->tiles.count),
                   fs_number_seconds(f->chip.device.seconds), FS_PERCENT(f->half_width), f->bounces,
                   f->bounces_half_width);
    FS_FINDING_FIGURES(g, {"interval_percent", 95.0}, {"half_width", f->half_width},
                       {"shrinkage", r->forecast.shrinkage});
}

static void find_clipped(const fs_smallpaint_run *r, fs_findings *out) {
    const fs_smallpaint_params *p = r->params;
    if (p->tile_width <= p->width && p->tile_height <= p->height)
        return;
    fs_finding *g = fs_finding_begin(out, "clipped");
    fs_finding_say(g,
                   "The rectangle of %" PRId64 "x%" PRId64 " points is larger than the picture of %" PRId64
                   "x%" PRId64 " and was cut to it.",
                   p->tile_width, p->tile_height, p->width, p->height);
}

static void find_bounce(const fs_smallpaint_run *r, fs_findings *out) {
    const fs_smallpaint_figures *f = &r->figures;
    const double share = sine_share(r);
    fs_finding *g = fs_finding_begin(out, "bounce");
    fs_finding_say(
        g, "A path takes %.2f bounces and %s issue slots, %s a bounce; sines and cosines take %s of them.",
        f->bounces, fs_number_grouped(f->slots), fs_number_grouped(f->slots / f->bounces), FS_PERCENT(share));
    FS_FINDING_FIGURES(g, {"sine", share}, {"bounces", f->bounces}, {"slots", f->slots});
}

static void find_workers(const fs_smallpaint_run *r, fs_findings *out) {
    const fs_smallpaint_figures *f = &r->figures;
    const double waiting = 1.0 - f->worker_cycles / f->cycles[FS_PAINT_TRACE];
    fs_finding *g = fs_finding_begin(out, "workers");
    fs_finding_say(g, "A tile waits for its slowest worker: the average one is idle in %s of path_trace.",
                   FS_PERCENT(waiting));
    fs_finding_figure(g, "waiting", waiting);
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
    const double longer = sum / c->slowest_tile - 1.0;
    fs_finding *g = fs_finding_begin(out, "barriers");
    fs_finding_say(
        g,
        "Tiles go on without waiting for each other: a barrier after each sample would make path_trace %s "
        "longer, as each sample has a slowest tile of its own.",
        FS_PERCENT(longer));
    fs_finding_figure(g, "longer", longer);
}

static void find_numbers(const fs_smallpaint_run *r, fs_findings *out) {
    const fs_smallpaint_figures *f = &r->figures;
    const double used = (double)f->total[FS_PAINT_NUMBERS] / (double)f->numbers_given;
    fs_finding *g = fs_finding_begin(out, "numbers");
    fs_finding_say(g, "Paths use %s of the random numbers that are made in advance", FS_PERCENT(used));
    if (f->numbers_wrapped > 0)
        fs_finding_say(g, ", and workers take %" PRIu64 " of their own again", f->numbers_wrapped);
    fs_finding_say(g, ".");
    fs_finding_figure(g, "used", used);
}

static void find_picture(const fs_smallpaint_run *r, fs_findings *out) {
    const fs_smallpaint_figures *f = &r->figures;
    if (!isfinite(f->psnr) || !isfinite(f->decibels))
        return;
    fs_finding *g = fs_finding_begin(out, "picture");
    fs_finding_say(
        g,
        "The PSNR against the converged picture is %.1f dB (estimated from two halves of the samples); each "
        "doubling of the samples adds %.2f dB.",
        f->psnr, f->decibels);
    FS_FINDING_FIGURES(g, {"psnr_db", f->psnr}, {"decibels_per_doubling", f->decibels});
}

static void find(const fs_smallpaint_run *r, fs_findings *out) {
    find_sampling(r, out);
    find_clipped(r, out);
    find_bounce(r, out);
    find_workers(r, out);
    find_barriers(r, out);
    find_numbers(r, out);
    find_picture(r, out);
}

/* ---- ladder ---- */

static fs_rung rung(const fs_smallpaint_run *r, const char *name, double saved, const char *detail,
                    const char *sets) {
    const fs_device_figures *d = &r->figures.chip.device;
    const uint64_t gain = (uint64_t)(saved * (double)d->cycles_compute);
    fs_rung out = {.name = name,
                   .kind = "estimate",
                   .cycles = d->cycles - gain,
                   .seconds = (double)(d->cycles - gain) / r->of.machine->clock,
                   .gain_percent = 100.0 * (double)gain / (double)d->cycles};
    snprintf(out.detail, sizeof out.detail, "%s", detail);
    snprintf(out.sets, sizeof out.sets, "%s", sets);
    return out;
}

/* balanced_workers: each worker of a tile takes their mean; free_sine: sines and cosines take no issue slots. */
enum { OWN_RUNGS = 2 };
static void make_rungs(const fs_smallpaint_run *r, fs_rung out[OWN_RUNGS]) {
    const fs_smallpaint_figures *f = &r->figures;
    out[0] = rung(r, "balanced_workers", 1.0 - f->worker_cycles / f->cycles[FS_PAINT_TRACE],
                  "The workers of a tile share its paths evenly, as by a queue.", "");
    out[1] = rung(r, "free_sine", sine_share(r), "Sines and cosines take no issue slots.",
                  "machine.cost.f32_sincos=0slots machine.cost.f64_sin=0slots");
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
    find(r, out->findings);
    fs_books_findings(&r->of.notes, power, r->of.each, out->findings);
    return FS_OK;
}
