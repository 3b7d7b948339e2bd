/* The paths' rays: walked, counted, and as pictures. */
#include "workloads/treelets/run.h"

#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "sim/config/config.h"
#include "workloads/image/image.h"
#include "workloads/treelets/walk/walk.h"

#include <stdlib.h>
#include <string.h>

static uint64_t pixels_of(const fs_treelets_params *p) {
    return (uint64_t)p->width * (uint64_t)p->height;
}

/* ---- walks ---- */

static fs_itineraries_params params_of(const fs_treelets_params *p) {
    return (fs_itineraries_params){.walk = {.width = (uint32_t)p->width,
                                            .height = (uint32_t)p->height,
                                            .seed = (uint64_t)p->seed,
                                            .most_segments = (uint32_t)p->most_segments,
                                            .roulette_above = (uint32_t)p->roulette_above,
                                            .jitter = (float)p->jitter},
                                   .samples = (uint32_t)p->samples,
                                   .order = (fs_itineraries_order)p->order,
                                   .light = (fs_itineraries_light)p->light,
                                   .to_sun = {-0.5f, 0.70710678f, -0.5f}, /* that of fs_walk_sky */
                                   .from_sun = {0.16f, 0.145f, 0.12f}};
}

/* Said where it takes long; refused where the host has not the memory. */
static fs_status look_ahead(fs_treelets_run *r, const fs_itineraries_params *params, fs_error *err) {
    enum { LONG = 5 }; /* seconds */
    const fs_itineraries_expected e = fs_itineraries_expect(&r->walk, &r->cut, params);
    const double memory = (double)fs_host_memory_bytes();
    if (e.bytes > 0.75 * memory)
        return fs_fail(err, FS_INPUT,
                       "%s: %s paths would take about %.1f GB of the host, which has %.1f; expected fewer "
                       "samples or a smaller picture",
                       fs_config_where(r->of.run.config, "workload", "samples"),
                       fs_number_grouped((double)e.paths), 1e-9 * e.bytes, 1e-9 * memory);
    if (e.seconds > LONG)
        fs_run_say(&r->of.run, "%s paths take about %.1f GB of the host and at most %.0f s of a core to walk",
                   fs_number_grouped((double)e.paths), 1e-9 * e.bytes, e.seconds);
    return FS_OK;
}

/* The mean of each pixel's samples, in the order of pathtrace's sums. */
static void paint(fs_treelets_run *r, const fs_walk_path *path) {
    const uint64_t pixels = pixels_of(r->params), samples = (uint64_t)r->params->samples;
    float(*colour)[3] = fs_calloc(pixels, sizeof *colour);
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < pixels; i++)
        for (uint64_t s = 0; s < samples; s++) {
            const uint64_t at = i * samples + s;
            const bool asked = r->params->light == FS_SHADOW_SUN && fs_itineraries_asked_sun(&r->its, at);
            float rgb[3];
            fs_walk_radiance(&path[at], 0, asked ? fs_walk_sky_without_sun : fs_walk_sky, NULL, rgb);
            for (int c = 0; c < 3; c++)
                colour[i][c] += rgb[c] / (float)samples;
        }
    r->shown.rgb = fs_arena_alloc(r->of.run.arena, pixels, 3);
    fs_image_toned8(colour, pixels, r->shown.rgb);
    free(colour);
}

/* What the statistics leave out. */
static void count_rest(fs_treelets_run *r, const fs_walk_path *path) {
    const fs_itineraries *its = &r->its;
    uint64_t stopped = 0, leaves = 0;
#pragma omp parallel for reduction(+ : stopped, leaves)
    for (uint64_t i = 0; i < its->paths; i++) {
        stopped += path[i].end == FS_WALK_STOPPED;
        for (uint64_t k = its->first[i]; k < its->first[i + 1]; k++) {
            const fs_piece *p = &its->piece[k];
            leaves += (uint64_t)p->event[FS_PIECE_EDGE] + p->event[FS_PIECE_RANGE] +
                      p->event[FS_PIECE_TRIANGLE] + p->event[FS_PIECE_SPHERE] + p->event[FS_PIECE_DISC];
        }
    }
    r->geometry.stopped = stopped;
    r->geometry.leaves = leaves;
}

