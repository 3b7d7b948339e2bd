#include "workloads/pathtrace/figures.h"

#include <inttypes.h>
#include <string.h>

enum { LOAD, READ, COPY_IN, STREAM, FIRST }; /* steps; those of a sample follow, then these: */
enum { COPY, SAVE, BEHIND };
enum { STAGE_FILL, STAGE_COPY_IN, STAGE_RENDER, STAGE_COPY, STAGE_SAVE, STAGES };
enum { PROGRAM_STREAM, PROGRAM_WALK, PROGRAM_READ, PROGRAM_UV, PROGRAM_CALL, PROGRAM_LAYER, PROGRAM_LIGHT };

static const fs_program *const programs[] = {
    [PROGRAM_STREAM] = &fs_pathtrace_stream,   [PROGRAM_WALK] = &fs_walk_program,
    [PROGRAM_READ] = &fs_pathtrace_read_scene, [PROGRAM_UV] = &fs_pathtrace_uv,
    [PROGRAM_CALL] = &fs_pathtrace_call,       [PROGRAM_LAYER] = &fs_pathtrace_layer,
    [PROGRAM_LIGHT] = &fs_pathtrace_light};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static const uint32_t io_group[] = {0}, render_group[] = {1};

typedef struct fs_pathtrace_same {
    uint32_t *counts; /* [workers][width] of a tile */
    uint64_t macs;
    uint8_t program;
} same;

/* ---- the plan ---- */

static uint8_t *runs_on(const fs_pathtrace_layout *l, bool io, uint8_t program, fs_arena *arena) {
    uint8_t *of = FS_NEW(arena, uint8_t, l->tiles);
    for (uint32_t t = 0; t < l->tiles; t++)
        of[t] = (t < l->io_tiles) == io ? (uint8_t)(program + 1) : 0;
    return of;
}

/* Work of a step's tiles: `count` of its program's events. */
static void add_same(fs_pathtrace_chip *c, uint32_t step, uint8_t program, const fs_pathtrace_step *of,
                     fs_arena *arena) {
    const uint32_t width = fs_program_width(programs[program]), workers = c->setup->layout.workers;
    same *s = &c->same[step];
    *s = (same){
        .counts = FS_NEW(arena, uint32_t, (size_t)workers * width), .macs = of->macs, .program = program};
    for (uint32_t w = 0; w < workers; w++)
        for (uint32_t e = 0; e < programs[program]->event_count; e++)
            s->counts[w * width + e] = fs_pathtrace_step_count(of, e, w, workers);
}

static fs_device_step *step_of(fs_pathtrace_chip *c, uint32_t number, const char *name, bool io,
                               uint8_t program, fs_arena *arena) {
    fs_device_step *step = FS_NEW(arena, fs_device_step, 1);
    *step = (fs_device_step){
        .name = name, .runs = runs_on(&c->setup->layout, io, program, arena), .only_active = true};
    c->same[number].program = program;
    return step;
}

/* Rounds of a batch: one, or of each drawn sample as many as make the device count it exactly. */
static uint32_t *alike_of(fs_pathtrace_chip *c, fs_arena *arena) {
    const fs_pathtrace_fixed *f = &c->setup->fixed;
    uint32_t *alike = FS_NEW(arena, uint32_t, 3 * f->drawn);
    c->sample = FS_NEW(arena, uint32_t, 3 * f->drawn);
    for (uint64_t s = 0; s < f->drawn; s++) {
        const uint32_t all = fs_pathtrace_weight(f, s), first = f->merged ? 1 : all,
                       last = s + 1 == f->drawn && all > first ? 1 : 0,
                       part[] = {first, all - first - last, last};
        for (int i = 0; i < 3; i++)
            if (part[i] > 0) {
                c->sample[c->rounds] = (uint32_t)s;
                alike[c->rounds++] = part[i];
            }
    }
    return alike;
}

static void move(const fs_pathtrace_moves *moves, fs_device_step *step) {
    step->transfers = moves->transfers;
    step->transfer_count = moves->count;
    step->whole = true;
    step->fabric = moves->fabric;
}

