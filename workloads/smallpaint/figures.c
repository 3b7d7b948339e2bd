#include "workloads/smallpaint/run.h"

#include "sim/base/detmath.h"
#include "sim/stats/drawn.h"
#include "workloads/smallpaint/smallpaint.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define F          fs_smallpaint_figures
#define FS_ROWS_OF F

static const fs_stat own_rows[] = {
    FS_VALUE("device.cycles_per_path", cycles_per_path, "cycles",
             "cycles of the device for each path of a whole rectangle, host included", FS_LESS,
             FS_AT(1, "cycles a path")),
    FS_VALUE("device.paths_per_second", paths_per_second, "paths/s",
             "paths of all chips over the time of the run", FS_MORE, FS_AT(2, "paths a second")),
    FS_VALUE("device.frames_per_second", frames_per_second, "frames/s",
             "pictures of all samples: one over device.seconds", FS_MORE, FS_AT(101, "frames a second")),
    FS_WHOLE("paths.count", paths, "paths", "points of the picture times samples", .label = "paths"),
    FS_WHOLE("paths.traced", traced, "paths", "of them, those that were drawn and traced"),
    FS_VALUE("paths.bounces_mean", bounces, "bounces", "searches for the nearest object of a path",
             .label = "bounces a path"),
    FS_VALUE("paths.bounces_half_width", bounces_half_width, "bounces",
             "half the 95 % interval of that mean; 0 when all samples were traced", FS_LESS),
    FS_VALUE("paths.numbers_mean", numbers, "numbers", "uniform numbers that a path takes"),
    FS_VALUE("paths.slots_mean", slots, "slots", "issue slots of a path, by the program's events", FS_LESS),
    FS_SHARE("paths.stopped", stopped, "ended by roulette"),
    FS_SHARE("paths.escaped", escaped, "ended by hitting nothing"),
    FS_SHARE("paths.full", full, "ended by the cap"),
    FS_WHOLE("entries.pushed", total[FS_PAINT_PUSHED], "entries", "of the traced paths' stacks"),
    FS_WHOLE("entries.popped", total[FS_PAINT_POPPED], "entries", "of paths that met a light"),
    FS_WHOLE("entries.cleared", total[FS_PAINT_CLEARED], "entries", "of all others"),
    FS_WHOLE("numbers.used", total[FS_PAINT_NUMBERS], "numbers", "by the traced paths"),
    FS_WHOLE("numbers.given", numbers_given, "numbers", "that were made for them"),
    FS_WHOLE("numbers.wrapped", numbers_wrapped, "numbers",
             "that a worker took again, as its share was used up", FS_LESS,
             .wrong = "{value} were used twice, as workers ran out of random numbers of their own"),
    FS_WHOLE("picture.tiles", image_tiles, "tiles", "rectangles of the picture"),
    FS_WHOLE("picture.points", points, "points", "of a whole rectangle"),
    FS_WHOLE("picture.worker_rows", worker_rows, "rows", "of its first worker, which has most"),
    FS_WHOLE("picture.worker_paths", worker_paths, "paths", "of that worker in a sample"),
    FS_WHOLE("picture.steps", steps, "steps", "visits of the host that read the frame buffer"),
    FS_WHOLE("picture.chips", chips, "chips", "that hold a part of the picture"),
    FS_WHOLE("picture.pace_chip", pace_chip, NULL,
             "the chip that computes longest: tables of tiles are of it", .says = FS_SAYS_LABEL),
    FS_VALUE("cycles.noise", cycles[FS_PAINT_NOISE], "cycles",
             "noise of a sample on a tile, mean over the tiles", FS_LESS),
    FS_VALUE("cycles.ray_gen", cycles[FS_PAINT_RAYS], "cycles", "rays of a sample on a tile, mean", FS_LESS),
    FS_VALUE("cycles.uniform", cycles[FS_PAINT_UNIFORM], "cycles",
             "random numbers of a sample on a tile, mean", FS_LESS),
    FS_VALUE("cycles.path_trace", cycles[FS_PAINT_TRACE], "cycles",
             "paths of a sample on a tile, that is its slowest worker; mean over the tiles", FS_LESS,
             FS_AT(3, "path_trace")),
    FS_VALUE("cycles.path_trace_worker", worker_cycles, "cycles", "the same of the average worker", FS_LESS),
    FS_VALUE("cycles.path_trace_slowest", slowest_cycles, "cycles",
             "the same of the slowest tile over all samples", FS_LESS),
    FS_VALUE("cycles.path_trace_greatest", greatest_cycles, "cycles",
             "the longest that a tile took in a traced sample", FS_LESS),
    FS_SHARE("sampling.half_width", half_width,
             "half the 95 % interval of the device's time; 0 when all samples were traced", FS_LESS),
    FS_VALUE("sampling.seconds_low", seconds_low, "s", "its lower end"),
    FS_VALUE("sampling.seconds_high", seconds_high, "s", "its upper end"),
    FS_VALUE("picture.brightness", brightness, NULL, "mean of all values of the picture, 255 being white"),
    FS_VALUE("picture.psnr_db", psnr, "dB",
             "of the picture against the converged one, estimated from two halves of the samples", FS_MORE,
             .says = FS_SAYS_DECIBEL, .null_is = "exact"),
    FS_VALUE("picture.decibels_per_doubling", decibels, "dB", "by which each doubling of samples raises it"),
    FS_WHOLE("picture.saturated", saturated, "values", "that a frame buffer of f16 could not hold", FS_LESS),
    FS_VALUE("energy.joules_per_path", joules_per_path, "J", "energy of the run, all chips, over its paths",
             FS_LESS, FS_AT(205, "energy of a path")),
    FS_STAT_FLAG("complete", F, complete, .better = FS_BETTER_MORE,
                 .doc = "every sample was traced or forecast"),
};
static const fs_stat_table own_stats = FS_STAT_TABLE("smallpaint", own_rows);
static const fs_stat_part parts[] = {{.table = &own_stats}, FS_STAT_PART(&fs_chip_stats, F, chip)};
const fs_stat_table fs_smallpaint_stats = FS_STAT_PARTS("smallpaint", parts);

