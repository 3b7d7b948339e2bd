#include "models/ipu/tables/power_tables.h"

#include "models/ipu/tables/tables.h"
#include "sim/base/arith.h"
#include "sim/results/row.h"

#include <math.h>
#include <stdlib.h>

/* ---- watts.csv ---- */

static const fs_energy_time *time_at(const fs_energy_books *b, uint64_t row) {
    return &b->time[row / FS_ENERGY_CHUNK][row % FS_ENERGY_CHUNK];
}

enum { ITERATION = FS_ENERGY_PARTS, START, CYCLES };

static int64_t time_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_energy_books *b = self;
    const fs_energy_time *t = time_at(b, row);
    if (which == ITERATION)
        return (int64_t)row;
    if (which == START || which == CYCLES)
        return (int64_t)(which == START ? t->start : t->cycles);
    return t->cycles == 0 ? 0 : (int64_t)(1e3 * t->joules[which] * b->clock / (double)t->cycles + 0.5);
}

static fs_status write_time(const fs_energy_books *b, fs_results *results, fs_error *err) {
    fs_column columns[3 + FS_ENERGY_PARTS] = {
        {.name = "iteration", .unit = "", .integer = time_cell, .self = b, .arg = ITERATION},
        {.name = "start", .unit = "cycles", .integer = time_cell, .self = b, .arg = START},
        {.name = "cycles", .unit = "cycles", .integer = time_cell, .self = b, .arg = CYCLES}};
    for (uint32_t p = 0; p < FS_ENERGY_PARTS; p++)
        columns[3 + p] = (fs_column){
            .name = fs_energy_part_names[p], .unit = "mW", .integer = time_cell, .self = b, .arg = p};
    const uint64_t most = (uint64_t)FS_ENERGY_CHUNK * FS_ENERGY_CHUNKS;
    return fs_columns_write(results, "watts.csv", columns, FS_COUNT(columns),
                            b->iterations < most ? b->iterations : most, err);
}

/* ---- energy_tiles.csv ---- */

enum { ALL = FS_ENERGY_PARTS }; /* behind the parts */

/* self: [tiles] nJ of the parts and of all. */
static int64_t tile_cell(const void *self, uint64_t row, uint32_t part) {
    return ((const int64_t(*)[ALL + 1]) self)[row][part];
}

static int64_t nanojoules(fs_attojoules energy) {
    return (int64_t)((energy + 500000000) / 1000000000);
}

static fs_status write_tiles(const fs_energy_books *b, const fs_machine_params *machine,
                             const fs_books_labels *labels, fs_results *results, fs_error *err) {
    const fs_books_tile_rows rows = {.machine = machine, .labels = labels};
    int64_t(*of)[ALL + 1] = fs_calloc(b->tiles, sizeof *of);
    for (uint32_t t = 0; t < b->tiles; t++) {
        fs_attojoules part[FS_ENERGY_PARTS], all = 0;
        fs_energy_of_tile(b, t, part);
        for (int p = 0; p < FS_ENERGY_PARTS; p++) {
            of[t][p] = nanojoules(part[p]);
            all += part[p];
        }
        of[t][ALL] = nanojoules(all);
    }
    fs_column columns[FS_BOOKS_TILE_COLUMNS + FS_ENERGY_PARTS];
    fs_column *c = fs_books_place_columns(&rows, fs_books_name_columns(&rows, columns));
    *c++ = (fs_column){.name = "energy", .unit = "nJ", .integer = tile_cell, .self = of, .arg = ALL};
    for (uint32_t p = 0; p < FS_ENERGY_PARTS; p++)
        *c++ = (fs_column){
            .name = fs_energy_part_names[p], .unit = "nJ", .integer = tile_cell, .self = of, .arg = p};
    const fs_status status =
        fs_columns_write(results, "energy_tiles.csv", columns, (size_t)(c - columns), b->tiles, err);
    free(of);
    return status;
}

/* ---- energy.csv ---- */

static void put_parts(const void *run, fs_row_table *t) {
    const fs_power_figures *f = run;
    for (int p = 0; p < FS_ENERGY_PARTS; p++)
        FS_ROW(t, fs_energy_part_names[p], isnan(f->part[p]) ? (int64_t)0 : (int64_t)(1e9 * f->part[p] + 0.5),
               f->part[p] / f->energy.joules);
}

fs_status fs_power_tables_write(const fs_power_figures *figures, const fs_device *device,
                                const fs_machine_params *machine, const fs_books_labels *labels,
                                fs_results *results, fs_error *err) {
    static const fs_row_file parts = {"energy.csv", "part, energy nJ, share", put_parts};
    const fs_energy_books *b = fs_device_energy(device);
    return fs_row_files_write(&parts, 1, figures, results, err) || write_time(b, results, err)
               ? err->status
               : write_tiles(b, machine, labels, results, err);
}

/* ---- the page ---- */

static const fs_plan_column part_columns[] = {
    FS_PAGE_COLUMN("part", "part", .form = "text"),
    FS_PAGE_COLUMN("energy", "energy", .form = "bar", .unit = "mJ", .scale = 1e-6),
    FS_PAGE_COLUMN("share", "share", .form = "share"),
};
const fs_plan_section fs_power_parts_section =
    FS_PAGE_ONE("table", "energy", "Energy", "energy.csv",
                "{energy.joules} in all, between {energy.joules_low} and {energy.joules_high} over the "
                "ranges of all prices; {energy.watts} on average, {energy.watts_peak} in the iteration that "
                "takes most; {area.mm2|whole} mm2. Prices and sources: docs/facts/energy.md.",
                "energy", part_columns, .title = "What the energy goes into.");

static const fs_plan_column time_columns[] = {
    FS_PAGE_COLUMN("leakage", "leakage", .unit = "mW", .colour = "host"),
    FS_PAGE_COLUMN("clock", "clocks", .unit = "mW", .colour = "sync"),
    FS_PAGE_COLUMN("issue", "instructions", .unit = "mW", .colour = "role-0"),
    FS_PAGE_COLUMN("arithmetic", "arithmetic", .unit = "mW", .colour = "role-1"),
    FS_PAGE_COLUMN("sram", "tile memory", .unit = "mW", .colour = "role-2"),
    FS_PAGE_COLUMN("matrix", "matrix units", .unit = "mW", .colour = "compute"),
    FS_PAGE_COLUMN("exchange", "exchange", .unit = "mW", .colour = "exchange"),
    FS_PAGE_COLUMN("sync host dram", "barriers and links", .unit = "mW", .colour = "ink"),
};
const fs_plan_section fs_power_time_section =
    FS_PAGE_ONE("series", "watts", "Power over time", "watts.csv", NULL, NULL, time_columns,
                .form = "stacked", .label = "power, {@watts}",
                .title = "What the chip takes: {energy.watts} on average, at most {energy.watts_peak}",
                .caption = "Power by part: each iteration's energy over its time. What each part takes of "
                           "the whole is in Energy.");

static const fs_plan_column chip_columns[] = {
    FS_PAGE_COLUMN("energy", "energy", .unit = "\xc2\xb5J", .scale = 1e-3),
};
const fs_plan_section fs_power_chip_section = FS_PAGE_ONE(
    "chip", "chip-energy", "Energy by tile", "energy_tiles.csv", NULL, NULL, chip_columns, .label = "Energy",
    .form = "auto", .title = "Where energy goes: most on {@tile}, {@most}; least {@least}",
    .caption = "What each tile pays: calls, memory, the ways that it sends on, its clock and leakage.");
