/* What work the runs do. Runs that do not do the same work are compared by what one unit of it takes, a
 * ray or a path, which both count; runs that count nothing alike are not compared at all. */
#include "reports/compare/compare_page.h"
#include "sim/base/numbers.h"
#include "sim/workload/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 32, /* of a value that is shown; a longer one is a digest */
    TIMES = 10,   /* from here on a rate is written as so many times another */
};

/* ---- what a run does ---- */

static const char *cell(const fs_compare *c, const fs_csv *t, size_t row, const char *column) {
    return fs_arena_strdup(c->arena, fs_csv_text(t, row, column));
}

/* A product of figures; NAN: a run without one of them. */
static double product(const fs_folder *run, const char *figures) {
    double value = 1;
    for (const char *at = figures; *at != '\0';) {
        char name[96];
        const size_t n = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, at);
        value *= fs_folder_number(run, name);
        at += n + strspn(at + n, " ");
    }
    return value;
}

fs_status fs_compare_read_work(fs_compare *c, fs_compare_run *run, fs_error *err) {
    const char *file = fs_folder_has(run->folder, "work.csv") ? "work.csv" : "view-0/work.csv";
    if (!fs_folder_has(run->folder, file))
        return FS_OK;
    const fs_csv *t = fs_folder_table(run->folder, file, err);
    if (t == NULL || fs_csv_words(t, "what", err) == NULL || fs_csv_words(t, "value", err) == NULL ||
        fs_csv_words(t, "figures", err) == NULL || fs_csv_words(t, "unit", err) == NULL)
        return FS_INPUT;
    run->work = FS_NEW(c->arena, fs_compare_work, fs_csv_rows(t) + 1);
    run->work_count = fs_csv_rows(t);
    for (size_t i = 0; i < run->work_count; i++) {
        const char *figures = fs_csv_text(t, i, "figures");
        fs_compare_work *w = &run->work[i];
        *w = (fs_compare_work){.what = cell(c, t, i, "what"),
                               .value = cell(c, t, i, "value"),
                               .unit = cell(c, t, i, "unit"),
                               .count = figures[0] == '\0' ? NAN : product(run->folder, figures)};
        const fs_figure *f = fs_folder_figure(run->folder, figures);
        if (w->value[0] == '\0' && f != NULL && f->kind != FS_FIGURE_NUMBER)
            w->value = f->text;
        else if (w->value[0] == '\0' && f != NULL && f->row != NULL && f->row->says == FS_SAYS_SHARE)
            w->value = fs_arena_strdup(c->arena, fs_number_percent(fabs(f->value)));
        else if (w->value[0] == '\0' && !isnan(w->count))
            w->value = fs_text_count(c->arena, w->count);
        else if (w->value[0] != '\0' && w->value[strspn(w->value, "0123456789")] == '\0')
            w->value = fs_text_count(c->arena, strtod(w->value, NULL));
    }
    fs_folder_forget(run->folder, file);
    return FS_OK;
}

/* ---- a named work ---- */

static const fs_compare_work *row_of(const fs_compare_run *run, const char *what) {
    return FS_FOUND(run->work, run->work_count, what, what);
}

static const char *work_value(const fs_compare_run *run, const char *what) {
    const fs_compare_work *row = row_of(run, what);
    return row == NULL ? NULL : row->value;
}

static const char *named_work(const fs_compare *c) {
    const fs_compare_run *base = &c->runs[c->base];
    const char *name = work_value(base, FS_WORK_NAME), *content = work_value(base, FS_WORK_CONTENT);
    for (size_t r = 0; r < c->count && name != NULL && content != NULL; r++) {
        const char *other = work_value(&c->runs[r], FS_WORK_CONTENT);
        name = other != NULL && strcmp(other, content) == 0 ? name : NULL;
    }
    return content == NULL ? NULL : name;
}

static const char *workload_of(const fs_compare_run *run) {
    const char *set = fs_folder_setting(run->folder, "workload.kind");
    return run->plan->workload[0] != '\0' || set == NULL ? run->plan->workload : set;
}

