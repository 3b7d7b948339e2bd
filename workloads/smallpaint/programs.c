/* Operations of each event as the vendor's compiler leaves the public codelets: docs/facts/poplar_path_tracer.md,
 * section 3, by the rules of compiler.md. `paired` are neighbours of the two pipes in one bundle. */
#include "workloads/smallpaint/params.h"

#include "models/tile/ops.h"

#define SOURCE "poplar_path_tracer.md 3"

/* Of library programs: four f16 at a time, by the hardware's generator. */
static const fs_event noise_events[] = {
    [FS_NOISE_FOUR] =
        FS_EVENT("four normals", "four numbers of a bell curve, those beyond the cut drawn again", SOURCE,
                 OPS(RANDOM = 1, H4 = 3, INT = 2, BR = 1, S64 = 1)),
};
static const fs_event uniform_events[] = {
    [FS_UNIFORM_FOUR] = FS_EVENT("four numbers", "four uniform f16, scaled and stored", SOURCE,
                                 OPS(RANDOM = 1, H4 = 1, S64 = 1)),
};

/* A store of a half or of a byte is a call (compiler.md 1): so many slots beside its branch, the address and the
 * value's move among them. */
enum { HALF_CALL = 8, BYTE_CALL = 14 };

/* The tangent of half the height's angle is a library call before the loops; it has no price of its own and is taken
 * for a sine. */
static const fs_event ray_events[] = {
    [FS_RAYS_RAY] =
        FS_EVENT("ray", "pixel to plane, noise, three f16 stored by calls", SOURCE,
                 OPS(L = 13, S = 1, CAST = 5, ADD = 4, H2 = 2, DIV = 1, INT = 12 + 3 * HALF_CALL, BR = 4),
                 .paired = 5),
    [FS_RAYS_ROW] = FS_EVENT("row", "a row of points begins", SOURCE,
                             OPS(L = 3, S = 2, CAST = 1, ADD = 2, MUL = 1, DIV = 1, INT = 4, BR = 2)),
    [FS_RAYS_CALL] =
        FS_EVENT("begin", "fields, and a tangent by the library", SOURCE,
                 OPS(SIN64 = 1, L = 20, S = 10, CAST = 2, DIV = 2, INT = 6, BR = 6), .always_each = 1),
};

