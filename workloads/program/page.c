/* What the page of a program's run shows: the time of its steps, then the machine. */
#include "models/ipu/tables/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "workloads/program/program.h"

static const fs_plan_setting settings[] = {{"machine", "machine.name"}, {"program", "workload.file"}};
static const char *const questions[] = {"workload.file", "workload.repeat", NULL};

static const fs_plan_card cards[] = {
    FS_PAGE_CARD("a pass", "{program.pass_seconds}",
                 .more = "{program.pass_cycles|whole} cycles; {program.paired_seconds} with all pairs"),
    FS_PAGE_CARD("time on the device", "{device.seconds}",
                 .more = "{device.cycles} cycles, {device.iterations} passes, host included"),
    FS_PAGE_CARD("workers busy", "{use.workers_busy|%}",
                 .more = "of the compute phases, on {use.tiles} tiles"),
    FS_PAGE_CARD(
        "imbalance", "{use.imbalance|.2}",
        .more =
            "slowest tile over the average one; tile {use.pace_tile} sets the pace in {use.pace_share|%}"),
    FS_PAGE_CARD("busiest port", "{use.port_busy|%}",
                 .more = "of the exchange; tile {use.port_tile}, {use.port_side}"),
    FS_PAGE_CARD("bytes exchanged", "{use.bytes}", .more = "in the whole run; {use.received} taken in"),
    {FS_MACHINE_MEMORY_CARD},
};

static const fs_plan_section steps =
    FS_MACHINE_STEPS_SECTION("Cycles are those of all rounds of a step in the whole run. The barrier before "
                             "an exchange is counted in its "
                             "step, whatever local steps went before.",
                             "time", "Where a program's time goes, step by step.");

static const fs_plan_section phases = FS_MACHINE_PHASES_SECTION("Passes", NULL, "time pace");

static const fs_plan_section matrix = FS_MACHINE_TILES_SECTION("pass", "imbalance", NULL);

static const fs_plan_clause verdict[] = {
    {.text = "a pass takes {program.pass_seconds}; the run with its host visits takes {device.seconds}"},
    FS_MACHINE_PACE_CLAUSE};

static const fs_plan_section *const sections[] =
    FS_PAGE_SECTIONS(&steps, &phases, &matrix, FS_MACHINE_CHIP_SECTIONS);

const fs_page_plan fs_program_page = {.workload = "program",
                                      .subject = "the program",
                                      .questions = questions,
                                      FS_PAGE_LISTS(settings, cards, verdict, fs_machine_rungs, sections)};