double fs_paint_psnr(double square) {
    return square > 0.0 ? 10.0 * fs_log(255.0 * 255.0 / square) / fs_log(10.0) : INFINITY;
}

/* ---- counts ---- */

/* What a worker took beyond the numbers that were made for it. */
static uint64_t wrapped(const uint32_t *counts, uint64_t share) {
    return counts[FS_PAINT_NUMBERS] > share ? counts[FS_PAINT_NUMBERS] - share : 0;
}

/* Adds a traced tile; its bounces of each drawn sample to bounces[drawn]. */
static void add_tile(F *f, const fs_paint_activity *a, const fs_smallpaint_params *p, uint32_t tile,
                     double *bounces) {
    const fs_image_tile t = fs_paint_tile_of(&a->tiles, tile);
    const uint32_t numbers = (uint32_t)p->numbers * t.width * t.height;
    for (uint64_t k = 0; k < a->drawn; k++)
        for (uint32_t w = 0; w < a->workers; w++) {
            const uint32_t *counts = fs_paint_counts_of(a, tile, k) + (size_t)w * FS_PAINT_COUNTS;
            for (uint32_t c = 0; c < FS_PAINT_COUNTS; c++)
                f->total[c] += counts[c];
            bounces[k] += counts[FS_PAINT_BOUNCE];
            f->numbers_wrapped += wrapped(counts, fs_paint_tile_share(numbers, w, a->workers));
        }
    f->traced += a->drawn * t.width * t.height;
    f->numbers_given += a->drawn * numbers;
}

/* The interval of the mean path: chance of the samples, and of the tiles where those were drawn too. */
static double interval(const fs_paint_activity *a, const double *bounces, double paths_each) {
    fs_drawn samples = {.of = a->samples}, tiles = {.of = a->tiles.count};
    for (uint64_t k = 0; k < a->drawn; k++)
        fs_drawn_add(&samples, bounces[k] / paths_each);
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        double sum = 0.0, paths = 0.0;
        for (uint64_t k = 0; k < a->drawn && a->stand_in[t] == t; k++)
            for (uint32_t w = 0; w < a->workers; w++) {
                const uint32_t *counts = fs_paint_counts_of(a, t, k) + (size_t)w * FS_PAINT_COUNTS;
                sum += counts[FS_PAINT_BOUNCE];
                paths += counts[FS_PAINT_PATH];
            }
        if (paths > 0.0)
            fs_drawn_add(&tiles, sum / paths);
    }
    const double of_samples = fs_drawn_half_width(&samples), of_tiles = fs_drawn_half_width(&tiles);
    return sqrt(of_samples * of_samples + of_tiles * of_tiles);
}

static fs_status check(const F *f, fs_error *err) {
    const uint64_t *t = f->total;
    if (t[FS_PAINT_PATH] != f->traced)
        return fs_fail(err, FS_BROKEN, "%" PRIu64 " paths of %" PRIu64 " points and samples",
                       t[FS_PAINT_PATH], f->traced);
    if (t[FS_PAINT_PUSHED] != t[FS_PAINT_POPPED] + t[FS_PAINT_CLEARED])
        return fs_fail(err, FS_BROKEN, "%" PRIu64 " entries pushed, %" PRIu64 " popped or cleared",
                       t[FS_PAINT_PUSHED], t[FS_PAINT_POPPED] + t[FS_PAINT_CLEARED]);
    if (t[FS_PAINT_STOPPED] + t[FS_PAINT_ESCAPED] + t[FS_PAINT_FULL] != f->traced)
        return fs_fail(err, FS_BROKEN, "%" PRIu64 " paths have an end, of %" PRIu64,
                       t[FS_PAINT_STOPPED] + t[FS_PAINT_ESCAPED] + t[FS_PAINT_FULL], f->traced);
    return FS_OK;
}

