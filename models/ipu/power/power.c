/* From the device's accounts to figures. */
#include "models/ipu/power/power.h"

#include <math.h>

#define PART(n, p, ...)                                                                                      \
    FS_STAT_VALUE(n, fs_power_figures, part[p], .unit = "J", .better = FS_BETTER_LESS, __VA_ARGS__)
#define PHASE(n, p, ...)                                                                                     \
    FS_STAT_VALUE(n, fs_power_figures, phase[p], .unit = "J", .better = FS_BETTER_LESS, __VA_ARGS__)
#define AREA(n, p, ...)                                                                                      \
    FS_STAT_VALUE(n, fs_power_figures, area[p], .unit = "mm2", .better = FS_BETTER_LESS, __VA_ARGS__)

static const fs_stat rows[] = {
    PART("energy.parts.issue", FS_ENERGY_ISSUE, .doc = "instructions: fetched, decoded, registers"),
    PART("energy.parts.arithmetic", FS_ENERGY_ARITHMETIC, .doc = "operations of the workers' pipelines"),
    PART("energy.parts.sram", FS_ENERGY_SRAM,
         .doc = "data of tile memory: loads and stores, and both ends of the exchange"),
    PART("energy.parts.matrix", FS_ENERGY_MATRIX, .doc = "multiply-adds of the matrix units"),
    PART("energy.parts.exchange", FS_ENERGY_EXCHANGE,
         .doc = "wires of the exchange and of broadcasts; of a network all that its flits pass"),
    PART("energy.parts.sync", FS_ENERGY_SYNC, .doc = "barriers"),
    PART("energy.parts.host", FS_ENERGY_HOST, .doc = "the link to the host"),
    PART("energy.parts.dram", FS_ENERGY_DRAM, .doc = "streaming memory"),
    PART("energy.parts.clock", FS_ENERGY_CLOCK, .doc = "clocks of all tiles, working or not"),
    PART("energy.parts.leakage", FS_ENERGY_LEAKAGE, .doc = "leakage of all tiles"),
    PHASE("energy.phases.compute", FS_ENERGY_IN_COMPUTE,
          .doc = "of compute phases, streaming memory with them; the four phases add up to the run"),
    PHASE("energy.phases.sync", FS_ENERGY_IN_SYNC, .doc = "of barriers"),
    PHASE("energy.phases.exchange", FS_ENERGY_IN_EXCHANGE, .doc = "of exchange phases"),
    PHASE("energy.phases.host", FS_ENERGY_IN_HOST, .doc = "of host visits"),
    AREA("area.parts.sram", FS_AREA_SRAM, .doc = "tile memory"),
    AREA("area.parts.logic", FS_AREA_LOGIC, .doc = "workers of the tiles"),
    AREA("area.parts.matrix", FS_AREA_MATRIX, .doc = "matrix units"),
    AREA("area.parts.ports", FS_AREA_PORTS,
         .doc = "ports of the exchange; of a network all that its flits pass but links"),
    AREA("area.parts.fixed", FS_AREA_FIXED, .doc = "what no tile has: spine, links, clocks"),
};
static const fs_stat_table own = FS_STAT_TABLE("power", rows);
static const fs_stat_part parts[] = {FS_STAT_PART(&fs_energy_stats, fs_power_figures, energy),
                                     FS_STAT_PART(&fs_die_stats, fs_power_figures, die),
                                     {.table = &own}};
const fs_stat_table fs_power_stats = FS_STAT_PARTS("power", parts);

static double sum_of(const double *part, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += part[i];
    return sum;
}

static double area_at(const fs_machine_params *m, const fs_area_network *network, int64_t more,
                      fs_price_end end, double part[FS_AREA_PARTS]) {
    /* A machine whose table has no matrix unit is built as all others are. */
    const fs_area_tile tile = {.sram = (uint64_t)m->memory.sram,
                               .more = more,
                               .units = m->matrix.units > 0 ? (uint64_t)m->matrix.units : 16};
    fs_area_of(&m->area, &m->geometry, &tile, end, part);
    if (network != NULL)
        part[FS_AREA_PORTS] = fs_area_of_network(&m->area, network, end);
    const double process = fs_area_of_process(m->energy.process, end);
    for (int p = 0; p < FS_AREA_PARTS; p++)
        part[p] *= p == FS_AREA_FIXED && process > 0 ? 1 : process;
    return sum_of(part, FS_AREA_PARTS);
}

/* Bytes that tiles of roles have more than the machine's, over a chip: the mean of those that are joined. */
static int64_t more_sram(const fs_device *device, const fs_machine_params *m) {
    const fs_energy_books *b = fs_device_energy(device);
    int64_t more = 0;
    for (uint32_t role = 0; role < FS_MACHINE_ROLES && b->kind_of != NULL; role++)
        more += (int64_t)b->tiles_of[role] * (fs_machine_sram(m, role) - m->memory.sram);
    return more / (int64_t)fs_machine_chips(m);
}

/* Of so many chips. */
static void set_areas(fs_power_figures *f, const fs_machine_params *m, const fs_area_network *network,
                      int64_t more, uint64_t chips) {
    double unused[FS_AREA_PARTS];
    const double n = (double)chips;
    f->energy.area = n * area_at(m, network, more, FS_PRICE_CENTRAL, f->area);
    f->energy.area_low = n * area_at(m, network, more, FS_PRICE_LOW, unused);
    f->energy.area_high = n * area_at(m, network, more, FS_PRICE_HIGH, unused);
    for (int p = 0; p < FS_AREA_PARTS; p++)
        f->area[p] *= n;
}

