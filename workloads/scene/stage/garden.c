/* The garden: a round table with a vase of flowers on a brick patio, stools, pots and a ball on a lawn, a
 * hedge, trees, and far hills under a bright sky. One unit is about a metre; z is up, the ground is z = 0.
 */
#include "workloads/scene/stage/stage.h"

#include "sim/base/detmath.h"

#include <math.h>

static void add_table(fs_stage *stage) {
    static const double top[6][2] = {{0, 0.7},      {0.78, 0.7}, {0.82, 0.715},
                                     {0.82, 0.745}, {0.8, 0.76}, {0, 0.76}};
    static const double column[8][2] = {{0, 0.02},    {0.11, 0.02},  {0.1, 0.1},  {0.06, 0.25},
                                        {0.075, 0.4}, {0.055, 0.55}, {0.12, 0.7}, {0, 0.7}};
    fs_stage_add_lathe(stage, (fs_v3){0, 0, 0}, FS_PAINT_WOOD, 0x9d6a3c, 3.2, 6, top);
    fs_stage_add_lathe(stage, (fs_v3){0, 0, 0}, FS_PAINT_BARK, 0x7c5230, 3, 8, column);
    for (int leg = 0; leg < 3; leg++) {
        double a = 0.4 + leg * FS_TURN / 3;
        fs_stage_add_rod(stage, fs_stage_polar(a, 0.06, 0.16), fs_stage_polar(a, 0.5, 0.035), 0.045, 0.035,
                         FS_PAINT_BARK, 0x7c5230, 3);
    }
}

static void add_vase(fs_stage *stage) {
    static const double profile[12][2] = {{0, 0},       {0.085, 0},   {0.1, 0.03}, {0.155, 0.13},
                                          {0.175, 0.2}, {0.16, 0.28}, {0.1, 0.36}, {0.075, 0.4},
                                          {0.1, 0.45},  {0.09, 0.45}, {0.06, 0.4}, {0, 0.38}};
    fs_stage_add_lathe(stage, (fs_v3){0, 0, 0.76}, FS_PAINT_CERAMIC, 0x2b4f9e, 9, 12, profile);
}

static void add_blossom(fs_stage *stage, fs_v3 at, fs_v3 facing, unsigned rgb, double radius) {
    fs_v3 ez = fs_v3_unit(facing);
    fs_v3 ex = fs_v3_unit(fs_v3_cross((fs_v3){0.31, 0.2, 0.93}, ez)), ey = fs_v3_cross(ez, ex);
    for (int petal = 0; petal < 6; petal++) { /* flat ellipsoids around a yellow middle */
        double a = petal * FS_TURN / 6;
        fs_v3 out = fs_v3_add(fs_v3_scale(ex, fs_cos(a)), fs_v3_scale(ey, fs_sin(a)));
        fs_v3 up = fs_v3_unit(fs_v3_along(ez, out, -0.35)), along = fs_v3_unit(fs_v3_along(out, ez, 0.35));
        fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_PLAIN, fs_stage_hex(rgb),
                                     .at = fs_v3_along(fs_v3_along(at, out, radius * 0.6), ez, radius * 0.12),
                                     .size = {radius * 0.48, radius * 0.34, radius * 0.15}, .ex = along,
                                     .ey = fs_v3_cross(up, along), .ez = up, .detail = 10));
    }
    fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_PLAIN, fs_stage_hex(0xf0b428),
                                 .at = fs_v3_along(at, ez, radius * 0.15),
                                 .size = {radius * 0.26, radius * 0.26, radius * 0.26}, .detail = 10));
}

static void add_bouquet(fs_stage *stage, fs_rng rng) {
    static const unsigned colours[6] = {0xe2544a, 0xf2efe6, 0xe88fb0, 0xf0a02c, 0xb04fa8, 0xd93a6a};
    fs_v3 mouth = {0, 0, 1.18};
    for (int i = 0; i < 15; i++) {
        double ring = i < 5 ? 0.13 : 0.27, a = i * FS_GOLDEN_ANGLE + fs_rng_range(&rng, -0.2, 0.2);
        double high = (i < 5 ? 0.48 : 0.3) + fs_rng_range(&rng, -0.07, 0.07);
        fs_v3 head = fs_v3_add(mouth, fs_stage_polar(a, ring, high));
        fs_v3 facing = fs_v3_along((fs_v3){0, 0, 0.55}, fs_stage_polar(a, 1, 0), 0.7);
        fs_stage_add_rod(stage, fs_v3_add(mouth, fs_stage_polar(a, 0.03, -0.02)), head, 0.006, 0.005,
                         FS_PAINT_PLAIN, 0x4d7a33, 8);
        add_blossom(stage, head, facing, colours[i % 6], 0.085 + 0.02 * fs_rng_unit(&rng));
    }
    for (int i = 0; i < 16; i++) { /* leaves hang out over the rim */
        double a = i * FS_GOLDEN_ANGLE + 1.1, tilt = fs_rng_range(&rng, -0.15, 0.75);
        fs_v3 along = fs_v3_unit((fs_v3){fs_cos(a), fs_sin(a), tilt});
        fs_v3 across = fs_v3_unit(fs_v3_cross((fs_v3){0, 0, 1}, along)), up = fs_v3_cross(along, across);
        fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_PLAIN,
                                     fs_v3_scale(fs_stage_hex(0x4f8a38), fs_rng_range(&rng, 0.6, 1.3)),
                                     .at = fs_v3_along((fs_v3){0, 0, 1.25}, along, 0.17),
                                     .size = {0.14, 0.045, 0.012}, .ex = along, .ey = across, .ez = up,
                                     .detail = 6));
    }
}

