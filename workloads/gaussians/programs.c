/* Operations of the events, counted by hand from the published source by the rules of compiler.md 2, with the least and the most
 * that it leaves. Nothing is fitted. What a count has beyond its operations are moves, addresses and calls (INT); what it lacks are
 * pairs of instructions, and pairs of f32. */
#include "workloads/gaussians/run.h"

#include "models/tile/ops.h"

#include <string.h>

#define SOURCE "gaussians.md 8"

typedef struct count {
    const char *name, *doc;
    uint16_t load, store, simple, div, root, exponent, compare,
        branch;        /* simple: f32 additions and products */
    uint16_t slots[3]; /* lower, best, upper */
} count;

#define RECEIVED "of what has come in: "
#define STORED   "of what is stored: "
/* Loads, stores, additions and products, divisions, roots, exponentials, compares, branches; slots: lower, best, upper. */
#define COST(l, s, f, d, r, e, c, b, lower, best, upper)                                                     \
    l, s, f, d, r, e, c, b, {                                                                                \
        lower, best, upper                                                                                   \
    }
/* What is done with what has come in and with what is stored alike. */
#define SCANNED    COST(1, 0, 0, 0, 0, 0, 1, 2, 8, 10, 60)
#define LOOKED     COST(1, 0, 0, 0, 0, 0, 2, 3, 9, 12, 15)
#define WRITTEN    COST(15, 15, 0, 0, 0, 0, 0, 0, 30, 38, 75)
#define UNPACKED   COST(35, 6, 45, 2, 0, 0, 4, 4, 75, 95, 140)
#define COVARIANCE COST(45, 25, 232, 6, 0, 3, 0, 0, 270, 380, 650)
#define RADIUS     COST(0, 0, 18, 0, 2, 0, 0, 0, 20, 1100, 1700)
/* These stand once, too long for a line. */
#define SET_UP   COST(80, 70, 200, 2, 0, 0, 0, 4, 1500, 6000, 12000)
#define GATHERED COST(51, 6, 45, 2, 0, 0, 4, 4, 93, 117, 200)
static const count route_counts[FS_GAUSSIANS_ROUTE_EVENTS] = {
    [FS_GAUSSIANS_CLEAR] = {"clear", "a slot of an out lane freed", 2, 1, 0, 0, 0, 0, 0, 1, {6, 7, 9}},
    [FS_GAUSSIANS_SETUP] = {"set-up", "matrices turned and multiplied, a tangent by the library", SET_UP},
    [FS_GAUSSIANS_IN_SCAN] = {"scan in", "a slot of the in lanes, free or not", SCANNED},
    [FS_GAUSSIANS_IN_LOOK] = {"look in", RECEIVED "a slot looked at for an insertion", LOOKED},
    [FS_GAUSSIANS_IN_WRITE] = {"write in", RECEIVED "60 B written", WRITTEN},
    [FS_GAUSSIANS_IN_UNPACK] = {"unpack in", RECEIVED "centre in the picture, whether it is at home",
                                UNPACKED},
    [FS_GAUSSIANS_IN_COVARIANCE] = {"covariance in", RECEIVED "its covariance in the picture", COVARIANCE},
    [FS_GAUSSIANS_IN_RADIUS] = {"radius in", RECEIVED "its radius, in double precision", RADIUS},
    [FS_GAUSSIANS_TRANSIT] =
        {"transit", "two distances, a direction", 6, 0, 35, 3, 0, 0, 5, 5, {70, 90, 130}},
    [FS_GAUSSIANS_BLOOM] =
        {"bloom", "two distances, guard, sides, cases", 6, 0, 50, 2, 1, 0, 4, 8, {90, 120, 170}},
    [FS_GAUSSIANS_SCAN] = {"scan", "a slot of the store, free or not", SCANNED},
    [FS_GAUSSIANS_LOOK] = {"look", STORED "a slot looked at for an insertion", LOOKED},
    [FS_GAUSSIANS_WRITE] = {"write", STORED "60 B written", WRITTEN},
    [FS_GAUSSIANS_UNPACK] = {"unpack", STORED "centre in the picture, whether it is at home", UNPACKED},
    [FS_GAUSSIANS_COVARIANCE] = {"covariance", STORED "its covariance in the picture", COVARIANCE},
    [FS_GAUSSIANS_RADIUS] = {"radius", STORED "its radius, in double precision", RADIUS},
    [FS_GAUSSIANS_KEPT] = {"kept", "conic, guard, sides", 6, 0, 30, 1, 2, 0, 5, 5, {70, 85, 120}},
    [FS_GAUSSIANS_AIM] =
        {"aim", "the tile it is for, the way there, its slot freed", 4, 1, 25, 3, 0, 0, 6, 6, {50, 75, 110}},
    [FS_GAUSSIANS_APPEND] = {"append", "an entry of the list", 0, 10, 0, 0, 0, 0, 1, 2, {14, 18, 26}},
    [FS_GAUSSIANS_ZERO] = {"zero", "a word of the sort's stack", 0, 1, 0, 0, 0, 0, 0, 0, {3, 5, 6}},
    [FS_GAUSSIANS_COMPARE] = {"compare", "two depths", 1, 0, 0, 0, 0, 0, 1, 2, {8, 10, 14}},
    [FS_GAUSSIANS_SWAP] = {"swap", "two entries, by three calls", 30, 30, 0, 0, 0, 0, 0, 3, {75, 105, 150}},
    [FS_GAUSSIANS_ROW] = {"row", "a gathered row unpacked, its centre in the picture", GATHERED},
    [FS_GAUSSIANS_OFFSET] = {"", "priced in the program of its own", 0, 0, 0, 0, 0, 0, 0, 0, {0, 0, 0}},
};
static const count f32_radius = {"", "", 0, 0, 18, 0, 2, 0, 0, 0, {20, 24, 30}};

