/* The tables of a network on chip, and what a page shows of them. */
#include "models/ipu/tables/network_figures.h"
#include "sim/base/arith.h"
#include "sim/results/row.h"

#include <stdio.h>

static const char link_columns[] =
    "link, from, to, out, latency cycles, flits flits, cycles cycles, no_credit cycles, "
    "no_channel cycles, lost cycles, x, y, to_x, to_y, name";
static const double OVER = 0.75; /* pitches over the edge that a link round a ring is drawn */
enum { OF_A_PITCH = 100 };       /* places are hundredths of the way to a neighbour */

static fs_status write_links(const fs_noc_graph *g, const fs_noc_options *o, const fs_noc_use *uses,
                             uint64_t cycles, fs_results *results, fs_error *err) {
    fs_row_table t;
    char name[FS_LINKS_NAME];
    if (fs_row_table_begin(&t, results, "links.csv", link_columns, err))
        return err->status;
    for (uint32_t l = 0; l < g->links + g->ends; l++) {
        const fs_noc_use *u = &uses[l];
        const bool out = l >= g->links;
        const uint64_t values[] = {l,
                                   fs_noc_begin_of(g, l),
                                   out ? l - g->links : g->link[l].to,
                                   out,
                                   out ? g->end[l - g->links].latency : g->link[l].latency,
                                   u->flits,
                                   cycles,
                                   u->no_credit,
                                   u->no_channel,
                                   u->lost};
        fs_row_table_ints(&t, values, FS_COUNT(values));
        const fs_noc_place *from = &g->place[values[1]], *to = out ? from : &g->place[values[2]];
        double ways[] = {from->x, from->y, to->x, to->y};
        if (!out && fs_noc_goes_round(g, l))
            for (size_t d = 0; d < 2; d++) /* leads out over the edge */
                ways[2 + d] = ways[d] + (ways[2 + d] > ways[d] ? -OVER : ways[2 + d] < ways[d] ? OVER : 0);
        for (size_t i = 0; i < FS_COUNT(ways); i++)
            fs_row_int(&t.row, (int64_t)(ways[i] * OF_A_PITCH));
        fs_row_quoted(&t.row, out ? "" : fs_links_name(g, o, l, name));
        fs_row_end(&t.row);
    }
    return fs_row_table_close(&t, err);
}

/* The header is written here because its width is the run's. Rows are a group a heading, so that neighbours in a
 * picture lead the same way. */
static fs_status write_times(const fs_noc_graph *g, const fs_noc_options *o, const fs_noc_film *film,
                             fs_results *results, fs_error *err) {
    FILE *file = fs_results_create(results, "link_times.csv", NULL, NULL, 0, err);
    if (file == NULL)
        return err->status;
    char name[FS_LINKS_NAME];
    fs_row row;
    fs_row_begin(&row, file);
    static const char *const columns[] = {"link", "role", "level", "name", "frame"};
    for (size_t i = 0; i < FS_COUNT(columns); i++)
        fs_row_word(&row, columns[i]);
    for (uint32_t k = 0; k < film->frames; k++) {
        snprintf(name, sizeof name, "i%u", k);
        fs_row_word(&row, name);
    }
    fs_row_end(&row);
    for (uint32_t l = 0; l < g->links; l++) {
        fs_row_int(&row, l);
        fs_row_word(&row, fs_noc_heading(g, l));
        fs_row_int(&row, 0);
        fs_row_quoted(&row, fs_links_name(g, o, l, name));
        fs_row_int(&row, (int64_t)film->length);
        for (uint32_t k = 0; k < film->frames; k++)
            fs_row_int(&row, film->flits[(size_t)l * FS_NOC_FRAMES + k]);
        fs_row_end(&row);
    }
    fs_row_flush(&row);
    return fs_results_close(results, file, err);
}

fs_status fs_links_tables_write(const fs_noc_graph *graph, const fs_noc_options *options,
                                const fs_noc_use *uses, uint64_t cycles, const fs_noc_film *film,
                                fs_results *results, fs_error *err) {
    if (write_links(graph, options, uses, cycles, results, err))
        return err->status;
    return film == NULL || film->frames == 0 ? FS_OK : write_times(graph, options, film, results, err);
}

static void put_ways(const void *run, fs_row_table *t) {
    const fs_noc_packets *packets = run;
    fs_distributions_put(t, "routers", packets->by_routers, FS_NOC_WAYS);
}

/* Cycles beyond the bound stand in the column that says how they are known. */
static void put_phases(const void *run, fs_row_table *t) {
    const fs_fabric_sample *sample = run;
    for (uint32_t k = 0; k < sample->count; k++) {
        const fs_fabric_phase_row *row = &sample->row[k];
        const uint64_t more = row->cycles - row->bound;
        FS_ROW(t, k, row->bound, row->simulated ? more : 0, row->simulated ? 0 : more);
    }
}

fs_status fs_links_run_tables_write(const fs_device *device, fs_results *results, fs_error *err) {
    static const fs_row_file ways = {"network_ways.csv", "name, value, count packets", put_ways};
    static const fs_row_file phases = {"network_phases.csv",
                                       "phase, bound cycles, simulated cycles, estimated cycles", put_phases};
    fs_fabric_links l;
    const fs_fabric *fabric = fs_device_fabric(device, 0);
    const fs_fabric_network *n = fs_fabric_network_of(fabric);
    fs_noc_film *film = n == NULL ? NULL : n->film;
    if (!fs_fabric_links_of(fabric, &l))
        return FS_OK;
    if (film != NULL)
        fs_noc_film_end(film, fs_noc_now(n->net), l.uses);
    return fs_links_tables_write(l.graph, &l.options, l.uses, fs_device_network_cycles(device), film, results,
                                 err) ||
                   fs_row_files_write(&ways, 1, l.packets, results, err) ||
                   (n != NULL && n->sample.count > 0 &&
                    fs_row_files_write(&phases, 1, &n->sample, results, err))
               ? err->status
               : FS_OK;
}

