/* A tile's compute phase in closed form: priced programs, workers in turns, barriers. */
#include "models/tile/tile.h"

#include "models/tile/tile_internal.h"
#include "sim/base/host.h"

enum { PERMILLE = 1000 };

static void check_program(const fs_program *program) {
    FS_ASSERT(program->segments >= 1 && program->segments <= FS_MAX_SEGMENTS, "%s: %u segments",
              program->name, program->segments);
    FS_ASSERT(program->event_count <= FS_MOST_EVENTS, "%s: %u events", program->name, program->event_count);
    FS_ASSERT((program->barrier != NULL) == (program->segments > 1), "%s: barrier and segments disagree",
              program->name);
    for (uint32_t e = 0; e < program->event_count; e++)
        FS_ASSERT(program->events[e].segment < program->segments, "%s: event \"%s\" in segment %u",
                  program->name, program->events[e].name, program->events[e].segment);
}

static void add_fixed(fs_priced_program *out, uint32_t barrier_accesses) {
    const fs_program *p = out->program;
    for (uint32_t s = 0; s + 1 < p->segments; s++) {
        out->fixed_first[s] = out->fixed_other[s] = out->barrier_slots;
        out->fixed_accesses[s] = (uint64_t)barrier_accesses * out->workers;
    }
    for (uint32_t e = 0; e < p->event_count; e++) {
        const fs_event *event = &p->events[e];
        out->fixed_other[event->segment] += event->always_each * out->slots[e];
        out->fixed_first[event->segment] +=
            (uint32_t)(event->always_each + event->always_first) * out->slots[e];
        out->fixed_accesses[event->segment] +=
            ((uint64_t)event->always_each * out->workers + event->always_first) * out->accesses[e];
    }
}

static void find_runs(fs_priced_program *out) {
    const fs_program *p = out->program;
    for (uint32_t e = 0; e < p->event_count; e++) {
        if (e == 0 || p->events[e].segment != p->events[e - 1].segment)
            out->run[out->runs++] = (fs_event_run){.segment = p->events[e].segment, .begin = e};
        out->run[out->runs - 1].end = e + 1;
    }
}

static void part_segments(fs_priced_program *out) {
    const fs_program *p = out->program;
    for (uint32_t e = 0; e < p->event_count; e++) {
        const uint32_t s = p->events[e].segment;
        out->segment_slots[s][e] = out->slots[e];
        if (out->segment_end[s] == 0)
            out->segment_begin[s] = e;
        out->segment_end[s] = e + 1;
    }
}

fs_status fs_program_price(const fs_program *program, const fs_tile_params *params, fs_priced_program *out,
                           fs_error *err) {
    check_program(program);
    if (params->workers < 1 || params->workers > FS_MAX_WORKERS || program->workers > params->workers)
        return fs_fail(err, FS_INPUT, "machine.tile.workers: the %s needs %u to %d workers, found %lld",
                       program->name, program->workers > 1 ? program->workers : 1, FS_MAX_WORKERS,
                       (long long)params->workers);
    const int64_t width = params->issue_width > 0 ? params->issue_width : 1;
    if (width > params->workers)
        return fs_fail(err, FS_INPUT,
                       "machine.tile.issue_width: at most the %lld workers of a tile issue in a cycle, found "
                       "%lld",
                       (long long)params->workers, (long long)width);
    *out = (fs_priced_program){
        .program = program,
        .width = fs_program_width(program),
        .workers = program->workers ? program->workers : (uint32_t)params->workers,
        .before = program->free_launch ? 0 : (uint32_t)(params->vertex_overhead + params->runall),
        .after = program->free_launch ? 0 : (uint32_t)params->join,
        .cycles_per_slot = (uint32_t)((params->workers + width - 1) / width),
        .issue_width = (uint32_t)width,
        .sram_ports = (uint32_t)params->sram_ports,
        .clock_permille = params->clock_permille > 0 ? (uint32_t)params->clock_permille : PERMILLE,
        .tile_workers = (uint32_t)params->workers,
        .reuse_idle_slots = params->reuse_idle_slots,
        .permille = (uint32_t)(params->scale * (PERMILLE / 100.0) + 0.5),
    };
    for (uint32_t e = 0; e < program->event_count; e++) {
        if (fs_event_price(program, &program->events[e], params, &out->slots[e], err))
            return err->status;
        out->accesses[e] = fs_event_accesses(&program->events[e], params);
        out->cycles[e] = program->events[e].cycles;
        out->hardware = out->hardware || out->cycles[e] > 0;
    }
    if (program->barrier && fs_event_price(program, program->barrier, params, &out->barrier_slots, err))
        return err->status;
    add_fixed(out, program->barrier ? fs_event_accesses(program->barrier, params) : 0);
    find_runs(out);
    part_segments(out);
    out->vectors = program->event_count <= FS_MAX_EVENTS && fs_host_has_avx2();
    return FS_OK;
}

/* row: of the worker, or NULL. */
static uint64_t occurrences(const fs_event *event, const uint32_t *row, uint32_t worker, uint32_t e) {
    uint64_t n = row ? row[e] : 0;
    return n + event->always_each + (worker == 0 ? event->always_first : 0);
}

uint64_t fs_segment_slots(const fs_priced_program *program, const uint32_t *counts, uint32_t worker,
                          uint32_t segment) {
    const fs_event *events = program->program->events;
    const uint32_t *row = counts ? counts + (size_t)worker * program->width : NULL;
    uint64_t slots = 0;
    for (uint32_t e = 0; e < program->program->event_count; e++)
        if (events[e].segment == segment)
            slots += occurrences(&events[e], row, worker, e) * program->slots[e];
    return slots;
}

