#include "workloads/gaussians/params.h"

#include "sim/config/config.h"
#include "workloads/gaussians/gaussians.h"

#include <inttypes.h>

#define P          fs_gaussians_params
#define FS_ROWS_OF P

static const char *const methods[] = {[FS_GAUSSIANS_MESH] = "mesh",
                                      [FS_GAUSSIANS_GATHER] = "gather",
                                      [FS_GAUSSIANS_DIRECT] = "direct",
                                      [FS_GAUSSIANS_OVERLAY] = "overlay",
                                      NULL};
static const char *const starts[] = {
    [FS_GAUSSIANS_SETTLED] = "settled", [FS_GAUSSIANS_FIRST] = "first", NULL};
static const char *const blooms[] = {[FS_GAUSSIANS_STORE] = "store", [FS_GAUSSIANS_FLOW] = "flow", NULL};
static const char *const slots[] = {[FS_GAUSSIANS_SLOT_240] = "240 B", [FS_GAUSSIANS_SLOT_60] = "60 B", NULL};
static const char *const counts[] = {
    [FS_GAUSSIANS_LOWER] = "lower", [FS_GAUSSIANS_BEST] = "best", [FS_GAUSSIANS_UPPER] = "upper", NULL};
static const char *const radii[] = {[FS_GAUSSIANS_DOUBLE] = "double", [FS_GAUSSIANS_F32] = "f32", NULL};
static const char *const inserts[] = {[FS_GAUSSIANS_SEARCH] = "search", [FS_GAUSSIANS_MAP] = "map", NULL};
static const char *const bounds[] = {[FS_GAUSSIANS_ROWS] = "rows", [FS_GAUSSIANS_OFFSETS] = "offsets", NULL};
static const char *const readbacks[] = {[FS_GAUSSIANS_PICTURE] = "picture",
                                        [FS_GAUSSIANS_COUNTERS] = "counters",
                                        [FS_GAUSSIANS_NOTHING] = "nothing",
                                        NULL};
static const char *const paths[] = {[FS_GAUSSIANS_STILL] = "still",
                                    [FS_GAUSSIANS_ORBIT] = "orbit",
                                    [FS_GAUSSIANS_TURN] = "rotation",
                                    [FS_GAUSSIANS_FORWARD] = "translation",
                                    [FS_GAUSSIANS_DIRECTIONS] = "teleport",
                                    [FS_GAUSSIANS_AZIMUTHS] = "azimuths",
                                    NULL};

