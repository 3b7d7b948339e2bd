/* Operations of each event, counted by hand as a compiler without special care would leave them (the article:
 * plain C++, no assembly, no intrinsics), with virtual calls for the objects' tests. The sums are those of
 * docs/facts/poplar_path_tracer.md, section 3. */
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

/* Three f16 leave a ray as packed words: no store of a half costs more than two slots (the published profile
 * has 26.7 slots a ray). */
static const fs_event ray_events[] = {
    [FS_RAYS_RAY] =
        FS_EVENT("ray", "noise, pixel to plane, length one, three f16 stored", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 2, [FS_OP_CAST] = 5, [FS_OP_ADD] = 6, [FS_OP_MUL] = 7,
                           [FS_OP_RSQRT] = 1, [FS_OP_INT] = 5, [FS_OP_BRANCH] = 1, [FS_OP_STORE] = 3)),
    [FS_RAYS_ROW] = FS_EVENT("row", "a row of points begins", SOURCE,
                             .op = OPS([FS_OP_LOAD] = 2, [FS_OP_CAST] = 1, [FS_OP_MUL] = 2, [FS_OP_ADD] = 2,
                                       [FS_OP_INT] = 3, [FS_OP_BRANCH] = 1)),
};

static const fs_event path_events[FS_PAINT_EVENTS] = {
    [FS_PAINT_PATH] =
        FS_EVENT("path", "ray read, path begun, light added to the frame buffer", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 24, [FS_OP_STORE] = 24, [FS_OP_MUL] = 10, [FS_OP_ADD] = 8,
                           [FS_OP_RSQRT] = 1, [FS_OP_CAST] = 3, [FS_OP_INT] = 27, [FS_OP_BRANCH] = 20)),
    [FS_PAINT_BOUNCE] =
        FS_EVENT("bounce", "depth and roulette, loop over the objects, an entry pushed", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 8, [FS_OP_STORE] = 6, [FS_OP_INT] = 12, [FS_OP_BRANCH] = 8,
                           [FS_OP_MUL] = 3, [FS_OP_ADD] = 3)),
    [FS_PAINT_PLANE] =
        FS_EVENT("plane", "a plane tested: two products of vectors and a division", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 14, [FS_OP_STORE] = 4, [FS_OP_MUL] = 6, [FS_OP_ADD] = 5,
                           [FS_OP_DIV] = 1, [FS_OP_CMP] = 2, [FS_OP_INT] = 6, [FS_OP_BRANCH] = 6)),
    [FS_PAINT_SPHERE_BEHIND] =
        FS_EVENT("sphere behind", "a sphere tested that the ray leaves behind", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 12, [FS_OP_STORE] = 2, [FS_OP_ADD] = 5, [FS_OP_MUL] = 3,
                           [FS_OP_CMP] = 1, [FS_OP_INT] = 6, [FS_OP_BRANCH] = 7)),
    [FS_PAINT_SPHERE_MISSED] =
        FS_EVENT("sphere missed", "a sphere tested whose equation has no root", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 13, [FS_OP_STORE] = 2, [FS_OP_ADD] = 9, [FS_OP_MUL] = 9,
                           [FS_OP_CMP] = 3, [FS_OP_INT] = 8, [FS_OP_BRANCH] = 10)),
    [FS_PAINT_SPHERE_ENTERED] =
        FS_EVENT("sphere entered", "a sphere tested whose roots are worked out", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 13, [FS_OP_STORE] = 2, [FS_OP_ADD] = 12, [FS_OP_MUL] = 9,
                           [FS_OP_SQRT] = 1, [FS_OP_CMP] = 5, [FS_OP_INT] = 11, [FS_OP_BRANCH] = 13)),
    [FS_PAINT_DISC_AWAY] =
        FS_EVENT("disc away", "a disc tested that shows its back", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 14, [FS_OP_STORE] = 4, [FS_OP_MUL] = 6, [FS_OP_ADD] = 5,
                           [FS_OP_CMP] = 2, [FS_OP_INT] = 7, [FS_OP_BRANCH] = 8)),
    [FS_PAINT_DISC_TOWARDS] =
        FS_EVENT("disc towards", "a disc tested in its plane", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 17, [FS_OP_STORE] = 4, [FS_OP_MUL] = 10, [FS_OP_ADD] = 10,
                           [FS_OP_DIV] = 1, [FS_OP_CMP] = 3, [FS_OP_INT] = 10, [FS_OP_BRANCH] = 11)),
    [FS_PAINT_NEARER] =
        FS_EVENT("nearer", "the nearest hit so far is kept", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 2, [FS_OP_STORE] = 5, [FS_OP_INT] = 4, [FS_OP_BRANCH] = 3)),
    [FS_PAINT_DIFFUSE] =
        FS_EVENT("diffuse", "a direction over the hemisphere, with one sine and one cosine", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 22, [FS_OP_STORE] = 14, [FS_OP_MUL] = 24, [FS_OP_ADD] = 16,
                           [FS_OP_SQRT] = 2, [FS_OP_DIV] = 1, [FS_OP_CAST] = 2, [FS_OP_CMP] = 3,
                           [FS_OP_INT] = 16, [FS_OP_BRANCH] = 10, [FS_OP_SINCOS] = 1)),
    [FS_PAINT_MIRROR] =
        FS_EVENT("mirror", "a direction reflected", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 14, [FS_OP_STORE] = 9, [FS_OP_MUL] = 10, [FS_OP_ADD] = 8,
                           [FS_OP_RSQRT] = 1, [FS_OP_INT] = 9, [FS_OP_BRANCH] = 8)),
    [FS_PAINT_GLASS] =
        FS_EVENT("glass", "a direction reflected or refracted by Schlick's share", SOURCE,
                 .op = OPS([FS_OP_LOAD] = 20, [FS_OP_STORE] = 12, [FS_OP_MUL] = 22, [FS_OP_ADD] = 14,
                           [FS_OP_SQRT] = 2, [FS_OP_DIV] = 1, [FS_OP_RSQRT] = 1, [FS_OP_CMP] = 4,
                           [FS_OP_CAST] = 1, [FS_OP_INT] = 11, [FS_OP_BRANCH] = 9)),
    [FS_PAINT_POPPED] = FS_EVENT(
        "popped", "an entry popped and its light worked out", SOURCE,
        .op = OPS([FS_OP_LOAD] = 9, [FS_OP_MUL] = 4, [FS_OP_ADD] = 3, [FS_OP_INT] = 4, [FS_OP_BRANCH] = 4)),
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