uint64_t fs_hardware_cycles(const fs_priced_program *program, const uint32_t *counts) {
    uint64_t cycles = 0;
    for (uint32_t w = 0; program->hardware && counts != NULL && w < program->workers; w++)
        for (uint32_t e = 0; e < program->program->event_count; e++)
            cycles += (uint64_t)counts[w * program->width + e] * program->cycles[e];
    return cycles;
}

uint64_t fs_segment_port_cycles(const fs_priced_program *program, const uint32_t *counts, uint32_t segment) {
    if (program->sram_ports == 0)
        return 0;
    uint64_t accesses = program->fixed_accesses[segment];
    for (uint32_t w = 0; counts != NULL && w < program->workers; w++)
        for (uint32_t e = 0; e < program->program->event_count; e++)
            if (program->program->events[e].segment == segment)
                accesses += (uint64_t)counts[w * program->width + e] * program->accesses[e];
    return (accesses + program->sram_ports - 1) / program->sram_ports;
}

/* With reuse of idle slots: slots of the workers become the cycles for which they are busy in a segment. */
static void reuse_idle_slots(const fs_priced_program *p, uint64_t slots[FS_MAX_WORKERS]) {
    uint32_t order[FS_MAX_WORKERS]; /* of ascending slots */
    for (uint32_t w = 0; w < p->workers; w++) {
        uint32_t i = w;
        for (; i > 0 && slots[order[i - 1]] > slots[w]; i--)
            order[i] = order[i - 1];
        order[i] = w;
    }
    uint64_t issued = 0, cycles = 0;
    for (uint32_t i = 0; i < p->workers; i++) {
        const uint64_t mine = slots[order[i]];
        cycles += (mine - issued) * fs_issue_round(p, p->workers - i);
        issued = mine;
        slots[order[i]] = cycles;
    }
}

/* Slots of a worker's counted events in each segment: in runs of events, as the reference of
 * fs_counted_slots_avx2. */
static void add_counted(const fs_priced_program *p, const uint32_t *counts, fs_segment_table slots) {
    for (uint32_t w = 0; w < p->workers; w++, counts += p->width)
        for (const fs_event_run *run = p->run; run < p->run + p->runs; run++) {
            uint64_t sum = 0;
            for (uint32_t e = run->begin; e < run->end; e++)
                sum += (uint64_t)counts[e] * p->slots[e];
            slots[run->segment][w] += sum;
        }
}

/* Slots, or with reuse cycles, of each worker in each segment become its times. Segment s begins at the
 * call's own cycle `at`; out->cycles is, at first, what the call takes beside its segments. */
static void add_up(const fs_priced_program *p, const uint32_t *counts, fs_segment_table slots,
                   fs_tile_times *out) {
    const uint64_t each = p->reuse_idle_slots ? 1 : p->cycles_per_slot;
    const uint32_t segments = p->program->segments;
    uint64_t at = p->before;
    for (uint32_t w = 0; w < p->tile_workers; w++)
        out->busy[w] = out->waiting[w] = 0;
    for (uint32_t s = 0; s < segments; s++) {
        uint64_t longest = 0;
        for (uint32_t w = 0; w < p->workers; w++)
            longest = slots[s][w] > longest ? slots[s][w] : longest;
        const uint64_t ports = fs_segment_port_cycles(p, counts, s), begin = fs_tile_chip_cycles(p, at);
        const uint64_t takes = longest * each > ports ? longest * each : ports;
        const uint64_t end = fs_tile_chip_cycles(p, at + takes);
        for (uint32_t w = 0; w < p->workers; w++) {
            const uint64_t done = fs_tile_chip_cycles(p, at + slots[s][w] * each);
            out->busy[w] += done - begin;
            out->waiting[w] += s + 1 < segments ? end - done : 0;
        }
        at += takes;
    }
    out->cycles = fs_tile_chip_cycles(p, out->cycles + at - p->before);
    for (uint32_t w = 0; w < p->tile_workers; w++)
        out->idle[w] = out->cycles - out->busy[w] - out->waiting[w];
}

static void scale_slots(const fs_priced_program *p, fs_segment_table slots) {
    for (uint32_t s = 0; s < p->program->segments; s++)
        for (uint32_t w = 0; w < p->workers; w++)
            slots[s][w] = fs_slots_taken(p, slots[s][w]);
}

/* Fit for fs_six_times_avx2: what most tiles run. */
static bool six_by_vectors(const fs_priced_program *p) {
    return p->vectors && p->workers == FS_PUBLISHED_WORKERS && p->tile_workers == FS_PUBLISHED_WORKERS &&
           p->permille == PERMILLE && !p->reuse_idle_slots && !p->hardware && p->sram_ports == 0 &&
           p->clock_permille == PERMILLE;
}

void fs_tile_times_closed(const fs_priced_program *program, const uint32_t *counts, fs_tile_times *out) {
    const fs_program *p = program->program;
    fs_segment_table slots;
    if (counts != NULL && six_by_vectors(program)) {
        fs_six_times_avx2(program, counts, out);
        return;
    }
    for (uint32_t s = 0; s < p->segments; s++) {
        for (uint32_t w = 1; w < program->workers; w++)
            slots[s][w] = program->fixed_other[s];
        slots[s][0] = program->fixed_first[s];
    }
    if (counts != NULL && program->vectors)
        fs_counted_slots_avx2(program, counts, slots);
    else if (counts != NULL)
        add_counted(program, counts, slots);
    if (program->permille != PERMILLE)
        scale_slots(program, slots);
    for (uint32_t s = 0; s < p->segments && program->reuse_idle_slots; s++)
        reuse_idle_slots(program, slots[s]);
    out->cycles = program->before + program->after + fs_hardware_cycles(program, counts);
    add_up(program, counts, slots, out);
}
