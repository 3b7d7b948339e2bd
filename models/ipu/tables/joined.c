#include "models/ipu/tables/joined.h"

#include "sim/results/row.h"

#include <math.h>

#define FS_ROWS_OF fs_joined_figures
static const fs_stat rows[] = {
    FS_WHOLE("chips.count", count, "chips", "whose tiles send to each other (machine.fabric)"),
    FS_VALUE("chips.crossings_per_ray", crossings, "hops",
             "times that a ray, of treelets a path, goes from chip to chip; null on one chip", FS_LESS),
    FS_WHOLE("chips.bytes", bytes, "B",
             "over links between chips: of a message as often as its route has edges", FS_LESS),
    FS_SHARE("link.busy", busy,
             "cycles in which the busiest edge between chips carries bytes, of all; null on one chip"),
    FS_WHOLE("device.cycles_external", cycles, "cycles", "of barriers and exchange: between chips", FS_LESS),
};
const fs_stat_table fs_joined_stats = FS_STAT_TABLE("chips", rows);

static uint32_t busiest(const fs_chips *chips) {
    uint32_t most = 0;
    for (uint32_t e = 1; e < fs_chips_edges(chips); e++)
        if (fs_chips_use_of(chips, e).busy > fs_chips_use_of(chips, most).busy)
            most = e;
    return most;
}

fs_joined_figures fs_joined_figures_of(const fs_device *device, uint64_t rays, uint32_t bytes) {
    const fs_chips *chips = fs_device_chips(device);
    const fs_device_totals t = fs_device_totals_of(device);
    fs_joined_figures f = {.count = 1, .busy = (double)NAN, .crossings = (double)NAN};
    if (chips == NULL)
        return f;
    f.count = fs_chips_count(chips);
    f.cycles = t.cycles_external;
    for (uint32_t e = 0; e < fs_chips_edges(chips); e++)
        f.bytes += fs_chips_use_of(chips, e).bytes;
    f.busy = fs_ratio((double)fs_chips_use_of(chips, busiest(chips)).busy, (double)t.cycles);
    f.crossings = fs_ratio((double)fs_device_between_chips(device) / (double)bytes, (double)rays);
    return f;
}

fs_status fs_joined_write(const fs_device *device, fs_results *results, fs_error *err) {
    static const char columns[] = "edge, kind, from, to, links, bytes B, busy cycles, cycles cycles, share";
    const fs_chips *chips = fs_device_chips(device);
    const uint64_t cycles = fs_device_totals_of(device).cycles;
    fs_row_table t;
    if (chips == NULL)
        return FS_OK;
    if (fs_row_table_begin(&t, results, "chips.csv", columns, err))
        return err->status;
    for (uint32_t e = 0; e < fs_chips_edges(chips); e++) {
        const fs_chips_edge edge = fs_chips_edge_of(chips, e);
        const fs_chips_use use = fs_chips_use_of(chips, e);
        FS_ROW(&t, e, edge.name, edge.from, edge.to, edge.links, use.bytes, use.busy, cycles,
               fs_ratio((double)use.busy, (double)cycles));
    }
    return fs_row_table_close(&t, err);
}

void fs_joined_find(const fs_joined_figures *figures, const fs_device *device, const char *more,
                    fs_findings *out) {
    const double little = 0.1; /* of the time, that nobody need look for between chips */
    const fs_chips *chips = fs_device_chips(device);
    const double all = (double)fs_device_totals_of(device).cycles;
    if (chips == NULL || !(all > 0))
        return;
    const fs_chips_edge edge = fs_chips_edge_of(chips, busiest(chips));
    const double share = (double)figures->cycles / all;
    FS_FIND(out, "chips",
            "Between the {@chips|.0} chips {share|share} of the time passes: barriers, latency, ports of "
            "tiles and links, of which the busiest, from chip {@from|.0} to {@to|.0} ({@edge}, {@wide|.0} "
            "wide), carries bytes in {busy|share}[; a ray goes from chip to chip {crossings|3} "
            "times][@little?; {@more}].",
            FS_IS("share", share), FS_IS("busy", figures->busy), FS_IS("crossings", figures->crossings),
            FS_IS("@chips", figures->count), FS_IS("@from", edge.from), FS_IS("@to", edge.to),
            FS_IS("@edge", edge.name), FS_IS("@wide", edge.links), FS_IS("@little", share < little),
            FS_IS("@more", more));
}

static const fs_plan_column edge_columns[] = {
    FS_PAGE_COLUMN("from", "from chip", .form = "whole"),
    FS_PAGE_COLUMN("to", "to chip", .form = "whole"),
    FS_PAGE_COLUMN("kind", "edge", .form = "text"),
    FS_PAGE_COLUMN("links", "links", .form = "whole"),
    FS_PAGE_COLUMN("bytes", "carried", .unit = "MB", .scale = 1e-6, .form = "bar"),
    FS_PAGE_COLUMN("share", "busy", .form = "share",
                   .hint = "cycles in which it carries bytes, of the run's"),
};
const fs_plan_section fs_joined_section = FS_PAGE_ONE_WHEN(
    "machine.chips!=1", "table", "chips", "Between chips", "chips.csv",
    "In maps of the chip, columns of each chip follow those of the one before. That several chips render is "
    "a prediction: nobody has published a measurement.",
    "chips", edge_columns,
    .title = "Each edge between chips: what it carried, and how long of the run's {device.cycles} cycles.");
