/* What comes first on a run's page: findings, the figures that an architect asks for, the pictures. */
#include "reports/report_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- findings ---- */

static void put_figure(fs_report *r, const fs_figure *f) {
    char name[96];
    snprintf(name, sizeof name, "%s", f->name);
    for (char *c = name; (c = strchr(c, '_')) != NULL;)
        *c = ' ';
    if (f->kind == FS_FIGURE_NUMBER)
        fs_page_put(r->page, "%s %s", name, isnan(f->value) ? "–" : fs_number_short(f->value, 4));
    else
        fs_page_put(r->page, "%s %s", name, f->text == NULL ? "" : f->text);
}

/* Where the page shows what a finding says. */
static void put_link(fs_report *r, const char *key) {
    static const char *const shown[][3] = {
        {"pace", "iterations", "Iterations"}, {"time", "summary", "Summary"},
        {"next", "ladder", "What if"},        {"waiting", "lanes", "Lanes"},
        {"drain", "tiles", "Tiles"},          {"imbalance", "levels", "Levels"},
        {"sram", "memory", "Memory"},
    };
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (strcmp(key, shown[i][0]) == 0)
            fs_page_put(r->page, " <a class=\"see\" href=\"#%s\">%s</a>", shown[i][1], shown[i][2]);
}

/* Machine, overlay, scene: the words that place a run. */
static fs_status put_head(fs_report *r, fs_error *err) {
    static const char *const part[][2] = {{"machine", "machine.name"},
                                          {"overlay", "overlay.kind"},
                                          {"scene", "scene.name"},
                                          {"execution", "run.execution"}};
    size_t count = 0;
    const fs_setting *settings = fs_folder_settings(r->run, &count, err);
    if (settings == NULL && err->status != FS_OK)
        return err->status;
    fs_page_put(r->page, "<p class=\"note\">A run of foamsim %s", fs_folder_note(r->run, "foamsim"));
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const char *value = fs_folder_setting(r->run, part[i][1]);
        char plain[96];
        snprintf(plain, sizeof plain, "%s", value == NULL ? "" : value + (value[0] == '"'));
        plain[strcspn(plain, "\"")] = '\0';
        if (plain[0] != '\0')
            fs_page_put(r->page, " · %s <b>%s</b>", part[i][0], plain);
    }
    const char *digest = fs_folder_note(r->run, "config_sha256");
    if (digest[0] != '\0')
        fs_page_put(r->page, " · configuration <code title=\"SHA-256 of all parameters\">%.12s</code>",
                    digest);
    fs_page_put(r->page, "</p>\n");
    return FS_OK;
}

fs_status fs_report_findings(fs_report *r, fs_error *err) {
    size_t count = 0;
    const fs_finding *found = fs_folder_findings(r->run, &count, err);
    if (err->status != FS_OK)
        return err->status;
    fs_page_section(r->page, "findings", "Findings");
    if (put_head(r, err) != FS_OK)
        return err->status;
    if (count == 0 && fs_folder_views(r->run) > 0)
        return FS_OK; /* its views have theirs */
    if (count == 0) {
        fs_page_note(
            r->page,
            "This run folder has no findings.json; the figures and plots below speak for themselves.");
        return FS_OK;
    }
    fs_page_put(r->page, "<ol class=\"findings\">\n");
    for (size_t i = 0; i < count; i++) {
        fs_page_put(r->page, "<li id=\"finding-%s\">%s", found[i].key, found[i].text);
        if (fs_folder_views(r->run) == 0)
            put_link(r, found[i].key);
        if (found[i].count > 0) {
            fs_page_put(r->page, " <details class=\"figures\"><summary>figures</summary>");
            for (size_t k = 0; k < found[i].count; k++) {
                fs_page_put(r->page, k > 0 ? " · " : "");
                put_figure(r, &found[i].figures[k]);
            }
            fs_page_put(r->page, "</details>");
        }
        fs_page_put(r->page, "</li>\n");
    }
    fs_page_put(r->page, "</ol>\n");
    return FS_OK;
}

/* ---- cards: one figure each ---- */

static void card(fs_report *r, const char *what, const char *value, const char *more) {
    fs_page_put(r->page, "<div class=\"card\"><span>%s</span><b>%s</b><span>%s</span></div>\n", what, value,
                more);
}

static double number(const fs_report *r, const char *name) {
    return fs_folder_number(r->run, name);
}

