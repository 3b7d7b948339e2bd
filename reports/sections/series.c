/* Series: lines and stacks over the rows of a table, an iteration, a step or a slice of the time each. Of
 * one run its panels stand one below the other; of several each panel that is compared is a chart, a run
 * below the other on the same axes. */
#include "reports/sections/sections_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 960, MOST_LINES = 48, MOST_PANELS = 8 }; /* steps of a range; lines of a run */

/* Of one run. */
typedef struct series {
    const fs_plan_section *section;
    const fs_csv *table;
    size_t rows, lines;
    fs_lines_one line[MOST_LINES];
    const fs_values *values[MOST_LINES], *x;
    double cycle;            /* microseconds of a cycle, where cycles are shown as time; else 0 */
    double total;            /* of the first panel */
    const char *const *pace; /* words of the column that splits the first panel */
    const int64_t *pace_tile;
    const char *paced; /* "tracers in 63 %" */
    const char *row;   /* what a row is: "iteration", "step" */
} series;

/* What a panel is to be drawn up to: of all rows, and of those lines alone that are no exception to the
 * others. */
typedef struct heights {
    double whole, device;
} heights;

/* ---- data ---- */

/* By the first column, unless rows are iterations. Of a run without iterations, rows that say where they
 * start are slices of its time. */
static fs_status name_row(fs_show *s, series *r, fs_error *err) {
    r->row = fs_csv_has(r->table, "iteration") ? "iteration" : fs_csv_column(r->table, 0);
    if (fs_folder_number(s->run[0], "device.iterations") > 0 || r->rows < 2 || !fs_csv_has(r->table, "start"))
        return FS_OK;
    const int64_t *start = fs_csv_ints(r->table, "start", err);
    if (start == NULL)
        return err->status;
    r->row =
        fs_arena_printf(s->arena, "slice of %s cycles", fs_number_grouped((double)(start[1] - start[0])));
    return FS_OK;
}

/* Who sets the pace, of the lines of the first panel that are split; and who does so most often. */
static fs_status read_pace(fs_show *s, series *r, fs_error *err) {
    size_t count[FS_ROLES] = {0}, most = 0;
    for (size_t i = 0; i < r->lines && r->pace == NULL; i++) {
        const char *by = r->line[i].by == NULL ? "" : r->line[i].plan->by;
        const char *tile =
            fs_arena_printf(s->arena, "%.*s_tile", (int)(strlen(by) > 5 ? strlen(by) - 5 : 0), by);
        r->pace = r->line[i].panel == 0 ? r->line[i].words : NULL;
        if (r->pace != NULL && fs_csv_has(r->table, tile))
            r->pace_tile = fs_csv_ints(r->table, tile, err);
    }
    for (size_t i = 0; r->pace != NULL && i < r->rows; i++)
        count[fs_roles_at(s->roles, r->pace[i])]++;
    for (size_t k = 0; k < s->roles->count; k++)
        most = count[k] > count[most] ? k : most;
    if (r->pace != NULL && r->rows > 0)
        r->paced = fs_arena_printf(s->arena, "%s in %.0f %%", s->roles->label[most],
                                   100 * (double)count[most] / (double)r->rows);
    return err->status;
}

/* The lines of the panels [from, to) of the i-th run; rows 0 where it has none. */
static fs_status read_run(fs_show *s, const fs_plan_section *section, size_t i, size_t from, size_t to,
                          series *r, fs_error *err) {
    *r = (series){.section = section, .table = fs_show_table_of(s, i, section->file, err)};
    if (r->table == NULL)
        return err->status;
    r->rows = fs_csv_rows(r->table);
    for (size_t p = from; p < to && p < MOST_PANELS && r->rows > 0; p++)
        if (fs_lines_read(s->arena, s->roles, r->table, section, p, r->line, &r->lines, MOST_LINES, err))
            return err->status;
    for (size_t k = 0; k < r->lines; k++)
        r->total += r->line[k].panel == 0 ? r->line[k].sum : 0;
    return r->rows == 0 || name_row(s, r, err) ? err->status : read_pace(s, r, err);
}

