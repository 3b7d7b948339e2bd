/* What it takes a worker to take a ray, to put it aside, to go on in the top, to send and to receive: counted by hand
 * by the rules of compiler.md 1 (moves, addresses and spills in INT), since nobody has published such a program. */
#include "workloads/treelets/run.h"

#include "models/tile/ops.h"
#include "workloads/treelets/walk/walk.h"

#include <string.h>

#define SOURCE "treelets.md 2"

/* A ray of so many bytes copied by 64 bits, a load and a store each. */
static void copy(fs_event *event, uint32_t bytes) {
    event->op[FS_OP_LOAD64] = (uint16_t)((bytes + 7) / 8);
    event->op[FS_OP_STORE64] = (uint16_t)((bytes + 7) / 8);
}

static const fs_event events[FS_TREELETS_EVENTS - FS_WALK_EVENTS] = {
    /* of the walk above the treelets: the other child and its distance kept, or the last one taken */
    [FS_TREELETS_TOP - FS_WALK_EVENTS] =
        FS_EVENT("top", "a node of the top: the farther child and its distance, as a half, kept in the ray",
                 SOURCE, OPS(L = 3, S = 2, CMP = 2, CAST = 2, INT = 8, BR = 2), .paired = 2),
    /* queue's head and end, the ray's place, its origin and direction, hit and node; the reciprocals anew */
    [FS_TREELETS_TAKE - FS_WALK_EVENTS] =
        FS_EVENT("take", "a ray taken from the queue: its search goes on, reciprocals worked out anew",
                 SOURCE, OPS(L = 16, S = 8, DIV = 3, CMP = 3, INT = 14, BR = 5), .paired = 4),
    [FS_TREELETS_ASIDE - FS_WALK_EVENTS] =
        FS_EVENT("aside", "a ray put aside: node, distance and hit kept, the queue's end moved", SOURCE,
                 OPS(L = 3, S = 6, INT = 8, BR = 2)),
    /* the copy by a product instead of a division */
    [FS_TREELETS_PACK - FS_WALK_EVENTS] =
        FS_EVENT("pack", "a ray made ready to leave: its treelet's copy and tile looked up, its state copied",
                 SOURCE, OPS(L = 6, S = 3, MUL = 1, CAST = 2, INT = 16, BR = 4), .paired = 2),
    [FS_TREELETS_UNPACK - FS_WALK_EVENTS] =
        FS_EVENT("unpack", "a ray that arrived: a place found, its state copied", SOURCE,
                 OPS(L = 4, S = 3, INT = 10, BR = 3)),
    [FS_TREELETS_ROUTE - FS_WALK_EVENTS] =
        FS_EVENT("route", "a ray passed on to the next tile: its lane looked up, its state copied", SOURCE,
                 OPS(L = 4, S = 3, INT = 20, BR = 6)),
};

/* Rounded: 14 values to halves, and two directions to octahedral halves; and back, with square roots. */
static void round_state(fs_event *pack, fs_event *unpack) {
    pack->op[FS_OP_CAST] += 18;
    pack->op[FS_OP_ADD] += 8;
    pack->op[FS_OP_DIV] += 2;
    pack->op[FS_OP_CMP] += 6;
    pack->op[FS_OP_INT] += 12;
    unpack->op[FS_OP_CAST] += 18;
    unpack->op[FS_OP_ADD] += 8;
    unpack->op[FS_OP_MUL] += 10;
    unpack->op[FS_OP_RSQRT] += 2;
    unpack->op[FS_OP_CMP] += 6;
    unpack->op[FS_OP_INT] += 8;
}