/* Of synthetic rays: how much of the load was taken, and what it cost. */
static void put_traffic_cards(fs_report *r) {
    char text[96];
    double accepted = number(r, "load.accepted"), latency = number(r, "latency.mean");
    if (accepted >= 0) {
        snprintf(text, sizeof text, "%s offered; bound %s", fs_number_short(number(r, "load.offered"), 3),
                 fs_number_short(number(r, "load.bound"), 3));
        card(r, "load accepted", fs_number_short(accepted, 3), text);
    }
    if (latency >= 0) {
        snprintf(text, sizeof text, "cycles, mean; %s when alone",
                 fs_number_grouped(number(r, "latency.zero_load")));
        card(r, "latency", fs_number_grouped(latency), text);
    }
    if (number(r, "rays.delivered") >= 0) {
        snprintf(text, sizeof text, "delivered; %s refused", fs_number_grouped(number(r, "rays.refused")));
        card(r, "rays", fs_number_grouped(number(r, "rays.delivered")), text);
    }
}

static void put_cards(fs_report *r) {
    char text[3][96];
    double iterations = (double)r->iterations, period = number(r, "device.frame_period_seconds");
    double psnr = number(r, "image.psnr_db");
    const fs_figure *exact = fs_folder_figure(r->run, "image.exact");
    fs_page_put(r->page, "<div class=\"cards\">\n");
    snprintf(text[0], sizeof text[0], "%s cycles", fs_number_grouped(number(r, "device.cycles")));
    card(r, "device time", fs_number_seconds(number(r, "device.seconds")), text[0]);
    if (period > 0)
        snprintf(text[0], sizeof text[0], "a frame every %s", fs_number_seconds(period));
    else
        snprintf(text[0], sizeof text[0], "one frame, no period");
    double latency = number(r, "device.frame_latency_seconds");
    if (latency >= 0)
        card(r, "frame latency", fs_number_seconds(latency), text[0]);
    snprintf(text[0], sizeof text[0], "%s cycles each",
             fs_number_grouped(iterations > 0 ? number(r, "device.cycles") / iterations : 0));
    card(r, "iterations", fs_number_grouped(iterations), text[0]);
    double finished = number(r, "rays.finished"), dropped = number(r, "rays.dropped"),
           visits = number(r, "hops.tracer_mean");
    snprintf(text[0], sizeof text[0], "%s dropped, %s spilled", fs_number_grouped(dropped),
             fs_number_grouped(number(r, "rays.spilled")));
    if (finished >= 0)
        card(r, "rays", fs_number_grouped(finished), dropped >= 0 ? text[0] : "arrived");
    snprintf(text[1], sizeof text[1], "%.1f + %.1f", visits, number(r, "hops.router_mean"));
    if (visits >= 0)
        card(r, "visits of a ray", text[1], "tracers + routers, mean");
    if (exact != NULL && exact->value > 0)
        card(r, "image", "exact", "not one bit differs");
    else if (psnr > 0) {
        snprintf(text[1], sizeof text[1], "%.1f dB", psnr);
        snprintf(text[2], sizeof text[2], "PSNR; SSIM %.4f", number(r, "image.ssim"));
        card(r, "image", text[1], text[2]);
    }
    snprintf(text[0], sizeof text[0], "on tile %.0f", number(r, "memory.worst_tile"));
    if (number(r, "memory.peak_bytes") > 0)
        card(r, "memory, most", fs_number_bytes(number(r, "memory.peak_bytes")), text[0]);
    put_traffic_cards(r);
    fs_page_put(r->page, "</div>\n");
}

/* ---- the parts of the run, side by side ---- */

typedef struct part_sums {
    size_t iterations, paced[3]; /* by tracer, router, generator */
    double cycles, phase[4];     /* compute, sync, exchange, host */
    double generated, finished, spilled, in_flight;
} part_sums;

static const char *const phase_name[] = {"compute", "sync", "exchange", "host"};
static const char *const role_name[] = {"tracer", "router", "generator"};

static fs_status sum_parts(fs_report *r, part_sums *sums, fs_error *err) {
    enum { COLUMNS = 9 };
    static const char *const name[COLUMNS] = {"cycles",    "compute",  "sync",    "exchange", "host",
                                              "generated", "finished", "spilled", "in_flight"};
    const int64_t *column[COLUMNS];
    const fs_csv *table = fs_folder_table(r->run, "iterations.csv", err);
    const char *const *role = table == NULL ? NULL : fs_csv_words(table, "pace_role", err);
    if (role == NULL)
        return err->status;
    for (size_t i = 0; i < COLUMNS; i++)
        if (!fs_csv_has(table, name[i]))
            column[i] = NULL; /* a workload need not have it */
        else if ((column[i] = fs_csv_ints(table, name[i], err)) == NULL)
            return err->status;
    for (size_t p = 0; p < FS_REPORT_PARTS; p++) {
        part_sums *s = &sums[p];
        double *const to[COLUMNS] = {&s->cycles,    &s->phase[0], &s->phase[1], &s->phase[2], &s->phase[3],
                                     &s->generated, &s->finished, &s->spilled,  &s->in_flight};
        for (size_t i = r->part_begin[p]; i < r->part_end[p]; i++) {
            s->iterations++;
            for (size_t c = 0; c < COLUMNS; c++)
                *to[c] += column[c] == NULL ? 0 : (double)column[c][i];
            for (size_t k = 0; k < 3; k++)
                s->paced[k] += strcmp(role[i], role_name[k]) == 0;
        }
    }
    return FS_OK;
}