/* Columns as values of the page, each once; a line that is split by words shows a part of them. */
static void add_values(fs_show *s, series *r) {
    r->x = fs_values_steps(s->sheet, 0, 1, r->rows);
    for (size_t k = 0; k < r->lines; k++) {
        const fs_lines_one *l = &r->line[k];
        const fs_values *column = NULL;
        for (size_t before = 0; before < k && column == NULL; before++)
            if (r->line[before].by == NULL && strcmp(r->line[before].column, l->column) == 0)
                column = r->values[before];
        if (column == NULL)
            column = fs_values_whole(s->sheet, l->values, r->rows, r->cycle > 0 ? r->cycle : 1);
        r->values[k] = column;
    }
}

/* The heights of a panel, in means over pools of rows, which is how long runs are drawn. */
static heights heights_of(const series *r, size_t panel) {
    const size_t step = (r->rows + WIDEST - 1) / WIDEST;
    const double unit = r->cycle > 0 ? r->cycle : 1;
    heights h = {0};
    for (size_t from = 0; from < r->rows; from += step) {
        const size_t to = from + step < r->rows ? from + step : r->rows;
        double sum = 0, device = 0;
        for (size_t k = 0; k < r->lines; k++) {
            const fs_lines_one *l = &r->line[k];
            double mean = 0;
            if (l->panel != panel || l->told)
                continue;
            for (size_t i = from; i < to; i++)
                mean += unit * fs_lines_at(l, i) / (double)(to - from);
            sum += l->area ? mean : 0;
            device = l->area ? device + (l->tall ? 0 : mean) : fmax(device, mean);
            h.whole = fmax(h.whole, l->area ? sum : mean);
        }
        h.device = fmax(h.device, device);
    }
    return h;
}

/* ---- words ---- */

static bool know(void *self, const char *name, fs_number_value *out) {
    const series *r = self;
    const char *dot = strrchr(name, '.');
    *out = (fs_number_value){.unit = "", .whole = true};
    if (strcmp(name, "rows") == 0 || strcmp(name, "sum") == 0) {
        out->number = name[0] == 'r' ? (double)r->rows : r->total;
        return true;
    }
    if (strcmp(name, "paced") == 0) {
        out->text = r->paced;
        return r->paced != NULL;
    }
    if (dot == NULL || strcmp(dot, ".share") != 0 || r->total <= 0)
        return false;
    double sum = 0;
    for (size_t i = 0; i < r->lines; i++)
        if (r->line[i].panel == 0 && strncmp(r->line[i].column, name, (size_t)(dot - name)) == 0 &&
            r->line[i].column[dot - name] == '\0')
            sum += r->line[i].sum;
    out->number = sum / r->total;
    return true;
}

/* "thousand ", and the unit of power so scaled, of mW. */
static bool know_scale(void *self, const char *name, fs_number_value *out) {
    const char *scale = *(const char *const *)self;
    const bool power = strcmp(name, "watts") == 0;
    *out = (fs_number_value){.number = NAN, .unit = "", .text = scale};
    if (power)
        out->text = scale[0] == 'm' ? "kW" : scale[0] == 't' ? "W" : "mW";
    return power || strcmp(name, "scale") == 0;
}

static double scale_of(double most) {
    return most >= 1e6 ? 1e6 : most >= 1e4 ? 1e3 : 1;
}

static const char *scale_word(double scale) {
    return scale >= 1e6 ? "million " : scale >= 1e3 ? "thousand " : "";
}

/* ---- panels ---- */

static void add_series(fs_show *s, fs_panel *panel, const series *r, size_t k, fs_draw as) {
    const fs_lines_one *l = &r->line[k];
    fs_chart_series *one = fs_panel_series(s->sheet, panel, as, l->label, r->cycle > 0 ? "µs" : l->unit);
    one->colour = l->colour;
    one->shade = (unsigned)l->shade;
    one->shades = (unsigned)l->shades;
    one->x = r->x;
    *(as == FS_DRAW_TOLD ? &one->value : &one->y) = r->values[k];
    if (l->by != NULL)
        one->y = fs_values_where(s->sheet, r->values[k], fs_values_words(s->sheet, l->words, r->rows), l->by);
}

