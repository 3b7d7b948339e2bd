#include "models/ipu/tables/power_tables.h"

#include "sim/base/arith.h"

#include <math.h>

#define FS_ROWS_OF fs_peak_figures
static const fs_stat rows[] = {
    FS_SHARE("peak.issue", issue,
             "slots that the workers issued, over cycles x tiles x tile.issue_width of the chip",
             FS_AT(160, "issue slots taken")),
    FS_SHARE("peak.sram_ports", sram_ports,
             "accesses of tile memory by the workers, over what its ports take (tile.sram_ports; without "
             "that one for each issue) in all cycles of all tiles",
             FS_AT(161, "SRAM accesses")),
    FS_SHARE("peak.matrix", matrix,
             "multiply-adds over what the matrix units of all tiles do in all cycles; null: there are none",
             FS_AT(162, "matrix units")),
    FS_SHARE("peak.exchange", exchange,
             "bytes sent over exchange.bytes_per_cycle of all tiles in all cycles of the run",
             FS_AT(163, "exchange ports")),
    FS_SHARE("peak.sram", sram, "bytes of all allocations over the SRAM of all tiles of the chip",
             FS_AT(164, "SRAM held")),
    FS_SHARE("peak.sram_fullest", sram_fullest, "the same of the fullest tile",
             .label = "SRAM held on the fullest tile"),
    FS_SHARE("peak.host_link", host_link,
             "bytes to and from the host over host.bandwidth in the time of the run",
             FS_AT(165, "host link")),
    FS_SHARE("peak.dram", dram,
             "bytes of streaming memory over remote.bandwidth in the time of the run; null: nothing streams",
             FS_AT(166, "streaming memory")),
};
const fs_stat_table fs_peak_stats = FS_STAT_TABLE("peak", rows);

void fs_peak_count_calls(fs_peak_counts *counts, const fs_priced_program *p, const fs_tile_params *tile,
                         double calls, const double *events) {
    const fs_program *of = p->program;
    double slots = 0, accesses = 0;
    if (of == NULL)
        return;
    for (uint32_t s = 0; s < of->segments; s++)
        slots += calls * ((double)p->fixed_first[s] + (double)(p->workers - 1) * p->fixed_other[s]);
    if (of->barrier != NULL)
        accesses += calls * (double)(of->segments - 1) * p->workers * fs_event_accesses(of->barrier, tile);
    for (uint32_t e = 0; e < of->event_count; e++) {
        const fs_event *event = &of->events[e];
        const double always = calls * ((double)event->always_each * p->workers + event->always_first);
        slots += events[e] * p->slots[e];
        accesses += (events[e] + always) * fs_event_accesses(event, tile);
    }
    counts->slots += slots * p->permille / 1000;
    counts->accesses += accesses;
}

static void find_memory(fs_peak_figures *f, const fs_ledger *ledger, uint32_t tiles) {
    double held = 0, all = 0, fullest = 0;
    f->sram = f->sram_fullest = (double)NAN;
    if (ledger == NULL)
        return;
    for (uint32_t t = 0; t < tiles; t++) {
        const double used = (double)fs_ledger_used(ledger, t), sram = (double)fs_ledger_sram(ledger, t);
        held += used;
        all += sram;
        fullest = sram > 0 && used / sram > fullest ? used / sram : fullest;
    }
    f->sram = fs_ratio(held, all);
    f->sram_fullest = all > 0 ? fullest : (double)NAN;
}

