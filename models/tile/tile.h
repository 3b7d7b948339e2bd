/* A tile: six barrel-scheduled workers and a supervisor. Kernels report counts of events; this file prices
 * them.
 *
 * Chain of a cost: event counts (kernels) x operation profile of the event (ipu.md section 8) x issue slots
 * of an operation (cost table, ipu.md section 3) = slots of a worker; one slot is a turn of that worker. On
 * the IPU a turn is `workers` cycles, because a worker issues once in `workers` cycles whatever the others do
 * (ipu.md section 3, schedule).
 *
 * Tiles that are not the IPU's (docs/machines.md), each a rule of its own:
 *   issue_width    so many workers issue in a cycle: a turn is ceil(workers / issue_width) cycles
 *   dual_issue     slots of an event from its operations on the main and on the aux pipe
 *   vector lanes   operations on vectors, and with `vectorised` f32 ones on single values, become fewer
 *   SRAM ports     a segment takes at least its accesses / ports cycles
 *   clock          a tile of another clock: cycle t of a call is cycle ceil(1000 t / clock_permille) of the
 * chip
 *
 * A program is a sequence of segments with a barrier between consecutive ones. In a segment every worker
 * first does its own events; at its end each worker pays the barrier's profile once and then waits for the
 * slowest (counted as waiting). After the last segment a worker exits: from then on it is idle.
 */
#pragma once

#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* FS_MAX_EVENTS: places in a worker's row of counts. A program of more events, up to FS_MOST_EVENTS, has rows
 * of as many places as it has events, rounded up to a multiple of eight: fs_program_width. */
enum { FS_MAX_WORKERS = 16, FS_MAX_EVENTS = 24, FS_MOST_EVENTS = 64, FS_MAX_SEGMENTS = 8 };