/* "pace: router 1364" for each row. */
static void add_pace(fs_show *s, fs_panel *panel, const series *r) {
    const char **words = FS_NEW(s->arena, const char *, r->rows + 1);
    for (size_t i = 0; i < r->rows; i++)
        words[i] = r->pace_tile == NULL
                       ? r->pace[i]
                       : fs_arena_printf(s->arena, "%s %lld", r->pace[i], (long long)r->pace_tile[i]);
    fs_chart_series *one = fs_panel_series(s->sheet, panel, FS_DRAW_TOLD, "pace", NULL);
    one->x = r->x;
    one->texts = fs_values_words(s->sheet, words, r->rows);
}

/* Lines of a panel of the plan that have something: areas from the bottom up, then lines, then what is
 * told under the pointer only. */
static void add_lines(fs_show *s, fs_panel *panel, const series *r, size_t at) {
    static const fs_draw pass[] = {FS_DRAW_STACK, FS_DRAW_STEPS, FS_DRAW_TOLD};
    for (size_t p = 0; p < FS_COUNT(pass); p++)
        for (size_t k = 0; k < r->lines; k++) {
            const fs_lines_one *l = &r->line[k];
            const fs_draw as = l->told ? FS_DRAW_TOLD : l->area ? FS_DRAW_STACK : FS_DRAW_STEPS;
            if (l->panel == at && as == pass[p] && (as == FS_DRAW_TOLD || l->sum > 0))
                add_series(s, panel, r, k, as);
        }
    if (at == 0 && r->pace != NULL)
        add_pace(s, panel, r);
}

/* Where parts of the run end; their words stand in the last panel. */
static void add_marks(fs_show *s, fs_panel *panel, const series *r, bool last) {
    for (size_t p = 1; p < s->parts; p++) {
        const fs_plan_part *part = &s->plan->parts[p - 1];
        const double end = (double)s->part_end[p] - 0.5;
        if (part->mark != NULL && s->part_end[p] > 0 && s->part_end[p] < r->rows)
            fs_panel_mark(s->sheet, panel,
                          (fs_chart_mark){.kind = FS_MARK_UP,
                                          .x = end,
                                          .text = last ? part->mark : NULL,
                                          .dash = 1,
                                          .side = end > 0.85 * (double)r->rows ? -1 : 1});
    }
}

/* ---- one run ---- */

static bool shows(const series *r, size_t panel) {
    for (size_t k = 0; k < r->lines; k++)
        if (r->line[k].panel == panel && !r->line[k].told && r->line[k].sum > 0)
            return true;
    return false;
}

static void add_panel(fs_show *s, fs_chart *chart, const series *r, size_t at, bool last) {
    const fs_plan_panel *plan = &r->section->panels[at];
    const heights h = heights_of(r, at);
    const bool cut = h.whole > 2 * 1.08 * h.device && h.device > 0;
    const double top = cut ? 1.5 * 1.08 * h.device : 1.04 * fmax(h.whole, 1e-9),
                 scale = scale_of(fmin(top, h.whole));
    const char *word = scale_word(scale);
    fs_panel *panel = fs_chart_panel(s->sheet, chart, NULL);
    panel->x = (fs_axis){.label = last ? r->row : "", .low = -0.5, .high = (double)r->rows - 0.5};
    panel->y = (fs_axis){
        .label = fs_fill(s->arena, s->run[0], plan->label, know_scale, &word), .high = top, .scale = scale};
    panel->corner = cut ? fs_arena_printf(s->arena, "cut: up to %.1f %s", h.whole / scale, word) : NULL;
    panel->tall = at == 0 ? 275 : last ? 255 : 190;
    add_lines(s, panel, r, at);
    add_marks(s, panel, r, last);
}

