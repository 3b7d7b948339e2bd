#include "workloads/smallpaint/forecast.h"

#include "sim/stats/drawn.h"

#include <math.h>
#include <string.h>

/* ---- counts ---- */

static uint32_t fours(uint32_t numbers) {
    return (numbers + 3) / 4;
}

static void count_paths(const fs_paint_forecast *f, uint32_t tile, uint32_t k, uint32_t *counts) {
    const fs_paint_activity *a = f->activity;
    const bool typical = k == a->drawn;
    const uint32_t *row =
        fs_paint_counts_of(a, typical ? f->typical_tile : tile, typical ? f->typical_sample : k);
    const uint32_t width = f->program[FS_PAINT_TRACE].width;
    for (uint32_t w = 0; w < a->workers; w++)
        memcpy(counts + (size_t)w * width, row + (size_t)w * FS_PAINT_COUNTS,
               FS_PAINT_EVENTS * sizeof *counts);
}

/* Work that is alike for all points, split over the workers of the program. */
static void count_alike(const fs_priced_program *program, uint32_t event, uint32_t occurrences,
                        uint32_t *counts) {
    for (uint32_t w = 0; w < program->workers; w++)
        counts[(size_t)w * program->width + event] = fs_paint_tile_share(occurrences, w, program->workers);
}

void fs_paint_fill_counts(const fs_paint_forecast *f, const fs_smallpaint_params *p, uint32_t program,
                          uint32_t tile, uint32_t k, uint32_t *counts) {
    const fs_image_tile t = fs_paint_tile_of(&f->activity->tiles, tile);
    const uint32_t points = t.width * t.height;
    const fs_priced_program *priced = &f->program[program];
    switch (program) {
    case FS_PAINT_NOISE:
        count_alike(priced, FS_NOISE_FOUR, fours(2 * points), counts);
        break;
    case FS_PAINT_RAYS:
        count_alike(priced, FS_RAYS_RAY, points, counts);
        count_alike(priced, FS_RAYS_ROW, t.height, counts);
        break;
    case FS_PAINT_UNIFORM:
        count_alike(priced, FS_UNIFORM_FOUR, fours((uint32_t)p->numbers * points), counts);
        break;
    default:
        count_paths(f, tile, k, counts);
        break;
    }
}

/* ---- prices ---- */

static uint64_t price(const fs_paint_forecast *f, const fs_smallpaint_params *p, uint32_t program,
                      uint32_t tile, uint32_t k) {
    uint32_t counts[FS_MAX_WORKERS * FS_MAX_EVENTS] = {0};
    fs_tile_times times;
    fs_paint_fill_counts(f, p, program, tile, k, counts);
    fs_tile_times_closed(&f->program[program], counts, &times);
    return times.cycles;
}

static fs_status price_all(fs_paint_forecast *f, const fs_smallpaint_params *p,
                           const fs_machine_params *machine, fs_arena *arena, fs_error *err) {
    const fs_paint_activity *a = f->activity;
    const fs_program *const *program = fs_paint_programs(&p->kernels, arena);
    for (uint32_t i = 0; i < FS_PAINT_PROGRAMS; i++)
        if (fs_program_price(program[i], &machine->tile, &f->program[i], err))
            return err->status;
    f->path = FS_NEW(arena, uint64_t, (size_t)a->tiles.count * a->drawn);
    f->other = FS_NEW(arena, uint64_t, a->tiles.count);
    f->mean = FS_NEW(arena, double, a->tiles.count);
#pragma omp parallel for schedule(static)
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        for (uint32_t i = 0; i < FS_PAINT_TRACE; i++)
            f->other[t] += price(f, p, i, t, 0);
        for (uint64_t k = 0; k < a->drawn; k++) {
            f->path[t * a->drawn + k] = price(f, p, FS_PAINT_TRACE, t, (uint32_t)k);
            f->mean[t] += (double)f->path[t * a->drawn + k];
        }
        f->mean[t] /= (double)a->drawn;
    }
    return FS_OK;
}

/* ---- how well tiles are known ---- */

/* Mean over the tiles of the squared error of their means. */
static double noise_of(const fs_paint_forecast *f) {
    const fs_paint_activity *a = f->activity;
    double sum = 0.0;
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        fs_drawn tile = {.of = a->samples};
        for (uint64_t k = 0; k < a->drawn; k++)
            fs_drawn_add(&tile, (double)f->path[t * a->drawn + k]);
        const double error = fs_drawn_error(&tile);
        sum += error * error;
    }
    return sum / a->tiles.count;
}

