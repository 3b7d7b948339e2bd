/* The rows of treelets' parameters, and what holds between them. */
#include "workloads/treelets/params.h"

#include "sim/config/config.h"
#include "workloads/treelets/cut/cut.h"
#include "workloads/treelets/place/place.h"
#include "workloads/treelets/treelets.h"
#include "workloads/treelets/walk/walk.h"

#include <inttypes.h>

#define P          fs_treelets_params
#define FS_ROWS_OF P

static const char *const cuts[] = {
    [FS_CUT_BYTES] = "bytes", [FS_CUT_WORK] = "work", [FS_CUT_AREA] = "area", NULL};
static const char *const orders[] = {
    [FS_ORDER_NEAR] = "near", [FS_ORDER_SORTED] = "sorted", [FS_ORDER_FIXED] = "fixed", NULL};
static const char *const lights[] = {
    [FS_SHADOW_NONE] = "none", [FS_SHADOW_SUN] = "sun", [FS_SHADOW_EMITTERS] = "emitters", NULL};
static const char *const copies[] = {
    [FS_PLACE_LOAD] = "load", [FS_PLACE_EVEN] = "even", [FS_PLACE_ONE] = "1", NULL};
static const char *const spreads[] = {[FS_PLACE_DEALT] = "dealt", [FS_PLACE_IN_ORDER] = "order", NULL};
static const char *const starts[] = {
    [FS_TREELETS_SCATTERED] = "scattered", [FS_TREELETS_IMAGE] = "image", NULL};
static const char *const payloads[] = {
    [FS_TREELETS_WHOLE] = "whole", [FS_TREELETS_COMPACT] = "compact", [FS_TREELETS_HOME] = "home", NULL};
static const char *const exchanges[] = {[FS_TREELETS_AUTO] = "auto",
                                        [FS_TREELETS_DYNAMIC] = "dynamic",
                                        [FS_TREELETS_ROTATION] = "rotation",
                                        NULL};

static const fs_param rows[] = {
    FS_INT(width, NONE, "640", 1, 16384, "columns of the picture", GEOMETRY),
    FS_INT(height, NONE, "360", 1, 16384, "rows of the picture", GEOMETRY),
    FS_INT(seed, NONE, "1", 0, 9007199254740991.0, "of the paths' random numbers", GEOMETRY),
    FS_INT(samples, NONE, "2", 1, 65536, "paths of a pixel", GEOMETRY),
    FS_INT(most_segments, NONE, "10", 1, 1000, "segments of a path at the most", GEOMETRY,
           .from = {"neural_path_tracing.md 2, NPT", 'P'}),
    FS_INT(roulette_above, NONE, "3", 0, 1000, "hits of a greater number, from 0, draw for the path's end",
           GEOMETRY, .from = {"neural_path_tracing.md 2, IRL", 'R'}),
    FS_REAL(jitter, NONE, "0.25", 0, 100, "standard deviation of a camera ray, pixels", GEOMETRY,
            .from = {"neural_path_tracing.md 1, IRL", 'R'}),
    FS_INT(node_bytes, BYTES, "24 B", 24, 32, "a node of the tree: 24 with f16 extents, 32 with f32",
           GEOMETRY, .from = {"neural_path_tracing.md 2, IRL", 'R'}),
    FS_PARAM_INT("treelet.bytes", P, treelet_bytes, BYTES, "450 KiB", 0, 1e12,
                 "most bytes of a treelet; 0 B: no limit, the whole tree is one", GEOMETRY),
    FS_PARAM_INT("treelet.count", P, treelet_count, NONE, "0", 0, FS_TREELETS_MOST,
                 "treelets that the cut by work opens up to before it goes by bytes; 0: by bytes alone",
                 GEOMETRY),
    FS_ENUM(cut, "bytes", cuts,
            "the tree into whole subtrees: as large as may be; opened by expected work; or by surface, "
            "nested",
            GEOMETRY),
    FS_ENUM(order, "near", orders,
            "of a ray's treelets: the nearer child first with a stack in the ray, by distance, or the tree's",
            GEOMETRY),
    FS_ENUM(light, "none", lights,
            "shadow rays from diffuse surfaces: none, towards the sun, or to what gives light", GEOMETRY),
    FS_ENUM(copies, "load", copies,
            "of a treelet: by a pilot's load, each as many, or one; as many as have room", TRAFFIC),
    FS_PARAM_ENUM("chips", P, spread, "dealt", spreads,
                  "copies of a treelet over several chips: dealt, to the chip that has fewest of it; order, "
                  "on the chip of its place in the tree while that has room",
                  TRAFFIC, .only = FS_MACHINE_SEVERAL_CHIPS),
    FS_INT(io_tiles, NONE, "32", 0, 4096,
           "tiles of a chip, the highest, that hold no treelets: input and output, as a published renderer "
           "has them",
           TRAFFIC, .from = {"neural_path_tracing.md 1, NPT", 'P'}),
    FS_PARAM_INT("tile.treelets", P, tile_treelets, NONE, "0", 0, FS_TREELETS_MOST,
                 "most treelets of a tile; 0: as many as have room", TRAFFIC),
    FS_INT(room, BYTES, "auto", 0, 1e12,
           "SRAM of a tile for treelets; auto: what code, top, queue and buffers leave", TRAFFIC,
           .word = "auto"),
    FS_INT(quantum, NONE, "64", 0, 1e9,
           "units that a worker takes in a step (a node 1, a leaf 4 more, shading 8); 0: no end", TRAFFIC),
    FS_INT(window, NONE, "24", 1, 65536, "paths in flight for each tile of treelets", TRAFFIC),
    FS_PARAM_INT("queue.capacity", P, capacity, NONE, "512", 0, 1e6,
                 "rays that a tile holds; those that would come stay with their senders; 0: any number, "
                 "which has no place in SRAM",
                 TRAFFIC),
    FS_ENUM(start, "scattered", starts, "order in which paths begin: far from each other, or as in the image",
            TRAFFIC),
    FS_ENUM(payload, "whole", payloads,
            "what moves of a ray: all of it exactly (108 B), rounded (56 B), or what a search needs (48 B), "
            "the rest staying on the path's tile, to which each segment returns",
            TRAFFIC),
    FS_ENUM(
        exchange, "auto", exchanges,
        "dynamic: the rays of each step; rotation: a planned slot for each ordered pair of tiles; auto: as "
        "machine.exchange.mode says",
        TRAFFIC),
    FS_INT(slots, NONE, "1", 1, 1024, "rays of an ordered pair of tiles in a step of a rotation", TRAFFIC),
    FS_PARAM_INT("code.tile", P, code, BYTES, "40000 B", 0, 1e9,
                 "code, constants and stacks of a tile (uncertain: 20 to 60 kB)", TRAFFIC,
                 .from = {"no source", 'A'}),
};

