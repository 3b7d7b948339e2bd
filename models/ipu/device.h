/* The device: runs a plan's iterations (compute, sync, exchange of each step, visits of the host) on the
 * discrete-event kernel and keeps the books in cycles. It knows tiles, programs and transfers; plan.h is the
 * manual of what can be run, and has an example.
 *
 * Two levels of detail that must agree in every number:
 *   FS_DETAIL_PHASE  closed forms, tile by tile and port by port; a process for each branch.
 *   FS_DETAIL_EVENT  each active tile, its workers, their barriers, each transfer, each tile's release and
 *                    each host call is a discrete event on SystemC: the reference of what the model means.
 *
 * A run is a first visit of the host, then iterations. An iteration is a pass through the plan's stages, then
 *   host      unfused execution: host.programs x (external sync + launch) in every iteration. Then, where the
 *             client asks for it, a visit: external sync, launch, bytes_to_host + bytes_to_device over the
 *             link, broadcast on chip from the plan's host tile.
 * The first visit costs what any visit costs and belongs to no iteration.
 *
 * Where branches run beside each other, the iteration's compute, sync and exchange are those of the branch
 * that took longest (the first of equals), so that phases always add up to the time of the run; each group
 * has books of its own besides.
 *
 * Use, for the plan of plan.h:
 *
 *     static fs_status compute(void *self, fs_moment at, const uint32_t **active, uint32_t *count, ...) {
 *         uint32_t *row = fs_device_counts(device, tile);        // for each tile with work in step at.step
 *         row[event] = 12;                                       // of worker 0; the next row is worker 1's
 *         fs_device_done(device, tile);                          // again for another call, in local steps too
 *         ...
 *     }
 *     fs_device *device = fs_device_create(arena, &machine, &plan, FS_DETAIL_PHASE, &err);
 *     fs_device_replay(device, &(fs_device_client){.self = me, .compute = compute, .decide = decide}, &err);
 */
#pragma once

#include "models/energy/books.h"
#include "models/ipu/machine.h"
#include "models/ipu/plan.h"
#include "models/tile/tile.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/results/findings.h"
#include "sim/stats/stats.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum fs_detail { FS_DETAIL_PHASE, FS_DETAIL_EVENT } fs_detail;

typedef struct fs_device fs_device;

/* What happened in one iteration, given to the client afterwards. Cycles. */
typedef struct fs_iteration {
    uint64_t number;                        /* 0, 1, ... */
    uint64_t start;                         /* device time at its beginning */
    uint64_t compute, sync, exchange, host; /* host: unfused launches, and the visit after this iteration */
    /* The tile with the longest compute, idle ones included, lowest number on a tie: of the longest compute
     * phase where there are several. */
    uint32_t pace_tile;
} fs_iteration;

/* Which step, and which of its rounds. */
typedef struct fs_moment {
    uint64_t iteration;
    uint32_t step;  /* number in the plan */
    uint32_t round; /* of the step in this iteration: 0, 1, ... as `times` of step and branch say */
} fs_moment;

/* The workload's side. All calls come from one thread; the client parallelises inside compute. Calls for one
 * branch come in its order. Between branches of a stage there is no order: what a client says to a step must
 * not depend on what it was asked for another branch in the same stage. */
typedef struct fs_device_client {
    void *self;
    /* Runs all kernels of a round. For each tile with work: fill fs_device_counts(device, tile), then call
     * fs_device_done(device, tile) (any thread, different tiles at a time); both once more for each further
     * call of the tile's program in this round. active: receives the list of those tiles, ascending, owned
     * by the client, valid until the next call of compute. NULL: no tile ever has work. */
    fs_status (*compute)(void *self, fs_moment at, const uint32_t **active, uint32_t *active_count,
                         fs_error *err);
    /* Of steps with transfers: moves what they carry. occupied: [transfers of the step] bytes that are worth
     * moving (read in dynamic mode only), owned by the client, valid until the next call of exchange; may be
     * NULL in static mode. A client of a static exchange may leave this callback NULL. For an
     * open step it calls fs_device_give_transfers. */
    fs_status (*exchange)(void *self, fs_moment at, const uint32_t **occupied, fs_error *err);
    /* After the last stage: does the host visit now? Set `stop` (with or without a visit) to end the run. */
    fs_status (*decide)(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err);
    /* The books of the finished iteration, the visit included. May be NULL. */
    void (*finished)(void *self, const fs_iteration *iteration);
    /* Whether an iteration leaves out a stage, as all but one leave out what fills a pipeline. NULL: none
     * does. */
    bool (*skips)(void *self, uint64_t iteration, uint32_t stage);
    /* Of a sampled network (exchange.noc.detail): once the run is over, again of each iteration, with the cycles of
     * its exchange instead of their bounds; so are fs_device_step_times. Decisions of the client must not depend on
     * either. */
    void (*settled)(void *self, const fs_iteration *iteration);
} fs_device_client;

