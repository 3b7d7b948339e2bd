/* What a device runs: tiles in groups, and steps.
 *
 * A plan is a sequence of stages. A stage is a fork and a join: its branches run beside each other, each a
 * sequence of steps of its own tiles, and the stage is over when the last branch is. Meeting costs nothing by
 * itself: the barrier that the join needs is paid by the step that exchanges. An iteration of the device is
 * one pass through all stages, then the host may come.
 *
 * Groups. Each tile is in one group. A branch is of one or several groups; no group is in two branches of a
 * stage, and transfers stay among the tiles of their branch. A group that no branch of a stage names waits.
 * Groups that work apart in one stage exchange with each other in a stage in which one branch has both.
 *
 * Steps. A step has a program for each tile or none, and an exchange of transfers or none:
 *   compute   to the end of the slowest tile of the branch. A tile that the client gives no work runs its
 *             program with no work, unless `only_active`; a tile without a program takes no time.
 *   sync      from the last tile ready to the last tile released, over the tiles of the branch.
 *   exchange  supervisor's program, transfers, last arrival.
 * `times` repeats a step, and `times` of a branch all its steps.
 *
 * Local runs. A step without transfers is local. Local steps that follow one another in a branch, repetitions
 * included, are one run: tiles do not wait for each other in it. A tile's times add up over steps and rounds,
 * the run takes what the slowest sum takes, and one barrier and the supervisor's program of each round (which
 * runs whether tiles wait or not) follow. The machine's key sync.local: each puts a barrier after every
 * round; what the two differ by is barriers and waiting, nothing else. Where the plan has its barriers at
 * exchanges (`at_exchanges`), a local run goes on into the step with transfers that follows it, whose barrier
 * is the only one, and a run that no such step follows in its branch has none.
 *
 * Open steps. A step with `most_transfers` has transfers that the client gives in each round, of a dynamic exchange
 * (fs_device_give_transfers). A step with `rotation` has all ordered pairs of tiles as its transfers, each of so many
 * bytes, of a static exchange: a pattern (models/exchange), not a list.
 *
 * Loops. The last step of a loop says how many steps it has and how often they run in turn; loops are not in
 * each other, and one in which no tile waits for another by the `times` of its steps.
 *
 * Repetitions alike. A repetition of a branch may stand for several in a row (`alike`): the client counts one,
 * and cycles, calls, barriers, bytes and energy are those of all. A local run over the boundary of two
 * repetitions counts as often as the later one, so that a repetition that stands for w is exact as three: for
 * 1, for w - 2 and for 1. A branch with such repetitions has a step with transfers, of a static exchange.
 *
 * Numbers. Steps are numbered through the plan: by stage, then branch, then place in the branch. A program's
 * number is its place in `program`.
 *
 * Example. Tiles 0 and 1 work out a row each, 100 times, while tile 2 makes random numbers, then all
 * exchange:
 *
 *     static const fs_program *const programs[] = {&row, &random, &add};
 *     static const uint8_t group_of[] = {0, 0, 1}, work[] = {1, 1, 0}, make[] = {0, 0, 2}, join[] = {3, 3, 3};
 *     static const uint32_t first[] = {0}, second[] = {1};
 *     static const fs_transfer numbers[] = {{2, 0, 400}, {2, 1, 400}};
 *     static const fs_device_step rows[] = {{.name = "rows", .runs = work, .times = 100}};
 *     static const fs_device_step dice[] = {{.name = "random", .runs = make}};
 *     static const fs_device_step give[] = {
 *         {.name = "give", .runs = join, .transfers = numbers, .transfer_count = 2}};
 *     static const fs_device_branch apart[] = {
 *         {.groups = first, .group_count = 1, .steps = rows, .step_count = 1},
 *         {.groups = second, .group_count = 1, .steps = dice, .step_count = 1}};
 *     static const fs_device_branch together[] = {{.steps = give, .step_count = 1}};
 *     static const fs_device_stage stages[] = {{apart, 2}, {together, 1}};
 *     const fs_device_plan plan = {.tiles = 3, .groups = 2, .group_of = group_of, .programs = 3,
 *                                  .program = programs, .stages = stages, .stage_count = 2};
 *
 * Steps are 0 rows, 1 random, 2 give. The first stage takes the greater of the two branches. A plan for all
 * tiles of one step is fs_plan_of_step.
 */
#pragma once

#include "models/ipu/machine.h"
#include "sim/base/alloc.h"

typedef struct fs_host_visit {
    bool visit;               /* the host comes after this iteration */
    uint64_t bytes_to_host;   /* read back: a framebuffer */
    uint64_t bytes_to_device; /* a camera, weights */
    uint64_t broadcast_bytes; /* of them, broadcast on chip from the plan's host tile */
    uint64_t streams;         /* that are copied one after the other, a handshake each */
} fs_host_visit;

/* Programs and which tile runs which: what one step needs. */
typedef struct fs_device_programs {
    const fs_program *const *program; /* [count] */
    uint32_t count;                   /* at most 255 */
    uint8_t *of_tile;                 /* [tiles] 1 + number of its program; 0: the tile runs none */
} fs_device_programs;

