#include "workloads/smallpaint/figures.h"

#include "sim/base/detmath.h"
#include "sim/stats/drawn.h"
#include "workloads/smallpaint/smallpaint.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define F     fs_smallpaint_figures
#define COUNT FS_STAT_COUNT
#define VALUE FS_STAT_VALUE
#define LESS  .better = FS_BETTER_LESS
#define SHARE .says = FS_SAYS_SHARE

static const fs_stat own_rows[] = {
    VALUE("device.cycles_per_path", F, cycles_per_path, .unit = "cycles", LESS, .label = "cycles a path",
          .place = 1, .doc = "cycles of the device for each path of a whole rectangle, host included"),
    VALUE("device.paths_per_second", F, paths_per_second, .unit = "paths/s", .better = FS_BETTER_MORE,
          .label = "paths a second", .place = 2, .doc = "paths of all chips over the time of the run"),
    VALUE("device.frames_per_second", F, frames_per_second, .unit = "frames/s", .better = FS_BETTER_MORE,
          .label = "frames a second", .place = 101,
          .doc = "pictures of all samples: one over device.seconds"),
    COUNT("paths.count", F, paths, .unit = "paths", .label = "paths",
          .doc = "points of the picture times samples"),
    COUNT("paths.traced", F, traced, .unit = "paths", .doc = "of them, those that were drawn and traced"),
    VALUE("paths.bounces_mean", F, bounces, .unit = "bounces", .label = "bounces a path",
          .doc = "searches for the nearest object of a path"),
    VALUE("paths.bounces_half_width", F, bounces_half_width, .unit = "bounces", LESS,
          .doc = "half the 95 % interval of that mean; 0 when all samples were traced"),
    VALUE("paths.numbers_mean", F, numbers, .unit = "numbers", .doc = "uniform numbers that a path takes"),
    VALUE("paths.slots_mean", F, slots, .unit = "slots", LESS,
          .doc = "issue slots of a path, by the program's events"),
    VALUE("paths.stopped", F, stopped, SHARE, .doc = "ended by roulette"),
    VALUE("paths.escaped", F, escaped, SHARE, .doc = "ended by hitting nothing"),
    VALUE("paths.full", F, full, SHARE, .doc = "ended by the cap"),
    COUNT("entries.pushed", F, total[FS_PAINT_PUSHED], .unit = "entries",
          .doc = "of the traced paths' stacks"),
    COUNT("entries.popped", F, total[FS_PAINT_POPPED], .unit = "entries", .doc = "of paths that met a light"),
    COUNT("entries.cleared", F, total[FS_PAINT_CLEARED], .unit = "entries", .doc = "of all others"),
    COUNT("numbers.used", F, total[FS_PAINT_NUMBERS], .unit = "numbers", .doc = "by the traced paths"),
    COUNT("numbers.given", F, numbers_given, .unit = "numbers", .doc = "that were made for them"),
    COUNT("numbers.wrapped", F, numbers_wrapped, .unit = "numbers", LESS,
          .wrong = "{value} were used twice, as workers ran out of random numbers of their own",
          .doc = "that a worker took again, as its share was used up"),
    COUNT("picture.tiles", F, image_tiles, .unit = "tiles", .doc = "rectangles of the picture"),
    COUNT("picture.points", F, points, .unit = "points", .doc = "of a whole rectangle"),
    COUNT("picture.worker_rows", F, worker_rows, .unit = "rows",
          .doc = "of its first worker, which has most"),
    COUNT("picture.worker_paths", F, worker_paths, .unit = "paths", .doc = "of that worker in a sample"),
    COUNT("picture.steps", F, steps, .unit = "steps", .doc = "visits of the host that read the frame buffer"),
    COUNT("picture.chips", F, chips, .unit = "chips", .doc = "that hold a part of the picture"),
    COUNT("picture.pace_chip", F, pace_chip, .says = FS_SAYS_LABEL,
          .doc = "the chip that computes longest: tables of tiles are of it"),
    VALUE("cycles.noise", F, cycles[FS_PAINT_NOISE], .unit = "cycles", LESS,
          .doc = "noise of a sample on a tile, mean over the tiles"),
    VALUE("cycles.ray_gen", F, cycles[FS_PAINT_RAYS], .unit = "cycles", LESS,
          .doc = "rays of a sample on a tile, mean"),
    VALUE("cycles.uniform", F, cycles[FS_PAINT_UNIFORM], .unit = "cycles", LESS,
          .doc = "random numbers of a sample on a tile, mean"),
    VALUE("cycles.path_trace", F, cycles[FS_PAINT_TRACE], .unit = "cycles", LESS, .label = "path_trace",
          .place = 3, .doc = "paths of a sample on a tile, that is its slowest worker; mean over the tiles"),
    VALUE("cycles.path_trace_worker", F, worker_cycles, .unit = "cycles", LESS,
          .doc = "the same of the average worker"),
    VALUE("cycles.path_trace_slowest", F, slowest_cycles, .unit = "cycles", LESS,
          .doc = "the same of the slowest tile over all samples"),
    VALUE("cycles.path_trace_greatest", F, greatest_cycles, .unit = "cycles", LESS,
          .doc = "the longest that a tile took in a traced sample"),
    VALUE("sampling.half_width", F, half_width, SHARE, LESS,
          .doc = "half the 95 % interval of the device's time; 0 when all samples were traced"),
    VALUE("sampling.seconds_low", F, seconds_low, .unit = "s", .doc = "its lower end"),
    VALUE("sampling.seconds_high", F, seconds_high, .unit = "s", .doc = "its upper end"),
    VALUE("picture.brightness", F, brightness, .doc = "mean of all values of the picture, 255 being white"),
    VALUE("picture.psnr_db", F, psnr, .unit = "dB", .better = FS_BETTER_MORE, .says = FS_SAYS_DECIBEL,
          .null_is = "exact",
          .doc = "of the picture against the converged one, estimated from two halves of the samples"),
    VALUE("picture.decibels_per_doubling", F, decibels, .unit = "dB",
          .doc = "by which each doubling of samples raises it"),
    COUNT("picture.saturated", F, saturated, .unit = "values", LESS,
          .doc = "that a frame buffer of f16 could not hold"),
    VALUE("energy.joules_per_path", F, joules_per_path, .unit = "J", LESS, .label = "energy of a path",
          .place = 205, .doc = "energy of the run, all chips, over its paths"),
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