/* ---- the page ---- */

#define OF_A_NETWORK "machine.exchange.kind=noc"
#define OF_LINKS     OF_A_NETWORK "|circuit"

static const fs_plan_column latency_columns[] = {
    FS_PAGE_COLUMN("network.latency.queue", "at the source", .colour = "bad"),
    FS_PAGE_COLUMN("network.latency.network", "in the network", .colour = "plain"),
    FS_PAGE_COLUMN("network.latency.serial", "flits behind the head", .colour = "good"),
};
static const fs_plan_column stall_columns[] = {
    FS_PAGE_COLUMN("stalls.no_credit", "no room behind the link", .colour = "bad"),
    FS_PAGE_COLUMN("stalls.no_channel", "no free channel", .colour = "plain"),
    FS_PAGE_COLUMN("stalls.lost", "another channel won", .colour = "plain"),
};
static const fs_plan_column use_columns[] = {
    FS_PAGE_COLUMN("links.busiest_share", "the busiest link", .form = "share", .colour = "bad"),
    FS_PAGE_COLUMN("cuts.busiest_share", "the links of the busiest cut", .form = "share", .colour = "plain"),
    FS_PAGE_COLUMN("links.mean_share", "all links", .form = "share", .colour = "good"),
};
static const fs_plan_panel network_panels[] = {
    FS_PAGE_PANEL("where", latency_columns, .title = "Cycles of a packet, by where it spends them."),
    FS_PAGE_PANEL("stalls", stall_columns,
                  .title = "Cycles that a flit waits at each link, by what it waits for."),
    FS_PAGE_PANEL("use", use_columns, .title = "Part of the exchange in which links carry flits."),
};
const fs_plan_section fs_links_section = {.kind = "figures",
                                          .id = "network",
                                          .title = "The network",
                                          .findings = "link cut waits reach packets",
                                          .when = OF_LINKS,
                                          FS_PAGE_LIST(panels, panel_count, network_panels)};

const fs_plan_column fs_links_busy[1] = {
    FS_PAGE_COLUMN("flits", "part of the cycles with a flit", .unit = "", .of = "cycles")};
const fs_plan_column fs_links_starved[1] = {
    FS_PAGE_COLUMN("no_credit", "cycles without a credit", .unit = "cycles")};
static const fs_plan_panel map_panels[] = {FS_LINKS_MAPS};
const fs_plan_section fs_links_map_section = {.kind = "links",
                                              .id = "links-map",
                                              .title = "Links of the network",
                                              .file = "links.csv",
                                              .when = OF_LINKS,
                                              FS_PAGE_LIST(panels, panel_count, map_panels)};

const fs_plan_column fs_links_frames[1] = {FS_PAGE_COLUMN("i0", "flits", .unit = "")};
static const fs_plan_panel time_panels[] = {
    FS_LINKS_TIMES("of the network's work, pauses between phases left out")};
const fs_plan_section fs_links_times_section = {.kind = "matrix",
                                                .id = "links-times",
                                                .title = "Links over the time",
                                                .file = "link_times.csv",
                                                .when = OF_A_NETWORK,
                                                FS_PAGE_LIST(panels, panel_count, time_panels)};

static const fs_plan_column phase_columns[] = {
    FS_PAGE_COLUMN("bound", "busiest link, port or longest message", .unit = "cycles", .colour = "plain"),
    FS_PAGE_COLUMN("simulated", "beyond it, simulated", .unit = "cycles", .colour = "bad"),
    FS_PAGE_COLUMN("estimated", "beyond it, by a simulated neighbour", .unit = "cycles", .colour = "good"),
};
static const fs_plan_panel phase_panels[] = {
    FS_PAGE_PANEL("phases", phase_columns, .label = "a phase, {@scale}cycles", .form = "stacked",
                  .title = "{network.sampled.phases} phases are simulated: the exchange is known to "
                           "{network.sampled.interval|2} %",
                  .caption = "A phase takes its bound, and what flits wait for each other.",
                  .compared = "What phases of the exchange take"),
};
const fs_plan_section fs_links_phases_section = {.kind = "series",
                                                 .id = "phases",
                                                 .title = "Phases of the exchange",
                                                 .file = "network_phases.csv",
                                                 .findings = "sampled",
                                                 .when = "machine.exchange.noc.detail=sampled",
                                                 FS_PAGE_LIST(panels, panel_count, phase_panels)};

static const fs_plan_column way_columns[] = {
    FS_PAGE_COLUMN("routers", "routers", .unit = "packets", .colour = "role-1"),
};
static const fs_plan_panel way_panels[] = {
    FS_PAGE_PANEL("routers", way_columns, .label = "packets",
                  .title = "A packet passes {network.hops.mean|3} routers, at most {network.hops.max}",
                  .caption = "Packets by the routers that they pass, the last one included.",
                  .compared = "How many routers packets pass"),
};
const fs_plan_section fs_links_ways_section = {.kind = "distribution",
                                               .id = "ways",
                                               .title = "Ways of packets",
                                               .file = "network_ways.csv",
                                               .when = OF_LINKS,
                                               FS_PAGE_LIST(panels, panel_count, way_panels)};
