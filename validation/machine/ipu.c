/* The IPU alone: small programs on every tile of a GC200, in closed forms. */
#include "validation/machine/checks.h"

#include "models/ipu/device.h"
#include "sim/base/alloc.h"
#include "sim/base/rng.h"
#include "sim/config/config.h"

/* ---- a chip that does one thing in every tile ---- */

/* One iteration: every tile runs `program`, whose event 0 happens `each` times on each of its workers, and
 * the transfers are made. */
typedef struct step {
    const fs_program *program;
    uint32_t each;
    const fs_transfer *transfers; /* [count] */
    uint32_t count;
    /* outcome */
    fs_iteration took;
    uint64_t events;  /* on all workers of all tiles */
    uint64_t bytes;   /* received by all tiles */
    uint64_t planned; /* cycles of the exchange's schedule */
} step;

typedef struct chip {
    fs_arena *arena;
    fs_machine_params machine;
    uint32_t tiles;
    uint32_t *all; /* [tiles] their numbers */
    step *now;
    fs_device *device;
} chip;

static fs_status compute(void *self, fs_moment at, const uint32_t **active, uint32_t *count, fs_error *err) {
    const chip *c = self;
    (void)at;
    (void)err;
    for (uint32_t t = 0; t < c->tiles; t++) {
        const uint32_t workers = fs_device_program(c->device, 0, t)->workers;
        uint32_t *counts = fs_device_counts(c->device, t);
        for (uint32_t w = 0; w < workers; w++)
            counts[w * FS_MAX_EVENTS] = c->now->each;
        c->now->events += (uint64_t)workers * c->now->each;
        fs_device_done(c->device, t);
    }
    *active = c->all;
    *count = c->tiles;
    return FS_OK;
}

static fs_status decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)self;
    (void)iteration;
    (void)visit;
    (void)err;
    *stop = true;
    return FS_OK;
}

static void finished(void *self, const fs_iteration *iteration) {
    ((const chip *)self)->now->took = *iteration;
}

static fs_status play(chip *c, step *s, fs_error *err) {
    const fs_host_visit nobody = {0};
    const fs_device_client client = {
        .self = c, .compute = compute, .decide = decide, .finished = finished}; /* every byte moves */
    fs_device_programs programs = {
        .program = &s->program, .count = 1, .of_tile = FS_NEW(c->arena, uint8_t, c->tiles)};
    const fs_device_step only = {.transfers = s->transfers, .transfer_count = s->count};
    const fs_device_plan plan = fs_plan_of_step(c->arena, c->tiles, &programs, &only, 0, &nobody);
    for (uint32_t t = 0; t < c->tiles; t++)
        programs.of_tile[t] = 1;
    c->now = s;
    c->device = fs_device_create(c->arena, &c->machine, &plan, FS_DETAIL_PHASE, err);
    if (c->device == NULL)
        return err->status;
    fs_status status = fs_device_replay(c->device, &client, err);
    const fs_device_totals totals = fs_device_totals_of(c->device);
    for (uint32_t t = 0; t < c->tiles; t++)
        s->bytes += totals.bytes_in[t];
    s->planned = fs_fabric_plan_of(fs_device_fabric(c->device, 0)).length;
    return status;
}

/* ---- programs ---- */

#define ONE_EVENT(event) .segments = 1, .events = &(event), .event_count = 1

static const fs_event nothing = {.name = "nothing", .source = "-"};
static const fs_program idle_program = {.name = "idle", ONE_EVENT(nothing)};

/* What a worker issues in a call that shares a copy of 8-byte words out to six workers and has one word for
 * each: four loads of vertex state (two addresses, words a worker, remainder); its number, read and masked;
 * its share of the words (compare, multiply, min, two adds) and the addresses of it (shift, two adds); the
 * word (load, store, two addresses, count, branch); exit. Counted by hand from the program whose call was
 * measured (IS, device code of the copy). */
static const fs_event copy_word = {
    .name = "copy of a word a worker",
    .source = "IS",
    .op = {[FS_OP_LOAD] = 4 + 1, [FS_OP_STORE] = 1, [FS_OP_INT] = 2 + 5 + 3 + 3, [FS_OP_BRANCH] = 1 + 1}};
static const fs_program copy_program = {.name = "copy", ONE_EVENT(copy_word)};

/* Where supervisor and workers meet, without work: the workers exit at once. */
static const fs_event leave = {.name = "exit", .source = "IS", .op = {[FS_OP_BRANCH] = 1}};
static const fs_program rendezvous_program = {.name = "rendezvous", ONE_EVENT(leave)};

static const fs_event slot = {.name = "slot", .source = "NPT", .op = {[FS_OP_INT] = 1}};
static const fs_program lone_program = {.name = "lone worker", .workers = 1, ONE_EVENT(slot)};