/* name in YAML (cost.NAME), default issue slots, pipe (0 main, 1 aux), doc, source, confidence */
#define FS_OP_TABLE(X)                                                                                       \
    X(LOAD, load, 1, 0, "load of any width", "ipu.md 3, ISA", 'P')                                           \
    X(STORE, store, 1, 0, "32- or 64-bit store", "ipu.md 3, ISA", 'P')                                       \
    X(STORE_HALF, store_half, 5, 0, "8- or 16-bit store: load, merge, store", "ipu.md 2 and 10", 'A')        \
    X(ADD, f32_add, 1, 1, "f32 add or subtract", "ipu.md 3, ISA, PL", 'P')                                   \
    X(MUL, f32_mul, 1, 1, "f32 multiply", "ipu.md 3, ISA, PL", 'P')                                          \
    X(DIV, f32_div, 3, 1, "f32 divide (1 to 3, data dependent)", "ipu.md 3, PL f32divCycles", 'P')           \
    X(SQRT, f32_sqrt, 5, 1, "f32 square root (upper bound)", "ipu.md 3, PL", 'R')                            \
    X(EXP, f32_exp, 3, 1, "f32 exponential", "ipu.md 3, PL", 'P')                                            \
    X(CMP, f32_compare, 1, 1, "f32 compare, min, max", "ipu.md 3, ISA", 'P')                                 \
    X(CAST, cast, 1, 1, "cast between f16, f32 and integers", "ipu.md 3, ISA", 'P')                          \
    X(INT, int_op, 1, 0, "integer add, logic, shift, compare, multiply", "ipu.md 3, ISA", 'P')               \
    X(INT_DIV, int_div, 265, 0, "32-bit integer division or modulo (software)", "ipu.md 3, PL", 'P')         \
    X(CONST_DIV, const_div, 5, 0, "integer division by a constant", "ipu.md 3 and 10", 'A')                  \
    X(BRANCH, branch, 1, 0, "branch of a worker, no penalty (barrel)", "ipu.md 3, VPG", 'P')                 \
    X(LOAD64, load_64, 1, 0, "64-bit load", "ipu.md 2 and 3, ISA", 'P')                                      \
    X(LOAD128, load_128, 1, 0, "128-bit load, of interleaved memory only", "ipu.md 2 and 3, ISA", 'P')       \
    X(STORE64, store_64, 1, 0, "64-bit store", "ipu.md 2 and 3, ISA", 'P')                                   \
    X(STORE128, store_128, 2, 0, "128 bits stored: two 64-bit stores, no wider one exists", "ipu.md 2, ISA", \
      'I')                                                                                                   \
    X(F32X2, f32x2_op, 1, 1, "two f32 added, multiplied or compared at once", "ipu.md 3, ISA, PL", 'P')      \
    X(F16X2, f16x2_op, 1, 1, "two f16 added, multiplied or compared at once", "ipu.md 3, ISA, PL", 'P')      \
    X(F16X4, f16x4_op, 1, 1, "four f16 added, multiplied or compared at once", "ipu.md 3, ISA, PL", 'P')     \
    X(RANDOM, random, 1, 1, "uniform random number of 32 or 64 bits, by the hardware",                       \
      "ipu.md 3, ISA and HC33", 'P')                                                                         \
    X(RECIPROCAL, f32_reciprocal, 3, 1, "f32 reciprocal", "ipu.md 3, PL", 'R')                               \
    X(RSQRT, f32_rsqrt, 4, 1, "f32 reciprocal square root", "ipu.md 3, PL", 'R')                             \
    X(LOG, f32_log, 6, 1, "f32 logarithm", "ipu.md 3, PL and GR", 'P')                                       \
    X(TANH, f32_tanh, 6, 1, "f32 hyperbolic tangent (5 to 6)", "ipu.md 3, PL", 'R')                          \
    X(SIGMOID, f32_sigmoid, 6, 1, "f32 sigmoid (5 to 6)", "ipu.md 3, PL", 'R')                               \
    X(EXP_F16X2, f16x2_exp, 2, 1, "two f16 exponentials", "ipu.md 3, PL", 'P')                               \
    X(LOG_F16X2, f16x2_log, 2, 1, "two f16 logarithms", "ipu.md 3, PL", 'P')                                 \
    X(TANH_F16X2, f16x2_tanh, 2, 1, "two f16 hyperbolic tangents", "ipu.md 3, PL", 'P')                      \
    X(SINCOS, f32_sincos, 1639, 0,                                                                           \
      "sine and cosine of an f32 angle by the library (80 to 2562): what a published renderer leaves "       \
      "for the two",                                                                                         \
      "poplar_path_tracer.md 2", 'I')                                                                        \
    X(SIN_F64, f64_sin, 2300, 0, "sine or cosine in double precision, in software", "ipu.md 3, PL", 'I')     \
    X(LOAD2X64, load_2x64, 1, 0, "two 64-bit loads, one instruction", "ipu.md 2, ISA", 'P')                  \
    X(LOAD64_STORE64, load_64_store_64, 1, 0, "a 64-bit load and a 64-bit store, one instruction",           \
      "ipu.md 2, ISA", 'P')                                                                                  \
    X(LOAD2X64_STORE64, load_2x64_store_64, 1, 0, "two 64-bit loads and a 64-bit store, one instruction",    \
      "ipu.md 2, ISA", 'P')                                                                                  \
    X(F32X2_MAC, f32x2_mac, 1, 1, "two f32 multiplied and added to others at once", "ipu.md 3, ISA, PL",     \
      'P')                                                                                                   \
    X(F16X4_MAC, f16x4_mac, 1, 1, "four f16 multiplied and added to others at once", "ipu.md 3, ISA, PL",    \
      'P')                                                                                                   \
    X(COPY_RUN, copy_run, 10, 0,                                                                             \
      "what a run of a copy on a tile takes beside its words (9 to 11; fitted on four measured copies)",     \
      "measurements.md 5, LOUW", 'I')                                                                        \
    X(AUX, aux_op, 1, 1, "no arithmetic on the aux pipe: a move, a constant, bits", "ipu.md 3, ISA", 'P')

typedef enum fs_op {
#define X(op, key, slots, pipe, doc, source, confidence) FS_OP_##op,
    FS_OP_TABLE(X)
#undef X
        FS_OP_COUNT
} fs_op;

/* What one occurrence of an event does. slots = sum over ops of count x price - paired x pairing, where
 * `paired` bundles hold a main and an aux operation together; it is chosen so that the default prices give
 * the slots column of ipu.md section 8 (where compiled code needs more slots than counted operations, the
 * rest is INT). */
typedef struct fs_event {
    const char *name;
    const char *doc;
    const char *source;
    uint8_t segment;          /* in which segment of the program it happens */
    uint16_t op[FS_OP_COUNT]; /* operations of one occurrence */
    uint16_t paired;          /* main and aux operations issued together */
    uint16_t always_each; /* occurrences in every call on each worker, work or none (prologue): not counted by
                             kernels */
    uint16_t always_first; /* the same, on worker 0 only */
    uint32_t cycles; /* of hardware that handles occurrences one by one once the workers are through; for what
                        if questions: 0 in the published kernels */
} fs_event;

/* A row: name, text, source, and by name what else it has, its operations first. */
#define FS_EVENT(n, d, s, ...)                                                                               \
    { .name = n, .doc = d, .source = s, __VA_ARGS__ }

