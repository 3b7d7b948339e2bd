#include "workloads/smallpaint/params.h"

#include "sim/config/config.h"
#include "workloads/smallpaint/smallpaint.h"

#include <inttypes.h>

#define P          fs_smallpaint_params
#define FS_ROWS_OF P

static const char *const types[] = {[FS_NUMBER_F16] = "f16", [FS_NUMBER_F32] = "f32", NULL};
static const char *const sines[] = {[FS_SINE_LIBRARY] = "library", [FS_SINE_DOUBLE] = "double", NULL};
static const char *const ray_workers[] = {[FS_RAYS_BY_ONE] = "one", [FS_RAYS_BY_ALL] = "all", NULL};

static const fs_param rows[] = {
    FS_PARAM_INT("image.width", P, width, NONE, "1920", 1, 16384, "columns of the picture", TRAFFIC,
                 .from = {"poplar_path_tracer.md 1", 'R'}),
    FS_PARAM_INT("image.height", P, height, NONE, "2160", 1, 16384, "rows of the picture", TRAFFIC,
                 .from = {"poplar_path_tracer.md 1", 'R'}),
    FS_PARAM_INT("tile.width", P, tile_width, NONE, "48", 1, 16384,
                 "columns of the rectangle on each tile; a larger one than the picture is cut to it", TRAFFIC,
                 .from = {"poplar_path_tracer.md 1", 'R'}),
    FS_PARAM_INT("tile.height", P, tile_height, NONE, "30", 1, 16384,
                 "rows of it, split over the workers as evenly as can be", TRAFFIC,
                 .from = {"poplar_path_tracer.md 1", 'R'}),
    FS_INT(samples, NONE, "200", 1, 1e9, "paths of each point", TRAFFIC, .from = {"PWP", '-'}),
    FS_INT(samples_per_step, NONE, "200", 1, 1e6,
           "samples between two visits of the host, which reads the frame buffer and adds it up while the "
           "next step runs",
           TRAFFIC, .from = {"poplar_path_tracer.md 1", 'R'}),
    FS_PARAM_INT("roulette.depth", P, roulette_depth, NONE, "5", 0, 1000,
                 "bounces from which on a path may be stopped", TRAFFIC,
                 .from = {"poplar_path_tracer.md 1", 'R'}),
    FS_PARAM_REAL("roulette.probability", P, stop, NONE, "0.35", 0, 1,
                  "with which it is then stopped before each bounce; above 0 and below 1", TRAFFIC,
                  .from = {"poplar_path_tracer.md 1", 'R'}),
    FS_INT(cap, NONE, "20", 1, FS_PAINT_CAP, "entries at which a path ends", TRAFFIC,
           .from = {"poplar_path_tracer.md 1", 'R'}),
    FS_PARAM_INT("numbers.each", P, numbers, NONE, "36", 1, 1000,
                 "uniform numbers made in advance for a point and sample; a worker that needs more takes its "
                 "own again",
                 TRAFFIC, .from = {"poplar_path_tracer.md 1", 'R'}),
    FS_PARAM_ENUM("numbers.type", P, number_type, "f16", types, "of the uniform numbers", TRAFFIC,
                  .from = {"PWP", 'P'}),
    FS_PARAM_ENUM("rays.type", P, ray_type, "f16", types, "of the camera's rays", TRAFFIC,
                  .from = {"PWP", 'P'}),
    FS_ENUM(framebuffer, "f32", types, "of a point's light on the device", TRAFFIC, .from = {"PWP", 'P'}),
    FS_REAL(noise, NONE, "0.25", 0, 10, "deviation of a ray from the middle of its pixel, in pixels", TRAFFIC,
            .from = {"no source", 'A'}),
    FS_PARAM_INT(
        "sampling.drawn", P, drawn, NONE, "0", 0, 1e6,
        "samples that are traced, drawn from all; what they say of all has an interval; 0: all are traced",
        TRAFFIC),
    FS_PARAM_INT(
        "sampling.tiles", P, drawn_tiles, NONE, "0", 0, 1e6,
        "rectangles that are traced; each other one does what the nearest drawn one of its size does; 0: all",
        TRAFFIC),
    FS_ENUM(
        kernels.sine, "double", sines,
        "sine and cosine of a diffuse bounce: two calls of cost.f64_sin, as the vendor's library has them, "
        "or one of cost.f32_sincos",
        PRICE, .from = {"poplar_path_tracer.md 3, PL", 'R'}),
    FS_ENUM(kernels.ray_workers, "one", ray_workers, "workers of a tile that make the camera's rays", PRICE,
            .from = {"PWP", 'P'}),
};
const fs_param_table fs_smallpaint_table = FS_PARAM_TABLE(
    "workload/smallpaint", "a path tracer, a rectangle of the picture on each tile", rows, sizeof(P));