static fs_peak_figures figures_of(const fs_peak_counts *c, const fs_machine_params *m,
                                  const fs_ledger *ledger) {
    const uint32_t tiles = fs_machine_tiles(m);
    const double cycles = c->cycles * tiles, seconds = c->cycles / m->clock, own = c->cycles * c->tiles;
    const double width = m->tile.issue_width > 0 ? (double)m->tile.issue_width : 1;
    double matrix = 0;
    for (int t = 0; t < FS_AMP_TYPES; t++)
        if (c->macs[t] > 0)
            matrix += fs_ratio(c->macs[t], (double)fs_amp_peak(&m->matrix, (fs_amp_type)t));
    fs_peak_figures f = {
        .issue = fs_ratio(c->slots, own * width),
        .sram_ports =
            fs_ratio(c->accesses, own * (m->tile.sram_ports > 0 ? (double)m->tile.sram_ports : width)),
        .matrix = m->matrix.units > 0 ? fs_ratio(matrix, cycles) : (double)NAN,
        .exchange = fs_ratio(c->exchanged, cycles * (double)m->exchange.bytes_per_cycle),
        .host_link = fs_ratio(c->host, seconds * m->host.bandwidth * fs_machine_chips(m)),
        .dram = c->dram > 0 ? fs_ratio(c->dram, seconds * m->remote.bandwidth) : (double)NAN};
    find_memory(&f, ledger, tiles);
    return f;
}

fs_peak_figures fs_peak_figures_of(const fs_device *device, const fs_machine_params *m,
                                   const fs_ledger *ledger) {
    const fs_energy_books *b = fs_device_energy(device);
    fs_peak_counts c = {.cycles = (double)fs_device_totals_of(device).cycles,
                        .exchanged = (double)b->total.moved.bytes,
                        .host = (double)b->total.host,
                        .dram = (double)b->total.dram};
    for (uint32_t k = 0; k < FS_ENERGY_KINDS; k++)
        c.tiles += (double)b->tiles_of[k] * b->kind[k].clock / 1000;
    for (int t = 0; t < FS_AMP_TYPES; t++)
        c.macs[t] = (double)b->total.macs[t];
    for (uint32_t k = 1; k < b->classes; k++) {
        const fs_energy_class *class = &b->class[k];
        const uint64_t *row = b->sum + class->at;
        double events[FS_MOST_EVENTS];
        for (uint32_t e = 0; e < fs_energy_calls_at(class); e++)
            events[e] = (double)row[e];
        fs_peak_count_calls(&c, class->priced, &m->tile, (double)row[fs_energy_calls_at(class)], events);
    }
    return figures_of(&c, m, ledger);
}

/* ---- the page ---- */

/* Work, what it moves bytes through in the time of the run, and what has no place in a roofline. */
enum { ROOFLINE = 5 };
static const fs_plan_column columns[] = {
    FS_PAGE_COLUMN("peak.issue", "issue slots of the workers", .form = "share", .colour = "compute"),
    FS_PAGE_COLUMN("peak.sram_ports", "tile memory ports", .form = "share", .colour = "role-2"),
    FS_PAGE_COLUMN("peak.exchange", "exchange ports", .form = "share", .colour = "exchange"),
    FS_PAGE_COLUMN("peak.host_link", "host link", .form = "share", .colour = "host"),
    FS_PAGE_COLUMN("peak.dram", "streaming memory", .form = "share", .colour = "host"),
    FS_PAGE_COLUMN("peak.matrix", "matrix units", .form = "share", .colour = "compute"),
    FS_PAGE_COLUMN("peak.sram", "SRAM held", .form = "share", .colour = "role-2"),
    FS_PAGE_COLUMN("peak.sram_fullest", "SRAM held, fullest tile", .form = "share", .colour = "role-2"),
};
static const fs_plan_panel panels[] = {
    {.name = "roofline",
     .form = "roofline",
     .columns = columns,
     .column_count = ROOFLINE,
     .caption = "Both axes as shares of the peaks, logarithmic. Left of the balance that part is the roof, "
                "right of it the issue slots are. Phases that do not overlap reach less."},
    FS_PAGE_PANEL(
        "peak", columns,
        .title = "What the run took of each part, in per cent of what the whole chip could do in its time."),
};
const fs_plan_section fs_peak_section =
    FS_PAGE_SECTION("figures", "peak", "Speed of light", NULL,
                    "how much of each part's peak the run used, and its roofline", NULL, panels);