/* Two 64-bit loads and a 64-bit store, in one instruction (ld2xst64pace, ipu.md 2). */
enum { STREAM_BYTES = 24 };
static const fs_event stream = {.name = "stream", .source = "ISA", .op = {[FS_OP_LOAD] = 1}};
static const fs_program stream_program = {.name = "stream", ONE_EVENT(stream)};

/* ---- figures ---- */

static double terabytes_per_second(const chip *c, uint64_t bytes, uint64_t cycles) {
    return 1e-12 * (double)bytes * c->machine.clock / (double)cycles;
}

/* A call of all workers as a step of a program: the supervisor's way to it, launch, workers, rejoin. */
static fs_status call(chip *c, const fs_program *program, double *cycles, fs_error *err) {
    step s = {.program = program, .each = 1};
    fs_status status = play(c, &s, err);
    *cycles = (double)(s.took.compute + s.took.exchange); /* without transfers: the supervisor's program */
    return status;
}

static fs_status calls(chip *c, double *trivial, double *with_rendezvous, fs_error *err) {
    double rendezvous;
    if (call(c, &copy_program, trivial, err) || call(c, &rendezvous_program, &rendezvous, err))
        return err->status;
    *with_rendezvous = *trivial + rendezvous;
    return FS_OK;
}

static fs_status lone_worker(chip *c, double *cycles, fs_error *err) {
    step s = {.program = &lone_program, .each = 522};
    fs_status status = play(c, &s, err);
    *cycles = (double)s.took.compute;
    return status;
}

/* Each tile streams 400 kB once. */
static fs_status sram_bandwidth(chip *c, double *rate, fs_error *err) {
    step s = {.program = &stream_program, .each = 400000 / (6 * STREAM_BYTES)};
    fs_status status = play(c, &s, err);
    *rate = terabytes_per_second(c, s.events * STREAM_BYTES, s.took.compute);
    return status;
}

/* Each tile sends 288,000 B, what the fullest tile of the Radiant Foam program sends in an iteration, to the
 * tile half a chip away. */
static fs_status exchange_bandwidth(chip *c, double *rate, fs_error *err) {
    fs_transfer *t = FS_NEW(c->arena, fs_transfer, c->tiles);
    for (uint32_t i = 0; i < c->tiles; i++)
        t[i] = (fs_transfer){i, (i + c->tiles / 2) % c->tiles, 288000};
    step s = {.program = &idle_program, .transfers = t, .count = c->tiles};
    fs_status status = play(c, &s, err);
    *rate = terabytes_per_second(c, s.bytes, s.took.sync + s.took.exchange);
    return status;
}

enum { MESSAGES = 4, WORDS = 2000 };

/* Every tile sends and receives `rounds` messages, of WORDS words or of 1 to WORDS. out: [rounds * tiles]. */
static uint32_t messages(const chip *c, fs_rng rng, int rounds, bool equal, fs_transfer *out) {
    uint32_t *to = FS_NEW(c->arena, uint32_t, c->tiles), count = 0;
    for (uint32_t t = 0; t < c->tiles; t++)
        to[t] = t;
    for (int round = 0; round < rounds; round++) {
        for (uint32_t t = c->tiles - 1; t > 0; t--) {
            uint32_t other = fs_rng_below(&rng, t + 1), swapped = to[t];
            to[t] = to[other];
            to[other] = swapped;
        }
        for (uint32_t t = 0; t < c->tiles; t++)
            if (to[t] != t)
                out[count++] = (fs_transfer){t, to[t], 4 * (equal ? WORDS : 1 + fs_rng_below(&rng, WORDS))};
    }
    return count;
}

/* From the last tile ready to the last word arrived, less the schedule; mean of six phases. */
static fs_status phase_overhead(chip *c, bool equal, double *cycles, fs_error *err) {
    enum { PHASES = 6 };
    fs_transfer *t = FS_NEW(c->arena, fs_transfer, (size_t)MESSAGES * c->tiles);
    const fs_rng rng = fs_rng_stream(1, "validation/exchange");
    *cycles = 0;
    for (uint64_t phase = 0; phase < PHASES; phase++) {
        step s = {.program = &idle_program,
                  .transfers = t,
                  .count = messages(c, fs_rng_sub(rng, phase), equal ? 1 : MESSAGES, equal, t)};
        fs_status status = play(c, &s, err);
        if (status)
            return status;
        *cycles += (double)(s.took.sync + s.took.exchange - s.planned) / PHASES;
    }
    return FS_OK;
}

