/* The program of a rendering tile: what a worker executes for each event of a path, counted by hand from the
 * structure of the public program (neural_path_tracing.md 4). Where its slots exceed the counted operations,
 * the rest (addresses, moves, calls) is in INT; pairs are issued together. */
#include "workloads/pathtrace/walk/walk.h"

#define OPS(...) .op = {__VA_ARGS__}
#define L        [FS_OP_LOAD]
#define L64      [FS_OP_LOAD64]
#define S        [FS_OP_STORE]
#define S64      [FS_OP_STORE64]
#define HS       [FS_OP_STORE_HALF]
#define ADD      [FS_OP_ADD]
#define MUL      [FS_OP_MUL]
#define DIV      [FS_OP_DIV]
#define SQRT     [FS_OP_SQRT]
#define CMP      [FS_OP_CMP]
#define CAST     [FS_OP_CAST]
#define INT      [FS_OP_INT]
#define BR       [FS_OP_BRANCH]
#define X2       [FS_OP_F32X2]
#define RANDOM   [FS_OP_RANDOM]

#define EVENT(id, word, text, ...)                                                                           \
    [FS_WALK_##id] = FS_EVENT(word, text, "neural_path_tracing.md 4", __VA_ARGS__)

static const fs_event events[FS_WALK_EVENTS] = {
    EVENT(CAMERA, "camera", "camera ray with its Gaussian shift",
          OPS(L = 4, RANDOM = 1, X2 = 2, ADD = 4, MUL = 11, DIV = 3, SQRT = 1, S = 12, HS = 2, INT = 20,
              BR = 3)),
    EVENT(SEGMENT, "segment", "offset, reciprocals, root pushed",
          OPS(L = 24, S = 22, ADD = 6, MUL = 7, DIV = 3, CMP = 5, INT = 60, BR = 7)),
    EVENT(NODE, "node", "node popped, its header read", OPS(L = 4, CMP = 1, INT = 5, BR = 2)),
    EVENT(AXIS, "axis", "slab of one axis tested; an f16 extent is widened beside a load",
          OPS(L = 6, S = 4, X2 = 2, ADD = 1, MUL = 1, CAST = 1, CMP = 4, INT = 6, BR = 3), .paired = 1),
    EVENT(INNER, "inner", "two children pushed", OPS(L = 1, S = 2, INT = 8, BR = 2)),
    EVENT(LEAF, "leaf", "primitive looked up, virtual call, result compared",
          OPS(L = 10, S = 6, CMP = 3, INT = 15, BR = 5)),
    EVENT(SHEAR, "shear", "permutation and shear of the ray",
          OPS(L = 6, S = 12, CMP = 4, DIV = 3, INT = 14, BR = 5)),
    EVENT(EDGE_EXIT, "edge exit", "triangle test that ends at the edges",
          OPS(L = 22, L64 = 8, S = 6, S64 = 2, X2 = 6, ADD = 9, MUL = 9, CMP = 6, INT = 70, BR = 7)),
    EVENT(RANGE_EXIT, "range exit", "triangle test that ends behind the origin",
          OPS(L = 28, L64 = 10, S = 8, S64 = 3, X2 = 7, ADD = 13, MUL = 16, CMP = 9, INT = 76, BR = 10)),
    EVENT(TRIANGLE, "triangle", "triangle test all the way through",
          OPS(L = 36, L64 = 14, S = 15, S64 = 6, X2 = 10, ADD = 18, MUL = 28, DIV = 1, CMP = 14, INT = 135,
              BR = 10)),
    EVENT(NORMAL, "normal", "normal of a triangle from its corners",
          OPS(L = 12, S = 6, ADD = 11, MUL = 12, SQRT = 1, DIV = 1, INT = 11, BR = 2)),
    EVENT(SMOOTH, "smooth normal", "normal of a triangle from the mesh's normals",
          OPS(L = 15, S = 6, ADD = 8, MUL = 15, SQRT = 1, DIV = 1, INT = 11, BR = 2)),
    EVENT(SPHERE, "sphere", "sphere tested up to its distance",
          OPS(L = 14, S = 4, ADD = 12, MUL = 13, DIV = 1, CMP = 2, INT = 14, BR = 4)),
    EVENT(SPHERE_ROOT, "sphere root", "sphere met: both distances",
          OPS(L = 2, S = 5, ADD = 3, MUL = 1, SQRT = 1, CMP = 4, INT = 8, BR = 4)),
    EVENT(DISC, "disc", "disc tested",
          OPS(L = 16, S = 5, ADD = 13, MUL = 15, DIV = 1, CMP = 3, INT = 14, BR = 4)),
    EVENT(HIT, "hit", "point, normal and material of a hit",
          OPS(L = 18, S = 10, ADD = 3, MUL = 3, CMP = 2, INT = 32, BR = 7)),
    EVENT(EMISSION, "emission", "emission of a hit added",
          OPS(L = 9, S = 3, ADD = 3, MUL = 3, INT = 3, BR = 1)),
    EVENT(DIFFUSE, "diffuse", "diffuse direction drawn",
          OPS(RANDOM = 2, L = 30, S = 24, ADD = 18, MUL = 32, DIV = 2, SQRT = 2, CMP = 5, CAST = 2, INT = 46,
              BR = 10)),
    EVENT(SPECULAR, "specular", "mirror direction",
          OPS(L = 12, S = 9, ADD = 7, MUL = 16, SQRT = 1, DIV = 1, INT = 10, BR = 3)),
    EVENT(REFRACTIVE, "refractive", "dielectric: reflected or refracted",
          OPS(RANDOM = 1, L = 26, S = 16, ADD = 20, MUL = 34, DIV = 2, SQRT = 1, CMP = 4, INT = 24, BR = 8)),
    EVENT(ROULETTE, "roulette", "largest throughput against a random number",
          OPS(RANDOM = 1, L = 3, S = 3, ADD = 1, MUL = 3, DIV = 1, CMP = 5, INT = 6, BR = 5)),
    EVENT(ESCAPE, "escape", "flag of a ray that left the scene", OPS(L = 1, HS = 1, INT = 2, BR = 2)),
    EVENT(END, "end", "colour and throughput of a path stored", OPS(L = 9, S = 9, ADD = 3, INT = 12, BR = 3)),
    EVENT(PROLOGUE, "prologue", "arrays of the serialised scene wrapped; every call, on each worker",
          OPS(L = 60, S = 30, INT = 200, BR = 10), .always_each = 1),
};

const fs_program fs_walk_program = {
    .name = "paths", .segments = 1, .events = events, .event_count = FS_WALK_EVENTS};