static fs_device_branch render_branch(fs_pathtrace_chip *c, fs_arena *arena) {
    const fs_pathtrace_setup *s = c->setup;
    const fs_pathtrace_steps *steps = &s->steps;
    fs_device_step *of = FS_NEW(arena, fs_device_step, steps->count);
    for (uint32_t i = 0; i < steps->count; i++) {
        const fs_pathtrace_step *step = &steps->step[i];
        uint8_t program = PROGRAM_WALK;
        for (int p = 0; p < PROGRAMS; p++)
            program = step->program == programs[p] ? (uint8_t)p : program;
        of[i] = *step_of(c, FIRST + i, step->name, false, program, arena);
        if (step->program != NULL)
            add_same(c, FIRST + i, program, step, arena);
        if (s->fixed.step_moves[i].count > 0)
            move(&s->fixed.step_moves[i], &of[i]);
    }
    fs_device_branch branch = {
        .groups = render_group, .group_count = 1, .steps = of, .step_count = steps->count};
    if (s->fixed.each) {
        branch.alike = alike_of(c, arena);
        branch.times = c->rounds;
    }
    return branch;
}

/* A stage of one branch and step. */
static fs_device_stage stage_of(const fs_device_step *step, bool io, fs_arena *arena) {
    fs_device_branch *branch = FS_NEW(arena, fs_device_branch, 1);
    *branch =
        (fs_device_branch){.groups = io ? io_group : NULL, .group_count = io, .steps = step, .step_count = 1};
    return (fs_device_stage){branch, 1};
}

static fs_device_stage beside(const fs_device_step *stream, fs_device_branch render, fs_arena *arena) {
    fs_device_branch *both = FS_NEW(arena, fs_device_branch, 2);
    both[0] = (fs_device_branch){.groups = io_group, .group_count = 1, .steps = stream, .step_count = 1};
    both[1] = render;
    return (fs_device_stage){both, 2};
}

static void make_plan(fs_pathtrace_chip *c, fs_arena *arena) {
    const fs_pathtrace_setup *s = c->setup;
    const fs_pathtrace_layout *l = &s->layout;
    const fs_pathtrace_step read = {.program = &fs_pathtrace_read_scene, .count = {1}};
    fs_device_stage *stages = FS_NEW(arena, fs_device_stage, STAGES);
    fs_device_step *copy = FS_NEW(arena, fs_device_step, 1);
    uint8_t *group = FS_NEW(arena, uint8_t, l->tiles);
    c->tile = FS_NEW(arena, uint32_t, l->tiles);
    for (uint32_t t = 0; t < l->tiles; t++) {
        c->tile[t] = t;
        group[t] = t >= l->io_tiles;
    }
    copy->name = "copies";
    move(&s->fixed.copy_moves, copy);
    const fs_device_branch reading = {.groups = render_group,
                                      .group_count = 1,
                                      .steps = step_of(c, READ, "read", false, PROGRAM_READ, arena),
                                      .step_count = 1};
    add_same(c, READ, PROGRAM_READ, &read, arena);
    stages[STAGE_FILL] = beside(step_of(c, LOAD, "load", true, PROGRAM_STREAM, arena), reading, arena);
    stages[STAGE_COPY_IN] = stage_of(copy, false, arena);
    stages[STAGE_RENDER] =
        beside(step_of(c, STREAM, "stream", true, PROGRAM_STREAM, arena), render_branch(c, arena), arena);
    stages[STAGE_COPY] = stages[STAGE_COPY_IN];
    stages[STAGE_SAVE] =
        stage_of(step_of(c, FIRST + s->steps.count + SAVE, "save", true, PROGRAM_STREAM, arena), true, arena);
    c->of.plan = (fs_device_plan){.tiles = l->tiles,
                                  .group_of = group,
                                  .groups = 2,
                                  .program = programs,
                                  .programs = PROGRAMS,
                                  .stages = stages,
                                  .stage_count = STAGES,
                                  .first = {.visit = true,
                                            .bytes_to_device = s->sizes.scene + s->sizes.weights,
                                            .broadcast_bytes = s->sizes.scene}};
}

fs_status fs_pathtrace_chip_create(fs_pathtrace_chip *chip, const fs_pathtrace_setup *setup, fs_error *err) {
    fs_chip_run *of = &chip->of;
    chip->setup = setup;
    chip->steps = FIRST + setup->steps.count + BEHIND;
    chip->same = FS_NEW(of->run.arena, same, chip->steps);
    chip->row =
        FS_NEW(of->run.arena, fs_pathtrace_row, (size_t)setup->layout.render_tiles * setup->layout.workers);
    of->machine = setup->machine;
    of->labels = setup->labels;
    of->ledger = setup->ledger;
    of->chips = setup->layout.pod.chips;
    make_plan(chip, of->run.arena);
    return fs_chip_run_make(of, err);
}

