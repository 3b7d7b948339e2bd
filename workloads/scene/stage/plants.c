/* Bushes and trees of synthetic scenes: canopies, and a trunk with branches. Smaller ones have more sites a
 * volume: each gets about as many.
 */
#include "workloads/scene/stage/stage.h"

#include "sim/base/detmath.h"

const unsigned fs_stage_greens[5] = {0x4c7434, 0x5d8639, 0x3f6a35, 0x6b8f3e, 0x7d9440};

void fs_stage_add_bush(fs_stage *stage, fs_v3 at, double size, double detail, unsigned green, fs_rng *rng) {
    double wide = size * fs_rng_range(rng, 0.85, 1.2), high = size * fs_rng_range(rng, 0.8, 1.1);
    fs_stage_add_canopy(stage, FS_CANOPY(.at = {at.x, at.y, 0.8 * high}, .radii = {wide, wide, high},
                                         .tint = fs_stage_hex(green), .detail = detail, .shade = 0.15));
}

void fs_stage_add_tree(fs_stage *stage, fs_v3 at, double high, unsigned green, fs_rng *rng) {
    fs_v3 foot = {at.x, at.y, -0.1}, fork = {at.x, at.y, high * 0.45};
    fs_stage_add_rod(stage, foot, fork, 0.05 * high, 0.03 * high, FS_PAINT_BARK, 0x6a4c34, 1);
    for (int i = 0; i < 6; i++) {
        double a = i * FS_TURN / 5 + fs_rng_range(rng, -0.4, 0.4), out = i == 0 ? 0 : 0.2 * high;
        double lift = high * (i == 0 ? 0.38 : 0.2) + fs_rng_range(rng, -0.3, 0.3);
        fs_v3 to = {fork.x + out * fs_cos(a), fork.y + out * fs_sin(a), fork.z + lift};
        fs_stage_add_rod(stage, fs_v3_along(fork, (fs_v3){0, 0, 1}, -0.3), to, 0.018 * high, 0.006 * high,
                         FS_PAINT_BARK, 0x6a4c34, 1);
        double size = fs_rng_range(rng, 0.85, 1.15) * high * 0.21;
        fs_stage_add_canopy(stage, FS_CANOPY(.at = to, .radii = {size, size, size * 0.8},
                                             .tint = fs_stage_hex(green), .detail = 3 / (size * size),
                                             .shade = 0.2));
    }
}
