/* The plan of a batch, and the counts of what is the same on every tile. */
#include "workloads/pathtrace/frame/device.h"

#include <string.h>

static const uint32_t io_group[] = {0}, render_group[] = {1};

static uint8_t *runs(const fs_pathtrace_layout *l, bool io, uint8_t program, fs_arena *arena) {
    uint8_t *of = FS_NEW(arena, uint8_t, l->tiles);
    for (uint32_t t = 0; t < l->tiles; t++)
        of[t] = (t < l->io_tiles) == io ? (uint8_t)(program + 1) : 0;
    return of;
}

static fs_device_branch render_branch(const fs_pathtrace_layout *l, const fs_pathtrace_steps *steps,
                                      const fs_program *const *program, uint32_t programs, uint32_t rounds,
                                      fs_arena *arena) {
    fs_device_step *of = FS_NEW(arena, fs_device_step, steps->count);
    for (uint32_t s = 0; s < steps->count; s++) {
        const fs_pathtrace_step *step = &steps->step[s];
        uint8_t number = FS_PATHTRACE_STEP_TRACE;
        for (uint32_t p = 0; p < programs; p++)
            if (step->program != NULL && program[p] == step->program)
                number = (uint8_t)p;
        of[s] = (fs_device_step){.name = step->name, .runs = runs(l, false, number, arena)};
        if (step->bytes > 0) {
            of[s].transfers = fs_pathtrace_ring(l, step->bytes, arena);
            of[s].transfer_count = l->render_tiles;
        }
    }
    return (fs_device_branch){
        .groups = render_group, .group_count = 1, .steps = of, .step_count = steps->count, .times = rounds};
}

static void list_tiles(const fs_pathtrace_layout *l, fs_pathtrace_device_plan *out, uint8_t *group,
                       fs_arena *arena) {
    out->io = FS_NEW(arena, uint32_t, l->io_tiles);
    out->render = FS_NEW(arena, uint32_t, l->render_tiles);
    for (uint32_t t = 0; t < l->tiles; t++) {
        group[t] = t >= l->io_tiles;
        if (t < l->io_tiles)
            out->io[t] = t;
        else
            out->render[t - l->io_tiles] = t;
    }
}

fs_pathtrace_device_plan fs_pathtrace_device_plan_of(const fs_pathtrace_layout *layout,
                                                     const fs_pathtrace_steps *steps, const fs_program *walk,
                                                     const fs_pathtrace_fixed *fixed,
                                                     fs_pathtrace_sizes sizes, fs_arena *arena) {
    enum { PROGRAMS = 6 };
    const fs_program **program = FS_NEW(arena, const fs_program *, PROGRAMS);
    const fs_program *const all[PROGRAMS] = {&fs_pathtrace_stream, walk,
                                             &fs_pathtrace_uv,     &fs_pathtrace_features,
                                             &fs_pathtrace_layer,  &fs_pathtrace_light};
    for (int p = 0; p < PROGRAMS; p++)
        program[p] = all[p];
    fs_pathtrace_device_plan out = {.rounds = fixed->each ? (uint32_t)fixed->drawn : 1,
                                    .copies = steps->count + 1};
    uint8_t *group = FS_NEW(arena, uint8_t, layout->tiles);
    list_tiles(layout, &out, group, arena);
    fs_device_step *stream = FS_NEW(arena, fs_device_step, 1), *copy = FS_NEW(arena, fs_device_step, 1);
    *stream = (fs_device_step){.name = "stream", .runs = runs(layout, true, FS_PATHTRACE_STEP_STREAM, arena)};
    copy->name = "copies";
    copy->transfers = fs_pathtrace_copies(layout, arena, &copy->transfer_count);
    fs_device_branch *apart = FS_NEW(arena, fs_device_branch, 2),
                     *together = FS_NEW(arena, fs_device_branch, 1);
    apart[0] = (fs_device_branch){.groups = io_group, .group_count = 1, .steps = stream, .step_count = 1};
    apart[1] = render_branch(layout, steps, program, PROGRAMS, out.rounds, arena);
    *together = (fs_device_branch){.steps = copy, .step_count = 1};
    fs_device_stage *stages = FS_NEW(arena, fs_device_stage, 2);
    stages[0] = (fs_device_stage){apart, 2};
    stages[1] = (fs_device_stage){together, 1};
    out.plan = (fs_device_plan){.tiles = layout->tiles,
                                .group_of = group,
                                .groups = 2,
                                .program = program,
                                .programs = PROGRAMS,
                                .stages = stages,
                                .stage_count = 2,
                                .first = {.visit = true,
                                          .bytes_to_device = sizes.scene + sizes.weights,
                                          .broadcast_bytes = sizes.scene}};
    return out;
}

void fs_pathtrace_device_count(const fs_pathtrace_device_plan *plan, const fs_pathtrace_layout *layout,
                               const fs_pathtrace_steps *steps, fs_device *device, uint32_t step,
                               uint64_t stream) {
    if (step == FS_PATHTRACE_STEP_STREAM) {
        for (uint32_t i = 0; i < layout->io_tiles; i++) {
            fs_device_counts(device, plan->io[i])[FS_PATHTRACE_STREAM_CYCLE] = (uint32_t)stream;
            fs_device_done(device, plan->io[i]);
        }
        return;
    }
    const fs_pathtrace_step *s = &steps->step[step - FS_PATHTRACE_STEP_TRACE];
    const uint32_t width = fs_program_width(s->program);
    uint32_t same[FS_MAX_WORKERS * FS_MOST_EVENTS] = {0}; /* on all of them */
    for (uint32_t w = 0; w < layout->workers; w++)
        for (uint32_t e = 0; e < s->program->event_count; e++)
            same[w * width + e] = fs_pathtrace_step_count(s, e, w, layout->workers);
    for (uint32_t i = 0; i < layout->render_tiles; i++) {
        uint32_t *counts = fs_device_counts(device, plan->render[i]);
        memcpy(counts, same, (size_t)layout->workers * width * sizeof *same);
        fs_device_multiplied(device, plan->render[i], steps->type, s->macs);
        fs_device_done(device, plan->render[i]);
    }
}
