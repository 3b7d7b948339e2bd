/* Operations of each event as the vendor's compiler leaves the public codelets: docs/facts/poplar_path_tracer.md,
 * section 3, by the rules of compiler.md. `paired` are neighbours of the two pipes in one bundle. */
#include "workloads/smallpaint/params.h"

#include "workloads/smallpaint/walk/paths.h"

#define SOURCE "poplar_path_tracer.md 3"
#define OPS(...)                                                                                             \
    { __VA_ARGS__ }

/* Of library programs: four f16 at a time, by the hardware's generator. */
static const fs_event noise_events[] = {
    [FS_NOISE_FOUR] =
        FS_EVENT("four normals", "four numbers of a bell curve, those beyond the cut drawn again", SOURCE,
                 .op = OPS([FS_OP_RANDOM] = 1, [FS_OP_F16X4] = 3, [FS_OP_INT] = 2, [FS_OP_BRANCH] = 1,
                           [FS_OP_STORE64] = 1)),
};
static const fs_event uniform_events[] = {
    [FS_UNIFORM_FOUR] = FS_EVENT("four numbers", "four uniform f16, scaled and stored", SOURCE,
                                 .op = OPS([FS_OP_RANDOM] = 1, [FS_OP_F16X4] = 1, [FS_OP_STORE64] = 1)),
};

/* A store of a half or of a byte is a call (compiler.md 1): so many slots beside its branch, the address and the
 * value's move among them. */
enum { HALF_CALL = 8, BYTE_CALL = 14 };

/* The tangent of half the height's angle is a library call before the loops; it has no price of its own and is taken
 * for a sine. */
static const fs_event ray_events[] = {
    [FS_RAYS_RAY] = FS_EVENT(
        "ray", "pixel to plane, noise, three f16 stored by calls", SOURCE,
        .op = OPS([FS_OP_LOAD] = 13, [FS_OP_STORE] = 1, [FS_OP_CAST] = 5, [FS_OP_ADD] = 4, [FS_OP_F16X2] = 2,
                  [FS_OP_DIV] = 1, [FS_OP_INT] = 12 + 3 * HALF_CALL, [FS_OP_BRANCH] = 4),
        .paired = 5),
    [FS_RAYS_ROW] =
        FS_EVENT("row", "a row of points begins", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 3, [FS_OP_STORE] = 2, [FS_OP_CAST] = 1, [FS_OP_ADD] = 2,
                           [FS_OP_MUL] = 1, [FS_OP_DIV] = 1, [FS_OP_INT] = 4, [FS_OP_BRANCH] = 2)),
    [FS_RAYS_CALL] =
        FS_EVENT("begin", "fields, and a tangent by the library", SOURCE,
                 .op = OPS([FS_OP_SIN_F64] = 1, [FS_OP_LOAD] = 20, [FS_OP_STORE] = 10, [FS_OP_CAST] = 2,
                           [FS_OP_DIV] = 2, [FS_OP_INT] = 6, [FS_OP_BRANCH] = 6),
                 .always_each = 1),
};

