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

static fs_status add_column(const fs_report *r, const fs_csv *t, const char *name, size_t at, bool phase,
                            part_sums *sums, fs_error *err) {
    const int64_t *v = fs_csv_has(t, name) ? fs_csv_ints(t, name, err) : NULL;
    for (size_t p = 0; v != NULL && p < r->sections.parts; p++)
        for (size_t i = r->sections.part_begin[p]; i < r->sections.part_end[p] && i < fs_csv_rows(t); i++) {
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
    for (size_t p = 0; p < r->sections.parts; p++) {
        sums[p].iterations = (double)(r->sections.part_end[p] - r->sections.part_begin[p]);
        for (size_t i = r->sections.part_begin[p];
             word != NULL && i < r->sections.part_end[p] && i < fs_csv_rows(t); i++)
            sums[p].paced[fs_roles_at(&r->roles, word[i])]++;
    }
    return FS_OK;
}

/* ---- the table ---- */

typedef struct parts_table {
    fs_report *r;
    fs_rows *t;
    const part_sums *sums;
    double clock; /* cycles a second; 0 when the run does not say */
} parts_table;

static void row_head(parts_table *p, const char *name, const char *unit) {
    fs_rows_add(p->t);
    fs_cell_head(p->t, "%s <span class=\"unit\">%s</span>", name, unit);
}

static void number_row(parts_table *p, const char *name, const char *unit,
                       const char *(*text)(const parts_table *p, const part_sums *s, size_t k), size_t k) {
    row_head(p, name, unit);
    for (size_t i = 0; i < p->r->sections.parts; i++) {
        const part_sums *s = &p->sums[i];
        fs_cell(p->t, s->iterations > 0 || k == 0 ? text(p, s, k) : FS_NO_NUMBER);
        fs_cell_add(p->t, (fs_cell_more){.look = "number"});
    }
}

static const char *time_text(const parts_table *p, const part_sums *s, size_t k) {
    return k == 0   ? fs_number_grouped(s->iterations)
           : k == 1 ? fs_number_seconds(p->clock > 0 ? s->cycles / p->clock : 0)
           : k == 2 ? fs_number_grouped(s->cycles)
                    : fs_number_grouped(s->cycles / s->iterations);
}

static const char *sum_text(const parts_table *p, const part_sums *s, size_t k) {
    (void)p;
    return fs_number_grouped(s->sum[k - 1]);
}

static const char *mean_text(const parts_table *p, const part_sums *s, size_t k) {
    (void)p;
    return fs_number_grouped(s->sum[k - 1] / s->iterations);
}

/* What parts of a run share out: names and colours [count], shares [parts][stride]. */
typedef struct shares {
    const char *name[FS_ROLES], *colour[FS_ROLES];
    double share[FS_SHOW_PARTS * FS_ROLES];
    size_t count;
} shares;

/* A row of stacked bars, then one of shares for each name. */
static void share_rows(parts_table *p, const char *what, const char *of, const shares *s) {
    const size_t parts = p->r->sections.parts;
    row_head(p, what, "");
    for (size_t i = 0; i < parts; i++)
        fs_cell_stack(p->t, s->share + i * FS_ROLES, s->name, s->colour, s->count);
    for (size_t k = 0; k < s->count; k++) {
        row_head(p, s->name[k], of);
        for (size_t i = 0; i < parts; i++) {
            const double share = 100 * s->share[i * FS_ROLES + k];
            fs_cell_number(p->t, fs_arena_printf(p->r->arena, "%.1f %%", share),
                           p->sums[i].iterations > 0 ? share : (double)NAN);
        }
    }
}

/* The roles that set the pace in some iteration. timed: what they set took time at all. */
static shares pace_shares(fs_report *r, const part_sums *sums, bool timed) {
    shares s = {.count = 0};
    for (size_t k = 0; k < r->roles.count; k++) {
        if (sums[0].paced[k] == 0 || !timed)
            continue;
        s.name[s.count] = r->roles.name[k];
        s.colour[s.count] = fs_roles_colour(&r->roles, r->roles.name[k]);
        for (size_t p = 0; p < r->sections.parts; p++)
            s.share[p * FS_ROLES + s.count] =
                sums[p].iterations > 0 ? sums[p].paced[k] / sums[p].iterations : 0;
        s.count++;
    }
    return s;
}

static shares phase_shares(const fs_report *r, const phases *f, const part_sums *sums) {
    shares s = {.count = f->count};
    for (size_t k = 0; k < f->count; k++) {
        const fs_plan_column *c = &f->panel->columns[k];
        s.name[k] = c->label;
        s.colour[k] = c->colour == NULL ? "plain" : c->colour;
        for (size_t p = 0; p < r->sections.parts; p++)
            s.share[p * FS_ROLES + k] = sums[p].cycles > 0 ? sums[p].phase[k] / sums[p].cycles : 0;
    }
    return s;
}

static void put_legend(fs_report *r, const shares *s) {
    for (size_t i = 0; i < s->count; i++)
        fs_sheet_key(r->sheet, s->colour[i], s->name[i]);
}

/* A column for the whole run and one for each part. */
static fs_rows *begin_table(fs_report *r, const part_sums *sums) {
    fs_rows_column columns[1 + FS_SHOW_PARTS] = {{"", NULL, false, NULL}, {"whole run", NULL, true, NULL}};
    for (size_t p = 1; p < r->sections.parts; p++)
        columns[p + 1] =
            (fs_rows_column){r->plan->parts[p - 1].label, NULL, true, r->plan->parts[p - 1].hint};
    const double launch = fs_folder_number(r->run, "device.cycles") - sums[0].cycles;
    const char *more = launch > 0
                           ? fs_arena_printf(r->arena,
                                             " The launch before the first iteration, %s cycles of the "
                                             "device time, belongs to no part.",
                                             fs_number_grouped(launch))
                           : "";
    return fs_sheet_table_of(
        r->sheet,
        fs_arena_printf(r->arena,
                        "Where the time went in each part of the run; hover a bar for its shares.%s", more),
        columns, 1 + r->sections.parts);
}

static void put_table(fs_report *r, const phases *f, const fs_plan_panel *more, const part_sums *sums) {
    static const char *const time[] = {"iterations", "device time", "cycles", "cycles an iteration"};
    const double seconds = fs_folder_number(r->run, "device.seconds"),
                 cycles = fs_folder_number(r->run, "device.cycles");
    parts_table p = {.r = r,
                     .t = begin_table(r, sums),
                     .sums = sums,
                     .clock = seconds > 0 && cycles > 0 ? cycles / seconds : 0};
    bool timed = false;
    for (size_t k = 0; k < f->count; k++)
        timed |= f->panel->columns[k].by != NULL && sums[0].phase[k] > 0;
    const shares split = phase_shares(r, f, sums), pace = pace_shares(r, sums, timed);
    for (size_t k = 0; k < 4; k++)
        number_row(&p, time[k], "", time_text, k);
    share_rows(&p, "cycles by phase", "of the cycles", &split);
    if (pace.count > 0)
        share_rows(&p, "pace set by", "of the iterations", &pace);
    for (size_t k = 0; more != NULL && k < more->column_count && k < SUMS; k++) {
        const fs_plan_column *c = &more->columns[k];
        const bool mean = strcmp(c->form, "mean") == 0;
        number_row(&p, c->label, mean ? "mean" : "", mean ? mean_text : sum_text, k + 1);
    }
    fs_sheet_box(r->sheet, "legend", NULL);
    put_legend(r, &split);
    put_legend(r, &pace);
    fs_sheet_end(r->sheet);
}

fs_status fs_report_put_parts(fs_report *r, const fs_plan_section *s, fs_error *err) {
    const phases f = find_phases(r);
    part_sums sums[FS_SHOW_PARTS] = {{0}};
    const fs_plan_panel *more = s->panel_count > 0 ? &s->panels[0] : NULL;
    if (r->sections.part_end[0] == 0 || f.section == NULL || f.count == 0 ||
        !fs_folder_has(r->run, f.section->file))
        return FS_OK; /* without iterations there are no parts of them */
    if (sum_parts(r, &f, more, sums, err))
        return err->status;
    put_table(r, &f, more, sums);
    return FS_OK;
}
