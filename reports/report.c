#include "reports/report.h"
#include "reports/page_file.h"
#include "reports/report_private.h"
#include "reports/store.h"
#include "sim/store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fs_report_part_names[FS_REPORT_PARTS] = {"all", "injection", "steady", "drain"};

const fs_plot *fs_report_plot(const fs_report *r, const char *name) {
    for (size_t i = 0; i < r->plots; i++)
        if (strcmp(r->plot[i].name, name) == 0)
            return &r->plot[i];
    return NULL;
}

/* A run of `run.outputs: summary` keeps its figures alone; its resolved.yaml makes the rest. */
static fs_status want_tables(const fs_report *r, fs_error *err) {
    const char *dir = fs_folder_path(r->run);
    if (fs_folder_has(r->run, "iterations.csv"))
        return FS_OK;
    return fs_fail(err, FS_INPUT,
                   "%s: a page needs the tables of a run, and this folder has the figures only (run.outputs: "
                   "summary). Run it again with them: foamsim run %s/resolved.yaml --set run.outputs=full "
                   "--out %s-full",
                   dir, dir, dir);
}

/* Where the parts begin: by summary.json; of a run that does not say, by what iterations.csv shows. */
static fs_status find_parts(fs_report *r, fs_error *err) {
    const fs_csv *table = fs_folder_table(r->run, "iterations.csv", err);
    const int64_t *injecting = table == NULL ? NULL : fs_csv_ints(table, "injecting", err);
    const int64_t *finished = injecting == NULL ? NULL : fs_csv_ints(table, "finished", err);
    if (finished == NULL)
        return err->status;
    r->iterations = fs_csv_rows(table);
    size_t filled = 0, injected = 0;
    double first = fs_folder_number(r->run, "parts.injection_iterations");
    double second = fs_folder_number(r->run, "parts.steady_iterations");
    if (first >= 0 && second >= 0 && first + second <= (double)r->iterations) {
        filled = (size_t)first;
        injected = filled + (size_t)second;
    } else {
        while (filled < r->iterations && finished[filled] == 0)
            filled++;
        for (size_t i = 0; i < r->iterations; i++)
            if (injecting[i] != 0)
                injected = i + 1;
        if (injected < filled)
            injected = filled;
    }
    const size_t edge[] = {0, filled, injected, r->iterations};
    for (size_t part = FS_REPORT_INJECTION; part < FS_REPORT_PARTS; part++) {
        r->part_begin[part] = edge[part - 1];
        r->part_end[part] = edge[part];
    }
    r->part_end[FS_REPORT_ALL] = r->iterations;
    double seconds = fs_folder_number(r->run, "device.seconds"),
           cycles = fs_folder_number(r->run, "device.cycles");
    r->clock = seconds > 0 && cycles > 0 ? cycles / seconds : 0;
    return FS_OK;
}

/* Plots, and the table, column and distribution without which there is nothing to draw. */
static const struct {
    const char *name, *table, *column, *distribution;
} plots[] = {
    {"visits", "hops.csv", NULL, NULL},
    {"waiting", "hops.csv", NULL, NULL},
    {"occupancy", "occupancy.csv", NULL, NULL},
    {"compute", "cycles.csv", NULL, NULL},
    {"phases", "iterations.csv", NULL, NULL},
    {"histograms", "hops.csv", NULL, NULL},
    {"fills", "distributions.csv", NULL, "lane_fill_tracer"},
    {"latency", "distributions.csv", NULL, "latency"},
    {"chip-busy", "tiles.csv", "busy", NULL},
    {"chip-bytes", "tiles.csv", "bytes_out", NULL},
    {"chip-sram", "tiles.csv", "sram", NULL},
};

/* A chip on which nothing is to be seen is not drawn, nor a distribution that the run does not have. */
static bool shows(fs_report *r, size_t plot, fs_error *err) {
    const char *column = plots[plot].column;
    const fs_csv *t = column == NULL ? NULL : fs_folder_table(r->run, plots[plot].table, err);
    const int64_t *value = t == NULL ? NULL : fs_csv_ints(t, column, err);
    for (size_t i = 0; value != NULL && i < fs_csv_rows(t); i++)
        if (value[i] > 0)
            return true;
    if (plots[plot].distribution == NULL)
        return column == NULL;
    t = fs_folder_table(r->run, plots[plot].table, err);
    for (size_t i = 0; t != NULL && i < fs_csv_rows(t); i++)
        if (strcmp(fs_csv_text(t, i, "name"), plots[plot].distribution) == 0)
            return true;
    return false;
}

