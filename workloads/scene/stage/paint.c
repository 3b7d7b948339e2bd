/* Colours of synthetic scenes: procedural, from positions alone, so that they don't depend on the number of
 * cells. */
#include "workloads/scene/stage/stage.h"

#include <math.h>

/* ---- noise ---- */

static double lattice(int64_t x, int64_t y, int64_t z) {
    uint64_t h = (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)y * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                 (uint64_t)z * UINT64_C(0x165667b19e3779f9);
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((h ^ h >> 31) >> 11) * 0x1p-53;
}

static double blend(double a, double b, double t) {
    return a + (b - a) * t;
}

static double smooth(double t) {
    return t * t * (3 - 2 * t);
}

static double clamp01(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double step(double from, double to, double x) {
    return smooth(clamp01((x - from) / (to - from)));
}

double fs_noise(fs_v3 p) {
    double fx = floor(p.x), fy = floor(p.y), fz = floor(p.z);
    int64_t x = (int64_t)fx, y = (int64_t)fy, z = (int64_t)fz;
    double tx = smooth(p.x - fx), ty = smooth(p.y - fy), tz = smooth(p.z - fz);
    double layer[2];
    for (int k = 0; k < 2; k++) {
        double near = blend(lattice(x, y, z + k), lattice(x + 1, y, z + k), tx);
        double far = blend(lattice(x, y + 1, z + k), lattice(x + 1, y + 1, z + k), tx);
        layer[k] = blend(near, far, ty);
    }
    return blend(layer[0], layer[1], tz);
}

double fs_noise_octaves(fs_v3 p, int octaves) {
    double sum = 0, weight = 0.5, total = 0;
    for (int i = 0; i < octaves; i++) {
        sum += weight * fs_noise(p);
        total += weight;
        weight *= 0.5;
        p = (fs_v3){p.x * 2 + 17.3, p.y * 2 - 5.1, p.z * 2 + 9.7};
    }
    return sum / total;
}

/* ---- colour ---- */

fs_v3 fs_stage_hex(unsigned rgb) { /* display values are square roots of linear ones: gamma 2 */
    double r = (rgb >> 16 & 255) / 255.0, g = (rgb >> 8 & 255) / 255.0, b = (rgb & 255) / 255.0;
    return (fs_v3){r * r, g * g, b * b};
}

void fs_stage_store(fs_v3 linear, uint8_t rgb[3]) {
    double channel[3] = {linear.x, linear.y, linear.z};
    for (int i = 0; i < 3; i++) {
        double soft = channel[i] > 0.7 ? 0.7 + 0.3 * (1 - 1 / (1 + (channel[i] - 0.7) / 0.3)) : channel[i];
        rgb[i] = (uint8_t)(255 * sqrt(clamp01(soft)) + 0.5);
    }
}

static fs_v3 mixed(fs_v3 a, fs_v3 b, double t) {
    return fs_v3_add(fs_v3_scale(a, 1 - t), fs_v3_scale(b, t));
}

static fs_v3 uneven(fs_v3 colour, fs_v3 p, double scale, double depth) {
    return fs_v3_scale(colour, 1 + depth * (2 * fs_noise_octaves(fs_v3_scale(p, scale), 3) - 1));
}

/* Angle of (x, y) in turns, 0 ... 1; within 0.001, for patterns only. */
static double turns(double x, double y) {
    double ax = fabs(x), ay = fabs(y), high = ax > ay ? ax : ay;
    if (high <= 0)
        return 0;
    double a = (ax > ay ? ay : ax) / high;
    double t = a * (0.125 + 0.0434 * (1 - a)); /* atan(a) / 2 pi */
    t = ay > ax ? 0.25 - t : t;
    t = x < 0 ? 0.5 - t : t;
    return y < 0 ? 1 - t : t;
}

/* ---- grounds ---- */

/* A stone of a pattern: 0 in the joints, 1 on the stone; `shade` is the stone's own brightness. */
static double stone_cell(double row, double along, double joint, double *shade) {
    double r = floor(row), a = floor(along + 0.5 * (r - 2 * floor(r / 2)));
    double fr = row - r, fa = along + 0.5 * (r - 2 * floor(r / 2)) - a;
    *shade = lattice((int64_t)r, (int64_t)a, 77);
    double edge = fr < 1 - fr ? fr : 1 - fr, side = fa < 1 - fa ? fa : 1 - fa;
    return step(joint * 0.5, joint, edge) * step(joint * 0.5, joint, side);
}

static fs_v3 patio(fs_v3 p, double r) {
    double ring = r / 0.37, count = floor(6.2831853 * (floor(ring) + 0.5) / 1.5) + 3, shade;
    double on = stone_cell(ring, turns(p.x, p.y) * count, 0.12, &shade);
    fs_v3 stone = mixed(fs_stage_hex(0xb9805f), fs_stage_hex(0xd2ac86), shade);
    stone = mixed(stone, fs_stage_hex(0x9b948c), lattice((int64_t)(shade * 1e6), 3, 3) > 0.75 ? 0.8 : 0.1);
    return mixed(fs_stage_hex(0x6d6455), uneven(stone, p, 14, 0.25), on);
}

static fs_v3 grass(fs_v3 p, fs_rng *rng, double *height) {
    double patch = fs_noise_octaves(fs_v3_scale(p, 0.9), 3), blade = fs_rng_unit(rng);
    fs_v3 colour = mixed(fs_stage_hex(0x3f6b24), fs_stage_hex(0x86a544), 0.65 * patch + 0.35 * blade);
    colour = mixed(colour, fs_stage_hex(0xa9a35a), step(0.62, 0.8, patch) * 0.5);
    *height = 0.035 * blade * blade + 0.01;
    /* daisies: one in a third of the squares of 25 cm, off the square's middle */
    double gx = floor(p.x * 4), gy = floor(p.y * 4);
    int64_t ix = (int64_t)gx, iy = (int64_t)gy;
    double dx = p.x * 4 - gx - 0.25 - 0.5 * lattice(ix, iy, 5),
           dy = p.y * 4 - gy - 0.25 - 0.5 * lattice(ix, iy, 6), d = dx * dx + dy * dy;
    if (lattice(ix, iy, 7) < 0.33 && d < 0.03) {
        *height = 0.05;
        colour = d < 0.006 ? fs_stage_hex(0xf2c230) : fs_stage_hex(0xf4f1ea);
    }
    return colour;
}

static fs_v3 lawn(fs_v3 p, fs_rng *rng, double *height) {
    double r = sqrt(p.x * p.x + p.y * p.y), shade;
    if (r < 2.25)
        return patio(p, r);
    double off = p.x - 0.35 * p.y - 0.25 * p.y * p.y * 0.12; /* the path bends away from the patio */
    if (p.y > 0 && fabs(off) < 0.55 && stone_cell(p.y / 0.7, off / 1.1 + 0.5, 0.1, &shade) > 0.5)
        return uneven(mixed(fs_stage_hex(0xa59b8a), fs_stage_hex(0xcfc6b4), shade), p, 9, 0.2);
    fs_v3 colour = grass(p, rng, height);
    return r > 6.2 ? mixed(colour, fs_stage_hex(0x54622c), step(6.2, 9, r) * 0.6) : colour;
}

static fs_v3 rug(fs_v3 local) { /* nested borders around a field of diamonds */
    double ax = fabs(local.x) / 1.25, ay = fabs(local.y) / 0.85, edge = ax > ay ? ax : ay;
    if (edge > 0.93)
        return fs_stage_hex(0xe6d7b8);
    if (edge > 0.8)
        return fs_stage_hex(0x1f3a5f);
    if (edge > 0.75)
        return fs_stage_hex(0xd9a441);
    double u = local.x * 3.2 - floor(local.x * 3.2) - 0.5, v = local.y * 3.2 - floor(local.y * 3.2) - 0.5;
    double diamond = fabs(u) + fabs(v);
    return diamond < 0.16   ? fs_stage_hex(0xe6d7b8)
           : diamond < 0.34 ? fs_stage_hex(0x1f3a5f)
                            : fs_stage_hex(0x9c2f2c);
}

static fs_v3 boards(fs_v3 p, fs_rng *rng, double *height) {
    fs_v3 on_rug = {p.x + 0.6, p.y - 0.3, 0};
    if (fabs(on_rug.x) < 1.3 && fabs(on_rug.y) < 0.9) {
        *height = 0.015;
        return fs_v3_scale(rug(on_rug), fs_rng_range(rng, 0.85, 1.15));
    }
    double across = p.y / 0.16, row = floor(across), shade;
    double on = stone_cell(across, p.x / 1.3 + 0.37 * row, 0.06, &shade);
    fs_v3 wood = mixed(fs_stage_hex(0x9a6a3f), fs_stage_hex(0xc8965f), shade);
    double grain = fs_noise_octaves((fs_v3){p.x * 2.5, p.y * 40, row}, 3);
    return mixed(fs_stage_hex(0x6b4526), fs_v3_scale(wood, 0.75 + 0.5 * grain), on);
}

/* ---- things ---- */

static fs_v3 wood(fs_v3 tint, fs_v3 local) {
    double ring = fs_noise_octaves((fs_v3){local.x * 2, local.y * 14, local.z * 14}, 3);
    double plank = floor(local.y / 0.14), seam = fabs(local.y / 0.14 - plank - 0.5);
    double shade = 0.7 + 0.5 * ring + 0.25 * (lattice((int64_t)plank, 1, 2) - 0.5);
    return fs_v3_scale(tint, seam > 0.46 ? 0.4 * shade : shade);
}

static fs_v3 ceramic(fs_v3 tint, fs_v3 local) {
    fs_v3 glaze = fs_stage_hex(0xf0ece2);
    double z = local.z, around = turns(local.x, local.y);
    double u = around * 10 - floor(around * 10) - 0.5, v = (z - 0.2) / 0.09;
    bool band = fabs(z - 0.09) < 0.012 || fabs(z - 0.31) < 0.012 || fabs(z - 0.4) < 0.02;
    bool diamond = fabs(u) * 2.2 + fabs(v) < 1;
    bool heart = fabs(u) * 2.2 + fabs(v) < 0.45;
    return (diamond && !heart) || band ? tint : glaze;
}

static fs_v3 ball(fs_v3 tint, fs_v3 local) {
    double slice = turns(local.x, local.y) * 6;
    return (int)slice % 2 == 0 ? tint : fs_stage_hex(0xf3efe6);
}

static fs_v3 wall(fs_v3 tint, fs_v3 p) {
    if (p.z < 0.11)
        return fs_stage_hex(0xeae4d6);
    return uneven(tint, p, 3, 0.06);
}

static fs_v3 scenery(fs_v3 tint, fs_v3 local) {
    double u = local.x, v = local.z; /* the picture stands in the frame's x and z */
    double hill = 0.16 * (fs_noise_octaves((fs_v3){u * 5, 1.5, tint.x * 10}, 3) - 0.6);
    double front = 0.2 * (fs_noise_octaves((fs_v3){u * 4 + 30, 4.5, tint.y * 10}, 2) - 0.9);
    double sun = (u - 0.12) * (u - 0.12) + (v - 0.12) * (v - 0.12);
    if (v < front)
        return fs_v3_scale(tint, 0.25);
    if (v < hill)
        return fs_v3_scale(tint, 0.6);
    if (sun < 0.006)
        return fs_stage_hex(0xffe9a8);
    return mixed(fs_stage_hex(0xf5b971), fs_stage_hex(0x6f9ac2), clamp01(v * 3 + 0.4));
}

static fs_v3 window(fs_v3 tint, fs_v3 local, bool *glows) {
    double y = fabs(local.y), z = fabs(local.z);
    *glows = y > 0.035 && y < 0.74 && z > 0.035 && z < 0.59;
    return *glows ? fs_v3_scale(tint, 0.8 + 0.3 * step(-0.6, 0.6, local.z)) : fs_stage_hex(0xf2efe8);
}

static fs_v3 sky(fs_v3 p) {
    double r = sqrt(p.x * p.x + p.y * p.y), up = p.z / r; /* tangent of the height above the horizon */
    fs_v3 d = {p.x / r, p.y / r, 0};
    double far = 0.13 + 0.16 * fs_noise_octaves(fs_v3_scale(d, 2.1), 4);
    double near = 0.05 + 0.13 * fs_noise_octaves((fs_v3){d.x * 3.3 + 40, d.y * 3.3, 2}, 4);
    double woods = fs_noise_octaves((fs_v3){d.x * 30, d.y * 30, up * 40}, 3);
    if (up < near)
        return fs_v3_scale(fs_stage_hex(0x6f8f4c), 0.4 + 0.9 * woods);
    if (up < far)
        return fs_v3_scale(mixed(fs_stage_hex(0x9fb7c4), fs_stage_hex(0x86a48c), woods), 0.7 + 0.5 * woods);
    fs_v3 blue = mixed(fs_stage_hex(0xdfe9ee), fs_stage_hex(0x6fa3d6), step(0.05, 0.7, up));
    double cloud = fs_noise_octaves((fs_v3){d.x * 3 + up, d.y * 3 - 7, up * 7}, 5);
    return mixed(blue, fs_stage_hex(0xfbf8f2), step(0.5, 0.68, cloud) * 0.85);
}

fs_v3 fs_stage_colour(fs_paint paint, fs_v3 tint, fs_v3 p, fs_v3 local, fs_rng *rng, double *height,
                      bool *glows) {
    *height = 0;
    switch (paint) {
    case FS_PAINT_PLAIN:
        return uneven(tint, p, 11, 0.1);
    case FS_PAINT_LAWN:
        return lawn(p, rng, height);
    case FS_PAINT_WOOD:
        return wood(tint, local);
    case FS_PAINT_CERAMIC:
        return ceramic(tint, local);
    case FS_PAINT_LEAF:
        return fs_v3_scale(uneven(tint, p, 2.5, 0.35), fs_rng_range(rng, 0.65, 1.35));
    case FS_PAINT_BARK:
        return uneven(tint, (fs_v3){p.x * 3, p.y * 3, p.z * 0.6}, 8, 0.5);
    case FS_PAINT_STONE:
        return uneven(tint, p, 7, 0.45);
    case FS_PAINT_BALL:
        return ball(tint, local);
    case FS_PAINT_SKY:
        *glows = true;
        return sky(p);
    case FS_PAINT_BOARDS:
        return boards(p, rng, height);
    case FS_PAINT_WALL:
        return wall(tint, p);
    case FS_PAINT_SCENERY:
        return scenery(tint, local);
    case FS_PAINT_WINDOW:
        return window(tint, local, glows);
    case FS_PAINT_GLOW:
        *glows = true;
        return tint;
    }
    return tint;
}