/* Mean and slowest of the tiles' means with one drawn sample left out (`drawn`: none). */
typedef struct spread {
    double mean, slowest;
} spread;

static spread spread_without(const fs_paint_forecast *f, uint64_t left_out, double noise) {
    const fs_paint_activity *a = f->activity;
    const double n = (double)a->drawn;
    fs_drawn all = {.of = a->tiles.count};
    double most = 0.0;
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        const double m = left_out == a->drawn
                             ? f->mean[t]
                             : (n * f->mean[t] - (double)f->path[t * a->drawn + left_out]) / (n - 1.0);
        fs_drawn_add(&all, m);
        most = m > most ? m : most;
    }
    const double shrinkage = a->tiles.count > 1 ? fs_drawn_shrinkage(fs_drawn_variance(&all), noise) : 1.0;
    return (spread){all.mean, all.mean + shrinkage * (most - all.mean)};
}

/* What the tile that the other drawn samples say is slowest takes in the one left out, mean over all: that
 * tile is picked without its own chance, so it is at most as slow as the slowest. */
static double picked_tile(const fs_paint_forecast *f) {
    const fs_paint_activity *a = f->activity;
    double sum = 0.0;
    for (uint64_t k = 0; k < a->drawn; k++) {
        double most = -INFINITY;
        uint32_t picked = 0;
        for (uint32_t t = 0; t < a->tiles.count; t++) {
            const double others = (double)a->drawn * f->mean[t] - (double)f->path[t * a->drawn + k];
            if (others > most) {
                most = others;
                picked = t;
            }
        }
        sum += (double)f->path[picked * a->drawn + k];
    }
    return sum / (double)a->drawn;
}

/* Without barriers: between the greatest shrunk mean and the cross-validated one; the
 * interval holds both, and the error by leaving out one drawn sample after the other (jackknife). */
static void know_slowest(fs_paint_forecast *f) {
    const fs_paint_activity *a = f->activity;
    const double noise = noise_of(f), n = (double)a->drawn;
    const spread whole = spread_without(f, a->drawn, noise);
    double plain = 0.0;
    fs_drawn left = {.of = a->samples};
    for (uint32_t t = 0; t < a->tiles.count; t++)
        plain = f->mean[t] > plain ? f->mean[t] : plain;
    if (a->drawn == a->samples) { /* nothing is left to chance */
        f->shrinkage = 1.0;
        f->slowest_tile = plain;
        return;
    }
    const double picked = fmin(fmax(picked_tile(f), whole.mean), whole.slowest);
    f->slowest_tile = 0.5 * (picked + whole.slowest);
    f->shrinkage = plain > whole.mean ? (f->slowest_tile - whole.mean) / (plain - whole.mean) : 1.0;
    for (uint64_t k = 0; a->drawn > 2 && k < a->drawn; k++)
        fs_drawn_add(&left, spread_without(f, k, noise * n / (n - 1.0)).slowest);
    const double error = a->drawn > 2 ? (n - 1.0) * fs_drawn_half_width(&left) : 0.0;
    f->half_width = (0.5 * (whole.slowest - picked) + error) / f->slowest_tile;
}

/* With barriers: each sample takes what its slowest tile takes. */
static void know_each(fs_paint_forecast *f) {
    const fs_paint_activity *a = f->activity;
    fs_drawn slowest = {.of = a->samples};
    for (uint64_t k = 0; k < a->drawn; k++) {
        uint64_t most = 0;
        for (uint32_t t = 0; t < a->tiles.count; t++)
            most = f->path[t * a->drawn + k] > most ? f->path[t * a->drawn + k] : most;
        fs_drawn_add(&slowest, (double)most);
    }
    f->shrinkage = 1.0;
    f->slowest_tile = slowest.mean;
    f->half_width = fs_drawn_half_width(&slowest) / slowest.mean;
}

/* The tile and drawn sample whose time is nearest to the mean of all. */
static void find_typical(fs_paint_forecast *f) {
    const fs_paint_activity *a = f->activity;
    double best = INFINITY;
    for (uint32_t t = 0; t < a->tiles.count; t++)
        for (uint64_t k = 0; k < a->drawn; k++) {
            const double apart = fabs((double)f->path[t * a->drawn + k] - f->mean_tile);
            if (apart < best) {
                best = apart;
                f->typical_tile = t;
                f->typical_sample = k;
            }
        }
}

/* ---- repetitions ---- */