static const count blend_counts[FS_GAUSSIANS_BLEND_EVENTS] = {
    [FS_GAUSSIANS_LOOKED] =
        {"looked at", "an entry by a pixel: its power and strength", 9, 0, 14, 0, 0, 1, 3, 3, {26, 33, 42}},
    [FS_GAUSSIANS_ADDED] =
        {"added", "of them, light added and what is behind dimmed", 3, 0, 13, 0, 0, 0, 1, 1, {9, 13, 18}},
    [FS_GAUSSIANS_PIXEL] = {"pixel", "begun, made bytes, stored", 3, 1, 12, 0, 0, 0, 0, 6, {40, 60, 90}},
    [FS_GAUSSIANS_WIPE] = {"wipe", "a word of the picture cleared", 0, 1, 0, 0, 0, 0, 0, 0, {4, 6, 8}},
};

/* ipu.md 2: 8 B a cycle. */
static const fs_event copy_events[] = {
    FS_EVENT("8 B", "of a lane that leads to its own tile", "ipu.md 2", OPS([FS_OP_LOAD64_STORE64] = 1))};
/* Two words loaded a turn, compared, a branch for both. */
static const fs_event find_events[] = {
    FS_EVENT("offset", "looked through for the tile's rows", "gaussians.md 7", OPS(L = 1, INT = 1, BR = 1))};

static uint16_t less(uint32_t a, uint32_t b) {
    return (uint16_t)(a < b ? a : b);
}

static fs_event event_of(const count *c, int which) {
    fs_event e = FS_EVENT(c->name, c->doc, SOURCE,
                          OPS(L = c->load, S = c->store, ADD = (uint16_t)(c->simple - c->simple / 2),
                              MUL = (uint16_t)(c->simple / 2), DIV = c->div, SQRT = c->root,
                              EXP = c->exponent, CMP = c->compare, BR = c->branch));
    const uint32_t main = (uint32_t)c->load + c->store + c->branch,
                   sum = main + c->simple + 3u * c->div + 5u * c->root + 3u * c->exponent + c->compare,
                   wanted = c->slots[which];
    if (wanted >= sum) {
        e.op[FS_OP_INT] = (uint16_t)(wanted - sum);
        return e;
    }
    e.paired = less(sum - wanted, main);
    const uint32_t vectors = sum - wanted - e.paired, sums = less(vectors, e.op[FS_OP_ADD] / 2u);
    e.op[FS_OP_F32X2] = (uint16_t)vectors;
    e.op[FS_OP_ADD] = (uint16_t)(e.op[FS_OP_ADD] - 2 * sums);
    e.op[FS_OP_MUL] = (uint16_t)(e.op[FS_OP_MUL] - 2 * (vectors - sums));
    return e;
}

