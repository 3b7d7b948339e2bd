/* Private to the device: its state, and what a level of detail has to provide. */
#pragma once

#include "models/ipu/device.h"
#include "sim/kernel/kernel.h"

/* ---- books.c: of tiles and ports over a run, in cycles and bytes: device and decoupled execution ---- */

typedef struct fs_books {
    uint32_t tiles, workers;
    uint64_t *busy, *waiting, *idle; /* [tiles * workers] */
    uint64_t *compute;               /* [tiles] */
    uint64_t *paced;                 /* [tiles] */
    uint64_t *ports[5];              /* [tiles] bytes out, in, busy out, in, waiting out */
    fs_port_counters port_counters;  /* the same, as the exchange takes them */
    uint32_t broken;                 /* 1 + a tile whose times did not add up */
} fs_books;

void fs_books_create(fs_books *books, uint32_t tiles, uint32_t workers, fs_arena *arena);
/* A call of a tile; any thread, different tiles at a time. */
void fs_books_call(fs_books *books, uint32_t tile, const fs_tile_times *times);
/* `calls` calls of a tile that were alike. */
void fs_books_calls(fs_books *books, uint32_t tile, const fs_tile_times *times, uint64_t calls);
/* At the end of the run: what a tile did not compute of `compute` cycles, its workers were idle. FS_BROKEN
 * when a worker's busy + waiting + idle are not that. */
fs_status fs_books_settle(fs_books *books, uint32_t tile, uint64_t compute, fs_error *err);

/* ---- the device ---- */

typedef struct fs_samples fs_samples;
typedef struct fs_step fs_step;
typedef struct fs_branch fs_branch;

/* What the host does in a host phase. */
typedef struct fs_host_work {
    uint64_t programs; /* unfused launches, each with an external sync before it */
    bool visit;
    uint64_t link_bytes, broadcast_bytes, streams; /* of the visit; link: of all chips */
    uint64_t busiest_bytes;                        /* over the link of the chip with most */
} fs_host_work;

/* A level of detail. Branches call compute, sync and exchange of their run; the level lets device time pass
 * and then calls fs_branch_phase_done. Before a compute phase is over the level has counted every call that
 * was counted (fs_books_call, step->compute), in a merged run the sums too, and device->idle of the classes
 * holds the times of calls without work. */
typedef struct fs_device_level {
    void *(*create)(fs_device *device, fs_arena *arena, fs_error *err); /* the level's state; NULL: failed */
    void (*elaborate)(fs_device *device);                               /* registers its processes */
    uint32_t *(*counts)(fs_device *device, uint32_t tile);              /* zero; any thread */
    /* They are filled; the same thread. */
    void (*done)(fs_device *device, uint32_t tile, uint32_t *counts, uint32_t times);
    void (*collect)(fs_branch *branch, fs_step *step); /* a round of a merged run was asked for */
    void (*compute)(fs_branch *branch);
    void (*sync)(fs_branch *branch);
    void (*exchange)(fs_branch *branch);
    void (*meet)(fs_branch *branch);     /* the barrier before an exchange between chips */
    void (*external)(fs_branch *branch); /* fs_external_begin has counted what it moves */
    void (*host)(fs_device *device);     /* device->work; then fs_device_host_done */
} fs_device_level;

extern const fs_device_level fs_phase_level, fs_event_level;

/* ---- device_chips.c: what a step moves between chips ---- */

/* A port of a tile that has such transfers: its way out, or in. */
typedef struct fs_external_port {
    uint32_t tile;
    bool out;
    uint64_t bytes; /* of the phase */
} fs_external_port;

typedef struct fs_external {
    uint32_t count;
    uint32_t *transfer;     /* [count] numbers in the step */
    uint32_t *chip[2];      /* [count] of sender, receiver */
    uint32_t *at[2];        /* [count] their ports */
    fs_external_port *port; /* [ports] */
    uint32_t ports, most_ports;
    uint32_t *known[2];  /* [tiles] 1 + number of the tile's port in, out */
    fs_transfer *inside; /* [transfers] of the step; those between chips with no bytes */
    uint32_t *occupied;  /* [transfers] the same of what a dynamic exchange holds in a phase */
    uint64_t cycles;     /* of the phase's exchange */
    uint64_t latency;    /* of them, behind the slowest edge or port */
} fs_external;

/* A step as it runs. An idle tile is not touched in a round: it has the idle price of its program in every
 * round in which it was not active, and settling at the end books that. */