fs_paint_step fs_paint_step_room(const fs_paint_forecast *f, fs_arena *arena) {
    return (fs_paint_step){.pick = FS_NEW(arena, uint32_t, f->step_samples),
                           .times = FS_NEW(arena, uint32_t, f->activity->drawn + 1)};
}

void fs_paint_step_of(const fs_paint_forecast *f, uint64_t i, fs_paint_step *step) {
    const fs_paint_activity *a = f->activity;
    const double foreign = 1.0 - f->shrinkage;
    fs_rng rng = fs_rng_sub(fs_rng_stream(f->seed, "smallpaint/repetitions"), i);
    step->samples = f->step_samples;
    memset(step->times, 0, (a->drawn + 1) * sizeof *step->times);
    for (uint64_t r = 0; r < step->samples; r++) {
        const uint64_t sample = i * f->step_samples + r;
        uint32_t k = (uint32_t)sample;
        if (a->drawn < a->samples) {
            /* Every so many samples, whole ones: floor((sample + 1) x share) - floor(sample x share). */
            const bool typical = floor((double)(sample + 1) * foreign) > floor((double)sample * foreign);
            k = typical ? (uint32_t)a->drawn : fs_rng_below(&rng, (uint32_t)a->drawn);
        }
        step->pick[r] = k;
        step->times[k]++;
    }
}

/* ---- chips ---- */

/* Cycles of a tile's path_trace: of a repetition. */
static uint64_t path_cycles(const fs_paint_forecast *f, uint32_t tile, uint32_t k) {
    const uint64_t drawn = f->activity->drawn;
    return k == drawn ? f->path[f->typical_tile * drawn + f->typical_sample] : f->path[tile * drawn + k];
}

/* What the tiles of a chip take in a step. */
static uint64_t chip_step(const fs_paint_forecast *f, const fs_paint_step *step, uint32_t first,
                          uint32_t end) {
    const uint64_t drawn = f->activity->drawn;
    uint64_t slowest = 0, total = 0;
    for (uint32_t k = 0; k <= drawn; k++) {
        if (!f->barriers || step->times[k] == 0)
            continue;
        uint64_t most = 0;
        for (uint32_t t = first; t < end; t++) {
            const uint64_t cycles = path_cycles(f, t, k) + f->other[t];
            most = cycles > most ? cycles : most;
        }
        total += most * step->times[k];
    }
    for (uint32_t t = first; t < end && !f->barriers; t++) {
        uint64_t sum = f->other[t] * step->samples;
        for (uint32_t k = 0; k <= drawn; k++)
            sum += path_cycles(f, t, k) * step->times[k];
        slowest = sum > slowest ? sum : slowest;
    }
    return f->barriers ? total : slowest;
}

static void find_pace(fs_paint_forecast *f, fs_arena *arena) {
    const fs_image_tiles *tiles = &f->activity->tiles;
    fs_paint_step step = fs_paint_step_room(f, arena);
    uint64_t *total = FS_NEW(arena, uint64_t, f->chips);
    for (uint64_t i = 0; i < f->steps; i++) {
        fs_paint_step_of(f, i, &step);
        for (uint32_t c = 0; c < f->chips; c++) {
            const uint32_t first = c * tiles->of_chip, end = first + tiles->of_chip;
            total[c] += chip_step(f, &step, first, end < tiles->count ? end : tiles->count);
        }
    }
    for (uint32_t c = 1; c < f->chips; c++)
        if (total[c] > total[f->pace_chip])
            f->pace_chip = c;
}

fs_status fs_paint_forecast_make(fs_paint_forecast *f, const fs_paint_activity *a,
                                 const fs_smallpaint_params *p, const fs_machine_params *machine,
                                 uint64_t seed, fs_arena *arena, fs_error *err) {
    *f = (fs_paint_forecast){.activity = a,
                             .barriers = machine->sync.local == FS_SYNC_LOCAL_EACH,
                             .seed = seed,
                             .step_samples = fs_paint_step_samples(p),
                             .chips = (a->tiles.count - 1) / a->tiles.of_chip + 1,
                             .shrinkage = 1.0};
    f->steps = a->samples / f->step_samples;
    if (price_all(f, p, machine, arena, err))
        return err->status;
    for (uint32_t t = 0; t < a->tiles.count; t++)
        f->mean_tile += f->mean[t] / a->tiles.count;
    if (f->barriers)
        know_each(f);
    else
        know_slowest(f);
    find_typical(f);
    find_pace(f, arena);
    return FS_OK;
}