typedef struct fs_program {
    const char *name;        /* "spheres" */
    uint32_t segments;       /* 1 ... FS_MAX_SEGMENTS; segments - 1 barriers */
    uint32_t workers;        /* how many workers it uses; 0: all of the tile */
    const fs_event *events;  /* [event_count]; the index is the event's id in counts */
    uint32_t event_count;    /* <= FS_MOST_EVENTS */
    const fs_event *barrier; /* paid by each worker at each barrier; NULL when segments == 1 */
    bool free_launch;        /* what if starting and joining the workers took no time */
    uint64_t code_bytes;     /* of its code, constants and stacks in a tile's SRAM */
} fs_program;

/* Places in a worker's row of counts. */
static inline uint32_t fs_program_width(const fs_program *program) {
    return program->event_count <= FS_MAX_EVENTS ? FS_MAX_EVENTS : (program->event_count + 7) / 8 * 8;
}

/* What an issue slot holds. counted: the pairs of main and aux operations that the kernels' code has,
 * `paired` of an event, as far as cost.pairing goes. none: one operation, so an event takes main + aux. full:
 * one of each, whatever the code, so an event takes max(main, aux). */
enum { FS_DUAL_COUNTED, FS_DUAL_NONE, FS_DUAL_FULL };

/* Lanes of the IPU's vectors, and the widest access of its SRAM in bytes. */
enum { FS_IPU_LANES_F32 = 2, FS_IPU_LANES_F16 = 4, FS_IPU_SRAM_WIDTH = 16 };

/* Where 0 means the IPU's value, a struct that leaves the member out is that of the IPU. */
typedef struct fs_tile_params {
    int64_t workers;           /* contexts; one issue each in a turn */
    int64_t issue_width;       /* workers that issue in a cycle, at most `workers`; 0 is 1 */
    bool reuse_idle_slots;     /* what if slots of exited or waiting workers went to the others */
    int64_t dual_issue;        /* FS_DUAL_* */
    int64_t lanes_f32;         /* values of an operation of the kind F32X2; 0 is 2 */
    int64_t lanes_f16;         /* of the kind F16X4, and at most of F16X2; 0 is 4 */
    double vectorised;         /* percent of an event's f32 adds, multiplies and compares done by vectors */
    int64_t sram_ports;        /* accesses of the tile's SRAM in a cycle; 0: as many as are issued */
    int64_t sram_width;        /* bytes of an access; 0 is 16 */
    int64_t clock_permille;    /* of the chip's clock; 0 is 1000. Cycles above and below are the tile's own */
    int64_t vertex_overhead;   /* cycles, supervisor, before the workers start */
    int64_t runall;            /* cycles to start the workers */
    int64_t join;              /* cycles for the supervisor to see the last one exit */
    int64_t cost[FS_OP_COUNT]; /* issue slots */
    double pairing;            /* percent of the `paired` bundles that are really issued together; 100 */
    double scale;              /* percent of the slots of every program that it really takes; 100 */
} fs_tile_params;

/* Consecutive events of one segment. */
typedef struct fs_event_run {
    uint32_t segment, begin, end; /* events [begin, end) */
} fs_event_run;

/* A program with its prices, made once. Plain data, copyable. */
typedef struct fs_priced_program {
    const fs_program *program;
    uint32_t width;                   /* places in a worker's row of counts */
    uint32_t workers;                 /* used by this program */
    uint32_t slots[FS_MOST_EVENTS];   /* issue slots of one occurrence */
    fs_event_run run[FS_MOST_EVENTS]; /* [runs] all events, in order */
    uint32_t runs;
    uint32_t barrier_slots;
    uint32_t permille;               /* of those slots that it really takes: fs_slots_taken */
    uint32_t before, after;          /* cycles: vertex_overhead + runall; join */
    uint32_t cycles[FS_MOST_EVENTS]; /* of hardware, of one occurrence */
    bool hardware;                   /* some of them are not 0 */
    uint32_t cycles_per_slot;        /* a worker's turn comes round once in so many cycles */
    uint32_t issue_width;            /* workers that issue in a cycle */
    uint32_t clock_permille;         /* of the chip's clock */
    uint32_t tile_workers;           /* of the tile; the unused ones are idle throughout */
    bool reuse_idle_slots;
    /* Slots of the `always` events and barriers in each segment: of worker 0, and of every other one. */
    uint32_t fixed_first[FS_MAX_SEGMENTS], fixed_other[FS_MAX_SEGMENTS];
    /* Accesses of the SRAM where its ports are counted (sram_ports > 0), each as wide as a port: of one
     * occurrence; of the `always` events and barriers of all workers in each segment. */
    uint32_t sram_ports;
    uint32_t accesses[FS_MOST_EVENTS];
    uint64_t fixed_accesses[FS_MAX_SEGMENTS];
    /* For vectors, where the host has them: slots[] of the events of each segment, 0 of all others; its first
     * event, and one after its last. */
    bool vectors;
    uint32_t segment_slots[FS_MAX_SEGMENTS][FS_MOST_EVENTS];
    uint32_t segment_begin[FS_MAX_SEGMENTS], segment_end[FS_MAX_SEGMENTS];
} fs_priced_program;

