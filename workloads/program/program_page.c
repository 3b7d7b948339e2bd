/* What the page of a program's run shows: the time of its steps, then the machine. */
#include "models/ipu/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "workloads/program/program.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const fs_plan_setting settings[] = {{"machine", "machine.name"}, {"program", "workload.file"}};
static const char *const questions[] = {"workload.file", "workload.repeat", NULL};

static const fs_plan_card cards[] = {
    {.label = "a pass", .value = "{program.pass_seconds}", .more = "{program.pass_cycles|whole} cycles"},
    {.label = "time on the device",
     .value = "{device.seconds}",
     .more = "{device.cycles} cycles, {device.iterations} passes, host included"},
    {.label = "workers busy",
     .value = "{use.workers_busy|%}",
     .more = "of the compute phases, on {use.tiles} tiles"},
    {.label = "imbalance",
     .value = "{use.imbalance|.2}",
     .more = "slowest tile over mean; tile {use.pace_tile} sets the pace in {use.pace_share|%}"},
    {.label = "busiest port",
     .value = "{use.port_busy|%}",
     .more = "of the exchange; tile {use.port_tile}, {use.port_side}"},
    {.label = "bytes exchanged", .value = "{use.bytes}", .more = "in the whole run"},
    {FS_MACHINE_MEMORY_CARD},
};

static const fs_plan_column step_columns[] = {
    {.column = "name", .label = "step", .form = "text"},
    {.column = "rounds", .label = "rounds", .form = "whole"},
    {.column = "cycles", .label = "cycles", .form = "bar", .unit = "cycles"},
    {.column = "compute", .label = "compute", .form = "whole", .unit = "cycles"},
    {.column = "sync", .label = "sync", .form = "whole", .unit = "cycles"},
    {.column = "exchange", .label = "exchange", .form = "whole", .unit = "cycles"},
    {.column = "bytes", .label = "bytes exchanged", .form = "short", .unit = "B"}};
static const fs_plan_panel step_panels[] = {{.name = "steps",
                                             .title = "Where a program's time goes, step by step.",
                                             .compared = "Where the time goes, step by step.",
                                             .columns = step_columns,
                                             .column_count = COUNT(step_columns)}};
static const fs_plan_section steps = {
    .kind = "table",
    .id = "steps",
    .title = "Steps",
    .file = "steps.csv",
    .words = "Cycles are those of all rounds of a step in the whole run. A barrier "
             "behind several local steps is booked in the last of them.",
    .findings = "time",
    .panels = step_panels,
    .panel_count = COUNT(step_panels)};

static const fs_plan_panel phase_panels[] = {FS_MACHINE_PHASES_PANEL("the program waits")};
static const fs_plan_section phases = {.kind = "series",
                                       .id = "iterations",
                                       .title = "Passes",
                                       .file = "iterations.csv",
                                       .findings = "time pace",
                                       .panels = phase_panels,
                                       .panel_count = COUNT(phase_panels)};

static const fs_plan_column cycles[] = {{.column = "i0", .label = "compute", .unit = "cycles"}};
static const fs_plan_panel matrix_panels[] = {{.name = "compute",
                                               .label = "Compute",
                                               .title = "What each tile computes in each pass",
                                               .columns = cycles,
                                               .column_count = COUNT(cycles),
                                               .compared = "What each tile computes"}};
static const fs_plan_section matrix = {.kind = "matrix",
                                       .id = "tiles",
                                       .title = "Tiles by pass",
                                       .file = "cycles.csv",
                                       .findings = "imbalance",
                                       .panels = matrix_panels,
                                       .panel_count = COUNT(matrix_panels)};

static const fs_plan_clause verdict[] = {
    {.text = "{program.pass_seconds} a pass ({device.seconds} with the host)"}, FS_MACHINE_PACE_CLAUSE};

static const fs_plan_section *const sections[] = {
    &fs_page_findings,        &fs_page_summary, &steps,          &phases,           &matrix,
    FS_MACHINE_CHIP_SECTIONS, &fs_page_ladder,  &fs_page_memory, &fs_page_settings, &fs_page_files};

const fs_page_plan fs_program_page = {.workload = "program",
                                      .subject = "the program",
                                      .questions = questions,
                                      .settings = settings,
                                      .setting_count = COUNT(settings),
                                      .cards = cards,
                                      .card_count = COUNT(cards),
                                      .verdict = verdict,
                                      .verdict_count = COUNT(verdict),
                                      .rungs = fs_machine_rungs,
                                      .rung_count = FS_MACHINE_RUNGS,
                                      .sections = sections,
                                      .section_count = COUNT(sections)};