typedef struct fs_device_step {
    const char *name;             /* for people; NULL: nameless */
    const uint8_t *runs;          /* [tiles] 1 + number of its program, 0: none; NULL: no tile runs one */
    const fs_transfer *transfers; /* [transfer_count] whole buffers; none: the step is local */
    uint32_t transfer_count;
    /* Every round moves all of them whole, so that a network knows its phase in advance (fabric.h), as ports plan a static
     * exchange; what the client's `exchange` says of bytes is not used. */
    bool whole;
    /* [transfer_count] multicasts of a static exchange (fs_exchange_lanes): transfers that are sent together
     * are one message, which both tiles of a pair take in at twice the rate (exchange.pair_receive). NULL: none. */
    const uint32_t *sent_with;
    uint32_t most_transfers; /* that the client gives in a round; `transfers` is not used; 0: those are all */
    uint32_t rotation; /* bytes of each ordered pair of tiles; `transfers` is not used; 0: no rotation */
    bool meets;        /* with barriers at exchanges: it has one though it is local, an exchange of nothing */
    uint64_t beyond;   /* cycles of its exchange before its transfers: of links to other chips */
    uint64_t beyond_bytes; /* over them */
    /* [transfer_count] bulk copy of each transfer, 0 ... copies - 1, where copies are serial
     * (exchange.copies); NULL: one copy. */
    const uint32_t *copy_of;
    uint32_t copies;
    /* [transfer_count] the same where both directions between two levels are one copy; NULL: copy_of */
    const uint32_t *pair_of;
    uint32_t pairs;
    /* Of the transfers, on the device's machine, where it was made before, `whole` as the step is; those of a network share
     * one. NULL: the device makes it. Kept. */
    struct fs_fabric *fabric;
    uint32_t times;   /* in a row; 0 is 1 */
    uint32_t loop;    /* the step is the last of a loop of so many, itself one of them; 0: of none */
    uint32_t turns;   /* of that loop */
    uint32_t calls;   /* most calls of its program that the client prices for a tile in a round; 0 is 1 */
    bool only_active; /* a tile without counted work does not run its program */
} fs_device_step;

typedef struct fs_device_branch {
    const uint32_t *groups; /* [group_count]; NULL: all groups of the plan */
    uint32_t group_count;
    const fs_device_step *steps; /* [step_count] at least one */
    uint32_t step_count;
    uint32_t times; /* of all steps in turn; 0 is 1 */
    /* [times] how many repetitions alike each of them stands for, in a row; NULL: one. */
    const uint32_t *alike;
} fs_device_branch;

typedef struct fs_device_stage {
    const fs_device_branch *branches; /* [branch_count] at least one */
    uint32_t branch_count;
} fs_device_stage;

typedef struct fs_device_plan {
    uint32_t tiles;                   /* of the machine: all of them */
    const uint8_t *group_of;          /* [tiles]; NULL: all in group 0 */
    uint32_t groups;                  /* 0 is 1 */
    const uint8_t *role_of;           /* [tiles] its place in machine->role; NULL: all tiles are alike */
    const fs_program *const *program; /* [programs] of all steps */
    uint32_t programs;                /* at most 255 */
    const fs_device_stage *stages;    /* [stage_count] at least one */
    uint32_t stage_count;
    bool at_exchanges;  /* barriers stand before exchanges only: "Local runs" */
    uint32_t host_tile; /* the host's end of the chip: broadcasts start here */
    /* Of several chips each has a link to the host of its own: what is not broadcast lies in so many equal parts, so
     * many of them on the chip that has most (slices of a framebuffer). 0: on the first chip alone. */
    uint32_t host_parts, host_most;
    fs_host_visit first; /* before iteration 0: its bytes; it is paid whatever `visit` says */
} fs_device_plan;

/* The plan of one step for all tiles in one group. What is pointed to is kept; `transfers` NULL with count 0
 * makes a local step. Memory from the arena. */
fs_device_plan fs_plan_of_step(fs_arena *arena, uint32_t tiles, const fs_device_programs *programs,
                               const fs_device_step *exchange, uint32_t host_tile,
                               const fs_host_visit *first);

/* Steps of the plan, and the one with a number. */
uint32_t fs_plan_steps(const fs_device_plan *plan);
const fs_device_step *fs_plan_step(const fs_device_plan *plan, uint32_t step);

/* Bytes of code, constants and stacks on a tile: of each program that it runs in some step, once. */
uint64_t fs_plan_code_bytes(const fs_device_plan *plan, uint32_t tile);

/* What has to hold of a plan on a machine of so many tiles. FS_INPUT with a sentence: the number of tiles, a
 * tile, group or program that does not exist, a group in two branches of a stage, a transfer between tiles
 * that are not both in its branch, a multicast whose transfers differ in sender, bytes or copy, repetitions
 * alike without an exchange. */
fs_status fs_plan_check(const fs_device_plan *plan, uint32_t machine_tiles, fs_error *err);

static inline uint32_t fs_plan_times(uint32_t times) { /* 0 is 1 */
    return times > 0 ? times : 1;
}
static inline uint32_t fs_plan_groups(const fs_device_plan *plan) {
    return plan->groups > 0 ? plan->groups : 1;
}
static inline bool fs_step_is_local(const fs_device_step *step) {
    return step->transfer_count == 0 && step->most_transfers == 0 && step->rotation == 0;
}
/* Its tiles wait for each other, whatever the machine's sync.local. */
static inline bool fs_step_meets(const fs_device_step *step) {
    return !fs_step_is_local(step) || step->meets;
}