static void put_one(fs_show *s, series *r) {
    const fs_plan_panel *first = &r->section->panels[0];
    const size_t panels = r->section->panel_count < MOST_PANELS ? r->section->panel_count : MOST_PANELS;
    bool compute = false;
    size_t last = SIZE_MAX;
    for (size_t p = 0; p < panels; p++)
        last = shows(r, p) ? p : last;
    if (last == SIZE_MAX) /* nothing but 0 */
        return;
    for (size_t k = 0; k < r->lines; k++)
        compute |= first->column_count > 0 && strcmp(r->line[k].column, first->columns[0].column) == 0 &&
                   r->line[k].sum > 0;
    const char *title = fs_show_title(s, first, !compute, know, r);
    fs_show_begin(s, r->section, title);
    fs_chart *chart =
        fs_sheet_chart(s->sheet, r->section->id, title, fs_show_caption(s, first, know, r, NULL));
    chart->linked = true;
    add_values(s, r);
    for (size_t p = 0; p < panels; p++)
        if (shows(r, p))
            add_panel(s, chart, r, p, p == last);
}

/* ---- several runs ---- */

/* Microseconds of a cycle of a run; NAN: not known. */
static double cycle_of(const fs_folder *run) {
    return 1e6 * fs_folder_number(run, "device.seconds") / fs_folder_number(run, "device.cycles");
}

/* Cycles of different clocks stand on no common axis: they are drawn as time. */
static bool is_timed(const fs_show *s, const fs_plan_panel *panel) {
    bool timed = strcmp(panel->columns[0].unit, "cycles") == 0;
    for (size_t i = 0; i < s->count && timed; i++)
        timed = cycle_of(s->run[i]) > 0;
    return timed;
}

static void put_runs(fs_show *s, series *runs, size_t at, bool timed) {
    const fs_plan_panel *plan = &runs[0].section->panels[at];
    double top = 0, longest = 0;
    const char *row = "";
    for (size_t i = 0; i < s->count; i++) {
        runs[i].cycle = timed ? cycle_of(s->run[i]) : 0;
        top = fmax(top, heights_of(&runs[i], at).device);
        longest = fmax(longest, (double)runs[i].rows);
        row = runs[i].rows > 0 && row[0] == '\0' ? runs[i].row : row;
    }
    if (top == 0)
        return;
    const double scale = scale_of(top);
    const char *word = timed ? "" : scale_word(scale),
               *unit = !timed         ? plan->columns[0].unit
                       : scale >= 1e6 ? "s"
                       : scale >= 1e3 ? "ms"
                                      : "µs",
               *caption = fs_arena_printf(
                   s->arena, "%s of an iteration in %s, on the same axes for all runs%s.",
                   timed ? "Time" : "What happens", unit,
                   strcmp(plan->form, "stacked") == 0 ? "; what towers over the rest is cut" : "");
    fs_chart *chart = fs_sheet_chart(s->sheet, plan->name, plan->compared, caption);
    chart->linked = true;
    for (size_t i = 0; i < s->count; i++) {
        if (runs[i].rows == 0)
            continue;
        fs_panel *panel = fs_chart_panel(s->sheet, chart, fs_show_run(s, i));
        panel->x = (fs_axis){.label = i + 1 == s->count ? row : "", .low = -0.5, .high = longest - 0.5};
        panel->y = (fs_axis){
            .label = fs_arena_printf(s->arena, "%s%s", word, unit), .high = 1.05 * top, .scale = scale};
        panel->tall = 190;
        add_values(s, &runs[i]);
        add_lines(s, panel, &runs[i], at);
    }
}

/* The base has sums over the run of a panel's columns: they are phases of its time. */
static bool has_phases(const fs_show *s, const fs_plan_panel *panel) {
    return fs_show_shown(s, panel) &&
           !isnan(fs_folder_number(s->run[0],
                                   fs_arena_printf(s->arena, "device.cycles_%s", panel->columns[0].column)));
}

