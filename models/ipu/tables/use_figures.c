/* How well a run used the machine: workers, pace, ports. */
#include "models/ipu/tables/conclusions.h"

#include <math.h>

#define FS_ROWS_OF fs_use_figures
static const fs_stat rows[] = {
    FS_WHOLE("use.tiles", tiles, "tiles", "tiles that run a program in some step", .label = "tiles in use"),
    FS_SHARE("use.workers_busy", workers_busy,
             "part of the compute phases in which a worker of a tile in use is busy, mean", FS_MORE,
             FS_AT(131, "workers busy"),
             .changed = "Workers are busy in {new} instead of {old} of the compute phases."),
    FS_VALUE("use.imbalance", imbalance, NULL,
             "most over mean of the compute cycles of tiles in use; 1: all alike", FS_LESS,
             FS_AT(132, "imbalance"),
             .changed = "The slowest tile computes {new} instead of {old} times as long as the average one."),
    FS_WHOLE("use.pace_tile", pace_tile, NULL, "the tile that set the pace most often",
             .says = FS_SAYS_LABEL),
    FS_SHARE("use.pace_share", pace_share, "part of the compute phases in which it did",
             FS_AT(133, "pace set by one tile")),
    FS_WHOLE("use.bytes", bytes, "B",
             "sent over the exchange in the whole run, headers included; a multicast's once", FS_LESS,
             FS_AT(134, "bytes exchanged"), .changed = "The exchange moves {new} instead of {old}."),
    FS_WHOLE("use.received", received, "B", "the same as tiles take it in: a multicast's at each receiver",
             FS_LESS),
    FS_SHARE("use.wide", wide, "part of the bytes taken in that came at twice the rate, by pairs of tiles",
             FS_MORE),
    FS_WHOLE("use.port_tile", port_tile, NULL, "the tile with the busiest port", .says = FS_SAYS_LABEL),
    FS_STAT_WORD("use.port_side", fs_use_figures, port_side, .doc = "in or out"),
    FS_SHARE("use.port_busy", port_busy, "part of the exchange phases in which that port moved words",
             FS_AT(135, "busiest port"),
             .changed = "The busiest port moves words in {new} instead of {old} of the exchange phases."),
};
const fs_stat_table fs_use_stats = FS_STAT_TABLE("use", rows);

static void find_workers(const fs_books_notes *n, fs_use_figures *f) {
    const uint64_t workers = (uint64_t)fs_machine_most_workers(n->machine);
    uint64_t busy = 0, all = 0, most = 0, sum = 0;
    for (uint32_t u = 0; u < n->used; u++) {
        const uint64_t tile = n->tile_of[u], own = n->totals.compute[tile];
        for (uint64_t w = tile * workers; w < (tile + 1) * workers; w++) {
            busy += n->totals.busy[w];
            all += n->totals.busy[w] + n->totals.waiting[w] + n->totals.idle[w];
        }
        sum += own;
        most = own > most ? own : most;
    }
    f->tiles = n->used;
    f->workers_busy = all > 0 ? (double)busy / (double)all : NAN;
    f->imbalance = sum > 0 ? (double)most * (double)n->used / (double)sum : NAN;
}

static void find_pace(const fs_books_notes *n, fs_use_figures *f) {
    uint64_t phases = 0;
    for (uint32_t t = 0; n->used > 0 && t < n->plan->tiles; t++) {
        phases += n->totals.paced[t];
        if (n->totals.paced[t] > n->totals.paced[f->pace_tile])
            f->pace_tile = t;
    }
    f->pace_share = phases > 0 ? (double)n->totals.paced[f->pace_tile] / (double)phases : NAN;
}

static void find_ports(const fs_books_notes *n, fs_use_figures *f) {
    const fs_device_totals *d = &n->totals;
    uint64_t most = 0, wide = 0;
    f->port_side = "none";
    for (uint32_t s = 0; s < n->steps; s++)
        wide += d->step[s].rounds * fs_fabric_wide_bytes(fs_device_fabric(n->device, s));
    for (uint32_t t = 0; t < n->plan->tiles; t++) {
        f->bytes += d->bytes_out[t];
        f->received += d->bytes_in[t];
        if (d->port_busy_out[t] > most || d->port_busy_in[t] > most) {
            f->port_tile = t;
            f->port_side = d->port_busy_in[t] > d->port_busy_out[t] ? "in" : "out";
            most = d->port_busy_in[t] > d->port_busy_out[t] ? d->port_busy_in[t] : d->port_busy_out[t];
        }
    }
    f->wide = f->received > 0 ? (double)wide / (double)f->received : NAN;
    f->port_busy = d->cycles_exchange > 0 ? (double)most / (double)d->cycles_exchange : NAN;
}

fs_use_figures fs_use_figures_of(const fs_books_notes *notes) {
    fs_use_figures f = {0};
    find_workers(notes, &f);
    find_pace(notes, &f);
    find_ports(notes, &f);
    return f;
}
