/* Figures of a device: where its cycles went. */
#include "models/ipu/device.h"

#include "models/ipu/device_internal.h"
#include "sim/base/arith.h"

#define FS_ROWS_OF fs_device_figures
static const fs_stat device_rows[] = {
    FS_WHOLE("device.cycles", cycles, "cycles", "device time of the run: compute + sync + exchange + host",
             FS_LESS, FS_AT(102, "cycles")),
    FS_VALUE("device.seconds", seconds, "s", "the same at the machine's clock", FS_LESS,
             FS_AT(100, "time on the device"), .null_is = "never"),
    FS_WHOLE("device.iterations", iterations, "iterations", "supersteps run", FS_LESS,
             FS_AT(103, "iterations")),
    FS_WHOLE("device.cycles_compute", cycles_compute, "cycles",
             "compute phases: the slowest tile of each iteration", FS_LESS, FS_AT(110, "compute")),
    FS_WHOLE("device.cycles_sync", cycles_sync, "cycles", "barriers inside the device", FS_LESS,
             FS_AT(112, "barriers")),
    FS_WHOLE("device.cycles_exchange", cycles_exchange, "cycles", "exchange phases", FS_LESS,
             FS_AT(111, "exchange"), .interval = "network.sampled.interval"),
    FS_WHOLE("device.cycles_host", cycles_host, "cycles",
             "host visits: external sync, launch, readback, broadcast; unfused launches", FS_LESS,
             FS_AT(113, "host visits")),
    FS_WHOLE("device.turn", turn, "cycles",
             "a worker issues once in so many: workers / tile.issue_width, rounded up; the most of all roles",
             FS_LESS, .changed = "A worker issues once in {new} instead of {old} cycles."),
};
const fs_stat_table fs_device_stats = FS_STAT_TABLE("device", device_rows);

static uint64_t turn_of(const fs_machine_params *m) {
    const uint64_t width = m->tile.issue_width > 0 ? (uint64_t)m->tile.issue_width : 1;
    return fs_up((uint64_t)fs_machine_most_workers(m), width);
}

fs_device_figures fs_device_figures_of(const fs_device *device, double clock) {
    const fs_device_totals t = fs_device_totals_of(device);
    return (fs_device_figures){.cycles = t.cycles,
                               .iterations = t.iterations,
                               .cycles_compute = t.cycles_compute,
                               .cycles_sync = t.cycles_sync,
                               .cycles_exchange = t.cycles_exchange,
                               .cycles_host = t.cycles_host,
                               .seconds = (double)t.cycles / clock,
                               .turn = turn_of(device->machine)};
}

void fs_device_find_time(const fs_device_figures *figures, fs_findings *out) {
    const double all = (double)figures->cycles;
    if (figures->cycles == 0)
        return;
    FS_FIND(out, "time",
            "Compute takes {compute|share} of the time, the exchange {exchange|share}, barriers {sync|share} "
            "and host visits {host|share}.",
            FS_IS("compute", (double)figures->cycles_compute / all),
            FS_IS("exchange", (double)figures->cycles_exchange / all),
            FS_IS("sync", (double)figures->cycles_sync / all),
            FS_IS("host", (double)figures->cycles_host / all));
}

/* Half the workers, each with the work of two, take half the turn for each slot: a tile is through no later. A
 * turn of 6 cycles is the IPU's, which hides the latency of its pipeline (ipu.md 3). */
