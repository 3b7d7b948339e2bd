/* The parts of the run, side by side: where the time went, and what else is summed over the iterations of
 * each. */
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

enum { PHASES = 8, SUMS = 12 };

typedef struct part_sums {
    double iterations, cycles, phase[PHASES], sum[SUMS], paced[FS_ROLES];
} part_sums;

/* The first panel of the plan's series: the phases whose sum is the time of an iteration. */
typedef struct phases {
    const fs_plan_section *section;
    const fs_plan_panel *panel;
    size_t count;
    const char *by; /* the column that says who set the pace; NULL */
} phases;

static phases find_phases(const fs_report *r) {
    phases p = {0};
    for (size_t i = 0; i < r->plan->section_count && p.section == NULL; i++) {
        const fs_plan_section *s = r->plan->sections[i];
        if (strcmp(s->kind, "series") == 0 && s->file != NULL && s->panel_count > 0)
            p = (phases){s, &s->panels[0], s->panels[0].column_count, NULL};
    }
    p.count = p.count > PHASES ? PHASES : p.count;
    for (size_t k = 0; k < p.count; k++)
        p.by = p.by == NULL ? p.panel->columns[k].by : p.by;
    return p;
}

void fs_report_find_parts(fs_report *r) {
    const double iterations = fs_folder_number(r->run, "device.iterations"),
                 seconds = fs_folder_number(r->run, "device.seconds"),
                 cycles = fs_folder_number(r->run, "device.cycles");
    r->parts = 1;
    r->part_end[0] = iterations > 0 ? (size_t)iterations : 0;
    r->clock = seconds > 0 && cycles > 0 ? cycles / seconds : 0;
    for (size_t i = 0; i < r->plan->part_count && r->parts < FS_REPORT_PARTS; i++) {
        const double n =
            r->plan->parts[i].figure == NULL ? NAN : fs_folder_number(r->run, r->plan->parts[i].figure);
        const size_t begin = i == 0 ? 0 : r->part_end[i];
        if (!(n >= 0) ||
            n > (double)(r->part_end[0] - begin)) { /* a figure is missing, or the parts do not fit */
            r->parts = 1;
            return;
        }
        r->part_begin[i + 1] = begin;
        r->part_end[i + 1] = begin + (size_t)n;
        r->parts = i + 2;
    }
}

static fs_status add_column(const fs_report *r, const fs_csv *t, const char *name, size_t at, bool phase,
                            part_sums *sums, fs_error *err) {
    const int64_t *v = fs_csv_has(t, name) ? fs_csv_ints(t, name, err) : NULL;
    for (size_t p = 0; v != NULL && p < r->parts; p++)
        for (size_t i = r->part_begin[p]; i < r->part_end[p] && i < fs_csv_rows(t); i++) {
            *(phase ? &sums[p].phase[at] : &sums[p].sum[at]) += (double)v[i];
            sums[p].cycles += phase ? (double)v[i] : 0;
        }
    return err->status;
}

static fs_status sum_parts(fs_report *r, const phases *f, const fs_plan_panel *more, part_sums *sums,
                           fs_error *err) {
    const fs_csv *t = fs_folder_table(r->run, f->section->file, err);
    const char *const *word =
        t == NULL || f->by == NULL || !fs_csv_has(t, f->by) ? NULL : fs_csv_words(t, f->by, err);
    if (err->status != FS_OK)
        return err->status;
    for (size_t k = 0; k < f->count; k++)
        if (add_column(r, t, f->panel->columns[k].column, k, true, sums, err))
            return err->status;
    for (size_t k = 0; more != NULL && k < more->column_count && k < SUMS; k++)
        if (add_column(r, t, more->columns[k].column, k, false, sums, err))
            return err->status;
    for (size_t p = 0; p < r->parts; p++) {
        sums[p].iterations = (double)(r->part_end[p] - r->part_begin[p]);
        for (size_t i = r->part_begin[p]; word != NULL && i < r->part_end[p] && i < fs_csv_rows(t); i++)
            sums[p].paced[fs_roles_at(&r->roles, word[i])]++;
    }
    return FS_OK;
}

/* ---- the table ---- */

static void row_head(fs_report *r, const char *name, const char *unit) {
    fs_page_row(r->page);
    fs_page_put(r->page, "<th scope=\"row\">%s <span class=\"unit\">%s</span></th>", name, unit);
}

static void number_row(fs_report *r, const part_sums *sums, const char *name, const char *unit,
                       const char *(*text)(const fs_report *r, const part_sums *s, size_t k), size_t k) {
    row_head(r, name, unit);
    for (size_t p = 0; p < r->parts; p++)
        fs_page_put(r->page, "<td class=\"number\">%s</td>",
                    sums[p].iterations > 0 || k == 0 ? text(r, &sums[p], k) : FS_NO_NUMBER);
}

static const char *time_text(const fs_report *r, const part_sums *s, size_t k) {
    return k == 0   ? fs_number_grouped(s->iterations)
           : k == 1 ? fs_number_seconds(r->clock > 0 ? s->cycles / r->clock : 0)
           : k == 2 ? fs_number_grouped(s->cycles)
                    : fs_number_grouped(s->cycles / s->iterations);
}

static const char *sum_text(const fs_report *r, const part_sums *s, size_t k) {
    (void)r;
    return fs_number_grouped(s->sum[k - 1]);
}

static const char *mean_text(const fs_report *r, const part_sums *s, size_t k) {
    (void)r;
    return fs_number_grouped(s->sum[k - 1] / s->iterations);
}