/* slots of one occurrence = sum of op count x cost - saved, where saved = paired x pairing / 100 % rounded to
 * the nearest whole slot, half up, with the percentage taken to a hundredth. So rounding is once for an
 * event, never for an occurrence. With dual_issue none nothing is saved, with full the smaller of the slots
 * on the main and on the aux pipe are. FS_INPUT when an event would cost a negative number of slots, or more
 * than a uint32_t holds, and where more workers should issue than there are.
 *
 * Lanes come first, event by event. n operations of the kinds F32X2 are ceil(2 n / lanes_f32), of F16X4
 * ceil(4 n / lanes_f16); of the kinds that hold two f16 they are 2 n where lanes_f16 is 1. `vectorised` takes
 * its share of the f32 adds, multiplies and compares, rounded to whole operations for each of the three, half
 * up: m of them are ceil(m / lanes_f32). Where operations of the aux pipe became fewer, no more pairs are
 * left than there are slots of them. */
fs_status fs_program_price(const fs_program *program, const fs_tile_params *params, fs_priced_program *out,
                           fs_error *err);

/* Accesses of the SRAM of one occurrence, each at most as wide as a port. Where ports are as many as are issued, an
 * instruction of several accesses has as many ports, and counts once. */
uint32_t fs_event_accesses(const fs_event *event, const fs_tile_params *params);

/* One execution of a program on one tile, in cycles of the chip. */
typedef struct fs_tile_times {
    uint64_t cycles; /* launch + slowest worker + hardware: the tile's compute time */
    /* [workers of the tile] each: */
    uint64_t busy[FS_MAX_WORKERS];    /* slots x cycles_per_slot; with reuse the lengths of its rounds */
    uint64_t waiting[FS_MAX_WORKERS]; /* at barriers */
    uint64_t idle[FS_MAX_WORKERS];    /* launch, after its exit, or unused; busy + waiting + idle = cycles */
} fs_tile_times;

/* Closed form. A segment of s[w] slots takes max(s) x cycles_per_slot. With reuse_idle_slots the workers that
 * still have slots (barrier included) share the pipeline in rounds: with k of them a round is ceil(k /
 * issue_width) cycles and each issues once in it; one issue a cycle makes worker w busy for the sum over v of
 * min(s[v], s[w]) cycles, and the segment takes the sum of s. Both are exact; a full tile of equal loads
 * takes the same time either way. A segment is not over before its accesses of the SRAM are, all that its
 * workers count, ceil(accesses / sram_ports) cycles from its beginning: at a barrier all workers wait for
 * them, after the last segment they are idle. counts: [workers of the program][fs_program_width] occurrences
 * beside the `always` ones; NULL: none (an idle tile). Pure; any thread. */
void fs_tile_times_closed(const fs_priced_program *program, const uint32_t *counts, fs_tile_times *out);

/* What the counted slots of a worker in a segment, barrier included, really take: cost.scale to a thousandth,
 * rounded to the nearest whole slot, half up. Rounding is once for a segment and worker, so that a small
 * change of the scale moves long segments and not just dear events. */
static inline uint64_t fs_slots_taken(const fs_priced_program *program, uint64_t slots) {
    return program->permille == 1000 ? slots : (slots * program->permille + 500) / 1000;
}

/* Counted slots that `worker` spends in `segment` (`always` events in, barrier left out): shared by the
 * closed form and the event level. */
uint64_t fs_segment_slots(const fs_priced_program *program, const uint32_t *counts, uint32_t worker,
                          uint32_t segment);

/* Cycles that the SRAM's ports take for the accesses of a segment; 0 where they are not counted. */
uint64_t fs_segment_port_cycles(const fs_priced_program *program, const uint32_t *counts, uint32_t segment);

/* The chip's cycles that have passed, at most, when so many of a call's own have: times of a call are
 * differences of these, so that they add up. */
static inline uint64_t fs_tile_chip_cycles(const fs_priced_program *program, uint64_t own) {
    return program->clock_permille == 1000
               ? own
               : (own * 1000 + program->clock_permille - 1) / program->clock_permille;
}

/* Cycles of a round in which so many workers issue once. */
static inline uint64_t fs_issue_round(const fs_priced_program *program, uint64_t workers) {
    return (workers + program->issue_width - 1) / program->issue_width;
}

/* Cycles of hardware after the workers, for the occurrences that were counted (NULL: none). */
uint64_t fs_hardware_cycles(const fs_priced_program *program, const uint32_t *counts);