static const fs_param rows[] = {
    FS_INT(width, NONE, "1280", 1, 16384, "columns of the picture", GEOMETRY,
           .from = {"gaussians.md 1", 'P'}),
    FS_INT(height, NONE, "720", 1, 16384, "rows of the picture", GEOMETRY, .from = {"gaussians.md 1", 'P'}),
    FS_PARAM_INT("tile.width", P, tile_width, NONE, "32", 1, 16384,
                 "columns of a tile's rectangle, a divisor of the picture's", GEOMETRY,
                 .from = {"gaussians.md 1", 'P'}),
    FS_PARAM_INT("tile.height", P, tile_height, NONE, "20", 1, 16384,
                 "rows of it, a divisor of the picture's", GEOMETRY, .from = {"gaussians.md 1", 'P'}),
    FS_ENUM(method, "mesh", methods,
            "how a tile comes by its Gaussians: over lanes between neighbours; rows of a table that the host "
            "lists for it; copies straight "
            "from tile to tile, or over the section `overlay`",
            TRAFFIC),
    FS_ENUM(start, "settled", starts,
            "the first frame's step follows those that settle the picture, which are not priced, or is the "
            "first from the first distribution",
            TRAFFIC),
    FS_INT(settle_steps, NONE, "400", 1, 10000,
           "steps after which a picture that has not settled is taken as it is", TRAFFIC),
    FS_INT(frames, NONE, "1", 1, 100000, "frames, a step each, that are priced", TRAFFIC),
    FS_INT(lane, BYTES, "24000 B", 60, 1e6, "of a lane, which move whole in every step", TRAFFIC,
           .from = {"gaussians.md 1", 'P'}),
    FS_ENUM(slot, "240 B", slots, "of a Gaussian's slot in a lane and a store; it fills 60 of them", TRAFFIC,
            .from = {"gaussians.md 1", 'P'}),
    FS_INT(extra, NONE, "800", 0, 100000, "slots of a tile's store and list beyond its share of the scene",
           TRAFFIC, .from = {"gaussians.md 1", 'P'}),
    FS_ENUM(bloom, "store", blooms,
            "copies are stored, drawn and sent back, or drawn where they arrive and dropped", TRAFFIC,
            .from = {"gaussians.md 4", 'P'}),
    FS_VEC3(camera.position, NONE, "none", -1e30, 1e30,
            "where the camera is, scene units; without it half the box's diagonal from the middle, twice, "
            "along z",
            GEOMETRY, .from = {"gaussians.md 10", 'P'}),
    FS_VEC3(camera.look_at, NONE, "none", -1e30, 1e30,
            "a point on its axis; without it the middle of the scene's box", GEOMETRY),
    FS_VEC3(camera.up, NONE, "none", -1e30, 1e30, "a direction that is up in the picture; y if absent",
            GEOMETRY),
    FS_MAT4(camera.view, "none",
            "rows of the view of a scene with its middle at 0, x right, y down, z forward, in place of "
            "position and look_at",
            GEOMETRY, .from = {"gaussians.md 10", 'P'}),
    FS_PARAM_REAL("camera.half_angle", P, camera.half_angle, DEGREES, "30 deg", 1, 85,
                  "half the vertical field of view", GEOMETRY, .from = {"gaussians.md 10", 'P'}),
    FS_PARAM_ENUM("path.kind", P, path.kind, "still", paths,
                  "where the camera of each frame is: orbit about path.axis through look_at; rotation in "
                  "place; translation along its axis; "
                  "teleport: directions drawn anew; azimuths: the same at its height about y",
                  GEOMETRY, .from = {"gaussians.md 10", 'P'}),
    FS_PARAM_REAL("path.step", P, path.step, DEGREES, "1 deg", -360, 360, "of orbit and rotation, a frame",
                  GEOMETRY, .from = {"gaussians.md 10", 'P'}),
    FS_PARAM_REAL("path.distance", P, path.distance, NONE, "0.001", -10, 10,
                  "of translation, in half diagonals of the scene's box a frame", GEOMETRY,
                  .from = {"gaussians.md 10", 'P'}),
    FS_PARAM_INT("path.hold", P, path.hold, NONE, "1", 1, 100000,
                 "frames for which a drawn direction is held", GEOMETRY, .from = {"gaussians.md 10", 'P'}),
    FS_PARAM_INT("path.seed", P, path.seed, NONE, "42", 0, 4294967295.0, "of drawn directions", GEOMETRY,
                 .from = {"gaussians.md 10", 'P'}),
    FS_PARAM_VEC3("path.axis", P, path.axis, NONE, "none", -1e30, 1e30,
                  "about which the camera goes or turns; y if absent", GEOMETRY),
    FS_PARAM_INT("gather.nearest", P, gather_nearest, NONE, "400", 1, 10000,
                 "Gaussians that a tile's list keeps", TRAFFIC, .from = {"gaussians.md 7", 'P'}),
    FS_PARAM_ENUM("gather.bound", P, gather_bound, "rows", bounds,
                  "what a tile's part of the gathering is taken for: its rows over its port, or a look "
                  "through all offsets",
                  PRICE, .from = {"gaussians.md 7", 'P'}),
    FS_PARAM_ENUM("kernels.counts", P, counts, "best", counts,
                  "counts of operations: the least, the likeliest and the most that the source leaves", PRICE,
                  .from = {"gaussians.md 8", 'P'}),
    FS_PARAM_ENUM("kernels.radius", P, radius, "double", radii,
                  "a Gaussian's radius in double precision, in software, or in f32", PRICE,
                  .from = {"gaussians.md 8", 'P'}),
    FS_PARAM_ENUM("kernels.insert", P, insert, "search", inserts,
                  "an insertion looks at slot after slot, or at one that a table of places names", PRICE,
                  .from = {"gaussians.md 8", 'P'}),
    FS_ENUM(readback, "picture", readbacks, "what the host reads after each frame", PRICE,
            .from = {"gaussians.md 2", 'P'}),
};
const fs_param_table fs_gaussians_table =
    FS_PARAM_TABLE("workload/gaussians", "3D Gaussians that find their tiles over lanes between neighbours",
                   rows, sizeof(P));

fs_gaussians_grid fs_gaussians_grid_of(const P *p) {
    fs_gaussians_grid g = {.width = (uint32_t)p->width,
                           .height = (uint32_t)p->height,
                           .tile_width = (uint32_t)p->tile_width,
                           .tile_height = (uint32_t)p->tile_height};
    g.columns = g.width / g.tile_width;
    g.rows = g.height / g.tile_height;
    g.tiles = g.columns * g.rows;
    return g;
}

static void check_camera(const P *p, fs_check *check) {
    const fs_gaussians_camera *c = &p->camera;
    if (c->view_given && (c->position_given || c->look_at_given))
        fs_check_wrong(check, "workload.camera.view", "expected a view, or position and look_at, found both");
    if (c->view_given && p->path.kind != FS_GAUSSIANS_STILL)
        fs_check_wrong(check, "workload.path.kind", "expected still beside camera.view, found %s",
                       paths[p->path.kind]);
}

void fs_gaussians_check(const fs_config *config, fs_check *check) {
    const P *p = fs_config_section(config, "workload");
    const fs_machine_params *m = fs_config_section(config, "machine");
    const uint32_t tiles = fs_machine_tiles(m);
    const struct {
        const char *key;
        int64_t of, by;
    } sides[] = {{"workload.tile.width", p->width, p->tile_width},
                 {"workload.tile.height", p->height, p->tile_height}};
    bool divides = true;
    for (int i = 0; i < 2; i++)
        if (sides[i].of % sides[i].by != 0) {
            divides = false;
            fs_check_wrong(check, sides[i].key,
                           "expected a divisor of the picture's %" PRId64 " pixels, found %" PRId64,
                           sides[i].of, sides[i].by);
        }
    if (divides && fs_gaussians_grid_of(p).tiles > tiles)
        fs_check_wrong(check, "workload.tile.width",
                       "%" PRIu32 " rectangles of %" PRId64 "x%" PRId64
                       " pixels are more than the machine's %" PRIu32 " tiles",
                       fs_gaussians_grid_of(p).tiles, p->tile_width, p->tile_height, tiles);
    if (p->lane < fs_gaussians_slot_bytes(p) || p->lane % 4 != 0)
        fs_check_wrong(check, "workload.lane",
                       "expected whole words and at least a slot of %" PRIu32 " B, found %" PRId64 " B",
                       fs_gaussians_slot_bytes(p), p->lane);
    check_camera(p, check);
}
