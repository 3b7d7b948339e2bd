/* A network on chip (machine.exchange.kind noc) in a run folder: figures, sentences, tables, and what a page shows. Runs
 * over ports have none of it.
 *
 * links.csv         a row is a link, then a way out to an end point: flits, waits by cause
 * link_times.csv    a row is a link: flits in each frame of the time, of frames of equal length
 * network_ways.csv  packets by the routers that they passed
 * network_phases.csv  a row is a phase of a sampled network: its bound, and what it takes beyond it
 * docs/run-folder.md has their columns.
 */
#pragma once

#include "models/ipu/device.h"
#include "models/noc/summary.h"
#include "sim/results/findings.h"
#include "sim/results/ladder.h"
#include "sim/results/page_plan.h"
#include "sim/results/results.h"
#include "sim/stats/stats.h"

/* The rows of fs_noc_summary. */
extern const fs_stat_table fs_links_stats;

typedef struct fs_links_figures {
    bool has; /* a network carried something */
    fs_noc_summary links;
    uint64_t packets, flit_hops, longest, most_routers;
    uint64_t phases, simulated;             /* of a sampled network; phases 0: of another */
    double interval;                        /* half of the 95 % interval of the exchange, % of it */
    double latency, queue, network, serial; /* cycles of a packet */
    double routers;
} fs_links_figures;
extern const fs_stat_table fs_links_run_stats;
bool fs_links_has(const void *figures);
#define FS_LINKS_PART(S, m) FS_STAT_PART_IF(&fs_links_run_stats, S, m, fs_links_has)

/* After the run of a device; of another fabric `has` is false. */
fs_links_figures fs_links_figures_of(const fs_device *device);

/* Sentences of a network's links, of any run: the busiest link, the busiest cut, what flits wait for before which link,
 * and how far a channel reaches. of: what shares are of, "of the cycles". Nothing where nothing moved. */
void fs_links_find(const fs_noc_graph *graph, const fs_noc_options *options, const fs_noc_summary *summary,
                   const fs_noc_use *uses, const char *of, fs_findings *out);
/* These of a device's network, and the trip of a packet. */
void fs_links_find_run(const fs_device *device, const fs_links_figures *figures, fs_findings *out);
/* "(3,4)->(4,4)", "router 7 -> router 12": the link. */
enum { FS_LINKS_NAME = 64 };
const char *fs_links_name(const fs_noc_graph *graph, const fs_noc_options *options, uint32_t link,
                          char out[FS_LINKS_NAME]);

/* endless_network_buffers, free_network_routers, twice_the_network_links: no phase of the exchange takes less than so many
 * cycles by that means, whatever the network does. How many: 0 for another fabric, and for runs without phases. */
enum { FS_LINKS_RUNGS = 3 };
size_t fs_links_rungs(const fs_device *device, const fs_machine_params *machine, fs_arena *arena,
                      fs_rung out[FS_LINKS_RUNGS]);

/* links.csv and, of a network that was filmed, link_times.csv; cycles: that uses are of. film: NULL, none. FS_IO. */
fs_status fs_links_tables_write(const fs_noc_graph *graph, const fs_noc_options *options,
                                const fs_noc_use *uses, uint64_t cycles, const fs_noc_film *film,
                                fs_results *results, fs_error *err);
/* All tables of a device's network; nothing of another fabric. FS_IO. */
fs_status fs_links_run_tables_write(const fs_device *device, fs_results *results, fs_error *err);

/* Panels of a page that any run with those tables may have: maps of links.csv; link_times.csv, whose columns are
 * cycles of what `of` says. */
extern const fs_plan_column fs_links_busy[1], fs_links_starved[1], fs_links_frames[1];
#define FS_LINKS_MAPS                                                                                        \
    FS_PAGE_PANEL("links-busy", fs_links_busy, .label = "how busy links are",                                \
                  .title =                                                                                   \
                      "The busiest link, {@link}, carries a flit in {@most|%} of the cycles, the mean one "  \
                      "in {@mean|%}",                                                                        \
                  .caption = "Each line is a link in one direction; it keeps to the right of its way."),     \
        FS_PAGE_PANEL("links-starved", fs_links_starved, .label = "where flits wait for room",               \
                      .title = "Before link {@link} flits wait longest: {@most|whole} cycles without room "  \
                               "behind it",                                                                  \
                      .caption = "Channel-cycles with a flit and no credit, for each link.")
#define FS_LINKS_TIMES(of)                                                                                   \
    FS_PAGE_PANEL("links-times", fs_links_frames, .label = "links over the time", .form = "linear",          \
                  .title = "Link {@name} carries most at once: {@most} flits in {@frame} cycles",            \
                  .caption =                                                                                 \
                      "A row is a link, links of a heading together; a column is {@frame} cycles " of ".")

/* Sections of a page, of runs over a network alone. */
extern const fs_plan_section fs_links_section, fs_links_map_section, fs_links_times_section,
    fs_links_ways_section, fs_links_phases_section;
#define FS_LINKS_SECTIONS                                                                                    \
    &fs_links_section, &fs_links_phases_section, &fs_links_map_section, &fs_links_times_section,             \
        &fs_links_ways_section
