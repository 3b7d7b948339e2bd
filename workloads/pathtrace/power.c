#include "workloads/pathtrace/power.h"

#include "workloads/pathtrace/frame/layout.h"
#include "workloads/pathtrace/network/network.h"
#include "workloads/pathtrace/walk/walk.h"

#include <stdlib.h>

typedef fs_attojoules parts_of_phases[FS_ENERGY_PHASES][FS_ENERGY_PARTS];

typedef struct account {
    const fs_pathtrace_setup *setup;
    const fs_pathtrace_frame *frame;
    fs_energy_prices price;
    fs_attojoules runs, samples, tiles; /* batches that run, dummies too; samples of each; rendering tiles */
    parts_of_phases *out;
} account;

static const fs_energy_part part_of[FS_CALL_PARTS] = {[FS_CALL_ISSUE] = FS_ENERGY_ISSUE,
                                                      [FS_CALL_ARITHMETIC] = FS_ENERGY_ARITHMETIC,
                                                      [FS_CALL_SRAM] = FS_ENERGY_SRAM};

static void add(account *a, fs_energy_phase phase, fs_energy_part part, fs_attojoules energy) {
    (*a->out)[phase][part] += energy;
}

/* Walks: drawn paths grown to all, and so many calls. */
static void add_walk(account *a, const fs_pathtrace_paths *paths) {
    const fs_pathtrace_fixed *f = &a->setup->fixed;
    fs_program_energy energy;
    fs_energy_of_program(&f->walk, &a->price, &energy);
    const fs_attojoules calls = a->runs * a->tiles * (f->each ? a->samples : 1),
                        drawn = (fs_attojoules)f->drawn * a->setup->layout.batches;
    for (int p = 0; p < FS_CALL_PARTS; p++) {
        fs_attojoules sum = 0;
        for (int e = 0; e < FS_WALK_EVENTS; e++)
            sum += (fs_attojoules)paths->event[e] * energy.event[e][p];
        add(a, FS_ENERGY_IN_COMPUTE, part_of[p],
            sum * (a->runs * a->samples) / drawn + calls * energy.call[p]);
    }
}

static void add_moved(account *a, const fs_moved *moved, fs_attojoules phases) {
    const fs_energy_flow flow = {.moved = *moved};
    fs_attojoules of[FS_ENERGY_PHASES][FS_ENERGY_PARTS] = {{0}};
    fs_energy_price_flow(&a->price, &flow, of);
    for (int p = 0; p < FS_ENERGY_PARTS; p++)
        add(a, FS_ENERGY_IN_EXCHANGE, (fs_energy_part)p, of[FS_ENERGY_IN_EXCHANGE][p] * phases);
}

/* A step of the network on all rendering tiles, once. */
static fs_status add_step(account *a, const fs_pathtrace_step *step, fs_arena *arena, fs_error *err) {
    const fs_pathtrace_setup *s = a->setup;
    const fs_attojoules times = a->runs * a->samples;
    if (step->bytes > 0) {
        const fs_transfer *ring = fs_pathtrace_ring(&s->layout, step->bytes, arena);
        const fs_energy_routes routes =
            fs_energy_routes_make(&s->machine->geometry, ring, s->layout.render_tiles, arena);
        add_moved(a, &routes.whole, times);
    }
    if (step->program == NULL)
        return FS_OK;
    fs_priced_program priced;
    fs_program_energy energy;
    if (fs_program_price(step->program, &s->machine->tile, &priced, err))
        return err->status;
    fs_energy_of_program(&priced, &a->price, &energy);
    for (int p = 0; p < FS_CALL_PARTS; p++) {
        fs_attojoules sum = energy.call[p];
        for (uint32_t e = 0; e < step->program->event_count; e++)
            sum += (fs_attojoules)step->count[e] * energy.event[e][p];
        add(a, FS_ENERGY_IN_COMPUTE, part_of[p], sum * a->tiles * times);
    }
    fs_energy_flow flow = {.macs = {0}};
    fs_attojoules of[FS_ENERGY_PHASES][FS_ENERGY_PARTS] = {{0}};
    flow.macs[s->params->nif.type] = step->macs;
    fs_energy_price_flow(&a->price, &flow, of);
    for (int p = 0; p < FS_ENERGY_PARTS; p++)
        add(a, FS_ENERGY_IN_COMPUTE, (fs_energy_part)p, of[FS_ENERGY_IN_COMPUTE][p] * a->tiles * times);
    return FS_OK;
}