/* ---- the device's client ---- */

/* The same counts on `tiles` tiles of a step, from tile[first] on. */
static void count_same(fs_pathtrace_chip *c, uint32_t step, uint32_t first, uint32_t tiles,
                       const uint32_t *counts, uint64_t macs) {
    const fs_priced_program *program = fs_device_program(c->of.device, step, c->tile[first]);
    const fs_amp_type type = c->setup->steps.type;
    if (c->counts == NULL) {
        fs_tile_times times;
        fs_tile_times_closed(program, counts, &times);
        fs_device_multiplied(c->of.device, c->tile[first], type, macs * tiles);
        fs_device_give_tiles(c->of.device, c->tile[first], times.cycles, tiles);
        return;
    }
#pragma omp parallel for schedule(static)
    for (uint32_t i = first; i < first + tiles; i++) {
        memcpy(fs_device_counts(c->of.device, c->tile[i]), counts,
               (size_t)c->setup->layout.workers * program->width * sizeof *counts);
        fs_device_multiplied(c->of.device, c->tile[i], type, macs);
        fs_device_done(c->of.device, c->tile[i]);
    }
}

static uint64_t batch_at(const fs_pathtrace_chip *c, uint64_t iteration) {
    return fs_pathtrace_batch_at(&c->setup->layout, c->number, iteration);
}

/* Cycles of a stream; `ways` that a batch goes in it: 1, or 2 beside each other. */
static uint64_t stream_of(const fs_pathtrace_chip *c, fs_moment at, uint32_t *ways, bool *saves) {
    const fs_pathtrace_fixed *f = &c->setup->fixed;
    const bool first = at.iteration == 0, last = at.iteration + 1 == c->setup->layout.pod.of_a_chip,
               load = at.step == LOAD || (at.step == STREAM && first),
               save = at.step > STREAM || (at.step == STREAM && last);
    *ways = load || save ? 1 : 2;
    *saves = !load;
    return load ? f->load : save ? f->save : f->both;
}

static void count_stream(fs_pathtrace_chip *c, fs_moment at) {
    const fs_pathtrace_layout *l = &c->setup->layout;
    const fs_remote_params *remote = &c->setup->machine->remote;
    uint32_t ways, counts[FS_MAX_WORKERS * FS_MAX_EVENTS] = {0};
    bool saves;
    counts[FS_PATHTRACE_STREAM_CYCLE] = (uint32_t)stream_of(c, at, &ways, &saves);
    fs_device_streamed(c->of.device, (uint64_t)ways * (uint64_t)remote->line *
                                         fs_remote_lines(remote, fs_pathtrace_buffer(l)));
    if (saves)
        fs_device_linked(c->of.device, l->batch * l->ray);
    count_same(c, at.step, 0, l->io_tiles, counts, 0);
}

/* Counts of a walk: of all samples, or of the drawn one that the round stands for. */
static fs_status take_rows(fs_pathtrace_chip *c, fs_moment at, fs_error *err) {
    const fs_pathtrace_fixed *f = &c->setup->fixed;
    const uint64_t workers = (uint64_t)f->render_tiles * f->workers, batch = batch_at(c, at.iteration),
                   first = f->each ? batch * f->drawn + c->sample[at.round] : batch;
    fs_walk_counts_rows(c->counts, first * workers, workers, c->row);
    return f->each ? FS_OK : fs_pathtrace_grow(f, c->share, c->row, err);
}

static fs_status count_walk(fs_pathtrace_chip *c, fs_moment at, fs_error *err) {
    const fs_pathtrace_layout *l = &c->setup->layout;
    const fs_pathtrace_batch *batch = &c->batch[batch_at(c, at.iteration)];
    const uint32_t width = fs_program_width(&fs_walk_program);
    if (c->counts == NULL) {
        const uint64_t cycles =
            c->setup->fixed.each ? (uint64_t)batch->value[c->sample[at.round]] : batch->walk;
        fs_device_give_tiles(c->of.device, c->tile[l->io_tiles], cycles, l->render_tiles);
        return FS_OK;
    }
    if (take_rows(c, at, err))
        return err->status;
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < l->render_tiles; i++) {
        uint32_t *counts = fs_device_counts(c->of.device, c->tile[l->io_tiles + i]);
        for (uint32_t w = 0; w < l->workers; w++)
            memcpy(counts + w * width, c->row[i * l->workers + w], sizeof *c->row);
        fs_device_done(c->of.device, c->tile[l->io_tiles + i]);
    }
    return FS_OK;
}