/* A test by itself, with the loop's part of it: the virtual call, two comparisons, the next object. */
static const fs_event path_events[FS_PAINT_EVENTS] = {
    [FS_PAINT_PATH] =
        FS_EVENT("path", "ray read, path begun, light added to the frame buffer", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 13, [FS_OP_STORE] = 16, [FS_OP_MUL] = 6, [FS_OP_ADD] = 5,
                           [FS_OP_RSQRT] = 1, [FS_OP_CAST] = 3, [FS_OP_INT] = 9, [FS_OP_BRANCH] = 4),
                 .paired = 6),
    [FS_PAINT_BOUNCE] =
        FS_EVENT("bounce", "the nearest hit begun with a byte's store, the ray moved, its normal", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 24, [FS_OP_STORE] = 15, [FS_OP_INT] = 12 + BYTE_CALL,
                           [FS_OP_BRANCH] = 11, [FS_OP_MUL] = 4, [FS_OP_ADD] = 4),
                 .paired = 5),
    [FS_PAINT_ROULETTE] =
        FS_EVENT("throw", "a number, its comparison kept as a byte, a division", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 6, [FS_OP_INT] = 5 + BYTE_CALL, [FS_OP_CMP] = 1, [FS_OP_CAST] = 2,
                           [FS_OP_ADD] = 1, [FS_OP_DIV] = 1, [FS_OP_BRANCH] = 4),
                 .paired = 1),
    [FS_PAINT_PLANE] =
        FS_EVENT("plane", "a plane tested: two products of vectors and a division", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 13, [FS_OP_MUL] = 7, [FS_OP_ADD] = 5, [FS_OP_DIV] = 1,
                           [FS_OP_CMP] = 4, [FS_OP_INT] = 11, [FS_OP_BRANCH] = 6),
                 .paired = 7),
    [FS_PAINT_SPHERE_BEHIND] = FS_EVENT("sphere behind", "a sphere tested that the ray leaves behind", SOURCE,
                                        .op = OPS([FS_OP_LOAD] = 12, [FS_OP_ADD] = 5, [FS_OP_MUL] = 3,
                                                  [FS_OP_CMP] = 3, [FS_OP_INT] = 9, [FS_OP_BRANCH] = 5),
                                        .paired = 6),
    [FS_PAINT_SPHERE_MISSED] = FS_EVENT("sphere missed", "a sphere tested whose equation has no root", SOURCE,
                                        .op = OPS([FS_OP_LOAD] = 18, [FS_OP_ADD] = 13, [FS_OP_MUL] = 9,
                                                  [FS_OP_CMP] = 4, [FS_OP_INT] = 10, [FS_OP_BRANCH] = 6),
                                        .paired = 12),
    [FS_PAINT_SPHERE_ENTERED] =
        FS_EVENT("sphere entered", "a sphere tested whose roots are worked out", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 18, [FS_OP_ADD] = 16, [FS_OP_MUL] = 9, [FS_OP_SQRT] = 1,
                           [FS_OP_CMP] = 6, [FS_OP_INT] = 14, [FS_OP_BRANCH] = 9),
                 .paired = 12),
    [FS_PAINT_DISC_AWAY] =
        FS_EVENT("disc away", "a disc tested that shows its back: its plane's distance", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 13, [FS_OP_MUL] = 7, [FS_OP_ADD] = 5, [FS_OP_DIV] = 1,
                           [FS_OP_CMP] = 4, [FS_OP_INT] = 11, [FS_OP_BRANCH] = 6),
                 .paired = 7),
    [FS_PAINT_DISC_TOWARDS] =
        FS_EVENT("disc towards", "a disc tested in its plane", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 22, [FS_OP_MUL] = 13, [FS_OP_ADD] = 13, [FS_OP_DIV] = 1,
                           [FS_OP_CMP] = 5, [FS_OP_INT] = 12, [FS_OP_BRANCH] = 7),
                 .paired = 13),
    [FS_PAINT_NEARER] = FS_EVENT(
        "nearer", "the nearest hit so far is kept, a byte among its fields", SOURCE,
        .op = OPS([FS_OP_LOAD] = 1, [FS_OP_STORE] = 3, [FS_OP_INT] = 4 + BYTE_CALL, [FS_OP_BRANCH] = 1)),
    [FS_PAINT_DIFFUSE] =
        FS_EVENT("diffuse", "a direction over the hemisphere, with one sine and one cosine", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 23, [FS_OP_STORE] = 18, [FS_OP_MUL] = 32, [FS_OP_ADD] = 13,
                           [FS_OP_RSQRT] = 1, [FS_OP_SQRT] = 1, [FS_OP_CAST] = 2, [FS_OP_CMP] = 3,
                           [FS_OP_INT] = 25, [FS_OP_BRANCH] = 5, [FS_OP_SINCOS] = 1),
                 .paired = 14),
    [FS_PAINT_MIRROR] =
        FS_EVENT("mirror", "a direction reflected", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 7, [FS_OP_STORE] = 9, [FS_OP_MUL] = 13, [FS_OP_ADD] = 7,
                           [FS_OP_RSQRT] = 1, [FS_OP_INT] = 6, [FS_OP_BRANCH] = 1),
                 .paired = 6),
    [FS_PAINT_GLASS] = FS_EVENT(
        "glass", "a direction reflected or refracted by Schlick's share, a power by the library", SOURCE,
        .op = OPS([FS_OP_LOAD] = 22, [FS_OP_STORE] = 19, [FS_OP_MUL] = 22, [FS_OP_ADD] = 14, [FS_OP_SQRT] = 1,
                  [FS_OP_DIV] = 2, [FS_OP_RSQRT] = 1, [FS_OP_CMP] = 3, [FS_OP_CAST] = 2,
                  [FS_OP_INT] = 15 + 312, [FS_OP_BRANCH] = 6),
        .paired = 8),
    [FS_PAINT_POPPED] = FS_EVENT(
        "popped", "an entry popped and its light worked out", SOURCE,
        .op = OPS([FS_OP_LOAD] = 5, [FS_OP_STORE] = 1, [FS_OP_MUL] = 6, [FS_OP_INT] = 6, [FS_OP_BRANCH] = 4),
        .paired = 4),
};

/* Code is assumed: no source has its size; together 3 % of a tile. */
static const fs_program programs[FS_PAINT_PROGRAMS] = {
    [FS_PAINT_NOISE] = {.name = "noise",
                        .segments = 1,
                        .events = noise_events,
                        .event_count = sizeof noise_events / sizeof *noise_events,
                        .code_bytes = 1024},
    [FS_PAINT_RAYS] = {.name = "ray_gen",
                       .segments = 1,
                       .workers = 1,
                       .events = ray_events,
                       .event_count = sizeof ray_events / sizeof *ray_events,
                       .code_bytes = 1024},
    [FS_PAINT_UNIFORM] = {.name = "uniform",
                          .segments = 1,
                          .events = uniform_events,
                          .event_count = sizeof uniform_events / sizeof *uniform_events,
                          .code_bytes = 1024},
    [FS_PAINT_TRACE] = {.name = "path_trace",
                        .segments = 1,
                        .events = path_events,
                        .event_count = FS_PAINT_EVENTS,
                        .code_bytes = 16384},
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