fs_status fs_compare_bounds(fs_compare *c, fs_error *err) {
    for (size_t r = 0; r < c->count && c->work != NULL; r++) {
        fs_compare_run *run = &c->runs[r];
        fs_what_if best;
        run->bound = "-";
        if (fs_what_ifs(c->arena, run->folder, run->plan, &best, 1, err) > 0)
            run->bound = fs_arena_printf(c->arena, "%s %s", best.said, fs_what_if_saves(c->arena, &best));
    }
    return err->status;
}

/* ---- two runs ---- */

/* Whether both are runs of one workload. */
static bool of_a_kind(const fs_compare_run *a, const fs_compare_run *b) {
    return strcmp(workload_of(a), workload_of(b)) == 0;
}

bool fs_compare_foreign(const fs_compare *c, const fs_compare_setting *setting) {
    bool kinds = false, unknown = false;
    for (size_t r = 0; r < c->count; r++) {
        kinds |= !of_a_kind(&c->runs[r], &c->runs[c->base]);
        unknown |= setting->values[r] == NULL;
    }
    return kinds && unknown;
}

/* "another scene", "picture 320 x 240 against 640 x 480" */
static const char *difference(const fs_compare *c, const fs_compare_work *run, const fs_compare_work *base) {
    if (strlen(run->value) > LONGEST || strlen(base->value) > LONGEST || run->value[0] == '\0' ||
        base->value[0] == '\0')
        return fs_arena_printf(c->arena, "another %s", run->what);
    return fs_arena_printf(c->arena, "%s %s against %s", run->what, run->value, base->value);
}

/* How the run's work differs from the base's; "" where it is the same or not known. */
static const char *other_work(const fs_compare *c, const fs_compare_run *run, const fs_compare_run *base) {
    const char *text = "";
    if (run->work_count == 0 || base->work_count == 0)
        return text;
    if (!of_a_kind(run, base))
        text = fs_arena_printf(c->arena, "workload %s against %s", workload_of(run), workload_of(base));
    if (c->work != NULL)
        return text;
    const bool differs = text[0] != '\0';
    for (size_t i = 0; i < run->work_count; i++) {
        const fs_compare_work *mine = &run->work[i], *theirs = row_of(base, mine->what);
        if (theirs != NULL && mine->unit[0] == '\0' && strcmp(mine->value, theirs->value) != 0)
            text = fs_arena_append(c->arena, text, ", ", "%s", difference(c, mine, theirs));
    }
    for (size_t i = 0; i < run->work_count && (differs || text[0] != '\0'); i++) {
        const fs_compare_work *mine = &run->work[i], *theirs = row_of(base, mine->what);
        if (theirs != NULL && mine->unit[0] != '\0' && strcmp(mine->value, theirs->value) != 0)
            text = fs_arena_append(c->arena, text, ", ", "%s %s against %s", mine->value, mine->what,
                                   theirs->value);
    }
    return text;
}

/* ---- by one unit of work ---- */

static const fs_compare_work *counted(const fs_compare_run *run, const char *unit) {
    for (size_t i = 0; i < run->work_count; i++)
        if (strcmp(run->work[i].unit, unit) == 0 && run->work[i].count > 0)
            return &run->work[i];
    return NULL;
}

/* The first unit of the base that all runs count; NULL. */
static const char *common_unit(const fs_compare *c) {
    const fs_compare_run *base = &c->runs[c->base];
    for (size_t i = 0; i < base->work_count; i++) {
        bool all = base->work[i].unit[0] != '\0' && base->work[i].count > 0;
        for (size_t r = 0; r < c->count && all; r++)
            all = counted(&c->runs[r], base->work[i].unit) != NULL &&
                  fs_folder_number(c->runs[r].folder, "device.seconds") > 0;
        if (all)
            return base->work[i].unit;
    }
    return NULL;
}

/* Whether the main table of each run has a figure in that unit already, of whose name that is the
 * beginning. */
static bool tabled(const fs_compare *c, const char *unit, const char *name) {
    for (size_t r = 0; r < c->count; r++) {
        size_t n = 0, i = 0;
        const fs_figure *list = fs_folder_figures(c->runs[r].folder, &n);
        while (i < n && !(list[i].row != NULL && list[i].row->place > 0 && strcmp(list[i].unit, unit) == 0 &&
                          strncmp(list[i].name, name, strlen(name)) == 0))
            i++;
        if (i == n || !of_a_kind(&c->runs[r], &c->runs[c->base])) /* another's stands in another row */
            return false;
    }
    return true;
}