static fs_status on_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *active_count,
                            fs_error *err) {
    fs_pathtrace_chip *c = self;
    const fs_pathtrace_layout *l = &c->setup->layout;
    const uint32_t behind = FIRST + c->setup->steps.count;
    const bool copies = at.step == COPY_IN || at.step == behind + COPY,
               io = at.step == LOAD || at.step == STREAM || at.step == behind + SAVE;
    *active = c->tile + (io ? 0 : l->io_tiles);
    *active_count = copies ? 0 : c->counts == NULL ? 1 : io ? l->io_tiles : l->render_tiles;
    if (copies)
        return FS_OK;
    if (at.step == FIRST)
        return count_walk(c, at, err);
    if (io)
        count_stream(c, at);
    else
        count_same(c, at.step, l->io_tiles, l->render_tiles, c->same[at.step].counts, c->same[at.step].macs);
    return FS_OK;
}

/* ---- sums alone ---- */

static void tell(fs_pathtrace_chip *c, uint32_t program, const uint64_t *events, uint64_t times) {
    uint64_t row[1 + FS_MOST_EVENTS] = {0}; /* calls are known */
    for (uint32_t e = 0; e < programs[program]->event_count; e++)
        row[1 + e] = events[e] * times;
    fs_device_give_counts(c->of.device, program, row);
}

/* What the batch counted on all tiles. */
static void tell_sums(fs_pathtrace_chip *c, uint64_t iteration) {
    const fs_pathtrace_setup *s = c->setup;
    const bool first = iteration == 0, last = iteration + 1 == s->layout.pod.of_a_chip;
    const uint64_t one = 1, stream = (first ? 2 * s->fixed.load : last ? 2 * s->fixed.save : s->fixed.both);
    tell(c, PROGRAM_STREAM, &stream, s->layout.io_tiles);
    tell(c, PROGRAM_READ, &one, first ? s->layout.render_tiles : 0);
    tell(c, PROGRAM_WALK, c->batch[batch_at(c, iteration)].event, 1);
    for (uint32_t i = 0; i < s->steps.count; i++)
        if (s->steps.step[i].program != NULL)
            tell(c, c->same[FIRST + i].program, s->steps.step[i].count,
                 s->layout.render_tiles * s->fixed.samples);
}

static fs_status on_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)err;
    fs_pathtrace_chip *c = self;
    *visit = (fs_host_visit){.visit = false};
    *stop = iteration + 1 == c->setup->layout.pod.of_a_chip;
    if (c->counts == NULL)
        tell_sums(c, iteration);
    return FS_OK;
}

static bool on_skips(void *self, uint64_t iteration, uint32_t stage) {
    const fs_pathtrace_chip *c = self;
    const bool first = iteration == 0, last = iteration + 1 == c->setup->layout.pod.of_a_chip;
    return ((stage == STAGE_FILL || stage == STAGE_COPY_IN) && !first) || (stage == STAGE_SAVE && !last);
}

fs_status fs_pathtrace_chip_run(fs_pathtrace_chip *chip, const fs_pathtrace_frame *frame, fs_error *err) {
    const fs_device_client client = {
        .self = chip, .compute = on_compute, .decide = on_decide, .skips = on_skips};
    chip->number = frame->chip;
    if (fs_chip_run_device(&chip->of, &client, "batches",
                           chip->counts != NULL ? chip->setup->layout.pod.of_a_chip : 0, err))
        return err->status;
    const uint64_t cycles = chip->of.chip.device.cycles, expected = (uint64_t)frame->cycles;
    return cycles == expected ? FS_OK
                              : fs_fail(err, FS_BROKEN,
                                        "cycles of the device are %" PRIu64 ", those of the frame in closed "
                                        "form %" PRIu64,
                                        cycles, expected);
}