/* What the table says of a part in numbers, in the order of its rows. */
enum { PART_NUMBERS = 8, PART_SPLIT = 4 }; /* the first PART_SPLIT stand above the shares */
static const char *const part_number_name[PART_NUMBERS][2] = {
    {"iterations", ""},          {"device time", ""},  {"cycles", ""},
    {"cycles an iteration", ""}, {"rays made", ""},    {"rays home", ""},
    {"rays in flight", "mean"},  {"rays spilled", ""},
};

static const char *part_number(const fs_report *r, const part_sums *s, size_t row) {
    double n = (double)s->iterations;
    if (row == 0)
        return fs_number_grouped(n);
    if (s->iterations == 0)
        return "–";
    if (row == 1)
        return fs_number_seconds(r->clock > 0 ? s->cycles / r->clock : 0);
    const double value[PART_NUMBERS] = {
        0, 0, s->cycles, s->cycles / n, s->generated, s->finished, s->in_flight / n, s->spilled};
    return fs_number_grouped(value[row]);
}

static void row_head(fs_report *r, const char *name, const char *unit) {
    fs_page_row(r->page);
    fs_page_put(r->page, "<th scope=\"row\">%s <span class=\"unit\">%s</span></th>", name, unit);
}

static void number_rows(fs_report *r, const part_sums *sums, size_t from, size_t to) {
    for (size_t row = from; row < to; row++) {
        row_head(r, part_number_name[row][0], part_number_name[row][1]);
        for (size_t p = 0; p < FS_REPORT_PARTS; p++)
            fs_page_put(r->page, "<td class=\"number\">%s</td>", part_number(r, &sums[p], row));
    }
}

/* A row of stacked bars, then one of numbers for each of `names` [count]. */
static void share_rows(fs_report *r, const part_sums *sums, const char *what, const char *of,
                       double (*share)[4], const char *const *names, size_t count) {
    row_head(r, what, "");
    for (size_t p = 0; p < FS_REPORT_PARTS; p++)
        fs_page_cell_stack(r->page, share[p], names, names, count);
    for (size_t k = 0; k < count; k++) {
        row_head(r, names[k], of);
        for (size_t p = 0; p < FS_REPORT_PARTS; p++)
            if (sums[p].iterations > 0)
                fs_page_put(r->page, "<td class=\"number\">%.1f %%</td>", 100 * share[p][k]);
            else
                fs_page_put(r->page, "<td class=\"number\">–</td>");
    }
}

static void legend(fs_report *r, const char *const *names, size_t count) {
    fs_page_put(r->page, "<span>");
    for (size_t i = 0; i < count; i++)
        fs_page_put(r->page, " <i class=\"key %s\"></i>%s", names[i], names[i]);
    fs_page_put(r->page, "</span>");
}

static void put_parts(fs_report *r, const part_sums *sums) {
    static const fs_page_column columns[] = {
        {"", NULL, false, NULL},
        {"whole run", NULL, true, NULL},
        {"injection", NULL, true, "before the first ray of the run reached its pixel: the pipeline fills"},
        {"steady", NULL, true, "from then until the generator made its last ray"},
        {"drain", NULL, true, "after the last ray was made"},
    };
    double phases[FS_REPORT_PARTS][4] = {{0}}, pace[FS_REPORT_PARTS][4] = {{0}};
    for (size_t p = 0; p < FS_REPORT_PARTS; p++) {
        const part_sums *s = &sums[p];
        for (size_t k = 0; k < 4; k++)
            phases[p][k] = s->cycles > 0 ? s->phase[k] / s->cycles : 0;
        for (size_t k = 0; k < 3; k++)
            pace[p][k] = s->iterations > 0 ? (double)s->paced[k] / (double)s->iterations : 0;
    }
    bool paced = pace[FS_REPORT_ALL][0] + pace[FS_REPORT_ALL][1] + pace[FS_REPORT_ALL][2] > 0;
    char caption[256] = "Where the time went in each part of the run; hover a bar for its shares.";
    double launch = number(r, "device.cycles") - sums[FS_REPORT_ALL].cycles;
    if (launch > 0)
        snprintf(caption, sizeof caption,
                 "Where the time went in each part of the run; hover a bar for its shares. The launch before "
                 "the first "
                 "iteration, %s cycles of the device time, belongs to no part.",
                 fs_number_grouped(launch));
    fs_page_table(r->page, caption, columns, 1 + FS_REPORT_PARTS);
    number_rows(r, sums, 0, PART_SPLIT);
    share_rows(r, sums, "cycles by phase", "of the cycles", phases, phase_name, 4);
    if (paced)
        share_rows(r, sums, "pace set by", "of the iterations", pace, role_name, 3);
    number_rows(r, sums, PART_SPLIT, PART_NUMBERS);
    fs_page_table_end(r->page);
    fs_page_put(r->page, "<p class=\"legend\">");
    legend(r, phase_name, 4);
    if (paced)
        legend(r, role_name, 3);
    fs_page_put(r->page, "</p>\n");
}