void fs_device_find_turn(const fs_device *device, const fs_machine_params *machine, fs_findings *out) {
    enum { IPU_TURN = 6 };
    const fs_device_totals t = fs_device_totals_of(device);
    const uint64_t workers = (uint64_t)fs_machine_most_workers(machine), turn = turn_of(machine);
    double busy = 0, compute = 0;
    for (uint64_t tile = 0; tile < device->tiles; tile++) {
        compute += (double)t.compute[tile];
        for (uint64_t w = tile * workers; w < (tile + 1) * workers; w++)
            busy += (double)t.busy[w];
    }
    if (turn <= IPU_TURN || !(compute > 0))
        return;
    const uint64_t width = fs_up(workers, turn);
    FS_FIND(out, "turn",
            "A worker issues once in {turn_cycles|.0} cycles, because {workers|.0} workers share {@width|.0} "
            "issue {@width|slot/slots} a cycle, and is busy in {busy|share} of its tile's compute time; more "
            "workers add no issue slots: {@key} = {@fewer|.0} shortens the turn to {@turn|.0} cycles.",
            FS_IS("turn_cycles", turn), FS_IS("workers", workers),
            FS_IS("busy", busy / (compute * (double)workers)), FS_IS("@width", width),
            FS_IS("@fewer", IPU_TURN * width), FS_IS("@turn", IPU_TURN),
            FS_IS("@key", (int64_t)workers > machine->tile.workers ? "machine.roles.*.workers"
                                                                   : "machine.tile.workers"));
}

/* Cycles in which a network may carry flits: exchange phases; without barriers all. */
uint64_t fs_device_network_cycles(const fs_device *d) {
    const fs_fabric_network *n = fs_fabric_network_of(d->steps[0].fabric);
    const uint64_t phases = n != NULL ? n->floors.cycles : 0; /* behind what other tiles did, too */
    return d->exchange > 0 ? fs_most(d->exchange, phases) : d->cycles;
}

enum { KNOWN_ROWS = 23 }; /* that latencies were derived on (ipu.md 4) */

void fs_device_find_continued(const fs_machine_params *machine, fs_findings *out) {
    const uint32_t columns = fs_exchange_continued(&machine->exchange, &machine->geometry);
    const int64_t rows = machine->geometry.rows > KNOWN_ROWS ? machine->geometry.rows - KNOWN_ROWS : 0;
    if (columns == 0 && rows == 0)
        return;
    FS_FIND(out, "continued",
            "Latencies of the [columns?{columns|.0} outermost {columns|column/columns} are extrapolated "
            "({@step|.0} half-cycles per column)[rows?, those of the ]][rows?{rows|.0} {rows|row/rows} "
            "beyond {@known|.0}[columns?| are extrapolated] (exchange.latency_row)].",
            FS_IS("columns", columns), FS_IS("rows", rows), FS_IS("@step", FS_EXCHANGE_COLUMN_STEP),
            FS_IS("@known", KNOWN_ROWS));
}

#define COUNT(n, m, ...) FS_STAT_COUNT(n, fs_parts_figures, m, .better = FS_BETTER_LESS, __VA_ARGS__)

static const fs_stat parts_rows[] = {
    COUNT("parts.injection_iterations", iterations[0], .unit = "iterations", .label = "injection, iterations",
          .place = 123, .doc = "while the machine fills: until the first ray arrives, or the warm-up"),
    COUNT("parts.steady_iterations", iterations[1], .unit = "iterations", .label = "steady, iterations",
          .place = 124, .doc = "from then until the last ray is made; streaming: until the end"),
    COUNT("parts.drain_iterations", iterations[2], .unit = "iterations", .label = "drain, iterations",
          .place = 125, .doc = "the rest"),
    COUNT("parts.injection_cycles", cycles[0], .unit = "cycles", .label = "injection, cycles", .place = 120,
          .doc = "of those iterations, host included (the visit before the first iteration is in no part)"),
    COUNT("parts.steady_cycles", cycles[1], .unit = "cycles", .label = "steady, cycles", .place = 121,
          .doc = "the same for the steady part"),
    COUNT("parts.drain_cycles", cycles[2], .unit = "cycles", .label = "drain, cycles", .place = 122,
          .doc = "the same for the drain"),
};
const fs_stat_table fs_parts_stats = FS_STAT_TABLE("parts", parts_rows);