struct fs_step {
    const fs_device_step *plan;
    uint32_t number;
    const uint8_t *class_of;   /* [tiles] 1 + program; class 0 runs none */
    uint32_t *class_tiles;     /* [classes] tiles of the branch */
    uint32_t *idle_tiles;      /* [classes] of them, not active in this round */
    const fs_tile_times *idle; /* [classes] of a call without work */
    fs_fabric *fabric;
    fs_external *external; /* NULL: none of its transfers leaves a chip */
    fs_energy_routes routes;
    uint64_t *compute;       /* [tiles] cycles of active tiles in this round */
    uint64_t *done;          /* [tiles] the last round, from 1 on, in which the tile was active */
    uint64_t *active_rounds; /* [tiles] of `rounds` */
    uint64_t *sum;           /* [tiles] cycles in a merged run; NULL: the step is never in one */
    uint64_t round;          /* asked for, from 1 on, over the whole run */
    uint64_t rounds;         /* that those stand for */
    uint32_t weight;         /* rounds that the last one stands for */
    uint64_t run;            /* number of the branch's run that it was last in */
    bool merged;             /* that was a merged one */
    uint64_t asked;          /* rounds in this iteration */
    uint64_t static_phases;  /* that the accounts of energy give to tiles at the end */
    uint64_t planned_phases; /* static exchange phases whose ports are counted when the books are settled */
    const uint32_t *active;  /* [active_count], the client's */
    uint32_t active_count;
    const fs_transfer *transfers; /* [transfer_count] the plan's; of an open step those of the round */
    uint32_t transfer_count;
    uint32_t *open_bytes;     /* [most_transfers] of an open step */
    const uint32_t *occupied; /* [transfers], the client's */
    const uint32_t *held;     /* the same of what stays on a chip */
    /* Copies of both, where other branches run beside this one and the client may use its lists again. */
    uint32_t *kept_active, *kept_occupied;
    fs_step_times took;
    uint32_t took_at; /* phases of a sampled network before took.start */
    fs_device_step_totals totals;
};

typedef enum fs_phase {
    FS_PHASE_COMPUTE,
    FS_PHASE_SYNC,
    FS_PHASE_EXCHANGE,
    FS_PHASE_MEET,    /* the barrier of all chips, */
    FS_PHASE_EXTERNAL /* and what moves between them */
} fs_phase;

typedef struct fs_round_at {                /* in a branch */
    uint32_t repetition, turn, step, round; /* turn: of the step's loop */
} fs_round_at;

struct fs_branch {
    fs_device *device;
    const fs_device_branch *plan;
    uint32_t stage, slot; /* slot: place in its stage */
    fs_step *steps;       /* [plan->step_count] */
    uint32_t *tiles, tile_count, *groups, group_count;
    uint64_t sync_cycles, barriers; /* barriers: over the whole run */
    fs_process_id process;
    /* the stage */
    fs_round_at at; /* the next round */
    bool more;
    uint64_t compute, sync, exchange; /* cycles so far */
    uint64_t external;                /* of sync and exchange, between chips */
    uint64_t pace_cycles;             /* of the longest compute phase */
    uint32_t pace_tile, phases;
    /* the run of rounds that goes through the phases together: one, or a merged run of local ones */
    uint64_t run;
    bool merged;
    uint32_t rounds;
    uint32_t weight; /* runs alike that it stands for */
    bool again;      /* one of them has passed, the others do */
    fs_step *step;   /* the last of it */
    fs_phase phase;
    uint64_t phase_start; /* cycles */
};

typedef struct fs_stage_run {
    fs_branch *branches;
    uint32_t branch_count;
} fs_stage_run;

struct fs_device {
    const fs_machine_params *machine;
    const fs_device_plan *plan;
    const fs_device_level *level;
    void *level_state;
    uint32_t tiles, workers, groups, step_count;
    fs_stage_run *stages; /* [plan->stage_count] */
    fs_step *steps;       /* [step_count] of all branches */
    /* Tiles with the same program form a class; class 0 runs none. [classes] each: */
    uint32_t classes, width;       /* width: of the widest program's rows */
    fs_priced_program *priced;     /* of class 0: nothing */
    fs_tile_times *idle, *no_idle; /* the program with no work; zero without a program, or always */
    uint64_t *sum;                 /* [tiles] cycles in the merged run of the tile's branch */
    uint32_t most_calls;           /* of a tile in a run of rounds */
    fs_books books;
    fs_energy_books energy;
    fs_chips *chips; /* NULL: one */
    fs_fabric
        *beside; /* of the first step that has one: those of others share its network; NULL: not yet made */
    uint64_t external;   /* cycles of sync and exchange between chips */
    uint64_t chip_bytes; /* times the edges of their routes, by messages */
    uint64_t chip_held;  /* bytes of payload that the client says of them */

    /* The run */
    fs_kernel *kernel;
    fs_process_id sequencer;
    const fs_device_client *client;
    fs_error *err;
    fs_status status;
    bool ended;
    fs_step *now;       /* whose work the client is asked for */
    uint32_t stage;     /* the one that runs */
    uint32_t running;   /* branches of it that do */
    bool begun, opened; /* the first visit: is under way; is over */
    uint64_t host_start;
    fs_iteration iteration;
    uint64_t pace_cycles; /* of the iteration's longest compute phase */
    uint32_t phases;
    fs_host_work work;
    bool stop;
    bool given;                     /* by the client: workers and ports are not counted */
    const uint64_t *given_exchange; /* [iterations], or NULL */
    fs_samples *samples;            /* NULL: exchange phases take what they are booked with */
    uint64_t cycles, activations;   /* at the end of the run */
    uint64_t compute, sync, exchange, host, first, iterations; /* cycles of phases; count */
    fs_device_group *group;                                    /* [groups] */
    fs_device_step_totals *step_totals;                        /* [step_count] at the end */
};