/* The energy or the area of a run: the machine's own first figure in that unit (stats.h: places 100 to 199
 * are the machine's). */
static double machines_own(const fs_folder *run, const char *unit) {
    size_t n = 0;
    const fs_figure *f = fs_folder_figures(run, &n);
    for (size_t i = 0; i < n; i++)
        if (f[i].row != NULL && f[i].row->place >= 100 && f[i].row->place < 200 &&
            strcmp(f[i].unit, unit) == 0)
            return f[i].value;
    return NAN;
}

static void add_rates(fs_compare *c) {
    enum { RATES = 3 };
    const char *unit = c->unit, *per_second = fs_arena_printf(c->arena, "%ss/s", unit);
    fs_stat *rows = FS_NEW(c->arena, fs_stat, RATES);
    rows[0] = (fs_stat){.name = "work.seconds",
                        .unit = "s",
                        .better = FS_BETTER_LESS,
                        .label = fs_arena_printf(c->arena, "time of a %s", unit),
                        .place = 1,
                        .doc = "time on the device, divided by the work"};
    rows[1] = (fs_stat){.name = "work.rate",
                        .unit = per_second,
                        .better = FS_BETTER_MORE,
                        .label = fs_arena_printf(c->arena, "%ss a second", unit),
                        .place = tabled(c, per_second, "") ? 0 : 1,
                        .doc = "work, divided by the time on the device"};
    rows[2] =
        (fs_stat){.name = "work.joules",
                  .unit = "J",
                  .better = FS_BETTER_LESS,
                  .label = fs_arena_printf(c->arena, "energy of a %s", unit),
                  .place = tabled(c, "J", fs_arena_printf(c->arena, "energy.joules_per_%s", unit)) ? 0 : 1,
                  .doc = "energy of the run, divided by the work"};
    for (size_t r = 0; r < c->count; r++) {
        fs_compare_run *run = &c->runs[r];
        const double work = counted(run, unit)->count,
                     seconds = fs_folder_number(run->folder, "device.seconds"),
                     joules = machines_own(run->folder, "J"),
                     value[RATES] = {seconds / work, work / seconds, joules / work};
        run->rates = FS_NEW(c->arena, fs_figure, RATES);
        for (size_t i = 0; i < RATES; i++)
            if (!isnan(value[i]))
                run->rates[run->rate_count++] = (fs_figure){.name = rows[i].name,
                                                            .unit = rows[i].unit,
                                                            .description = rows[i].doc,
                                                            .row = &rows[i],
                                                            .value = value[i],
                                                            .text = ""};
    }
}

bool fs_compare_works(fs_compare *c) {
    const fs_matrix *m = c->matrix;
    bool differs = false;
    c->work = named_work(c);
    for (size_t r = 0; r < c->count; r++)
        c->runs[r].other_work = other_work(c, &c->runs[r], &c->runs[c->base]);
    for (size_t r = 0; r < c->count && m == NULL; r++)
        differs |= c->runs[r].other_work[0] != '\0';
    for (size_t row = 0; m != NULL && row < m->rows; row++) /* rows are questions: each of its own work */
        for (size_t k = 0; k < m->columns; k++) {
            const size_t run = fs_compare_matrix_at(m, row, k)->run;
            differs |= run != SIZE_MAX && other_work(c, &c->runs[run], &c->runs[m->row[row].run])[0] != '\0';
        }
    c->works_differ = differs;
    c->unit = differs || c->work != NULL ? common_unit(c) : NULL;
    if (c->unit != NULL)
        add_rates(c);
    return differs || c->unit != NULL;
}

/* ---- in words ---- */

void fs_judge_work(fs_judge *j) {
    const fs_compare *c = j->c;
    const char *work = c->runs[j->run].other_work;
    if (c->work != NULL)
        fs_judge_say(j, "work", "They do the same work: %s%s%s.", c->work, work[0] == '\0' ? "" : ", ", work);
    if (work[0] == '\0')
        return;
    if (c->work == NULL)
        fs_judge_say(j, "work", "They do not do the same work: %s.", work);
    if (c->unit == NULL)
        fs_judge_say(j, "speed", "They count nothing alike: their times are not compared.");
}