/* Copies, streaming memory, the host, barriers. */
static void add_streams(account *a, fs_arena *arena) {
    const fs_pathtrace_setup *s = a->setup;
    const fs_pathtrace_layout *l = &s->layout;
    const fs_attojoules chips = (fs_attojoules)s->machine->chips;
    uint32_t count;
    const fs_transfer *copies = fs_pathtrace_copies(l, arena, &count);
    const fs_energy_routes routes = fs_energy_routes_make(&s->machine->geometry, copies, count, arena);
    add_moved(a, &routes.whole, a->runs + chips);
    const uint64_t batch = fs_remote_lines(&s->machine->remote, fs_pathtrace_buffer(l)) *
                           (uint64_t)s->machine->remote.line,
                   weights = fs_network_parameters(&s->params->nif) *
                             fs_amp_bytes((fs_amp_type)s->params->nif.type);
    add(a, FS_ENERGY_IN_COMPUTE, FS_ENERGY_DRAM, 2 * a->runs * batch * 8 * a->price.dram_bit);
    add(a, FS_ENERGY_IN_HOST, FS_ENERGY_HOST,
        (a->runs * l->batch * l->ray + chips * (s->scene_bytes + weights)) * 8 * a->price.host_bit);
    add(a, FS_ENERGY_IN_HOST, FS_ENERGY_SRAM, chips * s->scene_bytes * l->tiles * (a->price.sram_64 / 8));
    const fs_attojoules steps = s->fixed.each ? s->fixed.steps * a->samples : 1;
    add(a, FS_ENERGY_IN_SYNC, FS_ENERGY_SYNC,
        (a->runs * steps * l->render_tiles + (a->runs + 2 * chips) * l->io_tiles +
         (a->runs + chips) * l->tiles) *
            a->price.sync);
}

/* Clocks and leakage of all chips until the slowest is through. */
static void add_time(account *a) {
    const uint64_t upload = (uint64_t)a->frame->upload, copies = (uint64_t)a->frame->copies,
                   all = (uint64_t)(a->frame->cycles + 0.5),
                   cycles[FS_ENERGY_PHASES] = {[FS_ENERGY_IN_HOST] = upload,
                                               [FS_ENERGY_IN_EXCHANGE] = copies,
                                               [FS_ENERGY_IN_COMPUTE] = all - upload - copies};
    const fs_attojoules tiles = (fs_attojoules)a->setup->layout.tiles * (uint64_t)a->setup->machine->chips;
    for (int phase = 0; phase < FS_ENERGY_PHASES; phase++) {
        add(a, (fs_energy_phase)phase, FS_ENERGY_CLOCK, tiles * cycles[phase] * a->price.clock);
        add(a, (fs_energy_phase)phase, FS_ENERGY_LEAKAGE, tiles * cycles[phase] * a->price.leakage);
    }
}

static void account_at(const fs_pathtrace_setup *s, const fs_pathtrace_frame *frame,
                       const fs_pathtrace_paths *paths, fs_price_end end, fs_arena *arena,
                       parts_of_phases *out) {
    account a = {.setup = s,
                 .frame = frame,
                 .price = fs_energy_prices_of(&s->machine->energy, s->machine->clock, end),
                 .runs = s->layout.batches + s->layout.pod.dummies,
                 .samples = (uint64_t)s->params->samples,
                 .tiles = s->layout.render_tiles,
                 .out = out};
    fs_error err = {0};
    add_walk(&a, paths);
    for (uint32_t i = 0; i < s->steps.count; i++)
        FS_ASSERT(add_step(&a, &s->steps.step[i], arena, &err) == FS_OK, "a step that was priced before: %s",
                  err.text);
    add_streams(&a, arena);
    add_time(&a);
}

fs_power_figures fs_pathtrace_power(const fs_pathtrace_setup *setup, const fs_pathtrace_frame *frame,
                                    const fs_pathtrace_paths *paths) {
    fs_arena *arena = fs_arena_create();
    parts_of_phases of[FS_PRICE_ENDS] = {{{0}}};
    for (int end = 0; end < FS_PRICE_ENDS; end++)
        account_at(setup, frame, paths, (fs_price_end)end, arena, &of[end]);
    fs_arena_free(arena);
    return fs_power_of_accounts(of, setup->machine, (uint64_t)setup->machine->chips,
                                frame->cycles / setup->machine->clock);
}