/* All memory from the arena. The plan is copied; machine, and what the plan points to, are kept. One device
 * to a process when it runs (SystemC). NULL with FS_INPUT when the plan does not hold (fs_plan_check), a
 * program cannot be priced or the exchange refuses its parameters. */
fs_device *fs_device_create(fs_arena *arena, const fs_machine_params *machine, const fs_device_plan *plan,
                            fs_detail detail, fs_error *err);

/* Within compute: where the kernel of a tile counts its events: [workers of the tile][fs_program_width of its
 * program], zero at first. From this call to fs_device_done a thread works on one tile; what was counted is
 * the device's afterwards. done_times: `times` calls alike, all with these counts. */
uint32_t *fs_device_counts(fs_device *device, uint32_t tile);
void fs_device_done(fs_device *device, uint32_t tile);
void fs_device_done_times(fs_device *device, uint32_t tile, uint32_t times);

/* Runs to the client's stop; once in the life of a process. FS_RUN when interrupted (SIGINT, between two
 * iterations), FS_BROKEN when an identity fails (each worker's busy + waiting + idle = the compute phases of
 * its group; sum of phases = device cycles), else what the client returned. */
fs_status fs_device_run(fs_device *device, const fs_device_client *client, fs_error *err);

/* The same in closed forms alone, without a discrete-event kernel: any number of devices in a process, one
 * after the other. Needs FS_DETAIL_PHASE. FS_RUN when interrupted. */
fs_status fs_device_replay(fs_device *device, const fs_device_client *client, fs_error *err);

/* Prices by the thousand (fs_device_replay only): when only sums are wanted, the client says what it has
 * worked out itself. Totals then lack the workers' times and the ports.
 *
 * In place of counts and done, once a round: the active tiles, and for how many cycles each computes. One
 * thread. */
void fs_device_give(fs_device *device, const uint32_t *tiles, const uint32_t *cycles, uint32_t count);
/* Or a tile that computes for so many cycles, and stands for so many tiles that run its program, none of which
 * takes longer; the step has only_active, and the tile alone is active. */
void fs_device_give_tiles(fs_device *device, uint32_t tile, uint64_t cycles, uint32_t tiles);
/* And of the iteration, before its end (in the client's `decide`): calls of a program (those of give_tiles are
 * known) and what all of its calls counted, [1 + events]; and what was moved where the exchange was given.
 * program: its number in the plan. */
void fs_device_give_counts(fs_device *device, uint32_t program, const uint64_t *row);
void fs_device_give_moved(fs_device *device, fs_moved moved);
/* Before the run of a plan of one step: cycles of its exchange phases, [iterations], kept. */
void fs_device_give_exchange(fs_device *device, const uint64_t *cycles);
/* The program of a tile in a step and its prices; NULL without one. */
const fs_priced_program *fs_device_program(const fs_device *device, uint32_t step, uint32_t tile);

/* Cycles of a group of tiles: the five add up to the time of the run. */
typedef struct fs_device_group {
    uint64_t compute, sync, exchange;
    uint64_t apart; /* while other groups still ran a stage, or ran it alone */
    uint64_t host;
} fs_device_group;

/* A step over the run. In a run of local steps compute is the own time of the tile that set the pace; the
 * barrier is counted in the run's last step. */
typedef struct fs_device_step_totals {
    uint64_t rounds;
    uint64_t compute, sync, exchange; /* cycles */
} fs_device_step_totals;

/* Totals, valid after the run (idle tiles are counted at its end). Arrays are the device's own, [tiles] or
 * [tiles * workers] with workers = fs_machine_most_workers(machine). */
typedef struct fs_device_totals {
    uint64_t cycles, cycles_compute, cycles_sync, cycles_exchange, cycles_host, iterations;
    uint64_t cycles_first;    /* of them, in cycles_host, the visit before iteration 0 */
    uint64_t cycles_external; /* of them, in sync and exchange, between chips */
    /* [tiles * workers] cycles; the three add up to compute of the tile's group (one group: to
     * cycles_compute). idle: launch, after its exit, and while slower tiles still compute. */
    const uint64_t *busy, *waiting, *idle;
    const uint64_t *compute; /* [tiles] cycles of the tile's own compute time */
    /* [tiles] of the exchange phases: bytes, and cycles a port moved words or a sender waited */
    const uint64_t *bytes_out, *bytes_in, *port_busy_out, *port_busy_in, *port_waiting_out;
    const uint64_t *paced;             /* [tiles] compute phases in which it set the pace of its branch */
    const fs_device_group *group;      /* [groups of the plan] */
    const fs_device_step_totals *step; /* [steps of the plan] */
    uint64_t kernel_activations;       /* of SystemC: a host matter, not a result */
} fs_device_totals;
fs_device_totals fs_device_totals_of(const fs_device *device);

