/* The room: boards and a rug, a sofa, a low table, a shelf of books, a lamp, pictures and a plant, between
 * plastered walls. One unit is a metre; z is up, the floor is z = 0.
 */
#include "workloads/scene/stage/stage.h"

#include "sim/base/detmath.h"

static const double half_x = 3, half_y = 2.5, height = 2.7;

static void box(fs_stage *stage, fs_v3 centre, fs_v3 half, fs_paint paint, unsigned rgb, double detail) {
    fs_stage_add_box(stage, centre, half, 0, paint, rgb, detail);
}

/* A slab of which only the face towards the room gets sites. */
static void slab(fs_stage *stage, fs_v3 centre, fs_v3 half, unsigned face, fs_paint paint, unsigned rgb,
                 double detail) {
    fs_stage_add(stage, FS_SOLID(FS_BOX, paint, fs_stage_hex(rgb), .at = centre, .size = half,
                                 .faces = 1u << face, .detail = detail));
}

static void add_walls(fs_stage *stage) {
    const double t = 0.15;
    slab(stage, (fs_v3){0, 0, -t}, (fs_v3){half_x, half_y, t}, 5, FS_PAINT_BOARDS, 0xb07f4f, 1.6);
    slab(stage, (fs_v3){0, 0, height + t}, (fs_v3){half_x, half_y, t}, 4, FS_PAINT_PLAIN, 0xe9e4d8, 0.4);
    slab(stage, (fs_v3){-half_x - t, 0, height / 2}, (fs_v3){t, half_y, height / 2}, 1, FS_PAINT_WALL,
         0xc9d2c4, 0.8);
    slab(stage, (fs_v3){half_x + t, 0, height / 2}, (fs_v3){t, half_y, height / 2}, 0, FS_PAINT_WALL,
         0xd8cdb8, 0.8);
    slab(stage, (fs_v3){0, -half_y - t, height / 2}, (fs_v3){half_x, t, height / 2}, 3, FS_PAINT_WALL,
         0xd8cdb8, 0.8);
    slab(stage, (fs_v3){0, half_y + t, height / 2}, (fs_v3){half_x, t, height / 2}, 2, FS_PAINT_WALL,
         0xb9c7c9, 0.8);
}

static void add_picture(fs_stage *stage, fs_v3 at, double w, double h, unsigned rgb) {
    box(stage, at, (fs_v3){w + 0.045, 0.03, h + 0.045}, FS_PAINT_BARK, 0x3a2a1e, 3);
    box(stage, (fs_v3){at.x, at.y - 0.02, at.z}, (fs_v3){w, 0.02, h}, FS_PAINT_SCENERY, rgb, 6);
}

static void add_window(fs_stage *stage) {
    fs_stage_add(stage, FS_SOLID(FS_BOX, FS_PAINT_WINDOW, fs_stage_hex(0xcfe3f2), .at = {-half_x, -0.45, 1.5},
                                 .size = {0.03, 0.8, 0.65}, .detail = 2));
}

static void cushion(fs_stage *stage, fs_v3 at, fs_v3 size, unsigned rgb) {
    fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_PLAIN, fs_stage_hex(rgb), .at = at, .size = size,
                                 .detail = 3));
}

static void add_sofa(fs_stage *stage) {
    const unsigned cloth = 0x39707a;
    const double y = half_y - 0.55;
    box(stage, (fs_v3){-0.7, y, 0.23}, (fs_v3){1.05, 0.42, 0.15}, FS_PAINT_PLAIN, cloth, 1.8);
    box(stage, (fs_v3){-0.7, y + 0.36, 0.58}, (fs_v3){1.05, 0.11, 0.26}, FS_PAINT_PLAIN, cloth, 1.8);
    for (int side = -1; side <= 1; side += 2)
        box(stage, (fs_v3){-0.7 + side * 1.14, y, 0.36}, (fs_v3){0.1, 0.45, 0.28}, FS_PAINT_PLAIN, cloth,
            1.8);
    for (int seat = 0; seat < 3; seat++)
        box(stage, (fs_v3){-1.39 + 0.69 * seat, y - 0.06, 0.43}, (fs_v3){0.33, 0.36, 0.06}, FS_PAINT_PLAIN,
            0x448893, 2);
    cushion(stage, (fs_v3){-1.45, y + 0.1, 0.67}, (fs_v3){0.22, 0.1, 0.2}, 0xd9963a);
    cushion(stage, (fs_v3){-0.08, y + 0.1, 0.66}, (fs_v3){0.21, 0.1, 0.19}, 0xb8443c);
    cushion(stage, (fs_v3){-0.36, y + 0.06, 0.64}, (fs_v3){0.17, 0.09, 0.17}, 0xe8dcc4);
}

