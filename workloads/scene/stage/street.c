/* The street: two rows of houses with windows, parked cars, lamps, trees and front gardens; a square opens in
 * the middle, where a hydrant and a mail box stand. One unit is about a metre; z is up, the ground is z = 0.
 */
#include "workloads/scene/stage/stage.h"

#include "sim/base/detmath.h"

typedef struct street { /* its own frame */
    fs_v3 along, aside;
    double yaw;
} street;

static fs_v3 placed(const street *s, double along, double aside, double up) {
    return fs_v3_along(fs_v3_along((fs_v3){0, 0, up}, s->along, along), s->aside, aside);
}

static void box(fs_stage *stage, const street *s, fs_v3 at, fs_v3 half, fs_paint paint, unsigned rgb,
                double detail) {
    fs_stage_add_box(stage, placed(s, at.x, at.y, at.z), half, s->yaw, paint, rgb, detail);
}

static void add_house(fs_stage *stage, const street *s, double along, double side, fs_rng *rng) {
    static const unsigned walls[5] = {0xc9b08a, 0xb5654a, 0xd9d2c2, 0x9aa7ad, 0xcf9f6d};
    double half = fs_rng_range(rng, 1.5, 1.9), high = fs_rng_range(rng, 2.1, 3.2), deep = 2;
    double front = side * 5.4, sign = side > 0 ? 1 : -1;
    box(stage, s, (fs_v3){along, front + sign * deep, high}, (fs_v3){half, deep, high}, FS_PAINT_STONE,
        walls[fs_rng_below(rng, 5)], 0.6);
    box(stage, s, (fs_v3){along, front + sign * deep, 2 * high + 0.15},
        (fs_v3){half + 0.15, deep + 0.15, 0.15}, FS_PAINT_PLAIN, 0x7c4536, 0.5);
    for (int i = 0; i < 6; i++)
        box(stage, s,
            (fs_v3){along + (i % 3 - 1) * 0.62 * half, front - sign * 0.02, i < 3 ? 1.25 : 1.25 + high},
            (fs_v3){0.3, 0.05, 0.45}, FS_PAINT_PLAIN, 0xe8edf0, 0.8);
}

static void add_car(fs_stage *stage, const street *s, double along, double aside, unsigned rgb) {
    box(stage, s, (fs_v3){along, aside, 0.5}, (fs_v3){1.7, 0.72, 0.25}, FS_PAINT_PLAIN, rgb, 1.5);
    fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_PLAIN, fs_stage_hex(0x3b4650),
                                 .at = placed(s, along - 0.1, aside, 0.75), .size = {1.1, 0.66, 0.45},
                                 .ex = s->along, .ey = s->aside, .ez = {0, 0, 1}, .detail = 1.5));
    for (int i = 0; i < 4; i++) {
        double x = along + (i % 2 ? 1.05 : -1.05), y = aside + (i / 2 ? 0.7 : -0.7);
        fs_stage_add_rod(stage, placed(s, x, y - 0.1, 0.3), placed(s, x, y + 0.1, 0.3), 0.3, 0.3,
                         FS_PAINT_PLAIN, 0x222222, 2);
    }
}

static void add_lamp(fs_stage *stage, const street *s, double along, double aside) {
    fs_stage_add_rod(stage, placed(s, along, aside, 0), placed(s, along, aside, 3.6), 0.06, 0.04,
                     FS_PAINT_PLAIN, 0x39424a, 2);
    fs_stage_add_rod(stage, placed(s, along, aside, 3.55), placed(s, along, 0.6 * aside, 3.8), 0.04, 0.03,
                     FS_PAINT_PLAIN, 0x39424a, 2);
}