/* ---- device_elaborate.c ---- */
fs_status fs_device_elaborate(fs_device *device, fs_arena *arena, fs_error *err);
/* Before the run: phases of a network that are known in advance. */
fs_status fs_device_plan_phases(const fs_device *device, fs_error *err);

/* Those of a step; *out NULL: there are none. FS_INPUT: chips without a route between them, a multicast over chips. */
fs_status fs_external_make(const fs_device *device, const fs_device_step *step, fs_arena *arena,
                           fs_external **out, fs_error *err);
/* Of an open step: the transfers of its round are there. */
void fs_external_open(const fs_device *device, fs_step *step);
/* What stays on a chip of what a dynamic exchange holds. */
const uint32_t *fs_external_held(fs_external *external, const uint32_t *occupied, uint32_t transfers);
/* Bytes that a transfer of the step moves in this phase. */
uint32_t fs_step_message(const fs_device *device, const fs_step *step, uint32_t transfer);
uint64_t fs_external_sync(const fs_device *device);
/* Counts what the phase moves, by edges and ports: sets cycles and latency. */
void fs_external_begin(fs_branch *branch);
/* Its phase is over: books of edges, ports and energy. */
void fs_external_end(fs_branch *branch);
uint64_t fs_external_port_cycles(const fs_device *device, const fs_external_port *port);
/* FS_BROKEN when edges carried other bytes than the messages' routes say. */
fs_status fs_external_check(const fs_device *device, fs_error *err);

/* ---- device_branch.c: what a branch asks and books, whoever lets time pass ---- */

void fs_branch_begin(fs_branch *branch);
/* Asks the client for the next run of rounds. */
fs_status fs_branch_ask(fs_branch *branch, fs_error *err);
/* Longest compute of the run over active and idle tiles, and the lowest tile that has it. */
uint64_t fs_branch_longest(const fs_branch *branch, uint32_t *tile);
/* Counts the phases of the run, of which tile `pace` computes longest. FS_BROKEN when a tile's times do not
 * add up. */
fs_status fs_branch_book_compute(fs_branch *branch, uint64_t start, uint64_t longest, uint32_t pace,
                                 fs_error *err);
/* A barrier stands behind the compute phase of the run. */
bool fs_branch_meets(const fs_branch *branch);
void fs_branch_book_sync(fs_branch *branch, uint64_t cycles);
fs_status fs_branch_ask_exchange(fs_branch *branch, fs_error *err);
void fs_branch_book_exchange(fs_branch *branch, uint64_t cycles);
/* What a step has between chips, by now over: its barrier, its exchange. */
void fs_branch_book_meet(fs_branch *branch, uint64_t cycles);
void fs_branch_book_external(fs_branch *branch, uint64_t cycles);
static inline uint64_t fs_branch_cycles(const fs_branch *branch) {
    return branch->compute + branch->sync + branch->exchange;
}
void fs_device_begin_iteration(fs_device *device, uint64_t start);
/* The client leaves the stage out of this iteration. */
bool fs_device_skips(fs_device *device, uint32_t stage);
/* Counts a stage all of whose branches are over; the cycles that it took. */
uint64_t fs_device_book_stage(fs_device *device, const fs_stage_run *stage);
/* Asks what the host does: device->work. */
fs_status fs_device_decide(fs_device *device, fs_error *err);
/* Counts the iteration with device->iteration.host and tells the client. */
void fs_device_end_iteration(fs_device *device);
/* What the host does in a visit. launches: the iteration's unfused ones too. */
fs_host_work fs_device_work_of(const fs_device *device, const fs_host_visit *visit, bool launches);
/* Counts the idle tiles and checks the identities of the run. */
fs_status fs_device_settle(fs_device *device, fs_error *err);

/* ---- device_samples.c: exchange phases whose cycles are known at the end of the run ---- */

fs_samples *fs_samples_create(fs_arena *arena, uint32_t steps);
/* A phase of the branch's step was booked with its bound; of one without messages 0. */
void fs_samples_phase(fs_branch *branch, uint64_t bound);
/* Phases so far. */
uint32_t fs_samples_count(const fs_device *device);
/* The iteration is over, and was given to the client. */
void fs_samples_iteration(fs_device *device);
/* After the run: phases take what the network says, all that was booked moves, and the client hears of each iteration. */
fs_status fs_samples_settle(fs_device *device, fs_error *err);

/* ---- device_phase.c: closed forms ---- */

uint64_t fs_phase_exchange_cycles(fs_branch *branch);
uint64_t fs_phase_host_cycles(const fs_device *device, const fs_host_work *work);

/* ---- device_run.c: the run on the kernel ---- */

/* A level says that the phase of the branch has passed. */
void fs_branch_phase_done(fs_branch *branch);
/* Ends the run with an error that the level found. */
void fs_device_fail(fs_device *device, fs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