static void put_all_figures(fs_report *r) {
    static const fs_page_column columns[] = {{"figure", NULL, false, NULL},
                                             {"value", NULL, true, NULL},
                                             {"unit", NULL, false, NULL},
                                             {"what it is", NULL, false, NULL}};
    size_t count = 0;
    const fs_figure *f = fs_folder_figures(r->run, &count);
    fs_page_fold(r->page, "All figures of the run");
    fs_page_table(r->page, NULL, columns, 4);
    for (size_t i = 0; i < count; i++) {
        fs_page_row(r->page);
        fs_page_cell(r->page, f[i].name);
        if (f[i].kind != FS_FIGURE_NUMBER)
            fs_page_put(r->page, "<td class=\"number wrap\">%s</td>", f[i].text);
        else if (isnan(f[i].value))
            fs_page_put(r->page, "<td class=\"number\">–</td>");
        else
            fs_page_cell_number(r->page,
                                f[i].whole ? fs_number_grouped(f[i].value) : fs_number_short(f[i].value, 6),
                                f[i].value);
        fs_page_cell(r->page, f[i].unit);
        fs_page_cell(r->page, f[i].description);
    }
    fs_page_table_end(r->page);
    fs_page_fold_end(r->page);
}

fs_status fs_report_summary(fs_report *r, fs_error *err) {
    part_sums sums[FS_REPORT_PARTS] = {{0}};
    if (sum_parts(r, sums, err) != FS_OK)
        return err->status;
    fs_page_section(r->page, "summary", "Summary");
    const fs_figure *complete = fs_folder_figure(r->run, "complete");
    if (complete != NULL && complete->value == 0)
        fs_page_put(r->page, "<p class=\"warning\">The frame is not complete: coverage %.4f %%.</p>\n",
                    100 * number(r, "coverage"));
    put_cards(r);
    put_parts(r, sums);
    put_all_figures(r);
    return FS_OK;
}

/* ---- pictures ---- */

fs_status fs_report_images(fs_report *r, fs_error *err) {
    static const struct {
        const char *file, *id, *title;
    } picture[] = {{"image.png", "image", "Image"}, {"depth.png", "depth", "Depth"}};
    char path[4352];
    bool any = false;
    for (size_t i = 0; i < 2; i++)
        any = any || fs_folder_has(r->run, picture[i].file);
    if (!any)
        return FS_OK;
    fs_page_section(r->page, "images", "Images");
    fs_page_put(r->page, "<div class=\"pictures\">\n");
    for (size_t i = 0; i < 2; i++) {
        if (!fs_folder_has(r->run, picture[i].file))
            continue;
        snprintf(path, sizeof path, "%s/%s", fs_folder_path(r->run), picture[i].file);
        fs_page_put(r->page, "<figure id=\"%s\"><h3>%s</h3>\n", picture[i].id, picture[i].title);
        if (fs_page_png(r->page, path, picture[i].title, 0, err) != FS_OK)
            return err->status;
        double psnr = number(r, "image.psnr_db");
        if (i == 0 && psnr > 0)
            fs_page_figure_end(r->page,
                               "As the device wrote it: %.1f dB PSNR, SSIM %.4f against the full-precision "
                               "render in one piece. "
                               "Coverage %.2f %%.",
                               psnr, number(r, "image.ssim"), 100 * number(r, "coverage"));
        else if (i == 0)
            fs_page_figure_end(
                r->page, "As the device wrote it: the same bits as the full-precision render in one piece.");
        else {
            const fs_figure *source = fs_folder_figure(r->run, "image.depth_source");
            fs_page_figure_end(
                r->page, "Where half of a ray's light is stopped; bright is near, black never. Source: %s.",
                source == NULL ? "unknown" : source->text);
        }
    }
    fs_page_put(r->page, "</div>\n");
    return FS_OK;
}