static fs_status draw(fs_report *r, fs_error *err) {
    const char *name[FS_REPORT_PLOTS];
    char pictures[4352];
    if (fs_plot_prepare(r->dir, err) != FS_OK)
        return err->status;
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++)
        if (fs_folder_has(r->run, plots[i].table) && shows(r, i, err))
            name[r->plots++] = plots[i].name;
    if (err->status != FS_OK)
        return err->status;
    snprintf(pictures, sizeof pictures, "%s/pictures", r->dir);
    return fs_plot_draw(pictures, name, r->plots, r->formats, r->plot, err);
}

static fs_status run_page(fs_report *r, fs_error *err) {
    static fs_status (*const section[])(fs_report *, fs_error *) = {
        fs_report_findings, fs_report_summary, fs_report_images,     fs_report_phases, fs_report_tiles,
        fs_report_chip,     fs_report_pixels,  fs_report_histograms, fs_report_levels, fs_report_lanes,
        fs_report_ladder,   fs_report_memory,  fs_report_settings,   fs_report_files,
    };
    fs_status status = want_tables(r, err);
    if (status == FS_OK)
        status = find_parts(r, err);
    if (status == FS_OK)
        status = draw(r, err);
    for (size_t i = 0; i < sizeof section / sizeof *section && status == FS_OK; i++)
        status = section[i](r, err);
    return status;
}

static fs_status views_page(fs_report *r, fs_error *err) {
    fs_status status = fs_report_findings(r, err);
    if (status == FS_OK)
        status = fs_report_views(r, err);
    if (status == FS_OK)
        status = fs_report_settings(r, err);
    if (status == FS_OK)
        status = fs_report_files(r, err);
    return status;
}

static fs_status report(const char *dir, const char *out, bool png, fs_error *err) {
    char path[4352];
    fs_report r = {.dir = dir, .formats = png ? FS_PLOT_SVG | FS_PLOT_PNG : FS_PLOT_SVG};
    r.run = fs_folder_open(dir, err);
    if (r.run == NULL)
        return err->status;
    if (out == NULL) {
        snprintf(path, sizeof path, "%s/pictures/report.html", fs_folder_path(r.run));
        out = path;
    }
    r.page = fs_page_create(fs_folder_name(r.run));
    fs_status status = fs_folder_views(r.run) > 0 ? views_page(&r, err) : run_page(&r, err);
    if (status == FS_OK)
        status = fs_page_write(r.page, out, err);
    if (status == FS_OK)
        fprintf(stderr, "report: %s\n", out);
    fs_page_free(r.page);
    fs_folder_close(r.run);
    return status;
}

/* A point of a store: its run, made again, and the page of that. */
static fs_status report_point(const char *store, const char *key, const char *out, bool png, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    const char *run = NULL;
    fs_status status = fs_store_run_point(store, key, arena, &out, &run, err);
    if (status == FS_OK)
        status = report(run, out, png, err);
    fs_arena_free(arena);
    return status;
}

static fs_status run(int argc, char **argv, fs_error *err) {
    const char *out = NULL, *sweep = NULL, *point = NULL;
    bool png = false;
    const fs_option options[] = {
        {.name = "out",
         .letter = 'o',
         .value = "FILE",
         .doc = "the page (default RUN/pictures/report.html, or STORE.html)",
         .text = &out},
        {.name = "png", .doc = "leave the plots as PNG too, beside the SVG in RUN/pictures", .flag = &png},
        {.name = "sweep",
         .value = "NAME",
         .doc = "of a store: that sweep (default the latest one)",
         .text = &sweep},
        {.name = "point",
         .letter = 'p',
         .value = "KEY",
         .doc = "of a store: the page of this point's run, which is made again and stays in FILE_run",
         .text = &point},
    };
    int args = 0;
    bool help = false;
    fs_status status =
        fs_options_parse("report RUN|STORE.db [-o report.html]\nA run folder, or a sweep of a store, as one "
                         "HTML page: findings, "
                         "plots, tables.",
                         options, sizeof options / sizeof *options, argc, argv, 1, 1, &args, &help, err);
    if (status != FS_OK || help)
        return status;
    bool store = fs_store_is(argv[0]);
    if (!store && (sweep != NULL || point != NULL))
        return fs_fail(err, FS_INPUT, "%s is no store: --%s is for the points of a store", argv[0],
                       sweep != NULL ? "sweep" : "point");
    return store && point != NULL ? report_point(argv[0], point, out, png, err)
           : store                ? fs_store_report(argv[0], sweep, out, err)
                                  : report(argv[0], out, png, err);
}

const fs_command fs_command_report = {
    "report", "a run or a sweep as one page: what it waited for, which point is best and why", run};
