/* Figures of a device: where its cycles went. */
#include "models/ipu/device.h"

#include "models/ipu/device_internal.h"
#include "sim/base/arith.h"
#include "sim/base/numbers.h"

#include <inttypes.h>

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
             FS_AT(111, "exchange")),
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
    const double compute = (double)figures->cycles_compute / all,
                 exchange = (double)figures->cycles_exchange / all, sync = (double)figures->cycles_sync / all,
                 host = (double)figures->cycles_host / all;
    fs_finding *f = fs_finding_begin(out, "time");
    fs_finding_say(f, "Compute takes %s of the time, the exchange %s, barriers %s and host visits %s.",
                   FS_PERCENT(compute), FS_PERCENT(exchange), FS_PERCENT(sync), FS_PERCENT(host));
    FS_FINDING_FIGURES(f, {"compute", compute}, {"exchange", exchange}, {"sync", sync}, {"host", host});
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
    fs_finding *f = fs_finding_begin(out, "turn");
    fs_finding_say(
        f,
        "A worker issues once in %" PRIu64 " cycles, because %" PRIu64 " workers share %" PRIu64
        " issue %s a cycle, and is busy in %s of its tile's compute time; more workers add no issue slots: "
        "%s = %" PRIu64 " shortens the turn to %d cycles.",
        turn, workers, width, fs_plural(width, "slot", "slots"),
        FS_PERCENT(busy / (compute * (double)workers)),
        (int64_t)workers > machine->tile.workers ? "machine.roles.*.workers" : "machine.tile.workers",
        IPU_TURN * width, IPU_TURN);
    FS_FINDING_FIGURES(f, {"turn_cycles", (double)turn}, {"workers", (double)workers},
                       {"busy", busy / (compute * (double)workers)});
}

/* Cycles in which a network may carry flits: exchange phases; without barriers all. */
uint64_t fs_device_network_cycles(const fs_device *d) {
    return d->exchange > 0 ? d->exchange : d->cycles;
}

enum { KNOWN_ROWS = 23 }; /* that latencies were derived on (ipu.md 4) */

void fs_device_find_continued(const fs_machine_params *machine, fs_findings *out) {
    const uint32_t columns = fs_exchange_continued(&machine->exchange, &machine->geometry);
    const int64_t rows = machine->geometry.rows > KNOWN_ROWS ? machine->geometry.rows - KNOWN_ROWS : 0;
    if (columns == 0 && rows == 0)
        return;
    fs_finding *f = fs_finding_begin(out, "continued");
    fs_finding_say(f, "Latencies of the ");
    if (columns > 0)
        fs_finding_say(f, "%" PRIu32 " outermost %s are extrapolated (%d half-cycles per column)", columns,
                       fs_plural(columns, "column", "columns"), FS_EXCHANGE_COLUMN_STEP);
    if (rows > 0)
        fs_finding_say(f, "%s%" PRId64 " %s beyond %d%s (exchange.latency_row)",
                       columns > 0 ? ", those of the " : "", rows, fs_plural((uint64_t)rows, "row", "rows"),
                       KNOWN_ROWS, columns > 0 ? "" : " are extrapolated");
    fs_finding_say(f, ".");
    FS_FINDING_FIGURES(f, {"columns", columns}, {"rows", (double)rows});
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
