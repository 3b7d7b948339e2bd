/* The steps of a sample. */
#include "workloads/pathtrace/frame/steps.h"

#include "sim/base/arith.h"

typedef struct builder {
    fs_pathtrace_steps *out;
    fs_arena *arena;
    const fs_pathtrace_params *params;
    const fs_network_plan *network;
    uint64_t rows;   /* of a tile in a step of the network, where rows lie whole */
    uint32_t number; /* B of a number */
} builder;

/* `before` more bytes move behind the step before this one. */
static fs_pathtrace_step *add(builder *b, fs_pathtrace_step step, uint64_t before) {
    if (b->out->count > 0)
        b->out->step[b->out->count - 1].bytes += fs_up(before, 4) * 4;
    b->out->step[b->out->count] = step;
    return &b->out->step[b->out->count++];
}

static void add_features(builder *b) {
    const fs_pathtrace_step step = {.name = "features",
                                    .part = FS_PATHTRACE_FEATURES,
                                    .program = &fs_pathtrace_features,
                                    .count = {b->rows, b->rows * 4 * (uint64_t)b->params->nif.octaves}};
    add(b, step, 8 * b->rows); /* u and v of each ray, in f32 */
}

static void add_layer(builder *b, uint32_t i) {
    const fs_matrix_split *s = &b->network->split[i];
    const fs_network_layer *l = &b->network->layer[i];
    const uint64_t results = fs_up((uint64_t)s->rows * s->outputs * s->serial, s->input_parts);
    fs_pathtrace_step product = {.name = fs_arena_printf(b->arena, "layer %u", i + 1),
                                 .part = FS_PATHTRACE_MATRIX,
                                 .program = &fs_pathtrace_layer,
                                 .macs = (uint64_t)s->rows * s->inputs * s->outputs,
                                 .count = {[FS_PATHTRACE_LAYER_UNIT] = s->product}};
    for (uint32_t part = 0; part < s->serial; part++)
        add(b, product, s->coefficients + (part == 0 ? s->moved : 0));
    fs_pathtrace_step *last = &b->out->step[b->out->count - 1];
    if (s->partial > 0) {
        product.name = fs_arena_printf(b->arena, "sums of layer %u", i + 1);
        product.macs = 0;
        product.count[FS_PATHTRACE_LAYER_UNIT] = 0;
        product.count[FS_PATHTRACE_LAYER_ADDED] = s->added;
        last = add(b, product, s->partial);
    }
    if (l->bias || l->relu)
        last->count[FS_PATHTRACE_LAYER_ACTIVATE] = fs_up(results * (b->number < 2 ? 2 : b->number), 8);
    if (l->joins)
        last->count[FS_PATHTRACE_LAYER_JOIN] =
            fs_up(b->rows * 4 * (uint64_t)b->params->nif.octaves * b->number, 8);
}

fs_pathtrace_steps fs_pathtrace_steps_of(const fs_pathtrace_layout *layout, const fs_pathtrace_params *params,
                                         const fs_network_plan *network, fs_arena *arena) {
    uint32_t of_a_step = 1;
    for (uint32_t i = 0; i < network->layers; i++)
        of_a_step += network->split[i].serial + 1;
    fs_pathtrace_steps steps = {.type = (fs_amp_type)params->nif.type,
                                .step = FS_NEW(arena, fs_pathtrace_step, 3 + network->steps * of_a_step)};
    builder b = {.out = &steps,
                 .arena = arena,
                 .params = params,
                 .network = network,
                 .rows = fs_up(network->rows, layout->render_tiles),
                 .number = fs_amp_bytes((fs_amp_type)params->nif.type)};
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
        add_features(&b);
        for (uint32_t i = 0; i < network->layers; i++)
            add_layer(&b, i);
    }
    add(&b,
        (fs_pathtrace_step){.name = "light",
                            .part = FS_PATHTRACE_LIGHT,
                            .program = &fs_pathtrace_light,
                            .count = {layout->rays}},
        12ull * layout->rays); /* three f32 of each ray */
    return steps;
}

uint32_t fs_pathtrace_step_count(const fs_pathtrace_step *step, uint32_t event, uint32_t worker,
                                 uint32_t workers) {
    if (step->program->events[event].cycles > 0)
        return worker == 0 ? (uint32_t)step->count[event] : 0;
    return (uint32_t)(step->count[event] / workers + (worker < step->count[event] % workers));
}
