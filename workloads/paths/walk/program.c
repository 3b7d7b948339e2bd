/* The program of a rendering tile: what a worker executes for each event of a path, as the vendor's compiler
 * leaves the public program (neural_path_tracing.md 4, compiler.md 1). INT holds addresses, moves from the
 * auxiliary registers, spills and calls, those of 16-bit stores too; pairs are issued together. */
#include "workloads/paths/walk/walk.h"

#include "models/tile/ops.h"

#define EVENT(id, word, text, ...)                                                                           \
    [FS_WALK_##id] = FS_EVENT(word, text, "neural_path_tracing.md 4", __VA_ARGS__)

static const fs_event events[FS_WALK_EVENTS] = {
    EVENT(CAMERA, "camera", "camera ray with its Gaussian shift, and an eighth of what a sample begins with",
          OPS(L = 8, RANDOM = 1, X2 = 2, ADD = 7, MUL = 13, DIV = 2, RSQRT = 1, S = 13, INT = 14, BR = 3),
          .paired = 7),
    EVENT(SEGMENT, "segment", "offset, reciprocals, root pushed",
          OPS(L = 27, S = 22, ADD = 9, MUL = 11, DIV = 3, CMP = 5, INT = 26, BR = 5), .paired = 12),
    EVENT(NODE, "node", "node popped, its test called, which is of another file",
          OPS(L = 5, S = 3, INT = 13, BR = 4)),
    EVENT(AXIS, "axis", "slab of one axis tested; the interval lies in memory",
          OPS(L = 6, S = 2, X2 = 2, ADD = 1, MUL = 1, CAST = 1, CMP = 4, INT = 7, BR = 4), .paired = 4),
    EVENT(INNER, "inner", "two children pushed", OPS(L = 2, S = 2, INT = 6, BR = 2)),
    EVENT(LEAF, "leaf", "primitive looked up, virtual call, result compared",
          OPS(L = 13, S = 3, CMP = 2, INT = 17, BR = 9), .paired = 1),
    EVENT(SHEAR, "shear", "permutation and shear of the ray; the test called, which is of another file",
          OPS(L = 12, S = 26, ADD = 2, CMP = 4, DIV = 3, INT = 25, BR = 8), .paired = 4),
    EVENT(EDGE_EXIT, "edge exit", "triangle test that ends at the edges",
          OPS(L = 22, L64 = 8, S = 6, S64 = 2, X2 = 6, ADD = 9, MUL = 9, CMP = 6, INT = 46, BR = 7)),
    EVENT(RANGE_EXIT, "range exit", "triangle test that ends behind the origin",
          OPS(L = 28, L64 = 10, S = 8, S64 = 3, X2 = 7, ADD = 13, MUL = 16, CMP = 9, INT = 64, BR = 10)),
    EVENT(TRIANGLE, "triangle", "triangle test all the way through",
          OPS(L = 36, L64 = 14, S = 15, S64 = 6, X2 = 10, ADD = 18, MUL = 28, DIV = 1, CMP = 14, INT = 110,
              BR = 10)),
    EVENT(NORMAL, "normal", "normal of a triangle from its corners",
          OPS(L = 14, S = 6, ADD = 8, MUL = 11, RSQRT = 1, INT = 10, BR = 2), .paired = 5),
    EVENT(SMOOTH, "smooth normal", "normal of a triangle from the mesh's normals",
          OPS(L = 17, S = 6, ADD = 8, MUL = 15, RSQRT = 1, INT = 10, BR = 2), .paired = 7),
    EVENT(SPHERE, "sphere", "sphere tested up to its distance",
          OPS(L = 13, S = 5, ADD = 12, MUL = 13, DIV = 1, CMP = 2, INT = 9, BR = 3), .paired = 8),
    EVENT(SPHERE_ROOT, "sphere root", "sphere met: both distances",
          OPS(L = 1, ADD = 3, MUL = 1, SQRT = 1, CMP = 3, INT = 6, BR = 3), .paired = 1),
    EVENT(DISC, "disc", "disc tested",
          OPS(L = 13, S = 3, ADD = 13, MUL = 15, DIV = 1, CMP = 3, INT = 9, BR = 3), .paired = 8),
    EVENT(HIT, "hit", "nearest kept, point, normal and material of a hit, a 16-bit store by a call",
          OPS(L = 38, S = 18, ADD = 6, MUL = 8, INT = 30, BR = 11), .paired = 7),
    EVENT(EMISSION, "emission", "emission of a hit added",
          OPS(L = 7, S = 1, ADD = 3, MUL = 3, INT = 1, BR = 1), .paired = 2),
    EVENT(DIFFUSE, "diffuse", "diffuse direction drawn",
          OPS(RANDOM = 2, L = 28, S = 16, ADD = 24, MUL = 38, DIV = 2, SQRT = 1, RSQRT = 1, CMP = 7, CAST = 3,
              INT = 32, BR = 13),
          .paired = 15),
    EVENT(SPECULAR, "specular", "mirror direction",
          OPS(L = 10, S = 6, ADD = 7, MUL = 15, RSQRT = 1, INT = 5, BR = 2), .paired = 6),
    EVENT(REFRACTIVE, "refractive", "dielectric: reflected or refracted",
          OPS(RANDOM = 1, L = 16, S = 8, ADD = 16, MUL = 24, DIV = 2, SQRT = 1, CMP = 4, INT = 16, BR = 6),
          .paired = 10),
    EVENT(ROULETTE, "roulette", "largest throughput against a random number",
          OPS(RANDOM = 1, L = 4, S = 3, ADD = 1, MUL = 3, DIV = 1, CMP = 4, INT = 8, BR = 4), .paired = 1),
    EVENT(ESCAPE, "escape", "flag of a ray that left the scene, a 16-bit store by a call",
          OPS(L = 2, INT = 9, BR = 2)),
    EVENT(END, "end", "colour and throughput of a path stored", OPS(L = 7, S = 7, ADD = 3, INT = 13, BR = 3),
          .paired = 3),
    EVENT(PROLOGUE, "prologue", "every call, on each worker: its rays wrapped, by a division by a constant",
          OPS(L = 25, S = 20, INT = 65, BR = 10), .always_each = 1),
};

const fs_program fs_walk_program = {PROGRAM("paths", events)};