fs_image_tiles fs_paint_tiles(const P *p, const fs_machine_params *machine) {
    return fs_paint_tiles_make((uint32_t)p->width, (uint32_t)p->height, (uint32_t)p->tile_width,
                               (uint32_t)p->tile_height, fs_geometry_tiles(&machine->geometry));
}

/* ---- rules ---- */

/* Numbers that a path of a room which nothing leaves takes on average: two a bounce, and one for each throw
 * of the roulette. */
static double numbers_wanted(const P *p) {
    double alive = 1.0, wanted = 0.0;
    for (int64_t bounce = 0; bounce < p->cap; bounce++) {
        if (bounce >= p->roulette_depth) {
            wanted += alive;
            alive *= 1.0 - p->stop;
        }
        wanted += 2.0 * alive;
    }
    return wanted;
}

static void check_paths(const P *p, fs_check *check) {
    if (!(p->stop > 0.0 && p->stop < 1.0)) {
        fs_check_wrong(check, "workload.roulette.probability",
                       "expected a probability above 0 and below 1, found %g", p->stop);
        return;
    }
    const double wanted = numbers_wanted(p);
    if ((double)p->numbers < wanted)
        fs_check_wrong(
            check, "workload.numbers.each",
            "too few for cap %" PRId64 ", roulette from %" PRId64
            " on with %g: a path in a closed room takes %.1f on average; expected at least %.0f, found "
            "%" PRId64,
            p->cap, p->roulette_depth, p->stop, wanted, wanted + 0.5, p->numbers);
}

static void check_samples(const P *p, const fs_image_tiles *tiles, fs_check *check) {
    if (p->samples > p->samples_per_step && p->samples % p->samples_per_step != 0)
        fs_check_wrong(check, "workload.samples",
                       "expected whole steps of workload.samples_per_step, %" PRId64 ", found %" PRId64,
                       p->samples_per_step, p->samples);
    if (p->drawn > p->samples || (p->drawn > 0 && p->drawn < FS_PAINT_LEAST_DRAWN && p->drawn < p->samples))
        fs_check_wrong(check, "workload.sampling.drawn",
                       "expected %d to %" PRId64 " of workload.samples, or 0 for all, found %" PRId64,
                       FS_PAINT_LEAST_DRAWN, p->samples, p->drawn);
    if (p->drawn_tiles > tiles->count || (p->drawn_tiles == 1 && tiles->count > 1))
        fs_check_wrong(check, "workload.sampling.tiles",
                       "expected 2 to %" PRIu32 " rectangles of the picture, or 0 for all, found %" PRId64,
                       tiles->count, p->drawn_tiles);
}

/* What is traced lies in memory until it is priced. */
static void check_size(const P *p, const fs_image_tiles *tiles, const fs_machine_params *m, fs_check *check) {
    const double most = 4e9, bytes = (double)fs_paint_drawn(p) * tiles->count * (double)m->tile.workers *
                                     FS_PAINT_COUNTS * sizeof(uint32_t);
    if (bytes > most)
        fs_check_wrong(
            check, "workload.sampling.drawn",
            "counts of %.3g samples on %" PRIu32 " tiles would take %.1f GB of the host; expected at most "
            "%.0f samples (4 GB)",
            (double)fs_paint_drawn(p), tiles->count, bytes / 1e9, most / bytes * (double)fs_paint_drawn(p));
}

void fs_smallpaint_check(const fs_config *config, fs_check *check) {
    const P *p = fs_config_section(config, "workload");
    const fs_machine_params *m = fs_config_section(config, "machine");
    const fs_image_tiles tiles = fs_paint_tiles(p, m);
    const uint64_t all = (uint64_t)tiles.of_chip * (uint64_t)m->chips;
    check_paths(p, check);
    check_samples(p, &tiles, check);
    check_size(p, &tiles, m, check);
    if (tiles.count > all)
        fs_check_wrong(check, "workload.tile.width",
                       "a picture of %" PRIu32 "x%" PRIu32 " makes %" PRIu32 " rectangles of %" PRIu32
                       "x%" PRIu32 "; expected at most one for each of %" PRIu64 " tiles (%" PRId64
                       " chips of %" PRIu32 ")",
                       tiles.width, tiles.height, tiles.count, tiles.tile_width, tiles.tile_height, all,
                       m->chips, tiles.of_chip);
    if (p->samples / p->samples_per_step > 60000)
        fs_check_wrong(check, "workload.samples_per_step", "expected at most 60000 steps, found %" PRId64,
                       p->samples / p->samples_per_step);
    if (m->execution == FS_EXECUTION_DECOUPLED)
        fs_check_wrong(check, "machine.execution", "a path tracer's tiles exchange nothing; expected bsp");
}