static void add_square(fs_stage *stage, const street *s) {
    box(stage, s, (fs_v3){0.7, 0.5, 0.72}, (fs_v3){0.24, 0.18, 0.3}, FS_PAINT_PLAIN, 0x2d55a0, 4);
    fs_stage_add_rod(stage, placed(s, 0.7, 0.5, 0), placed(s, 0.7, 0.5, 0.45), 0.05, 0.05, FS_PAINT_PLAIN,
                     0x555555, 4);
    fs_stage_add_rod(stage, placed(s, -0.5, -0.3, 0), placed(s, -0.5, -0.3, 0.55), 0.13, 0.1, FS_PAINT_PLAIN,
                     0xc23a2a, 4);
    fs_stage_add_rod(stage, placed(s, -0.7, -0.3, 0.36), placed(s, -0.3, -0.3, 0.36), 0.06, 0.06,
                     FS_PAINT_PLAIN, 0xc23a2a, 4);
    for (int i = 0; i < 24; i++) { /* a rack of bars */
        double x = 0.9 * i / 23 - 0.2;
        fs_stage_add_rod(stage, placed(s, x, 0.95, 0), placed(s, x, 0.95, 0.8), 0.012, 0.012, FS_PAINT_PLAIN,
                         0x9aa0a4, 3);
    }
}

void fs_stage_street(fs_stage *stage, uint64_t seed) {
    stage->rng = fs_rng_stream(seed, "scene/street");
    fs_rng rng = fs_rng_sub(stage->rng, 11);
    street s = {.yaw = fs_rng_range(&rng, 0.3, 1.2)};
    s.along = (fs_v3){fs_cos(s.yaw), fs_sin(s.yaw), 0};
    s.aside = (fs_v3){-s.along.y, s.along.x, 0};
    stage->light = (fs_light){.sun = fs_v3_unit((fs_v3){0.55, -0.5, 0.8}),
                              .sun_colour = {1.12, 1.03, 0.86},
                              .sky_colour = {0.32, 0.37, 0.46},
                              .ground_colour = {0.15, 0.14, 0.12}};
    stage->space = (fs_free_space){.core = 4, .radius = 28};
    fs_stage_add(stage,
                 (fs_solid){.shape = FS_GROUND, .paint = FS_PAINT_LAWN, .size = {30, 2.4, 0}, .detail = 1.5});
    fs_stage_add(stage,
                 (fs_solid){.shape = FS_DOME, .paint = FS_PAINT_SKY, .size = {30, 20, 0}, .detail = 0.012});
    for (int i = 0; i < 10; i++) {
        int row = i / 2;
        add_house(stage, &s, (row - 2) * 4.1 + fs_rng_range(&rng, -0.2, 0.2), i % 2 ? 1 : -1, &rng);
    }
    static const unsigned cars[5] = {0xb02a2a, 0x2a4fb0, 0xd8d8d8, 0x3a3f44, 0x3f7a55};
    for (int i = 0; i < 5; i++)
        add_car(stage, &s, (i - 2) * 3.9 + (i > 2 ? 0.9 : -0.9), i % 2 ? 2.9 : -2.9, cars[i]);
    for (int i = 0; i < 4; i++)
        add_lamp(stage, &s, (i - 1.5) * 4.4, i % 2 ? 3.9 : -3.9);
    add_square(stage, &s);
    for (int i = 0; i < 12; i++) {
        int row = i / 2;
        double along = (row - 2.5) * 3.4 + fs_rng_range(&rng, -0.4, 0.4), aside = i % 2 ? 4.4 : -4.4;
        unsigned green = fs_stage_greens[fs_rng_below(&rng, 5)];
        if (i % 3 == 0)
            fs_stage_add_tree(stage, placed(&s, along, aside, 0), fs_rng_range(&rng, 3, 4.2), green, &rng);
        else
            fs_stage_add_bush(stage, placed(&s, along, aside, 0), 0.5, 8, green, &rng);
    }
    for (int i = 0; i < 10; i++) { /* trees beyond the ends */
        double a = s.yaw + (i % 2 ? FS_TURN / 2 : 0) + fs_rng_range(&rng, -0.35, 0.35);
        double r = fs_rng_range(&rng, 12, 18);
        unsigned green = fs_stage_greens[fs_rng_below(&rng, 5)];
        double high = fs_rng_range(&rng, 4, 6);
        fs_stage_add_tree(stage, fs_stage_polar(a, r, 0), high, green, &rng);
    }
}