static double joules_at(const fs_energy_books *b, fs_price_end end, uint64_t chips) {
    fs_attojoules part[FS_ENERGY_PARTS], all = 0;
    fs_energy_at(b, end, part);
    for (int p = 0; p < FS_ENERGY_PARTS; p++)
        all += part[p];
    return fs_joules(chips * all);
}

/* Parts and phases of one end; the sum of all. */
static fs_attojoules take(fs_attojoules of[FS_ENERGY_PHASES][FS_ENERGY_PARTS], fs_power_figures *f) {
    fs_attojoules part[FS_ENERGY_PARTS] = {0}, all = 0;
    for (int i = 0; i < FS_ENERGY_PHASES; i++) {
        fs_attojoules phase = 0;
        for (int p = 0; p < FS_ENERGY_PARTS; p++) {
            part[p] += of[i][p];
            phase += of[i][p];
        }
        f->phase[i] = fs_joules(phase);
        all += phase;
    }
    for (int p = 0; p < FS_ENERGY_PARTS; p++)
        f->part[p] = fs_joules(part[p]);
    return all;
}

/* A process without prices has no figure, rather than one at the prices of another. */
static fs_power_figures priced(fs_power_figures f, const fs_machine_params *m) {
    const double none = (double)NAN;
    if (m->energy.process != FS_PROCESS_OTHER)
        return f;
    f.energy =
        (fs_energy_figures){none, none, none, none, none, none, none, none, none, none, none, none, 0, 0};
    f.die = (fs_die_figures){none, 0, none, none, 0};
    for (int p = 0; p < FS_ENERGY_PARTS; p++)
        f.part[p] = none;
    for (int p = 0; p < FS_ENERGY_PHASES; p++)
        f.phase[p] = none;
    for (int p = 0; p < FS_AREA_PARTS; p++)
        f.area[p] = none;
    return f;
}

fs_power_figures fs_power_figures_of(const fs_device *device, const fs_machine_params *machine,
                                     uint64_t chips) {
    const fs_energy_books *b = fs_device_energy(device);
    fs_attojoules of[FS_ENERGY_PHASES][FS_ENERGY_PARTS];
    fs_power_figures f = {0};
    for (int i = 0; i < FS_ENERGY_PHASES; i++)
        for (int p = 0; p < FS_ENERGY_PARTS; p++)
            of[i][p] = chips * b->account[p][i];
    f.energy = (fs_energy_figures){.joules = fs_joules(take(of, &f)),
                                   .joules_low = joules_at(b, FS_PRICE_LOW, chips),
                                   .joules_high = joules_at(b, FS_PRICE_HIGH, chips),
                                   .watts_peak = (double)chips * b->peak};
    const fs_fabric_network *n = fs_fabric_network_of(fs_device_fabric(device, 0));
    const fs_area_network network =
        n != NULL ? fs_area_network_of(n->graph, &machine->noc) : (fs_area_network){0};
    const uint64_t built = chips * fs_machine_chips(machine);
    set_areas(&f, machine, n != NULL ? &network : NULL, more_sram(device, machine), built);
    fs_energy_figures_close(&f.energy, (double)fs_device_totals_of(device).cycles / machine->clock, built,
                            &machine->limits);
    f.die = fs_die_figures_of(f.energy.area_chip, f.area[FS_AREA_SRAM] / (double)built, &machine->fab,
                              &machine->limits);
    return priced(f, machine);
}

double fs_power_area_of(const fs_machine_params *machine, const fs_noc_graph *graph) {
    const fs_area_network network = fs_area_network_of(graph, &machine->noc);
    double unused[FS_AREA_PARTS];
    return machine->energy.process == FS_PROCESS_OTHER
               ? (double)NAN
               : area_at(machine, &network, 0, FS_PRICE_CENTRAL, unused);
}

double fs_power_standing(const fs_power_figures *f) {
    return f->part[FS_ENERGY_CLOCK] + f->part[FS_ENERGY_LEAKAGE];
}

void fs_power_find(const fs_power_figures *f, fs_energy_each each, fs_findings *out) {
    static const char *const names[FS_ENERGY_PARTS] = {"fetching and issuing instructions",
                                                       "arithmetic",
                                                       "tile memory",
                                                       "the matrix units",
                                                       "wires of the exchange",
                                                       "barriers",
                                                       "the host link",
                                                       "streaming memory",
                                                       "clocks",
                                                       "leakage"};
    fs_energy_share shares[FS_ENERGY_PARTS];
    if (isnan(f->energy.joules)) {
        fs_find(out, "energy",
                "Energy and area are unknown: no prices exist for the machine's process "
                "(machine.energy.process).",
                NULL);
        return;
    }
    for (int p = 0; p < FS_ENERGY_PARTS; p++)
        shares[p] = (fs_energy_share){names[p], f->part[p]};
    fs_die_find_limits(&f->die, out);
    fs_energy_find(&f->energy, each, shares, FS_ENERGY_PARTS, out);
}