static const fs_event *events_of(const count *counts, uint32_t n, const fs_gaussians_params *p,
                                 fs_arena *arena) {
    fs_event *events = FS_NEW(arena, fs_event, n);
    for (uint32_t i = 0; i < n; i++)
        events[i] = event_of(&counts[i], (int)p->counts);
    return events;
}

/* Code is assumed: no source has its size (gaussians.md 10: 60,000 to 100,000 B with all else). */
const fs_program *const *fs_gaussians_programs(const fs_gaussians_params *p, fs_arena *arena) {
    const fs_program **list = FS_NEW(arena, const fs_program *, FS_GAUSSIANS_PROGRAMS);
    fs_program *programs = FS_NEW(arena, fs_program, FS_GAUSSIANS_PROGRAMS);
    count route[FS_GAUSSIANS_ROUTE_EVENTS];
    memcpy(route, route_counts, sizeof route);
    if (p->radius == FS_GAUSSIANS_F32) {
        memcpy(route[FS_GAUSSIANS_RADIUS].slots, f32_radius.slots, sizeof f32_radius.slots);
        memcpy(route[FS_GAUSSIANS_IN_RADIUS].slots, f32_radius.slots, sizeof f32_radius.slots);
    }
    programs[FS_GAUSSIANS_P_ROUTE] =
        (fs_program){.name = "route",
                     .segments = 1,
                     .workers = 1,
                     .events = events_of(route, FS_GAUSSIANS_ROUTE_EVENTS, p, arena),
                     .event_count = FS_GAUSSIANS_ROUTE_EVENTS,
                     .code_bytes = 49152};
    programs[FS_GAUSSIANS_P_BLEND] =
        (fs_program){.name = "blend",
                     .segments = 1,
                     .events = events_of(blend_counts, FS_GAUSSIANS_BLEND_EVENTS, p, arena),
                     .event_count = FS_GAUSSIANS_BLEND_EVENTS,
                     .code_bytes = 12288};
    programs[FS_GAUSSIANS_P_COPY] = (fs_program){PROGRAM("copy", copy_events), .code_bytes = 512};
    programs[FS_GAUSSIANS_P_FIND] = (fs_program){PROGRAM("find", find_events), .code_bytes = 1024};
    for (uint32_t i = 0; i < FS_GAUSSIANS_PROGRAMS; i++)
        list[i] = &programs[i];
    return list;
}

void fs_gaussians_route_counts(const fs_gaussians_params *p, const fs_gaussians_tile_work *work,
                               uint32_t *row) {
    memcpy(row, work->event, sizeof work->event);
    row[FS_GAUSSIANS_OFFSET] = 0;
    if (p->insert == FS_GAUSSIANS_MAP) {
        row[FS_GAUSSIANS_IN_LOOK] = work->inserted[0];
        row[FS_GAUSSIANS_LOOK] = work->inserted[1];
    }
}

void fs_gaussians_blend_counts(const fs_gaussians_activity *a, const fs_gaussians_blend_work *work,
                               bool boxed, const fs_program *program, uint32_t *rows) {
    const uint32_t width = fs_program_width(program), words = a->grid.tile_width * a->grid.tile_height;
    for (uint32_t w = 0; w < a->workers; w++) {
        uint32_t *row = rows + (size_t)w * width;
        row[FS_GAUSSIANS_WIPE] = (words + a->workers - 1 - w) / a->workers;
        row[FS_GAUSSIANS_PIXEL] = fs_gaussians_rows_of(&a->grid, a->workers, w) * a->grid.tile_width;
        row[FS_GAUSSIANS_LOOKED] = boxed ? work->boxed[w] : work->looked[w];
        row[FS_GAUSSIANS_ADDED] = work->added[w];
    }
}