/* What a step took in the iteration just priced: start of its last run of rounds, and cycles of all rounds. */
typedef struct fs_step_times {
    uint64_t start, compute, sync, exchange;
    uint32_t pace_tile;
} fs_step_times;
fs_step_times fs_device_step_times(const fs_device *device, uint32_t step);

/* Area of a network but its links, in thousandths of a tile's: what it is clocked and leaks by. */
uint64_t fs_machine_network_area(const fs_machine_params *machine, const fs_noc_graph *graph);

/* Compute cycles of a tile in a step just priced, from `exchange` until `finished` returns: of its last
 * round, or where it is in a run of local rounds, of all its rounds in that run. */
uint64_t fs_device_tile_cycles(const fs_device *device, uint32_t step, uint32_t tile);
/* The same of tiles with work, [tiles]; what it says of others is nothing. */
const uint64_t *fs_device_active_cycles(const fs_device *device, uint32_t step);
/* Compute cycles of a tile without work in a round of a step; 0 without a program, or when `only_active`. */
uint64_t fs_device_idle_cycles(const fs_device *device, uint32_t step, uint32_t tile);
/* Within `exchange`, of an open step: what moves in this round, bytes above 0, ascending by sender, no pair of tiles
 * twice; until the next round the client's own and unchanged. */
void fs_device_give_transfers(fs_device *device, const fs_transfer *transfers, uint32_t count);
/* Multiply-adds of a tile's matrix unit, bytes of streaming memory, and bytes over the host's link beside what
 * visits carry, of the round that is asked for: what they take in time the client says by events. In compute;
 * streamed, linked: one thread. */
void fs_device_multiplied(fs_device *device, uint32_t tile, fs_amp_type type, uint64_t macs);
void fs_device_streamed(fs_device *device, uint64_t bytes);
void fs_device_linked(fs_device *device, uint64_t bytes);
/* The accounts of energy, settled after the run. */
const fs_energy_books *fs_device_energy(const fs_device *device);
/* Links between chips and what they did; NULL: one chip. Bytes that transfers between chips held in
 * the run, as the client's `occupied` says, which a static exchange may give too. */
const fs_chips *fs_device_chips(const fs_device *device);
uint64_t fs_device_between_chips(const fs_device *device);
/* The fabric with a step's transfers, for its plan and latencies; of a local step one without transfers. */
const fs_fabric *fs_device_fabric(const fs_device *device, uint32_t step);

/* What the device has to say of a run: figures of summary.json that every workload on it has. */
typedef struct fs_device_figures {
    uint64_t cycles, iterations, cycles_compute, cycles_sync, cycles_exchange, cycles_host;
    double seconds;
    uint64_t turn; /* cycles from a worker's issue to its next, of the role where they are most */
} fs_device_figures;
extern const fs_stat_table fs_device_stats;
/* clock: Hz. */
fs_device_figures fs_device_figures_of(const fs_device *device, double clock);

/* The finding "time": where the time of a run goes, by phase. Nothing for a run that took no cycles. */
void fs_device_find_time(const fs_device_figures *figures, fs_findings *out);
/* The finding "continued": how much of the chip lies beyond the table of latencies; nothing where none does. */
void fs_device_find_continued(const fs_machine_params *machine, fs_findings *out);
/* Cycles in which its network could carry flits. */
uint64_t fs_device_network_cycles(const fs_device *device);
/* The finding "turn": more workers than hide the IPU's latency lengthen a turn and add no issue slots; nothing
 * where no tile computed. */
void fs_device_find_turn(const fs_device *device, const fs_machine_params *machine, fs_findings *out);

/* A run has three parts, which do not overlap: the machine fills, runs full, runs empty. Where one ends is
 * the workload's matter. */
enum { FS_DEVICE_PARTS = 3 };
typedef struct fs_parts_figures {
    uint64_t iterations[FS_DEVICE_PARTS];
    uint64_t cycles[FS_DEVICE_PARTS]; /* of those iterations, host included */
} fs_parts_figures;
extern const fs_stat_table fs_parts_stats;