/* A test by itself, with the loop's part of it: the virtual call, two comparisons, the next object. */
static const fs_event path_events[FS_PAINT_EVENTS] = {
    [FS_PAINT_PATH] =
        FS_EVENT("path", "ray read, path begun, light added to the frame buffer", SOURCE,
                 OPS(L = 13, S = 16, MUL = 6, ADD = 5, RSQRT = 1, CAST = 3, INT = 9, BR = 4), .paired = 6),
    [FS_PAINT_BOUNCE] =
        FS_EVENT("bounce", "the nearest hit begun with a byte's store, the ray moved, its normal", SOURCE,
                 OPS(L = 24, S = 15, INT = 12 + BYTE_CALL, BR = 11, MUL = 4, ADD = 4), .paired = 5),
    [FS_PAINT_ROULETTE] =
        FS_EVENT("throw", "a number, its comparison kept as a byte, a division", SOURCE,
                 OPS(L = 6, INT = 5 + BYTE_CALL, CMP = 1, CAST = 2, ADD = 1, DIV = 1, BR = 4), .paired = 1),
    [FS_PAINT_PLANE] =
        FS_EVENT("plane", "a plane tested: two products of vectors and a division", SOURCE,
                 OPS(L = 13, MUL = 7, ADD = 5, DIV = 1, CMP = 4, INT = 11, BR = 6), .paired = 7),
    [FS_PAINT_SPHERE_BEHIND] = FS_EVENT("sphere behind", "a sphere tested that the ray leaves behind", SOURCE,
                                        OPS(L = 12, ADD = 5, MUL = 3, CMP = 3, INT = 9, BR = 5), .paired = 6),
    [FS_PAINT_SPHERE_MISSED] =
        FS_EVENT("sphere missed", "a sphere tested whose equation has no root", SOURCE,
                 OPS(L = 18, ADD = 13, MUL = 9, CMP = 4, INT = 10, BR = 6), .paired = 12),
    [FS_PAINT_SPHERE_ENTERED] =
        FS_EVENT("sphere entered", "a sphere tested whose roots are worked out", SOURCE,
                 OPS(L = 18, ADD = 16, MUL = 9, SQRT = 1, CMP = 6, INT = 14, BR = 9), .paired = 12),
    [FS_PAINT_DISC_AWAY] =
        FS_EVENT("disc away", "a disc tested that shows its back: its plane's distance", SOURCE,
                 OPS(L = 13, MUL = 7, ADD = 5, DIV = 1, CMP = 4, INT = 11, BR = 6), .paired = 7),
    [FS_PAINT_DISC_TOWARDS] =
        FS_EVENT("disc towards", "a disc tested in its plane", SOURCE,
                 OPS(L = 22, MUL = 13, ADD = 13, DIV = 1, CMP = 5, INT = 12, BR = 7), .paired = 13),
    [FS_PAINT_NEARER] = FS_EVENT("nearer", "the nearest hit so far is kept, a byte among its fields", SOURCE,
                                 OPS(L = 1, S = 3, INT = 4 + BYTE_CALL, BR = 1)),
    [FS_PAINT_DIFFUSE] =
        FS_EVENT("diffuse", "a direction over the hemisphere, with one sine and one cosine", SOURCE,
                 OPS(L = 23, S = 18, MUL = 32, ADD = 13, RSQRT = 1, SQRT = 1, CAST = 2, CMP = 3, INT = 25,
                     BR = 5, SINCOS = 1),
                 .paired = 14),
    [FS_PAINT_MIRROR] =
        FS_EVENT("mirror", "a direction reflected", SOURCE,
                 OPS(L = 7, S = 9, MUL = 13, ADD = 7, RSQRT = 1, INT = 6, BR = 1), .paired = 6),
    [FS_PAINT_GLASS] = FS_EVENT(
        "glass", "a direction reflected or refracted by Schlick's share, a power by the library", SOURCE,
        OPS(L = 22, S = 19, MUL = 22, ADD = 14, SQRT = 1, DIV = 2, RSQRT = 1, CMP = 3, CAST = 2,
            INT = 15 + 312, BR = 6),
        .paired = 8),
    [FS_PAINT_POPPED] = FS_EVENT("popped", "an entry popped and its light worked out", SOURCE,
                                 OPS(L = 5, S = 1, MUL = 6, INT = 6, BR = 4), .paired = 4),
};

/* Code is assumed: no source has its size; together 3 % of a tile. */
static const fs_program programs[FS_PAINT_PROGRAMS] = {
    [FS_PAINT_NOISE] = {PROGRAM("noise", noise_events), .code_bytes = 1024},
    [FS_PAINT_RAYS] = {PROGRAM("ray_gen", ray_events), .workers = 1, .code_bytes = 1024},
    [FS_PAINT_UNIFORM] = {PROGRAM("uniform", uniform_events), .code_bytes = 1024},
    [FS_PAINT_TRACE] = {PROGRAM("path_trace", path_events), .code_bytes = 16384},
};

/* The same paths with the sine and the cosine in double precision, in software. */
static const fs_program *with_doubles(fs_arena *arena) {
    fs_event *events = FS_NEW(arena, fs_event, FS_PAINT_EVENTS);
    fs_program *program = FS_NEW(arena, fs_program, 1);
    for (uint32_t e = 0; e < FS_PAINT_EVENTS; e++)
        events[e] = path_events[e];
    events[FS_PAINT_DIFFUSE].op[FS_OP_SINCOS] = 0;
    events[FS_PAINT_DIFFUSE].op[FS_OP_SIN_F64] = 2;
    *program = programs[FS_PAINT_TRACE];
    program->events = events;
    return program;
}

const fs_program *const *fs_paint_programs(const fs_paint_kernel_params *params, fs_arena *arena) {
    const fs_program **list = FS_NEW(arena, const fs_program *, FS_PAINT_PROGRAMS);
    for (uint32_t p = 0; p < FS_PAINT_PROGRAMS; p++)
        list[p] = &programs[p];
    if (params->ray_workers == FS_RAYS_BY_ALL) {
        fs_program *rays = FS_NEW(arena, fs_program, 1);
        *rays = programs[FS_PAINT_RAYS];
        rays->workers = 0;
        list[FS_PAINT_RAYS] = rays;
    }
    if (params->sine == FS_SINE_DOUBLE)
        list[FS_PAINT_TRACE] = with_doubles(arena);
    return list;
}
