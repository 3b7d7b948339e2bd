/* Synthetic scenes: the list of kinds, and the two that need no stage. */
#include "workloads/scene/stage/stage.h"

#include "sim/base/detmath.h"
#include "sim/host/signals.h"

#include <math.h>

enum { GARDEN, ROOM, UNIFORM, SHELL, YARD, GROVE, STREET, KINDS };

const char *const fs_generate_kinds[] = {"garden", "room",  "uniform", "shell",
                                         "yard",   "grove", "street",  NULL};
const char *const fs_generate_summaries[] = {
    "a table with a vase of flowers on a patio, lawn, hedge and trees, far hills",
    "a furnished room seen from inside",
    "evenly scattered sites in a cube, two thirds of them in coloured clouds",
    "a dense spherical shell, empty inside and outside",
    "a bicycle at a bench on a lawn, bushes, trees and hills, sites as training scatters them",
    "a clearing among trees and bushes, scattered likewise",
    "a street of houses, parked cars and trees, scattered likewise",
    NULL,
};

/* Even sites in the cube [-1, 1]^3. Clouds fill about half of it, but for a rim, so that no cell of the hull
 * is opaque; their extinction doesn't depend on the number of sites: a ray passes more cells where there are
 * more. */
static void generate_uniform(uint32_t cells, uint64_t seed, fs_sites *out) {
    fs_rng rng = fs_rng_stream(seed, "scene/uniform");
    static const fs_v3 shift = {3.1, 7.7, 1.3};
    *out = fs_sites_create(cells);
    for (uint32_t i = 0; i < cells && !fs_interrupted(); i++) {
        fs_v3 p = fs_v3_random(&rng, (fs_v3){-1, -1, -1}, (fs_v3){1, 1, 1});
        bool inside = fabs(p.x) < 0.92 && fabs(p.y) < 0.92 && fabs(p.z) < 0.92;
        double cloud = fs_noise_octaves(fs_v3_add(fs_v3_scale(p, 2.2), shift), 3);
        fs_v3 colour = {0.08 + 0.85 * fs_noise(fs_v3_scale(p, 1.7)),
                        0.08 + 0.75 * fs_noise(fs_v3_add(fs_v3_scale(p, 1.9), shift)),
                        0.1 + 0.85 * fs_noise(fs_v3_sub(fs_v3_scale(p, 1.5), shift))};
        double relief = 0.35 + 1.1 * fs_noise_octaves(fs_v3_scale(p, 9), 2);
        uint8_t rgb[3] = {0, 0, 0};
        double density = cloud > 0.38 && inside ? 150 * (cloud - 0.38) / 0.15 : 0;
        if (density > 0)
            fs_stage_store(fs_v3_scale(colour, relief), rgb);
        fs_sites_push(out, p, density, rgb);
    }
}

static fs_v3 shell_colour(fs_v3 d) {
    double band = d.z * 7 + 1.2 * fs_noise_octaves(fs_v3_scale(d, 3), 3);
    double t = band - floor(band);
    fs_v3 sea = fs_stage_hex(0x1f5c86), sand = fs_stage_hex(0xe0b878), wine = fs_stage_hex(0x8e3048);
    fs_v3 colour = t < 0.4 ? sea : t < 0.7 ? sand : wine;
    double light = 0.25 + 0.75 * fabs(d.x * 0.45 - d.y * 0.6 + d.z * 0.66);
    return fs_v3_scale(colour, light * (0.8 + 0.4 * fs_noise(fs_v3_scale(d, 23))));
}

/* Nine of ten sites fill a layer of even density of which the shell, of radius 0.9 ... 1, is the middle; the
 * others, all empty, are scattered inside and outside up to radius 2. */
static void generate_shell(uint32_t cells, uint64_t seed, fs_sites *out) {
    static const double inner = 0.885, outer = 1.025;
    fs_rng rng = fs_rng_stream(seed, "scene/shell");
    *out = fs_sites_create(cells);
    for (uint32_t i = 0; i < cells && !fs_interrupted(); i++) {
        double z = fs_rng_range(&rng, -1, 1), angle = fs_rng_range(&rng, 0, FS_TURN);
        double flat = sqrt(1 - z * z), u = fs_rng_unit(&rng);
        fs_v3 d = {flat * fs_cos(angle), flat * fs_sin(angle), z};
        double from = inner, to = outer;
        if (i % 30 == 9) {
            from = 0;
            to = inner;
        } else if (i % 30 == 19 || i % 30 == 29) {
            from = outer;
            to = 2;
        }
        double r = fs_pow(from * from * from + (to * to * to - from * from * from) * u + 1e-9, 1.0 / 3);
        bool filled = r >= 0.9 && r <= 1;
        uint8_t rgb[3] = {0, 0, 0};
        if (filled)
            fs_stage_store(shell_colour(d), rgb);
        fs_sites_push(out, fs_v3_scale(d, r), filled ? 60 : 0, rgb);
    }
}

/* Two sites in one place: moves the later one by a hair, as a trainer would. */
static void part_equal_sites(fs_sites *sites, uint64_t seed) {
    fs_rng rng = fs_rng_stream(seed, "scene/part");
    uint32_t first, second;
    while (fs_points_repeated(sites->x, sites->y, sites->z, sites->count, &first, &second)) {
        sites->x[second] += (float)fs_rng_range(&rng, -1e-4, 1e-4);
        sites->y[second] += (float)fs_rng_range(&rng, -1e-4, 1e-4);
    }
}

static void generate_stage(const fs_generate_params *params, fs_sites *out) {
    void (*const layouts[KINDS])(fs_stage *, uint64_t) = {
        [GARDEN] = fs_stage_garden, [ROOM] = fs_stage_room,     [YARD] = fs_stage_yard,
        [GROVE] = fs_stage_grove,   [STREET] = fs_stage_street,
    };
    fs_stage stage = {0};
    layouts[params->kind](&stage, (uint64_t)params->seed);
    if (params->kind >= YARD)
        fs_stage_trained_sites(&stage, &params->trained, (uint32_t)params->cells, out);
    else
        fs_stage_sites(&stage, (uint32_t)params->cells, out);
    fs_stage_free(&stage);
}

fs_status fs_scene_generate(const fs_generate_params *params, fs_sites *out, fs_error *err) {
    *out = (fs_sites){0};
    if (params->cells < 1000 || params->cells > 5000000)
        return fs_fail(err, FS_INPUT, "generate.cells: expected 1,000 to 5,000,000 cells, found %lld",
                       (long long)params->cells);
    if (params->kind < 0 || params->kind >= KINDS)
        return fs_fail(err, FS_INPUT, "generate.kind: expected one of the %d of `foamsim list scene-kinds`",
                       KINDS);
    uint32_t cells = (uint32_t)params->cells;
    uint64_t seed = (uint64_t)params->seed;
    if (params->kind == UNIFORM)
        generate_uniform(cells, seed, out);
    else if (params->kind == SHELL)
        generate_shell(cells, seed, out);
    else
        generate_stage(params, out);
    if (fs_interrupted()) {
        fs_sites_free(out);
        return fs_fail(err, FS_RUN, "interrupted while a scene is generated");
    }
    part_equal_sites(out, seed);
    fs_sites_order(out, NULL);
    return FS_OK;
}
