#include "workloads/pathtrace/frame/steps.h"

#include "sim/base/arith.h"

enum {
    AROUND = 15,
    BEHIND = 4
}; /* steps of a pass beside its layers, and of a layer beside its serial ones */

typedef struct builder {
    fs_pathtrace_steps *out;
    fs_arena *arena;
    const fs_pathtrace_params *params;
    const fs_nif_plan *network;
    uint64_t rows;   /* of a tile in a step of the network, where rows lie whole */
    uint32_t number; /* B of a number */
    uint32_t workers;
} builder;

/* `before` more bytes move behind the step before this one. */
static fs_pathtrace_step *add(builder *b, fs_pathtrace_step step, uint64_t before) {
    if (b->out->count > 0)
        b->out->step[b->out->count - 1].bytes += fs_up(before, 4) * 4;
    b->out->step[b->out->count] = step;
    return &b->out->step[b->out->count++];
}

uint64_t fs_pathtrace_copy_cycles(uint64_t bytes, uint64_t atom, double percent) {
    const uint64_t of_a_kib = atom % 8 == 0 ? 451 : atom % 4 == 0 ? 3200 : 5271;
    const uint64_t cycles = 587 + of_a_kib * bytes / 1024;
    return (uint64_t)((double)cycles * percent / 100.0 + 0.5);
}

/* ---- calls of the library ---- */

/* One call, its launch and its barrier: `entry` slots of each worker around a loop of `count` of an event. */
static void call(builder *b, const char *name, uint64_t entry, int event, uint64_t count) {
    fs_pathtrace_step step = {.name = name, .part = FS_PATHTRACE_CALLS, .program = &fs_pathtrace_call};
    step.count[FS_PATHTRACE_CALL_ENTRY] = entry * b->workers;
    step.count[event] = count;
    add(b, step, 0);
}

/* `moved` B come in, `bytes` of the tile take another order. */
static void copy(builder *b, const char *name, uint64_t moved, uint64_t bytes, uint64_t atom) {
    fs_pathtrace_step step = {.name = name, .part = FS_PATHTRACE_CALLS, .program = &fs_pathtrace_call};
    step.count[FS_PATHTRACE_CALL_COPIED] = fs_pathtrace_copy_cycles(bytes, atom, b->params->nif.copies);
    add(b, step, moved);
}

/* Workers' slots outside of a call's loop, by kind of call (neural_path_tracing.md 4, PL). */
enum {
    MADE = 20,
    ROWS = 15,
    UNARY = 17,
    IN_PLACE = 55,
    CAST = 39,
    CASTS = 28,
    SCALED = 20,
    TWO_IN_PLACE = 58,
    SLICE = 63
};

static void encode(builder *b) {
    const uint64_t octaves = (uint64_t)b->params->nif.octaves, values = 2 * b->rows, all = values * octaves;
    if (b->out->count > 0)
        b->out->step[b->out->count - 1].bytes +=
            8 * b->rows; /* u and v of each ray, in f32, where they are wanted */
    call(b, "normalised", MADE, FS_PATHTRACE_CALL_NORMALISE, b->rows);
    copy(b, "powers", 4 * octaves, 4 * all, 4 * octaves);
    call(b, "products", ROWS, FS_PATHTRACE_CALL_PAIR, values * fs_up(octaves, 2));
    b->out->step[b->out->count - 1].count[FS_PATHTRACE_CALL_ROW] = values;
    call(b, "products in f16", CAST, FS_PATHTRACE_CALL_NARROW, fs_up(all, 4));
    call(b, "cosines", UNARY, FS_PATHTRACE_CALL_SINE, all);
    call(b, "sines", IN_PLACE, FS_PATHTRACE_CALL_SINE, all);
    call(b, "sines in f32", CAST, FS_PATHTRACE_CALL_WIDEN, fs_up(all, 2));
    call(b, "cosines in f32", CAST, FS_PATHTRACE_CALL_WIDEN, fs_up(all, 2));
    if (b->number < 4)
        call(b, "features in f16", CASTS, FS_PATHTRACE_CALL_NARROW, fs_up(2 * all, 4));
    copy(b, "features", 2 * all * b->number, 2 * all * b->number, octaves * b->number);
}

static void decode(builder *b) {
    const uint64_t values = 3 * b->rows;
    if (b->number < 4)
        call(b, "colours in f32", CAST, FS_PATHTRACE_CALL_WIDEN, fs_up(values, 2));
    call(b, "colours scaled", SCALED, FS_PATHTRACE_CALL_PAIR, fs_up(values, 2));
    copy(b, "means", 12, 4 * values, 12);
    call(b, "means added", TWO_IN_PLACE, FS_PATHTRACE_CALL_SUM, fs_up(values, 2));
    call(b, "exponentials", IN_PLACE, FS_PATHTRACE_CALL_EXP, fs_up(values, 2));
}

/* ---- layers ---- */

/* Whole groups of the product's inputs stay where they are; those that the features begin in or follow take
 * another order. */