static const char *rate(const fs_compare *c, double value) {
    return fs_arena_printf(c->arena, "%s%ss/s", fs_number_form(value, "si", ""), c->unit);
}

/* "19.2 % more than", "14 times as many as", "14 times fewer than" */
static const char *times(const fs_compare *c, double value, double base) {
    const bool more = value > base;
    const double factor = more ? value / base : base / value;
    if (factor < TIMES)
        return fs_arena_printf(c->arena, "%s %s than", fs_number_percent(fabs(value / base - 1)),
                               more ? "more" : "fewer");
    return fs_arena_printf(c->arena, "%s times %s", fs_text_count(c->arena, floor(factor + 0.5)),
                           more ? "as many as" : "fewer than");
}

void fs_judge_rate(fs_judge *j) {
    const fs_compare *c = j->c;
    const double a = fs_judge_base(j, "work.rate"), b = fs_judge_run(j, "work.rate"),
                 x = fs_judge_base(j, "work.joules"), y = fs_judge_run(j, "work.joules");
    if (c->unit == NULL)
        return;
    if (a == b)
        fs_judge_say(j, "speed", "A %s takes exactly as long in both: %s.", c->unit,
                     fs_text_seconds(c->arena, 1 / b));
    else
        fs_judge_say(j, "speed", "%s does %s, %s %s with %s: a %s takes %s instead of %s.", j->b, rate(c, b),
                     times(c, b, a), j->a, rate(c, a), c->unit, fs_text_seconds(c->arena, 1 / b),
                     fs_text_seconds(c->arena, 1 / a));
    if (x > 0 && y > 0)
        fs_judge_say(j, "joules", "A %s takes %s instead of %s, %s %s.", c->unit,
                     fs_arena_strdup(c->arena, fs_number_form(y, "", "J")),
                     fs_arena_strdup(c->arena, fs_number_form(x, "", "J")),
                     fs_number_percent(fabs(y / x - 1)), y < x ? "less" : "more");
}

/* ---- one table of a named work ---- */

static const char *in_short(const fs_compare *c, double value, const char *form, const char *unit) {
    return isnan(value) ? "-" : fs_arena_strdup(c->arena, fs_number_form(value, form, unit));
}

/* "gc200" of a text in quotes. */
static const char *machine_of(const fs_compare *c, const fs_compare_run *run) {
    const char *name = fs_folder_setting(run->folder, "machine.name");
    return name == NULL ? "-"
                        : fs_arena_printf(c->arena, "%.*s", (int)strcspn(name + (name[0] == '"'), "\""),
                                          name + (name[0] == '"'));
}

fs_rows *fs_compare_named_rows(const fs_compare *c, fs_sheet *sheet) {
    if (c->work == NULL || c->unit == NULL)
        return NULL;
    const fs_rows_column columns[] = {
        {.name = "run"},
        {.name = "workload"},
        {.name = "machine"},
        {.name = fs_arena_printf(c->arena, "%ss/s", c->unit), .number = true},
        {.name = fs_arena_printf(c->arena, "J/%s", c->unit), .number = true},
        {.name = "mm2", .number = true},
        {.name = fs_arena_printf(c->arena, "%ss/s/mm2", c->unit), .number = true},
        {.name = "what bounds it"}};
    const char *caption = fs_arena_printf(c->arena, "One work, %s, on each machine", c->work);
    fs_rows *to = fs_sheet_table_of(sheet, caption, columns, FS_COUNT(columns));
    for (size_t i = 0; i < c->count; i++) {
        const size_t run = fs_compare_place(c, i);
        const fs_compare_run *r = &c->runs[run];
        const double rate_of = fs_compare_number(c, run, "work.rate"),
                     joules = fs_compare_number(c, run, "work.joules"), area = machines_own(r->folder, "mm2");
        fs_rows_add(to);
        fs_cell_head(to, "%s", r->label);
        fs_cell(to, workload_of(r));
        fs_cell(to, machine_of(c, r));
        fs_cell_number(to, in_short(c, rate_of, "si", ""), rate_of);
        fs_cell_number(to, in_short(c, joules, "", "J"), joules);
        fs_cell_number(to, in_short(c, area, "", ""), area);
        fs_cell_number(to, in_short(c, rate_of / area, "si", ""), rate_of / area);
        fs_cell(to, r->bound);
    }
    return to;
}