/* ---- the picture ---- */

static void make_picture(F *f, const fs_paint_activity *a) {
    const size_t values = (size_t)a->tiles.width * a->tiles.height * 3;
    double sum = 0.0;
    for (size_t i = 0; i < values; i++)
        sum += (double)a->picture[i];
    f->brightness = sum / (double)values;
    f->saturated = a->saturated;
    f->psnr = f->decibels = (double)NAN;
    if (a->checkpoints == 0)
        return;
    const double first = fs_paint_psnr(a->convergence[0].square),
                 last = fs_paint_psnr(a->convergence[a->checkpoints - 1].square);
    f->psnr = last;
    if (a->checkpoints > 1)
        f->decibels = (last - first) / (double)(a->checkpoints - 1);
}

/* ---- times ---- */

static void make_cycles(F *f, const fs_paint_forecast *c, const fs_smallpaint_params *p) {
    const fs_paint_activity *a = c->activity;
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        for (uint32_t i = 0; i < FS_PAINT_TRACE; i++) {
            uint32_t counts[FS_MAX_WORKERS * FS_MAX_EVENTS] = {0};
            fs_tile_times times;
            fs_paint_fill_counts(c, p, i, t, 0, counts);
            fs_tile_times_closed(&c->program[i], counts, &times);
            f->cycles[i] += (double)times.cycles / a->tiles.count;
        }
        for (uint64_t k = 0; k < a->drawn; k++)
            f->greatest_cycles = fmax(f->greatest_cycles, (double)c->path[t * a->drawn + k]);
    }
    f->cycles[FS_PAINT_TRACE] = c->mean_tile;
    f->slowest_cycles = c->slowest_tile;
    for (uint32_t e = 0; e < FS_PAINT_EVENTS; e++)
        f->slots += (double)f->total[e] * c->program[FS_PAINT_TRACE].slots[e] / (double)f->traced;
    f->worker_cycles = f->slots * fs_paint_slot_cycles(&c->program[FS_PAINT_TRACE]) * (double)f->traced /
                       ((double)a->traced * (double)a->drawn * a->workers);
}

fs_status fs_smallpaint_figures_make(F *f, const fs_paint_forecast *c, const fs_smallpaint_params *p,
                                     fs_error *err) {
    const fs_paint_activity *a = c->activity;
    const fs_image_tiles *tiles = &a->tiles;
    double *bounces = fs_calloc(a->drawn, sizeof *bounces);
    *f = (F){.samples = a->samples,
             .paths = (uint64_t)tiles->width * tiles->height * a->samples,
             .image_tiles = tiles->count,
             .points = (uint64_t)tiles->tile_width * tiles->tile_height,
             .worker_rows = fs_paint_tile_share(tiles->tile_height, 0, a->workers),
             .steps = c->steps,
             .chips = c->chips,
             .pace_chip = c->pace_chip,
             .half_width = c->half_width,
             .complete = true};
    f->worker_paths = f->worker_rows * tiles->tile_width;
    for (uint32_t t = 0; t < tiles->count; t++)
        if (a->stand_in[t] == t)
            add_tile(f, a, p, t, bounces);
    const double traced = (double)f->traced;
    f->bounces = (double)f->total[FS_PAINT_BOUNCE] / traced;
    f->numbers = (double)f->total[FS_PAINT_NUMBERS] / traced;
    f->stopped = (double)f->total[FS_PAINT_STOPPED] / traced;
    f->escaped = (double)f->total[FS_PAINT_ESCAPED] / traced;
    f->full = (double)f->total[FS_PAINT_FULL] / traced;
    f->bounces_half_width = interval(a, bounces, traced / (double)a->drawn);
    free(bounces);
    make_picture(f, a);
    make_cycles(f, c, p);
    return check(f, err);
}

void fs_smallpaint_figures_time(F *f) {
    f->frames_per_second = 1.0 / f->chip.device.seconds;
    f->paths_per_second = (double)f->paths / f->chip.device.seconds;
    f->cycles_per_path = (double)f->chip.device.cycles / ((double)f->points * (double)f->samples);
    f->seconds_low = f->chip.device.seconds * (1.0 - f->half_width);
    f->seconds_high = f->chip.device.seconds * (1.0 + f->half_width);
}