fs_status fs_treelets_walk(fs_treelets_run *r, fs_error *err) {
    const fs_itineraries_params params = params_of(r->params);
    if (look_ahead(r, &params, err))
        return err->status;
    fs_walk_path *path = fs_calloc(fs_treelets_paths(r->params), sizeof *path);
    if (fs_itineraries_walk(&r->walk, &r->cut, &params, &r->its, path, err) == FS_OK) {
        paint(r, path);
        count_rest(r, path);
    }
    free(path);
    return err->status;
}

/* ---- counts ---- */

void fs_treelets_show(fs_treelets_run *r) {
    fs_arena *arena = r->of.run.arena;
    fs_treelets_geometry *g = &r->geometry;
    fs_treelets_shown *shown = &r->shown;
    fs_itineraries_statistics s;
    fs_itineraries_measure(&r->its, arena, &s);
    g->paths = s.paths;
    g->segments = s.segments;
    g->hits = s.hits;
    g->escapes = s.segments - s.hits;
    g->shadows = s.shadows;
    g->blocked = s.blocked;
    g->visits = s.all.visits + s.shadow.visits;
    g->found = s.found;
    g->path_nodes = s.nodes;
    g->top_nodes = s.top_nodes;
    g->deepest_stack = s.deepest;
    g->half = s.all.half;
    g->most_of_20 = s.all.most_of_20;
    g->most_of_100 = s.all.most_of_100;
    r->traffic.treelet_imbalance = s.imbalance;
    r->traffic.treelet_gini = s.gini;
    memcpy(shown->bounce, s.bounce, sizeof shown->bounce);
    shown->visits_of = s.visits_of;
    shown->units_of = s.units_of;
    shown->bytes_of = FS_NEW(arena, uint64_t, g->treelets);
    shown->copies_of = FS_NEW(arena, uint64_t, g->treelets);
    for (uint64_t k = 0; k < g->treelets; k++)
        shown->bytes_of[k] = r->cut.of[k].bytes;
    shown->treelet = FS_NEW(arena, uint16_t, pixels_of(r->params));
    shown->visits = FS_NEW(arena, uint32_t, pixels_of(r->params));
    fs_itineraries_maps(&r->its, (uint32_t)r->params->samples, shown->treelet, shown->visits);
}

/* ---- pictures ---- */

/* A colour for each number, neighbours unlike each other: hues by the golden ratio. */
static void colour_of(uint16_t treelet, uint8_t rgb[3]) {
    const uint32_t hue = treelet * 40503u & 0xffff, sector = hue * 6 >> 16, in = (hue * 6 & 0xffff) >> 8;
    const uint8_t low = 60, high = (uint8_t)(200 - treelet % 3 * 30),
                  up = (uint8_t)(low + (high - low) * in / 256),
                  down = (uint8_t)(high - (high - low) * in / 256);
    const uint8_t of[6][3] = {{high, up, low},   {down, high, low}, {low, high, up},
                              {low, down, high}, {up, low, high},   {high, low, down}};
    memcpy(rgb, treelet == FS_PIECE_ANYWHERE ? (const uint8_t[3]){16, 16, 20} : of[sector], 3);
}

fs_status fs_treelets_pictures_write(const fs_treelets_run *r, fs_results *results, fs_error *err) {
    const uint32_t width = (uint32_t)r->params->width, height = (uint32_t)r->params->height;
    const uint64_t pixels = pixels_of(r->params);
    uint8_t *rgb = fs_malloc(3 * pixels);
    uint16_t *grey = fs_malloc(pixels * sizeof *grey);
    for (uint64_t i = 0; i < pixels; i++)
        colour_of(r->shown.treelet[i], rgb + 3 * i);
    fs_image_grey16(r->shown.visits, 1, pixels, grey);
    if (fs_results_png(results, "render.png", FS_PICTURE_RGB(r->shown.rgb, width, height), err) == FS_OK &&
        fs_results_png(results, "treelets.png", FS_PICTURE_RGB(rgb, width, height), err) == FS_OK)
        fs_results_png(results, "visits.png", FS_PICTURE_GREY(grey, width, height), err);
    free(rgb);
    free(grey);
    return err->status;
}