const fs_program *fs_treelets_program(const fs_treelets_params *params, fs_arena *arena) {
    fs_event *all = FS_NEW(arena, fs_event, FS_TREELETS_EVENTS);
    fs_program *program = FS_NEW(arena, fs_program, 1);
    const uint32_t bytes = fs_treelets_payload(params);
    memcpy(all, fs_walk_program.events, FS_WALK_EVENTS * sizeof *all);
    memcpy(all + FS_WALK_EVENTS, events, sizeof events);
    copy(&all[FS_TREELETS_PACK], bytes);
    copy(&all[FS_TREELETS_UNPACK], bytes);
    copy(&all[FS_TREELETS_ROUTE], bytes);
    if (params->payload == FS_TREELETS_COMPACT)
        round_state(&all[FS_TREELETS_PACK], &all[FS_TREELETS_UNPACK]);
    if (params->order == FS_ORDER_FIXED) /* skip links: nothing is kept */
        memset(all[FS_TREELETS_TOP].op, 0, sizeof all[FS_TREELETS_TOP].op);
    if (params->order == FS_ORDER_FIXED)
        all[FS_TREELETS_TOP].paired = 0;
    *program =
        (fs_program){.name = "treelets", .segments = 1, .events = all, .event_count = FS_TREELETS_EVENTS};
    return program;
}

void fs_treelets_counts(const uint32_t row[FS_TRAVEL_EVENTS], bool smooth, uint32_t n[FS_TREELETS_EVENTS]) {
    const uint32_t shear = row[FS_PIECE_EDGE] + row[FS_PIECE_RANGE] + row[FS_PIECE_TRIANGLE];
    n[FS_WALK_NODE] = row[FS_PIECE_NODE];
    n[FS_WALK_AXIS] = row[FS_PIECE_AXIS];
    n[FS_WALK_INNER] = row[FS_PIECE_INNER];
    n[FS_WALK_LEAF] = shear + row[FS_PIECE_SPHERE] + row[FS_PIECE_DISC];
    n[FS_WALK_SHEAR] = shear;
    n[FS_WALK_EDGE_EXIT] = row[FS_PIECE_EDGE];
    n[FS_WALK_RANGE_EXIT] = row[FS_PIECE_RANGE];
    n[FS_WALK_TRIANGLE] = row[FS_PIECE_TRIANGLE];
    n[smooth ? FS_WALK_SMOOTH : FS_WALK_NORMAL] = row[FS_PIECE_NORMAL];
    n[FS_WALK_SPHERE] = row[FS_PIECE_SPHERE];
    n[FS_WALK_SPHERE_ROOT] = row[FS_PIECE_ROOT];
    n[FS_WALK_DISC] = row[FS_PIECE_DISC];
    n[FS_WALK_CAMERA] = row[FS_TRAVEL_CAMERA];
    n[FS_WALK_SEGMENT] = row[FS_TRAVEL_SEGMENT];
    n[FS_WALK_HIT] = row[FS_TRAVEL_HIT];
    n[FS_WALK_SPECULAR] = row[FS_TRAVEL_SPECULAR];
    n[FS_WALK_REFRACTIVE] = row[FS_TRAVEL_REFRACTIVE];
    n[FS_WALK_DIFFUSE] = row[FS_TRAVEL_HIT] - row[FS_TRAVEL_SPECULAR] - row[FS_TRAVEL_REFRACTIVE];
    n[FS_WALK_EMISSION] = row[FS_TRAVEL_EMISSION];
    n[FS_WALK_ROULETTE] = row[FS_TRAVEL_ROULETTE];
    n[FS_WALK_ESCAPE] = row[FS_TRAVEL_ESCAPE];
    n[FS_WALK_END] = row[FS_TRAVEL_END];
    n[FS_TREELETS_TOP] = row[FS_TRAVEL_TOP];
    n[FS_TREELETS_TAKE] = row[FS_TRAVEL_TAKE];
    n[FS_TREELETS_ASIDE] = row[FS_TRAVEL_ASIDE];
    n[FS_TREELETS_PACK] = row[FS_TRAVEL_PACK];
    n[FS_TREELETS_UNPACK] = row[FS_TRAVEL_UNPACK];
    n[FS_TREELETS_ROUTE] = row[FS_TRAVEL_ROUTE];
}