static void add_table(fs_stage *stage) {
    fs_v3 at = {-0.55, 0.35, 0.38};
    box(stage, at, (fs_v3){0.6, 0.34, 0.025}, FS_PAINT_WOOD, 0x8a5a34, 4);
    for (int leg = 0; leg < 4; leg++) {
        double x = at.x + (leg % 2 == 0 ? -0.53 : 0.53), y = at.y + (leg < 2 ? -0.27 : 0.27);
        fs_stage_add_rod(stage, (fs_v3){x, y, 0.02}, (fs_v3){x, y, 0.355}, 0.022, 0.028, FS_PAINT_BARK,
                         0x6d4526, 3);
    }
    static const double bowl[9][2] = {{0, 0},        {0.07, 0},    {0.08, 0.02},  {0.15, 0.08}, {0.17, 0.12},
                                      {0.155, 0.12}, {0.13, 0.08}, {0.07, 0.035}, {0, 0.03}};
    fs_stage_add_lathe(stage, (fs_v3){-0.35, 0.3, 0.405}, FS_PAINT_PLAIN, 0x2f5d8c, 7, 9, bowl);
    static const struct {
        double x, y, z;
        unsigned rgb;
    } fruit[4] = {{-0.41, 0.28, 0.5, 0xd8542e},
                  {-0.3, 0.26, 0.5, 0xe0b23a},
                  {-0.34, 0.37, 0.5, 0x88a83c},
                  {-0.35, 0.3, 0.57, 0xc93a34}};
    for (int i = 0; i < 4; i++)
        fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_PLAIN, fs_stage_hex(fruit[i].rgb),
                                     .at = {fruit[i].x, fruit[i].y, fruit[i].z}, .size = {0.06, 0.06, 0.055},
                                     .detail = 7));
    fs_stage_add_box(stage, (fs_v3){-0.85, 0.42, 0.42}, (fs_v3){0.13, 0.09, 0.014}, 0.4, FS_PAINT_PLAIN,
                     0x9d3140, 6);
    fs_stage_add_box(stage, (fs_v3){-0.84, 0.41, 0.446}, (fs_v3){0.12, 0.085, 0.012}, 0.15, FS_PAINT_PLAIN,
                     0xe2d6ba, 6);
}

static void add_shelf(fs_stage *stage, fs_rng rng) {
    static const unsigned spines[8] = {0x8c2f2b, 0x2f4f7a, 0xc79a3f, 0x3f6b4a,
                                       0xd8cfb8, 0x6a3d63, 0xb5622d, 0x2c2c34};
    const double x = half_x - 0.7, y = half_y - 0.17;
    for (int side = -1; side <= 1; side += 2)
        box(stage, (fs_v3){x + side * 0.57, y, 1}, (fs_v3){0.02, 0.15, 1}, FS_PAINT_WOOD, 0xa9794a, 2);
    for (int board = 0; board < 6; board++)
        box(stage, (fs_v3){x, y, 0.06 + 0.38 * board}, (fs_v3){0.55, 0.15, 0.016}, FS_PAINT_WOOD, 0xa9794a,
            2);
    for (int board = 0; board < 5; board++) {
        double at = x - 0.53, end = x + (board % 2 == 0 ? 0.5 : 0.15);
        while (at < end) {
            double w = fs_rng_range(&rng, 0.018, 0.034), h = fs_rng_range(&rng, 0.1, 0.15);
            box(stage, (fs_v3){at + w, y - 0.02, 0.078 + 0.38 * board + h}, (fs_v3){w, 0.1, h},
                FS_PAINT_PLAIN, spines[fs_rng_below(&rng, 8)], 3);
            at += 2 * w + 0.008;
        }
    }
}