static fs_status latencies(const chip *c, double *mean, double *least, double *most, fs_error *err) {
    const fs_fabric_chip of = fs_machine_fabric(&c->machine, c->tiles);
    const fs_fabric *x = fs_fabric_create(c->arena, &of, &(fs_exchange_lanes){0}, err);
    if (x == NULL)
        return err->status;
    uint64_t sum = 0, pairs = (uint64_t)c->tiles * (c->tiles - 1);
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t a = 0; a < c->tiles; a++)
        for (uint32_t b = 0; b < c->tiles; b++) {
            if (a == b)
                continue;
            uint32_t latency = fs_fabric_latency(x, a, b);
            sum += latency;
            low = latency < low ? latency : low;
            high = latency > high ? latency : high;
        }
    *mean = (double)sum / (double)pairs;
    *least = low;
    *most = high;
    return FS_OK;
}

/* ---- all of them ---- */

enum { CALL, MEETING, LONE, SRAM, EXCHANGE, LATENCY, LEAST, MOST, OVERHEAD, TOGETHER, SYNC, CHECKS };

static const fs_machine_check published[CHECKS] = {
    [CALL] = {"trivial call of six workers", "cycles", 288, 288, 0, "ipu.md 3, IS (measured)",
              "launch, a copy of one word a worker (21 slots each), rejoin, and 50 cycles of supervisor "
              "program. The measurement holds two rendezvous, by its source; see the next row"},
    [MEETING] =
        {"trivial call and a further rendezvous", "cycles", 288, 288, 0, "ipu.md 3, IS (measured)",
         "the same, and a call whose workers exit at once, which is how the program that was measured "
         "lets workers meet; that it is meant by the second rendezvous is a reading"},
    [LONE] = {"522 issues of a lone worker", "cycles", 3132, 3132, 0, "ipu.md 3, NPT 3.1",
              "one of six workers reads a serialised scene; its launch is in the simulated figure"},
    [SRAM] = {"SRAM, all tiles", "TB/s", 47, 47, 0, "ipu.md 2, HC33",
              "six workers of every tile stream 400 kB: two 8-byte loads and an 8-byte store an issue"},
    [EXCHANGE] = {"exchange, all tiles", "TB/s", 7.8, 8, 0, "ipu.md 4, PL and IS",
                  "every tile sends and receives 288 kB; barrier, program and latency count"},
    [LATENCY] = {"exchange latency, mean of all pairs", "cycles", 64, 64, 0, "ipu.md 4, IS",
                 "1,472 x 1,471 pairs"},
    [LEAST] = {"exchange latency, nearest pair", "cycles", 23, 23, 0, "ipu.md 4, IS",
               "the facts give latencies as means over the four places of a super-tile, which pulls the "
               "extremes in"},
    [MOST] = {"exchange latency, farthest pair", "cycles", 128, 128, 0, "ipu.md 4, IS",
              "a mean over the four places of a super-tile, as for the nearest pair"},
    [OVERHEAD] = {"exchange phase less its schedule", "cycles", 229, 277, 0,
                  "ipu.md 4, IS (measured, 6 phases)", "mean of six phases of four uneven messages a tile"},
    [TOGETHER] = {"the same, all tiles ending together", "cycles", 229, 277, 0,
                  "ipu.md 4, IS (measured, 6 phases)",
                  "mean of six phases of one message a tile, all of a length: the farthest of them is late"},
    [SYNC] = {"internal sync, slowest", "cycles", 126, 126, 0, "ipu.md 4, SDK",
              "no test of the model: the time to the first release was chosen so that this comes out"},
};

static fs_status simulate(chip *c, fs_machine_check *out, fs_error *err) {
    if (calls(c, &out[CALL].simulated, &out[MEETING].simulated, err) ||
        lone_worker(c, &out[LONE].simulated, err) || sram_bandwidth(c, &out[SRAM].simulated, err) ||
        exchange_bandwidth(c, &out[EXCHANGE].simulated, err) ||
        latencies(c, &out[LATENCY].simulated, &out[LEAST].simulated, &out[MOST].simulated, err) ||
        phase_overhead(c, false, &out[OVERHEAD].simulated, err) ||
        phase_overhead(c, true, &out[TOGETHER].simulated, err))
        return err->status;
    out[SYNC].simulated = fs_sync_internal(&c->machine.sync, &c->machine.geometry);
    return FS_OK;
}

static fs_status checks(fs_machine_check *out, fs_error *err) {
    chip c = {.arena = fs_arena_create()};
    fs_params_default(c.arena, &fs_machine_table, &c.machine);
    c.tiles = fs_geometry_tiles(&c.machine.geometry);
    c.all = FS_NEW(c.arena, uint32_t, c.tiles);
    for (uint32_t t = 0; t < c.tiles; t++)
        c.all[t] = t;
    for (size_t i = 0; i < CHECKS; i++)
        out[i] = published[i];
    fs_status status = simulate(&c, out, err);
    fs_arena_free(c.arena);
    return status;
}

const fs_machine_checks fs_machine_checks_ipu = {"ipu", CHECKS, checks};
