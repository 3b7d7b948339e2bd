/* What the machine's books give to a page, whatever runs on it: parts of a plan (sim/results/page_plan.h)
 * that a workload puts among its own sections. */
#pragma once

#include "sim/results/page_plan.h"

enum { FS_MACHINE_PHASES = 4 };
/* compute (by the role that set the pace), sync, exchange and host of iterations.csv. */
extern const fs_plan_column fs_machine_phases[FS_MACHINE_PHASES];
/* The panel that stacks them. */
#define FS_MACHINE_PHASES_PANEL                                                                              \
    {                                                                                                        \
        .name = "phases", .form = "stacked",                                                                 \
        .title = "Compute takes {@compute.share|%0} of the iterations' time, paced by {@paced} of them",     \
        .otherwise =                                                                                         \
            "The exchange takes {@exchange.share|%0} of the iterations' time, barriers {@sync.share|%0}",    \
        .caption = "{@rows} iterations, {@sum} cycles: compute {@compute.share|%1}, exchange "               \
                   "{@exchange.share|%1}, barriers {@sync.share|%2}, host visits {@host.share|%1}.",         \
        .label = "{@scale}cycles an iteration", .compared = "Where the time goes, iteration by iteration",   \
        .columns = fs_machine_phases, .column_count = FS_MACHINE_PHASES                                      \
    }

/* iterations.csv with that panel alone. */
#define FS_MACHINE_PHASES_SECTION(title, words, findings)                                                    \
    FS_PAGE_SECTION("series", "iterations", title, "iterations.csv", words, findings,                        \
                    ((const fs_plan_panel[1]){FS_MACHINE_PHASES_PANEL}))
/* steps.csv; `said`: above the table. */
enum { FS_MACHINE_STEP_COLUMNS = 7 };
extern const fs_plan_column fs_machine_steps[FS_MACHINE_STEP_COLUMNS];
#define FS_MACHINE_STEPS_SECTION(words, findings, said)                                                      \
    FS_PAGE_ONE("table", "steps", "Steps", "steps.csv", words, findings, fs_machine_steps, .title = said,    \
                .compared = "Where the time goes, step by step.")
/* cycles.csv: what each tile computes in each iteration, here called `iteration`; `scale`: the panel's form. */
extern const fs_plan_column fs_machine_compute[1];
#define FS_MACHINE_TILES_SECTION(iteration, findings, scale)                                                 \
    FS_PAGE_SECTION(                                                                                         \
        "matrix", "tiles", "Tiles by " iteration, "cycles.csv", NULL, findings,                              \
        ((const fs_plan_panel[1]){FS_PAGE_PANEL(                                                             \
            "compute", fs_machine_compute, .label = "Compute", .form = scale,                                \
            .title = "What each tile computes in each " iteration, .compared = "What each tile computes")}))

/* Cards of the machine's figures; the memory's without braces, so that a workload may add a condition. */
#define FS_MACHINE_TIME_CARD                                                                                 \
    { .label = "device time", .value = "{device.seconds}", .more = "{device.cycles} cycles" }
#define FS_MACHINE_ITERATIONS_CARD                                                                           \
    {                                                                                                        \
        .label = "iterations", .value = "{device.iterations}",                                               \
        .more = "{device.cycles_per_iteration|whole} cycles each"                                            \
    }
#define FS_MACHINE_MEMORY_CARD                                                                               \
    .label = "memory, most", .value = "{memory.peak_bytes}", .more = "on tile {memory.worst_tile|.0}"

/* The exchange for free: what comes near it is wider ports, or wider links where tiles are joined otherwise. */
#define FS_MACHINE_EXCHANGE_RUNGS                                                                            \
    {.name = "free_exchange",                                                                                \
     .said = "free exchange",                                                                                \
     .near = "machine.exchange.bytes_per_cycle=8B/cycle",                                                    \
     .build = "wider ports",                                                                                 \
     .when = "machine.exchange.kind=ports"},                                                                 \
        {.name = "free_exchange",                                                                            \
         .said = "free exchange",                                                                            \
         .near = "machine.exchange.noc.width=8B",                                                            \
         .build = "wider links",                                                                             \
         .when = "machine.exchange.kind=noc"},                                                               \
        FS_PAGE_RUNG("free_exchange", "free exchange", NULL, "wider links")

#define FS_MACHINE_SYNC_RUNG                                                                                 \
    FS_PAGE_RUNG("free_sync", "free barriers", NULL, "a barrier that costs no cycles")
#define FS_MACHINE_HOST_RUNG(near_)                                                                          \
    FS_PAGE_RUNG("free_host", "free host", near_, "visits of the host that cost no cycles")
#define FS_MACHINE_BALANCED_RUNG(near_)                                                                      \
    FS_PAGE_RUNG("balanced", "work spread evenly over the tiles", near_,                                     \
                 "tiles that take work from each other")

/* What rungs that any workload has are called in a sentence (conclusions.h). */
enum { FS_MACHINE_RUNGS = 6 };
extern const fs_plan_rung fs_machine_rungs[FS_MACHINE_RUNGS];
/* A clause of the verdict: one tile sets the pace in a third of the phases or more. Of workloads with
 * fs_use_stats. */
#define FS_MACHINE_PACE_CLAUSE                                                                               \
    {                                                                                                        \
        .text = "tile {use.pace_tile|.0} sets the pace in {use.pace_share|%0} of the phases",                \
        .when = "use.imbalance", .from = 1.2                                                                 \
    }

/* The chip, tile by tile: busy share, bytes, SRAM. */
extern const fs_plan_section fs_machine_chip;