static void add_lamp(fs_stage *stage) {
    fs_v3 foot = {1.0, half_y - 0.45, 0};
    fs_stage_add_rod(stage, (fs_v3){foot.x, foot.y, 0.005}, (fs_v3){foot.x, foot.y, 0.03}, 0.16, 0.15,
                     FS_PAINT_PLAIN, 0x2d2a28, 3);
    fs_stage_add_rod(stage, (fs_v3){foot.x, foot.y, 0.03}, (fs_v3){foot.x, foot.y, 1.4}, 0.014, 0.014,
                     FS_PAINT_PLAIN, 0x2d2a28, 3);
    fs_stage_add_rod(stage, (fs_v3){foot.x, foot.y, 1.36}, (fs_v3){foot.x, foot.y, 1.66}, 0.21, 0.14,
                     FS_PAINT_GLOW, 0xfff0cf, 4);
    fs_stage_add(stage, FS_SOLID(FS_ELLIPSOID, FS_PAINT_GLOW, fs_stage_hex(0xfff6e4),
                                 .at = {-0.3, 0, height - 0.42}, .size = {0.2, 0.2, 0.16}, .detail = 3));
    fs_stage_add_rod(stage, (fs_v3){-0.3, 0, height - 0.27}, (fs_v3){-0.3, 0, height}, 0.012, 0.012,
                     FS_PAINT_PLAIN, 0x2d2a28, 2);
}

static void add_plant(fs_stage *stage) {
    fs_v3 at = {-half_x + 0.45, half_y - 0.45, 0};
    fs_stage_add_rod(stage, (fs_v3){at.x, at.y, 0.005}, (fs_v3){at.x, at.y, 0.34}, 0.15, 0.21, FS_PAINT_STONE,
                     0xb9653c, 3);
    fs_stage_add_rod(stage, (fs_v3){at.x, at.y, 0.34}, (fs_v3){at.x + 0.05, at.y - 0.04, 0.9}, 0.025, 0.018,
                     FS_PAINT_BARK, 0x6a4c34, 3);
    static const double crown[3][4] = {
        {0.02, -0.05, 1.05, 0.36}, {0.16, -0.12, 1.38, 0.27}, {-0.1, 0.02, 1.36, 0.24}};
    for (int i = 0; i < 3; i++)
        fs_stage_add_canopy(stage, FS_CANOPY(.at = {at.x + crown[i][0], at.y + crown[i][1], crown[i][2]},
                                             .radii = {crown[i][3], crown[i][3], crown[i][3] * 0.8},
                                             .tint = fs_stage_hex(0x4f8a3a), .detail = 1, .shade = 0.3));
}

static void add_chair(fs_stage *stage) {
    fs_v3 at = {1.75, 0.85, 0};
    fs_stage_add_box(stage, (fs_v3){at.x, at.y, 0.36}, (fs_v3){0.34, 0.34, 0.09}, 0.5, FS_PAINT_PLAIN,
                     0xc98a3a, 2.2);
    fs_stage_add_box(stage, (fs_v3){at.x + 0.27, at.y + 0.15, 0.66}, (fs_v3){0.07, 0.34, 0.3}, 0.5,
                     FS_PAINT_PLAIN, 0xc98a3a, 2.2);
    for (int leg = 0; leg < 4; leg++) {
        double a = 0.5 + 0.78539816 + leg * 1.57079633;
        fs_v3 top = {at.x + 0.4 * fs_cos(a), at.y + 0.4 * fs_sin(a), 0.28};
        fs_stage_add_rod(stage, top, (fs_v3){at.x + 0.44 * fs_cos(a), at.y + 0.44 * fs_sin(a), 0.01}, 0.022,
                         0.015, FS_PAINT_BARK, 0x5a3a22, 3);
    }
}

void fs_stage_room(fs_stage *stage, uint64_t seed) {
    stage->rng = fs_rng_stream(seed, "scene/room");
    stage->light = (fs_light){.lamp = true,
                              .sun = {-0.3, 0, height - 0.42},
                              .sun_colour = {2.1, 1.9, 1.55},
                              .sky_colour = {0.33, 0.33, 0.33},
                              .ground_colour = {0.3, 0.26, 0.2}};
    stage->space = (fs_free_space){.box = true, .lo = {-half_x, -half_y, 0}, .hi = {half_x, half_y, height}};
    stage->canopy_share = 0.04;
    stage->space_share = 0.03;
    stage->backing_share = 0.003;
    add_walls(stage);
    add_window(stage);
    add_picture(stage, (fs_v3){-1.3, half_y - 0.02, 1.62}, 0.34, 0.25, 0x5c7f52);
    add_picture(stage, (fs_v3){-0.25, half_y - 0.02, 1.68}, 0.27, 0.33, 0x7a5f8a);
    add_sofa(stage);
    add_table(stage);
    add_shelf(stage, fs_rng_sub(stage->rng, 21));
    add_lamp(stage);
    add_plant(stage);
    add_chair(stage);
}