/* A row of stacked bars, then one of shares for each of `names` [count]; share [parts][stride]. */
static void share_rows(fs_report *r, const part_sums *sums, const char *what, const char *of,
                       const double *share, size_t stride, const char *const *names,
                       const char *const *colours, size_t count) {
    row_head(r, what, "");
    for (size_t p = 0; p < r->parts; p++)
        fs_page_cell_stack(r->page, share + p * stride, names, colours, count);
    for (size_t k = 0; k < count; k++) {
        row_head(r, names[k], of);
        for (size_t p = 0; p < r->parts; p++)
            if (sums[p].iterations > 0)
                fs_page_put(r->page, "<td class=\"number\">%.1f %%</td>", 100 * share[p * stride + k]);
            else
                fs_page_cell_number(r->page, "", NAN);
    }
}

static void legend(fs_report *r, const char *const *names, const char *const *colours, size_t count) {
    fs_page_put(r->page, "<span>");
    for (size_t i = 0; i < count; i++)
        fs_page_put(r->page, " <i class=\"key %s\"></i>%s", colours[i], names[i]);
    fs_page_put(r->page, "</span>");
}

/* Names, colours and shares of the roles that set the pace in some iteration. timed: what they set took time
 * at all. */
static size_t pace_shares(fs_report *r, const part_sums *sums, bool timed, double *share, const char **name,
                          const char **colour) {
    size_t count = 0;
    for (size_t k = 0; k < r->roles.count; k++) {
        if (sums[0].paced[k] == 0 || !timed)
            continue;
        name[count] = r->roles.name[k];
        colour[count] = fs_roles_colour(&r->roles, r->roles.name[k]);
        for (size_t p = 0; p < r->parts; p++)
            share[p * FS_ROLES + count] = sums[p].iterations > 0 ? sums[p].paced[k] / sums[p].iterations : 0;
        count++;
    }
    return count;
}

static void put_table(fs_report *r, const phases *f, const fs_plan_panel *more, const part_sums *sums) {
    fs_page_column columns[1 + FS_REPORT_PARTS] = {{"", NULL, false, NULL}, {"whole run", NULL, true, NULL}};
    const char *phase[PHASES], *phase_colour[PHASES], *pace[FS_ROLES], *pace_colour[FS_ROLES];
    double split[FS_REPORT_PARTS * PHASES] = {0}, paced[FS_REPORT_PARTS * FS_ROLES] = {0};
    for (size_t p = 1; p < r->parts; p++)
        columns[p + 1] =
            (fs_page_column){r->plan->parts[p - 1].label, NULL, true, r->plan->parts[p - 1].hint};
    for (size_t k = 0; k < f->count; k++) {
        const fs_plan_column *c = &f->panel->columns[k];
        phase[k] = c->label;
        phase_colour[k] = c->colour == NULL ? "plain" : c->colour;
        for (size_t p = 0; p < r->parts; p++)
            split[p * PHASES + k] = sums[p].cycles > 0 ? sums[p].phase[k] / sums[p].cycles : 0;
    }
    bool timed = false;
    for (size_t k = 0; k < f->count; k++)
        timed |= f->panel->columns[k].by != NULL && sums[0].phase[k] > 0;
    const size_t paces = pace_shares(r, sums, timed, paced, pace, pace_colour);
    const double launch = fs_folder_number(r->run, "device.cycles") - sums[0].cycles;
    fs_page_table(r->page,
                  launch > 0 ? fs_arena_printf(
                                   r->arena,
                                   "Where the time went in each part of the run; hover a bar for its shares. "
                                   "The launch before the first iteration, %s cycles of the device time, "
                                   "belongs to no part.",
                                   fs_number_grouped(launch))
                             : "Where the time went in each part of the run; hover a bar for its shares.",
                  columns, 1 + r->parts);
    static const char *const time[] = {"iterations", "device time", "cycles", "cycles an iteration"};
    for (size_t k = 0; k < 4; k++)
        number_row(r, sums, time[k], "", time_text, k);
    share_rows(r, sums, "cycles by phase", "of the cycles", split, PHASES, phase, phase_colour, f->count);
    if (paces > 0)
        share_rows(r, sums, "pace set by", "of the iterations", paced, FS_ROLES, pace, pace_colour, paces);
    for (size_t k = 0; more != NULL && k < more->column_count && k < SUMS; k++) {
        const fs_plan_column *c = &more->columns[k];
        const bool mean = strcmp(c->form, "mean") == 0;
        number_row(r, sums, c->label, mean ? "mean" : "", mean ? mean_text : sum_text, k + 1);
    }
    fs_page_table_end(r->page);
    fs_page_put(r->page, "<p class=\"legend\">");
    legend(r, phase, phase_colour, f->count);
    if (paces > 0)
        legend(r, pace, pace_colour, paces);
    fs_page_put(r->page, "</p>\n");
}

fs_status fs_report_put_parts(fs_report *r, const fs_plan_section *s, fs_error *err) {
    const phases f = find_phases(r);
    part_sums sums[FS_REPORT_PARTS] = {{0}};
    const fs_plan_panel *more = s->panel_count > 0 ? &s->panels[0] : NULL;
    if (r->part_end[0] == 0 || f.section == NULL || f.count == 0 || !fs_folder_has(r->run, f.section->file))
        return FS_OK; /* without iterations there are no parts of them */
    if (sum_parts(r, &f, more, sums, err))
        return err->status;
    put_table(r, &f, more, sums);
    return FS_OK;
}