/* Time by phase: the first panel of a series, whose sums over the run are figures device.cycles_COLUMN. */
static void put_phases(fs_show *s, const fs_plan_panel *panel) {
    enum { PHASES = 8 };
    const size_t count = panel->column_count < PHASES ? panel->column_count : PHASES;
    const char *name[PHASES], *key[PHASES], *colour[PHASES], *all = "";
    double longest = 0;
    fs_rows_column columns[PHASES + 3] = {{.name = "run"}, {.name = "time", .number = true}};
    fs_sheet_section(s->sheet, "time", "Where the time goes", NULL);
    fs_sheet_box(s->sheet, "legend", NULL);
    for (size_t k = 0; k < count; k++) {
        const fs_plan_column *c = &panel->columns[k];
        name[k] = c->label;
        colour[k] = c->colour == NULL ? "plain" : c->colour;
        key[k] = fs_arena_printf(s->arena, "device.cycles_%s", c->column);
        all = fs_arena_printf(s->arena, "%s%s%s", all, k > 0 ? ", " : "", name[k]);
        columns[k + 3] = (fs_rows_column){.name = name[k], .number = true};
        fs_sheet_key(s->sheet, colour[k], name[k]);
    }
    fs_sheet_end(s->sheet);
    columns[2] = (fs_rows_column){.name = fs_arena_printf(s->arena, "%s on one axis", all)};
    for (size_t i = 0; i < s->count; i++)
        longest = fmax(longest, fs_folder_number(s->run[i], "device.seconds"));
    fs_rows *to = fs_sheet_table_of(s->sheet, NULL, columns, count + 3);
    for (size_t i = 0; i < s->count; i++) {
        const double cycles = fs_folder_number(s->run[i], "device.cycles"),
                     seconds = fs_folder_number(s->run[i], "device.seconds");
        double share[PHASES];
        for (size_t k = 0; k < count; k++) {
            const double part = fs_folder_number(s->run[i], key[k]);
            share[k] = part > 0 && cycles > 0 && longest > 0 ? part / cycles * seconds / longest : 0;
        }
        fs_rows_add(to);
        fs_cell(to, s->label[i]);
        fs_cell_number(to, fs_number_in(seconds, "s", 4), seconds);
        fs_cell_stack(to, share, name, colour, count);
        for (size_t k = 0; k < count; k++) {
            const double part = fs_folder_number(s->run[i], key[k]) / cycles;
            fs_cell_number(to,
                           fs_arena_printf(s->arena, "%s (%s)", fs_number_in(part * seconds, "s", 4),
                                           fs_number_percent(fabs(part))),
                           cycles > 0 ? part * seconds : (double)NAN);
        }
    }
}

static fs_status put_several(fs_show *s, const fs_plan_section *section, fs_error *err) {
    series *runs = FS_NEW(s->arena, series, FS_SHOW_RUNS);
    bool begun = false;
    if (section->panel_count > 0 && has_phases(s, &section->panels[0])) {
        put_phases(s, &section->panels[0]);
        begun = true;
    }
    for (size_t p = 0; p < section->panel_count; p++) {
        if (!fs_show_shown(s, &section->panels[p]))
            continue;
        if (!begun)
            fs_show_begin(s, section, section->panels[p].compared);
        begun = true;
        for (size_t i = 0; i < s->count; i++)
            if (read_run(s, section, i, p, p + 1, &runs[i], err))
                return err->status;
        put_runs(s, runs, p, is_timed(s, &section->panels[p]));
    }
    return FS_OK;
}

static fs_status put_series(fs_show *s, const fs_plan_section *section, fs_error *err) {
    if (s->count > 1)
        return put_several(s, section, err);
    series *r = FS_NEW(s->arena, series, 1);
    if (read_run(s, section, 0, 0, section->panel_count, r, err) == FS_OK && r->rows > 0)
        put_one(s, r);
    return err->status;
}

const fs_show_kind fs_show_kind_series = {"series", put_series, NULL};