static void add_stool(fs_stage *stage, double angle, double radius, double turn) {
    static const double seat[5][2] = {{0, 0.43}, {0.19, 0.43}, {0.2, 0.45}, {0.185, 0.475}, {0, 0.475}};
    fs_v3 at = fs_stage_polar(angle, radius, 0);
    fs_stage_add_lathe(stage, at, FS_PAINT_WOOD, 0xb98550, 3, 5, seat);
    for (int leg = 0; leg < 4; leg++) {
        double a = turn + leg * FS_TURN / 4;
        fs_stage_add_rod(stage, fs_v3_add(at, fs_stage_polar(a, 0.12, 0.43)),
                         fs_v3_add(at, fs_stage_polar(a, 0.19, 0.01)), 0.02, 0.017, FS_PAINT_BARK, 0x7c5230,
                         3);
    }
}

static void add_pot(fs_stage *stage, fs_v3 at, double size, unsigned leaf) {
    const double s = size;
    const double profile[7][2] = {{0, 0},
                                  {0.17 * s, 0},
                                  {0.25 * s, 0.36 * s},
                                  {0.28 * s, 0.36 * s},
                                  {0.28 * s, 0.43 * s},
                                  {0.24 * s, 0.43 * s},
                                  {0, 0.39 * s}};
    fs_stage_add_lathe(stage, at, FS_PAINT_STONE, 0xb9653c, 3, 7, profile);
    fs_stage_add_canopy(stage, FS_CANOPY(.at = {at.x, at.y, at.z + 0.72 * s},
                                         .radii = {0.36 * s, 0.36 * s, 0.34 * s}, .tint = fs_stage_hex(leaf),
                                         .detail = 14, .shade = 0.15));
}

static void add_things(fs_stage *stage, fs_rng rng) {
    add_stool(stage, 2.5, 1.32, 0.3);
    add_stool(stage, 0.35, 1.25, 0.7);
    add_stool(stage, 4.9, 1.42, 0.1);
    add_pot(stage, fs_stage_polar(2.05, 2.55, 0), 1.15, 0x58853a);
    add_pot(stage, fs_stage_polar(1.05, 2.6, 0), 0.95, 0x6f9a45);
    add_pot(stage, fs_stage_polar(3.55, 2.45, 0), 0.8, 0x4f7f40);
    fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_BALL, fs_stage_hex(0xc8352c),
                                 .at = {-1.35, -1.75, 0.17}, .size = {0.17, 0.17, 0.17}, .ex = {0.8, 0, -0.6},
                                 .ey = {0, 1, 0}, .ez = {0.6, 0, 0.8}, .detail = 4));
    for (int i = 0; i < 13; i++) { /* stones along the patio's edge */
        double a = i * 0.34 + 3.75 + fs_rng_range(&rng, -0.05, 0.05), r = fs_rng_range(&rng, 0.07, 0.15);
        fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_STONE, fs_stage_hex(0x9d9890),
                                     .at = fs_stage_polar(a, 2.42 + r * 0.4, r * 0.35),
                                     .size = {r, r * 0.8, r * 0.7}, .detail = 2));
    }
}

