/* The grove: a clearing with a fallen trunk, a stump and mossy stones among birches and undergrowth, woods
 * all around. One unit is about a metre; z is up, the ground is z = 0.
 */
#include "workloads/scene/stage/stage.h"

#include "sim/base/detmath.h"

static void add_stone(fs_stage *stage, fs_v3 at, double size, fs_rng *rng) {
    double yaw = fs_rng_range(rng, 0, FS_TURN), c = fs_cos(yaw), w = fs_sin(yaw);
    fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_STONE, fs_stage_hex(0x8f938a),
                                 .at = {at.x, at.y, 0.3 * size}, .size = {size, 0.75 * size, 0.6 * size},
                                 .ex = {c, w, 0}, .ey = {-w, c, 0}, .ez = {0, 0, 1}, .detail = 2));
}

/* A fallen trunk with broken branches, and the stump that it left. */
static void add_trunk(fs_stage *stage, double yaw, fs_rng *rng) {
    fs_v3 foot = fs_stage_polar(yaw, -1.1, 0.24), top = fs_stage_polar(yaw, 1.3, 0.2);
    fs_stage_add_rod(stage, foot, top, 0.25, 0.17, FS_PAINT_BARK, 0x7a5c43, 3);
    for (int i = 0; i < 9; i++) {
        double along = fs_rng_range(rng, -0.6, 1.2), a = fs_rng_range(rng, 0, FS_TURN);
        fs_v3 from = fs_stage_polar(yaw, along, 0.25),
              d = fs_stage_polar(a, 0.25, 0.5 + 0.2 * fs_rng_unit(rng));
        fs_stage_add_rod(stage, from, fs_v3_add(from, d), 0.03, 0.012, FS_PAINT_BARK, 0x6a4c34, 3);
    }
    fs_v3 stump = fs_stage_polar(yaw, -1.65, 0);
    fs_stage_add_rod(stage, stump, (fs_v3){stump.x, stump.y, 0.42}, 0.34, 0.27, FS_PAINT_BARK, 0x7a5c43, 3);
}

static void add_undergrowth(fs_stage *stage, fs_rng *rng) {
    for (int i = 0; i < 60; i++) {
        double a = i * FS_GOLDEN_ANGLE, r = 1.7 + 0.17 * i + fs_rng_range(rng, -0.3, 0.3);
        double size = fs_rng_range(rng, 0.18, 0.32) + 0.06 * r;
        if (fs_rng_unit(rng) < 0.8)
            fs_stage_add_bush(stage, fs_stage_polar(a, r, 0), size, 2 / (size * size),
                              fs_stage_greens[fs_rng_below(rng, 5)], rng);
    }
}

static void add_woods(fs_stage *stage, fs_rng *rng) {
    for (int i = 0; i < 30; i++) {
        double a = i * FS_GOLDEN_ANGLE + fs_rng_range(rng, -0.3, 0.3), r = 4.2 + 0.42 * i;
        unsigned green = fs_stage_greens[fs_rng_below(rng, 5)];
        double high = fs_rng_range(rng, 3.8, 7);
        fs_stage_add_tree(stage, fs_stage_polar(a, r, 0), high, green, rng);
    }
    for (int i = 0; i < 24; i++) { /* slender trunks */
        double r = fs_rng_range(rng, 3, 11), a = fs_rng_range(rng, 0, FS_TURN);
        double dx = fs_rng_range(rng, -0.4, 0.4), dy = fs_rng_range(rng, -0.4, 0.4);
        fs_v3 foot = fs_stage_polar(a, r, -0.1), top = {foot.x + dx, foot.y + dy, fs_rng_range(rng, 4, 7)};
        fs_stage_add_rod(stage, foot, top, 0.09, 0.04, FS_PAINT_BARK, 0xb9b2a4, 0.6);
    }
}

void fs_stage_grove(fs_stage *stage, uint64_t seed) {
    stage->rng = fs_rng_stream(seed, "scene/grove");
    fs_rng rng = fs_rng_sub(stage->rng, 11);
    stage->light = (fs_light){.sun = fs_v3_unit((fs_v3){-0.45, -0.5, 0.85}),
                              .sun_colour = {1.12, 1.04, 0.82},
                              .sky_colour = {0.3, 0.38, 0.42},
                              .ground_colour = {0.13, 0.14, 0.08}};
    stage->space = (fs_free_space){.core = 3.5, .radius = 22};
    fs_stage_add(stage,
                 (fs_solid){.shape = FS_GROUND, .paint = FS_PAINT_LAWN, .size = {24, 2.4, 0}, .detail = 1.5});
    fs_stage_add(stage,
                 (fs_solid){.shape = FS_DOME, .paint = FS_PAINT_SKY, .size = {24, 17, 0}, .detail = 0.012});
    add_trunk(stage, fs_rng_range(&rng, 0.3, 1.2), &rng);
    for (int i = 0; i < 12; i++) {
        double a = i * FS_GOLDEN_ANGLE + 0.5, r = fs_rng_range(&rng, 0.8, 2.4);
        add_stone(stage, fs_stage_polar(a, r, 0), fs_rng_range(&rng, 0.1, 0.3), &rng);
    }
    add_undergrowth(stage, &rng);
    add_woods(stage, &rng);
}