static void join(builder *b, uint32_t i) {
    const fs_nif_layer *l = &b->network->layer[i];
    const uint64_t group = fs_amp_inputs((fs_amp_type)b->params->nif.type),
                   wide = l->outputs + 4 * (uint64_t)b->params->nif.octaves,
                   groups = fs_up(wide, group) - l->outputs / group;
    copy(b, fs_arena_printf(b->arena, "features joined to layer %u", i + 1), 0,
         groups * group * b->number * b->rows, (uint64_t)l->outputs * b->number);
}

static void add_layer(builder *b, uint32_t i) {
    const fs_matrix_split *s = &b->network->split[i];
    const fs_nif_layer *l = &b->network->layer[i];
    const uint64_t results = fs_up((uint64_t)s->rows * s->outputs * s->serial, s->input_parts),
                   eights = fs_up(results * (b->number < 2 ? 2 : b->number), 8);
    fs_pathtrace_step product = {.name = fs_arena_printf(b->arena, "layer %u", i + 1),
                                 .part = FS_PATHTRACE_MATRIX,
                                 .program = &fs_pathtrace_layer,
                                 .macs = (uint64_t)s->rows * s->inputs * s->outputs,
                                 .count = {[FS_PATHTRACE_LAYER_UNIT] = s->product}};
    fs_matrix_split *operands = FS_NEW(b->arena, fs_matrix_split, 1);
    *operands = *s;
    for (uint32_t part = 0; part < s->serial; part++) {
        if (s->serial > 1)
            call(b, fs_arena_printf(b->arena, "slice of layer %u", i + 1), SLICE, FS_PATHTRACE_CALL_SLICED,
                 fs_up(fs_up(s->coefficients, s->row_parts), 8));
        b->out->step[b->out->count - 1].operands = operands;
        b->out->step[b->out->count - 1].inputs = part == 0;
        add(b, product, 0);
        if (s->serial > 1)
            call(b, fs_arena_printf(b->arena, "outputs of layer %u", i + 1), SLICE, FS_PATHTRACE_CALL_SLICED,
                 fs_up(eights, s->serial));
    }
    if (s->partial > 0) {
        product.name = fs_arena_printf(b->arena, "sums of layer %u", i + 1);
        product.macs = 0;
        product.count[FS_PATHTRACE_LAYER_UNIT] = 0;
        product.count[FS_PATHTRACE_LAYER_ADDED] = s->added;
        add(b, product, s->partial);
    }
    if (l->bias)
        call(b, fs_arena_printf(b->arena, "bias of layer %u", i + 1), TWO_IN_PLACE, FS_PATHTRACE_CALL_BIAS,
             eights);
    if (l->relu)
        call(b, fs_arena_printf(b->arena, "activation of layer %u", i + 1), IN_PLACE, FS_PATHTRACE_CALL_RELU,
             eights);
    if (l->joins)
        join(b, i);
}

fs_pathtrace_steps fs_pathtrace_steps_of(const fs_pathtrace_layout *layout, const fs_pathtrace_params *params,
                                         const fs_nif_plan *network, fs_arena *arena) {
    uint32_t of_a_step = AROUND;
    for (uint32_t i = 0; i < network->layers; i++)
        of_a_step += 3 * network->split[i].serial + BEHIND;
    fs_pathtrace_steps steps = {.type = (fs_amp_type)params->nif.type,
                                .step = FS_NEW(arena, fs_pathtrace_step, 3 + network->steps * of_a_step)};
    builder b = {.out = &steps,
                 .arena = arena,
                 .params = params,
                 .network = network,
                 .rows = fs_up(network->rows, layout->render_tiles),
                 .number = fs_amp_bytes((fs_amp_type)params->nif.type),
                 .workers = layout->workers};
    add(&b, (fs_pathtrace_step){.name = "trace", .part = FS_PATHTRACE_TRACE}, 0);
    if (network->layers == 0)
        return steps;
    add(&b,
        (fs_pathtrace_step){.name = "coordinates",
                            .part = FS_PATHTRACE_UV,
                            .program = &fs_pathtrace_uv,
                            .count = {layout->rays}},
        0);
    for (uint32_t s = 0; s < network->steps; s++) {
        encode(&b);
        for (uint32_t i = 0; i < network->layers; i++)
            add_layer(&b, i);
        decode(&b);
        b.out->step[b.out->count - 1].bytes += 12 * b.rows; /* three f32 to each ray */
    }
    add(&b,
        (fs_pathtrace_step){.name = "light",
                            .part = FS_PATHTRACE_LIGHT,
                            .program = &fs_pathtrace_light,
                            .count = {layout->rays}},
        0);
    return steps;
}

uint32_t fs_pathtrace_step_count(const fs_pathtrace_step *step, uint32_t event, uint32_t worker,
                                 uint32_t workers) {
    if (step->program->events[event].cycles > 0)
        return worker == 0 ? (uint32_t)step->count[event] : 0;
    return (uint32_t)(step->count[event] / workers + (worker < step->count[event] % workers));
}