/* A row of bushes around the lawn; a gap lets the view out. */
static void add_hedge(fs_stage *stage, fs_rng rng) {
    static const unsigned greens[4] = {0x4c7434, 0x5d8639, 0x3f6a35, 0x6b8f3e};
    for (int i = 0; i < 46; i++) {
        double a = i * FS_TURN / 46 + fs_rng_range(&rng, -0.03, 0.03);
        double away = a - 0.95;
        if (fabs(away) < 0.13)
            continue;
        double r = 6.6 + fs_rng_range(&rng, -0.35, 0.5), high = fs_rng_range(&rng, 0.75, 1.25);
        fs_v3 at = fs_stage_polar(a, r, 0.72 * high);
        fs_stage_add_canopy(stage, FS_CANOPY(.at = at, .radii = {0.72, 0.72, high},
                                             .tint = fs_stage_hex(greens[fs_rng_below(&rng, 4)]), .detail = 1,
                                             .shade = 0.1));
    }
    static const unsigned blooms[4] = {0xd7667e, 0xe9c34c, 0xb58ad0, 0xe9e4da};
    for (int i = 0; i < 26; i++) { /* flower bed in front of it */
        double a = 0.6 + i * 0.13 + fs_rng_range(&rng, -0.04, 0.04), r = 5.5 + fs_rng_range(&rng, -0.2, 0.2);
        if (fabs(a - 0.95) < 0.12)
            continue;
        fs_stage_add_canopy(stage, FS_CANOPY(.at = fs_stage_polar(a, r, 0.16), .radii = {0.24, 0.24, 0.22},
                                             .tint = fs_stage_hex(blooms[fs_rng_below(&rng, 4)]), .detail = 4,
                                             .shade = 0.3));
    }
}

static void add_tree(fs_stage *stage, double angle, double radius, double high, unsigned green, fs_rng rng) {
    fs_v3 foot = fs_stage_polar(angle, radius, -0.1), fork = fs_stage_polar(angle, radius, high * 0.5);
    fs_stage_add_rod(stage, foot, fork, 0.2, 0.13, FS_PAINT_BARK, 0x6a4c34, 0.8);
    for (int i = 0; i < 5; i++) {
        double a = i * FS_TURN / 5 + fs_rng_range(&rng, -0.4, 0.4), out = i == 0 ? 0 : 0.8;
        fs_v3 at = fs_v3_add(
            fork, fs_stage_polar(a, out, high * (i == 0 ? 0.36 : 0.2) + fs_rng_range(&rng, -0.25, 0.25)));
        double size = fs_rng_range(&rng, 0.85, 1.15) * high * 0.24;
        if (i > 0)
            fs_stage_add_rod(stage, fs_v3_along(fork, (fs_v3){0, 0, 1}, -0.25), at, 0.08, 0.03, FS_PAINT_BARK,
                             0x6a4c34, 0.6);
        fs_stage_add_canopy(stage, FS_CANOPY(.at = at, .radii = {size, size, size * 0.85},
                                             .tint = fs_stage_hex(green), .detail = 0.55, .shade = 0.15));
    }
}

static void add_trees(fs_stage *stage, fs_rng rng) {
    static const struct {
        double angle, radius, high;
        unsigned green;
    } trees[9] = {{1.35, 9.2, 4.3, 0x5c8236}, {1.95, 8.6, 3.6, 0x7d9440}, {2.6, 9.4, 4.8, 0x4a7434},
                  {0.35, 9.0, 4.2, 0x6d8c3c}, {3.4, 8.8, 3.9, 0x86a044},  {4.2, 9.6, 4.4, 0x587f38},
                  {5.1, 9.1, 4.0, 0x6a8f42},  {5.8, 9.5, 4.6, 0x4f7a38},  {2.25, 11.4, 5.6, 0x5f8048}};
    for (uint32_t i = 0; i < 9; i++)
        add_tree(stage, trees[i].angle, trees[i].radius, trees[i].high, trees[i].green, fs_rng_sub(rng, i));
}

void fs_stage_garden(fs_stage *stage, uint64_t seed) {
    stage->rng = fs_rng_stream(seed, "scene/garden");
    stage->light = (fs_light){.sun = fs_v3_unit((fs_v3){0.62, -0.48, 0.72}),
                              .sun_colour = {1.15, 1.05, 0.86},
                              .sky_colour = {0.3, 0.36, 0.46},
                              .ground_colour = {0.14, 0.13, 0.09}};
    stage->space = (fs_free_space){.core = 4.5, .radius = 24};
    stage->canopy_share = 0.22;
    stage->space_share = 0.05;
    stage->backing_share = 0.003;
    fs_stage_add(
        stage, (fs_solid){.shape = FS_GROUND, .paint = FS_PAINT_LAWN, .size = {24.5, 2.6, 0}, .detail = 1.7});
    fs_stage_add(stage,
                 (fs_solid){.shape = FS_DOME, .paint = FS_PAINT_SKY, .size = {24, 15, 0}, .detail = 0.012});
    add_table(stage);
    add_vase(stage);
    add_bouquet(stage, fs_rng_sub(stage->rng, 11));
    add_things(stage, fs_rng_sub(stage->rng, 12));
    add_hedge(stage, fs_rng_sub(stage->rng, 13));
    add_trees(stage, fs_rng_sub(stage->rng, 14));
}
