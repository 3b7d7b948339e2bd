/* The yard: a bicycle leaning at a bench on a lawn, bushes behind it, a tree, more trees around, far hills.
 * One unit is about a metre; z is up, the ground is z = 0. Nothing stands along an axis.
 */
#include "workloads/scene/stage/stage.h"

#include "sim/base/detmath.h"

/* The bicycle's own frame: along it, aside, up (leaning). */
typedef struct frame {
    fs_v3 at, along, aside, up;
} frame;

static fs_v3 placed(const frame *f, double along, double up, double aside) {
    return fs_v3_along(fs_v3_along(fs_v3_along(f->at, f->along, along), f->up, up), f->aside, aside);
}

static void rod(fs_stage *stage, const frame *f, const double a[3], const double b[3], double radius,
                unsigned rgb) {
    fs_stage_add_rod(stage, placed(f, a[0], a[1], a[2]), placed(f, b[0], b[1], b[2]), radius, radius,
                     FS_PAINT_PLAIN, rgb, 4);
}

static void add_wheel(fs_stage *stage, const frame *f, double along) {
    enum { ARCS = 20, SPOKES = 14 };
    for (int i = 0; i < ARCS; i++) {
        double a = i * FS_TURN / ARCS, b = (i + 1) * FS_TURN / ARCS;
        rod(stage, f, (double[]){along + 0.34 * fs_cos(a), 0.36 + 0.34 * fs_sin(a), 0},
            (double[]){along + 0.34 * fs_cos(b), 0.36 + 0.34 * fs_sin(b), 0}, 0.02, 0x2b2b2b);
    }
    for (int i = 0; i < SPOKES; i++) {
        double a = (i + 0.3) * FS_TURN / SPOKES;
        rod(stage, f, (double[]){along, 0.36, 0},
            (double[]){along + 0.33 * fs_cos(a), 0.36 + 0.33 * fs_sin(a), 0}, 0.004, 0xb8b8b8);
    }
}

static void add_bicycle(fs_stage *stage, const frame *f) {
    static const double bar[][6] = {
        {-0.5, 0.36, 0, -0.05, 0.32, 0}, {-0.5, 0.36, 0, -0.17, 0.78, 0}, {-0.05, 0.32, 0, -0.19, 0.92, 0},
        {-0.05, 0.32, 0, 0.42, 0.74, 0}, {-0.17, 0.78, 0, 0.4, 0.84, 0},  {0.39, 0.95, 0, 0.53, 0.36, 0},
    };
    add_wheel(stage, f, -0.5);
    add_wheel(stage, f, 0.53);
    for (int i = 0; i < 6; i++)
        rod(stage, f, bar[i], bar[i] + 3, 0.017, 0xd8dadd);
    rod(stage, f, (double[]){0.39, 0.97, -0.26}, (double[]){0.39, 0.97, 0.26}, 0.014, 0x303030);
    rod(stage, f, (double[]){-0.05, 0.32, -0.12}, (double[]){-0.05, 0.32, 0.12}, 0.016, 0x404040);
    fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_PLAIN, fs_stage_hex(0x3a2b22),
                                 .at = placed(f, -0.2, 0.95, 0), .size = {0.14, 0.07, 0.03}, .ex = f->along,
                                 .ey = f->aside, .ez = f->up, .detail = 4));
}

static void add_bench(fs_stage *stage, const frame *f, double yaw) {
    for (int i = 0; i < 4; i++) /* seat */
        fs_stage_add_box(stage, placed(f, 0, 0.45, 0.08 + 0.12 * i), (fs_v3){0.95, 0.045, 0.02}, yaw,
                         FS_PAINT_WOOD, 0xe9e6df, 2);
    for (int i = 0; i < 4; i++) /* back */
        fs_stage_add_box(stage, placed(f, 0, 0.58 + 0.12 * i, 0.55), (fs_v3){0.95, 0.02, 0.04}, yaw,
                         FS_PAINT_WOOD, 0xe9e6df, 2);
    for (int side = -1; side <= 1; side += 2) {
        rod(stage, f, (double[]){side * 0.85, 0, 0.1}, (double[]){side * 0.85, 0.44, 0.1}, 0.03, 0xd0cdc6);
        rod(stage, f, (double[]){side * 0.85, 0, 0.5}, (double[]){side * 0.85, 1, 0.57}, 0.03, 0xd0cdc6);
    }
}

static void add_plants(fs_stage *stage, double yaw, fs_rng *rng) {
    for (int i = 0; i < 40; i++) { /* bushes behind the bench, then all around */
        double a = i < 14 ? yaw + FS_TURN / 4 + 0.13 * (i - 6.5) : i * FS_GOLDEN_ANGLE;
        double r = i < 14 ? fs_rng_range(rng, 2.2, 3.4) : fs_rng_range(rng, 5.5, 12), size = 0.35 + 0.07 * r;
        fs_stage_add_bush(stage, fs_stage_polar(a, r, 0), size, 3 / (size * size),
                          fs_stage_greens[fs_rng_below(rng, 5)], rng);
    }
    for (int i = 0; i < 14; i++) {
        double a = i * FS_GOLDEN_ANGLE + fs_rng_range(rng, -0.3, 0.3), r = fs_rng_range(rng, 6.5, 15);
        unsigned green = fs_stage_greens[fs_rng_below(rng, 5)];
        double high = fs_rng_range(rng, 3.5, 6);
        fs_stage_add_tree(stage, fs_stage_polar(a, r, 0), high, green, rng);
    }
}

void fs_stage_yard(fs_stage *stage, uint64_t seed) {
    stage->rng = fs_rng_stream(seed, "scene/yard");
    fs_rng rng = fs_rng_sub(stage->rng, 11);
    double yaw = fs_rng_range(&rng, 0.3, 1.2), c = fs_cos(yaw), w = fs_sin(yaw);
    stage->light = (fs_light){.sun = fs_v3_unit((fs_v3){0.5, -0.6, 0.75}),
                              .sun_colour = {1.1, 1.02, 0.86},
                              .sky_colour = {0.32, 0.37, 0.46},
                              .ground_colour = {0.14, 0.13, 0.09}};
    stage->space = (fs_free_space){.core = 4, .radius = 24};
    fs_stage_add(stage,
                 (fs_solid){.shape = FS_GROUND, .paint = FS_PAINT_LAWN, .size = {26, 2.2, 0}, .detail = 1.5});
    fs_stage_add(stage,
                 (fs_solid){.shape = FS_DOME, .paint = FS_PAINT_SKY, .size = {26, 18, 0}, .detail = 0.012});
    frame bench = {{0.1, 0.35, 0}, {c, w, 0}, {-w, c, 0}, {0, 0, 1}};
    fs_v3 up = fs_v3_unit((fs_v3){-0.14 * w, 0.14 * c, 1});
    frame bicycle = {{0.05, 0.12, 0}, {c, w, 0}, fs_v3_cross(up, (fs_v3){c, w, 0}), up};
    add_bench(stage, &bench, yaw);
    add_bicycle(stage, &bicycle);
    add_plants(stage, yaw, &rng);
}
