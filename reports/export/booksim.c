/* Curves of latency against load with the columns of BookSim 2's results. What a run does not measure is nan. */
#include "reports/export/export.h"
#include "sim/base/arith.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A column and the figure that it is; NULL: there is none, or it is worked out. */
static const struct {
    const char *name, *figure;
} columns[] = {
    {"class", NULL},
    {"traffic", NULL},
    {"use_read_write", NULL},
    {"injection_rate", NULL},
    {"min_packet_latency", NULL},
    {"avg_packet_latency", "latency.mean"},
    {"max_packet_latency", "latency.max"},
    {"min_network_latency", NULL},
    {"avg_network_latency", "latency.network"},
    {"max_network_latency", NULL},
    {"min_flit_latency", NULL},
    {"avg_flit_latency", NULL},
    {"max_flit_latency", NULL},
    {"min_fragmentation", NULL},
    {"avg_fragmentation", NULL},
    {"max_fragmentation", NULL},
    {"min_injected_packet_rate", NULL},
    {"avg_injected_packet_rate", NULL},
    {"max_injected_packet_rate", NULL},
    {"min_accepted_packet_rate", NULL},
    {"avg_accepted_packet_rate", NULL},
    {"max_accepted_packet_rate", NULL},
    {"min_injected_flit_rate", NULL},
    {"avg_injected_flit_rate", "load.offered"},
    {"max_injected_flit_rate", NULL},
    {"min_accepted_flit_rate", "sources.accepted_min"},
    {"avg_accepted_flit_rate", "load.accepted"},
    {"max_accepted_flit_rate", "sources.accepted_max"},
    {"avg_injected_packet_size", NULL},
    {"avg_accepted_packet_size", NULL},
    {"avg_hops", "hops.mean"},
};

/* A row: what stands in place of figures where a load was only tried. */
typedef struct point {
    const fs_folder *run;
    const char *traffic;
    double load, accepted, latency; /* flits a cycle and node, cycles */
    bool tried;
    double flits; /* of a packet, the mean */
} point;

static double value_of(const point *p, const char *name, const char *figure) {
    if (strcmp(name, "class") == 0 || strcmp(name, "use_read_write") == 0)
        return 0;
    if (strcmp(name, "injection_rate") == 0)
        return p->load / p->flits;
    if (strcmp(name, "avg_packet_latency") == 0)
        return p->latency;
    if (strcmp(name, "avg_accepted_flit_rate") == 0)
        return p->accepted;
    if (strcmp(name, "avg_accepted_packet_rate") == 0)
        return p->accepted / p->flits;
    if (strcmp(name, "avg_injected_packet_rate") == 0)
        return p->load / p->flits;
    if (strcmp(name, "avg_injected_packet_size") == 0 || strcmp(name, "avg_accepted_packet_size") == 0)
        return p->flits;
    return figure == NULL || p->tried ? (double)NAN : fs_folder_number(p->run, figure);
}

static void put_point(FILE *out, const point *p) {
    for (size_t i = 0; i < FS_COUNT(columns); i++) {
        const double value = value_of(p, columns[i].name, columns[i].figure);
        fputs(i == 0 ? "" : ",", out);
        if (strcmp(columns[i].name, "traffic") == 0)
            fputs(p->traffic, out);
        else if (isnan(value))
            fputs("nan", out);
        else
            fprintf(out, "%.9g", value);
    }
    fputc('\n', out);
}

/* Flits of a packet, the mean: what was accepted over the packets that were. */
static double flits_of(const fs_folder *run) {
    const char *flits = fs_folder_setting(run, "workload.flits");
    const double made = fs_folder_number(run, "load.offered"),
                 packets = fs_folder_number(run, "packets.measured"),
                 nodes = fs_folder_number(run, "network.nodes");
    const char *measure = fs_folder_setting(run, "workload.measure"),
               *sizes = fs_folder_setting(run, "workload.sizes");
    if (sizes != NULL && strcmp(sizes, "none") != 0 && packets > 0 && measure != NULL)
        return made * nodes * strtod(measure, NULL) / packets;
    return flits == NULL ? 1 : strtod(flits, NULL);
}

static fs_status put_run(FILE *out, fs_folder *run, fs_error *err) {
    size_t settings;
    if (fs_folder_settings(run, &settings, err) == NULL)
        return err->status;
    const char *traffic = fs_folder_setting(run, "workload.pattern");
    point p = {.run = run, .traffic = traffic, .flits = flits_of(run)};
    if (traffic == NULL || isnan(fs_folder_number(run, "load.offered")))
        return fs_fail(
            err, FS_INPUT,
            "%s: expected a run of packets at a load (workload fabric, source open), found another one",
            fs_folder_path(run));
    if (!fs_folder_has(run, "curve.csv")) {
        p.load = fs_folder_number(run, "load.offered");
        p.accepted = fs_folder_number(run, "load.accepted");
        p.latency = fs_folder_number(run, "latency.mean");
        put_point(out, &p);
        return FS_OK;
    }
    const fs_csv *t = fs_folder_table(run, "curve.csv", err);
    const double *load = t == NULL ? NULL : fs_csv_reals(t, "load", err),
                 *accepted = load == NULL ? NULL : fs_csv_reals(t, "accepted", err),
                 *latency = accepted == NULL ? NULL : fs_csv_reals(t, "latency", err);
    for (size_t i = 0; latency != NULL && i < fs_csv_rows(t); i++) {
        p.tried = true;
        p.load = load[i];
        p.accepted = accepted[i];
        p.latency = latency[i];
        put_point(out, &p);
    }
    return err->status;
}

fs_status fs_export_booksim(fs_folder *const *runs, size_t count, fs_export_files *files, fs_error *err) {
    fs_memory memory;
    FILE *out = fs_memory_open(&memory);
    for (size_t i = 0; i < FS_COUNT(columns); i++)
        fprintf(out, "%s%s", i == 0 ? "" : ",", columns[i].name);
    fputc('\n', out);
    for (size_t i = 0; i < count && err->status == FS_OK; i++)
        put_run(out, runs[i], err);
    fs_export_add(files, "booksim.csv", &memory);
    return err->status;
}