static void check_rows(const void *params, fs_check *check) {
    const P *p = params;
    if (p->node_bytes != 24 && p->node_bytes != 32)
        fs_check_wrong(check, "workload.node_bytes", "expected 24 B or 32 B, found %" PRId64 " B",
                       p->node_bytes);
    if (p->treelet_count > 0 && p->cut != FS_CUT_WORK)
        fs_check_wrong(check, "workload.treelet.count",
                       "treelet.count applies to workload.cut work; expected 0, or that cut, found %" PRId64,
                       p->treelet_count);
}

const fs_param_table fs_treelets_table =
    FS_PARAM_TABLE("workload/treelets", "paths through a mesh that is cut into treelets, dealt over tiles",
                   rows, sizeof(P), .check = check_rows);

uint32_t fs_treelets_payload(const P *p) {
    static const uint32_t bytes[] = {
        [FS_TREELETS_WHOLE] = 108, [FS_TREELETS_COMPACT] = 56, [FS_TREELETS_HOME] = 48};
    return bytes[p->payload];
}

/* ---- between sections ---- */

static void check_exchange(const P *p, const fs_machine_params *m, fs_check *check) {
    const bool plans = fs_fabric_plans(&m->exchange);
    if (m->exchange.kind == FS_FABRIC_CIRCUIT)
        fs_check_wrong(check, "machine.exchange.kind",
                       "rays go to other tiles in every step, which circuits cannot; expected ports or noc, "
                       "found circuit");
    else if (p->exchange == FS_TREELETS_DYNAMIC && plans)
        fs_check_wrong(check, "workload.exchange",
                       "what moves is known in each step alone; expected rotation with machine.exchange.mode "
                       "static, or that dynamic");
    else if (p->exchange == FS_TREELETS_ROTATION && !plans)
        fs_check_wrong(check, "workload.exchange",
                       "a rotation is a planned exchange over ports; expected dynamic, or "
                       "machine.exchange.mode static");
}

void fs_treelets_check(const fs_config *config, fs_check *check) {
    const P *p = fs_config_section(config, "workload");
    const fs_machine_params *m = fs_config_section(config, "machine");
    const int64_t tiles = fs_geometry_tiles(&m->geometry);
    const double paths = (double)p->width * (double)p->height * (double)p->samples, most = 4e9;
    if (m->execution == FS_EXECUTION_DECOUPLED)
        fs_check_wrong(check, "machine.execution",
                       "rays are granted their moves between barriers; expected bsp, found decoupled");
    check_exchange(p, m, check);
    if (fs_machine_chips(m) > 1 && fs_treelets_exchange(p, m) == FS_TREELETS_ROTATION)
        fs_check_wrong(
            check, "machine.chips",
            "a rotation is planned over the ports of one chip; expected 1, or machine.exchange.mode dynamic, "
            "found %" PRId64,
            m->chips);
    if (m->chips > 2 && m->fabric.kind == FS_CHIPS_PAIRS)
        fs_check_wrong(check, "machine.fabric.kind",
                       "rays go from any tile to any other; expected ladder, ring or all, found pairs");
    if (m->tile.workers > FS_TREELETS_WORKERS)
        fs_check_wrong(check, "machine.tile.workers", "expected at most %d, found %" PRId64,
                       FS_TREELETS_WORKERS, m->tile.workers);
    if (p->io_tiles >= tiles)
        fs_check_wrong(check, "workload.io_tiles",
                       "no tile is left for treelets: expected less than the machine's %" PRId64
                       " tiles, found %" PRId64,
                       tiles, p->io_tiles);
    else if ((double)p->window * (double)fs_treelets_tiles(p, m) > 1e8)
        fs_check_wrong(check, "workload.window",
                       "%" PRId64 " tiles would have %.3g rays in flight; expected at most 1e8", tiles,
                       (double)p->window * (double)fs_treelets_tiles(p, m));
    if (paths > most)
        fs_check_wrong(check, "workload.samples",
                       "%.3g paths of %" PRId64 "x%" PRId64
                       " pixels; expected at most %.0f samples (4e9 paths)",
                       paths, p->width, p->height, most / (double)(p->width * p->height));
}
