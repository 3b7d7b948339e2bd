/* The verdict: sentences computed from the figures of two runs, of views, and of a matrix. A sentence is
 * printed only when the two runs differ in what it tells. */
#include "reports/compare/compare_page.h"
#include "sim/base/detmath.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

enum { MOST_SENTENCES = 64 };

/* How people speak of the figure that decides: of a time, and of anything else. */
typedef struct manner {
    const char *good, *better, *worse, *best, *what;
} manner;

/* A time of which less is better; any other figure is better or worse. */
static bool is_time(const fs_compare *c, const fs_compare_figure *f) {
    return strcmp(f->unit, "s") == 0 && fs_compare_beats(c, 0, 1);
}

static manner manner_of(const fs_compare *c) {
    const fs_compare_figure *f = fs_compare_decides(c);
    if (f == NULL || is_time(c, f))
        return (manner){"fast", "faster", "slower", "fastest", "time"};
    return (manner){"good", "better", "worse", "best", f->label};
}

void fs_judge_say(fs_judge *j, const char *key, const char *format, ...) {
    char text[2048];
    FS_VARIADIC(list, format, vsnprintf(text, sizeof text, format, list));
    if (j->to->sentences == NULL)
        j->to->sentences = FS_NEW(j->c->arena, fs_sentence, MOST_SENTENCES);
    if (j->to->count < MOST_SENTENCES)
        j->to->sentences[j->to->count++] = (fs_sentence){key, fs_arena_strdup(j->c->arena, text)};
}

double fs_judge_base(const fs_judge *j, const char *name) {
    return fs_compare_number(j->c, j->c->base, name);
}

double fs_judge_run(const fs_judge *j, const char *name) {
    return fs_compare_number(j->c, j->run, name);
}

static const char *percent(double value) {
    return fs_number_percent(fabs(value / 100));
}

static const char *change(double value) {
    return value == 0 ? "unchanged" : fs_number_change(value / 100);
}

/* ---- two runs ---- */

static void judge_completeness(fs_judge *j) {
    const fs_compare_figure *complete = fs_compare_find(j->c, FS_STAT_COMPLETE);
    for (int side = 0; complete != NULL && side < 2; side++) {
        const fs_figure *f = complete->values[side == 0 ? j->c->base : j->run];
        const bool finished = f == NULL || f->value != 0;
        j->incomplete |= !finished;
        if (!finished)
            fs_judge_say(j, "complete",
                         "%s did not come to its end: its figures are not those of a whole run.",
                         side == 0 ? j->a : j->b);
    }
}

/* " (3.7 times as fast)", of a gain that is no trifle: per cent of time saved are no per cent of speed. */
static const char *as_fast(const fs_judge *j, double ratio) {
    return ratio < 1.1 ? ""
                       : fs_arena_printf(j->c->arena, " (%s times as fast)",
                                         fs_number_short(ratio, ratio < 2 ? 3 : 2));
}

static void judge_speed(fs_judge *j) {
    const fs_compare_figure *f = fs_compare_decides(j->c);
    if (f == NULL)
        return;
    const manner m = manner_of(j->c);
    const double a = fs_judge_base(j, f->name), b = fs_judge_run(j, f->name);
    if (isnan(a) || isnan(b)) {
        fs_judge_say(j, "speed", "%s has no %s: the two cannot be compared by it.", isnan(a) ? j->a : j->b,
                     f->name);
        return;
    }
    const char *as = fs_compare_decided(j->c, a), *bs = fs_compare_decided(j->c, b);
    const char *gap = percent(100 * (b - a) / a);
    const char *what =
        strcmp(f->name, "device.seconds") == 0 ? "" : fs_arena_printf(j->c->arena, "the %s is ", f->label);
    if (a == b)
        fs_judge_say(j, "speed", "%s is exactly as %s as %s: %s.", j->b, m.good, j->a, bs);
    else if (!is_time(j->c, f))
        fs_judge_say(j, "speed", "%s is %s than %s: its %s is %s %s, %s against %s.", j->b,
                     fs_compare_beats(j->c, b, a) ? m.better : m.worse, j->a, f->label, gap,
                     b < a ? "less" : "more", bs, as);
    else if (j->incomplete)
        fs_judge_say(j, "speed", "%s ends %s %s than %s: %s%s against %s.", j->b, gap,
                     b < a ? "earlier" : "later", j->a, what, bs, as);
    else
        fs_judge_say(j, "speed", "%s takes %s %s time than %s%s: %s%s against %s.", j->b, gap,
                     b < a ? "less" : "more", j->a, as_fast(j, a / b), what, bs, as);
}

/* ---- views ---- */

static void judge_views(fs_judge *j, fs_error *err) {
    const fs_compare_figure *decides = fs_compare_decides(j->c);
    const manner m = manner_of(j->c);
    fs_folder *a = j->c->runs[j->c->base].folder, *b = j->c->runs[j->run].folder;
    size_t n = decides == NULL ? 0 : fs_folder_views(a), faster = 0, best = 0, worst = 0;
    if (n == 0 || n != fs_folder_views(b)) {
        if (decides != NULL && n != fs_folder_views(b))
            fs_judge_say(j, "views", "%s has %zu views, %s %zu: only their means are compared.", j->b,
                         fs_folder_views(b), j->a, n);
        return;
    }
    double sum = 0, best_ratio = NAN, worst_ratio = NAN;
    for (size_t v = 0; v < n; v++) {
        fs_folder *av = fs_folder_view(a, v, err), *bv = fs_folder_view(b, v, err);
        double x = av == NULL ? NAN : fs_folder_number(av, decides->name);
        double ratio = bv == NULL ? NAN : fs_folder_number(bv, decides->name) / x;
        if (!(ratio > 0))
            return;
        sum += fs_log(ratio);
        faster += fs_compare_beats(j->c, ratio, 1);
        if (v == 0 || fs_compare_beats(j->c, ratio, best_ratio)) {
            best_ratio = ratio;
            best = v;
        }
        if (v == 0 || fs_compare_beats(j->c, worst_ratio, ratio)) {
            worst_ratio = ratio;
            worst = v;
        }
    }
    double mean = 100 * (fs_exp(sum / (double)n) - 1);
    fs_judge_say(
        j, "views",
        "Over %zu views it is %s in %zu; on average (geometric) it takes %s %s %s, %s in the best view (%zu) "
        "and %s in the worst (%zu).",
        n, m.better, faster, percent(mean), mean <= 0 ? "less" : "more", m.what,
        change(100 * (best_ratio - 1)), best, change(100 * (worst_ratio - 1)), worst);
}

static void judge_pair(fs_compare *c, size_t run, fs_error *err) {
    fs_judge j = {
        .c = c, .to = &c->verdicts[run], .run = run, .a = c->runs[c->base].label, .b = c->runs[run].label};
    fs_judge_work(&j);
    judge_completeness(&j);
    if (c->works_differ)
        fs_judge_rate(&j);
    else {
        judge_speed(&j);
        judge_views(&j, err);
    }
    fs_judge_reasons(&j, err);
    bool equal = true;
    for (size_t i = 0; i < c->figure_count; i++)
        equal &= fs_compare_worse(c, &c->figures[i], run) == 0 &&
                 strcmp(fs_compare_difference(c, &c->figures[i], run), "=") == 0;
    if (equal)
        fs_judge_say(&j, "equal", "The two are equal in every figure.");
}

/* ---- all runs ---- */

/* Of many runs, before anything else: what is compared where their work differs. */
static void judge_works(fs_judge *j) {
    const fs_compare *c = j->c;
    if (c->work != NULL && c->unit != NULL)
        fs_judge_say(j, "work", "They do the same work: %s; compared is the time of a %s.", c->work, c->unit);
    else if (c->works_differ && c->unit != NULL)
        fs_judge_say(j, "work", "They do not do the same work: compared is the time of a %s.", c->unit);
    else if (c->works_differ)
        fs_judge_say(j, "work",
                     "They do not do the same work and count nothing alike: their times are not compared.");
}

/* Places of the runs by the figure that decides, stable; those without it last. */
static size_t *ranked(const fs_compare *c, const char *name) {
    size_t *order = FS_NEW(c->arena, size_t, c->count);
    for (size_t i = 0; i < c->count; i++) {
        const double value = fs_compare_number(c, i, name);
        size_t at = i;
        for (; at > 0; at--) {
            double before = fs_compare_number(c, order[at - 1], name);
            if (isnan(value) || !(isnan(before) || fs_compare_beats(c, value, before)))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return order;
}

static void judge_ranking(fs_compare *c) {
    fs_judge j = {.c = c, .to = &c->verdicts[c->base], .run = c->base};
    enum { NAMED = 8 };
    const fs_compare_figure *figure = fs_compare_decides(c);
    judge_works(&j);
    if (figure == NULL)
        return;
    const manner m = manner_of(c);
    const size_t *order = ranked(c, figure->name);
    const char *text = "";
    for (size_t i = 0; i < c->count; i++) {
        if (i >= NAMED && i + 1 < c->count) /* of many runs the fastest, and the slowest */
            continue;
        const double value = fs_compare_number(c, order[i], figure->name);
        const char *against = order[i] == c->base ? "the base" : fs_compare_difference(c, figure, order[i]);
        text =
            fs_arena_printf(c->arena, "%s%s%s %s (%s)", text,
                            i == 0      ? ""
                            : i > NAMED ? ", ..., "
                                        : ", ",
                            c->runs[order[i]].label, fs_compare_decided(c, value),
                            strcmp(against, "=") == 0 ? fs_arena_printf(c->arena, "as %s", m.good) : against);
    }
    fs_judge_say(&j, "ranking", "From the %s: %s.", m.best, text);
}

/* "; it takes 35 more router tiles" */
static const char *tiles_of_column(const fs_judge *j, size_t k) {
    const fs_matrix *m = j->c->matrix;
    const size_t a = m->column[m->base].run, b = m->column[k].run;
    const char *text = "";
    for (size_t role = 0; role < j->c->runs[a].roles.count; role++) {
        const char *more = fs_judge_tiles(j->c, a, b, role);
        if (more != NULL)
            text = fs_arena_printf(j->c->arena, "%s%s%s", text, text[0] == '\0' ? "; it takes " : ", ", more);
    }
    return text;
}

/* " (iterations +3.1 %, cycles an iteration -7.4 %)", of workloads that count both. */
static const char *why_of_column(const fs_judge *j, const fs_matrix_column *column) {
    if (isnan(column->iterations) || isnan(column->cycles))
        return "";
    return fs_arena_printf(j->c->arena, " (iterations %s, cycles an iteration %s)",
                           change(100 * (column->iterations - 1)), change(100 * (column->cycles - 1)));
}

static void judge_matrix(fs_compare *c) {
    const fs_matrix *m = c->matrix;
    const manner w = manner_of(c);
    fs_judge j = {.c = c, .to = &c->verdicts[c->base], .run = c->base};
    size_t best = m->base;
    judge_works(&j);
    for (size_t k = 0; k < m->columns; k++)
        if (m->column[k].compared > 0 &&
            fs_compare_beats(c, m->column[k].ratio, best == m->base ? 1 : m->column[best].ratio))
            best = k;
    if (best == m->base)
        fs_judge_say(&j, "best", "Nothing beats %s on average over the %zu rows.", m->column[best].label,
                     m->rows);
    else
        fs_judge_say(&j, "best", "%s is the %s on average: %s %s %s than %s (geometric mean over %zu row%s).",
                     m->column[best].label, w.best, percent(100 * (1 - m->column[best].ratio)),
                     m->column[best].ratio < 1 ? "less" : "more", w.what, m->column[m->base].label,
                     m->column[best].compared, m->column[best].compared == 1 ? "" : "s");
    for (size_t k = 0; k < m->columns; k++) {
        const fs_matrix_column *column = &m->column[k];
        if (k == m->base || column->compared == 0)
            continue;
        const char *base = m->column[m->base].label;
        if (column->ties == column->compared) {
            fs_judge_say(&j, "column", "%s is exactly as %s as %s in all %zu rows.", column->label, w.good,
                         base, column->compared);
            continue;
        }
        double mean = 100 * (column->ratio - 1);
        const char *range = ""; /* of more rows than one */
        if (column->compared > 1)
            range = fs_arena_printf(c->arena, ", at best %s (%s), at worst %s (%s)",
                                    change(fs_compare_matrix_at(m, column->best_row, k)->percent),
                                    m->row[column->best_row].label,
                                    change(fs_compare_matrix_at(m, column->worst_row, k)->percent),
                                    m->row[column->worst_row].label);
        fs_judge_say(
            &j, "column", "%s is %s than %s in %zu of %zu row%s%s; on average it takes %s %s %s%s%s%s.",
            column->label, w.better, base, column->wins, column->compared, column->compared == 1 ? "" : "s",
            column->ties == 0 ? "" : fs_arena_printf(c->arena, " and equal in %zu", column->ties),
            percent(mean), mean <= 0 ? "less" : "more", w.what, why_of_column(&j, column), range,
            tiles_of_column(&j, k));
    }
    if (m->unfinished > 0)
        fs_judge_say(&j, "unfinished", "%zu run%s did not come to %s end (marked *) and %s not compared.",
                     m->unfinished, m->unfinished == 1 ? "" : "s", m->unfinished == 1 ? "its" : "their",
                     m->unfinished == 1 ? "is" : "are");
    if (m->doubled > 0)
        fs_judge_say(&j, "doubled", "%zu run%s the settings of another one and %s left out%s.", m->doubled,
                     m->doubled == 1 ? " has" : "s have", m->doubled == 1 ? "is" : "are",
                     m->differing == 0 ? "" : ", though the figures are not the same");
}

fs_status fs_compare_judge(fs_compare *c, fs_error *err) {
    c->verdicts = FS_NEW(c->arena, fs_verdict, c->count);
    if (fs_compare_bounds(c, err))
        return err->status;
    for (size_t run = 0; run < c->count && c->matrix == NULL; run++)
        if (run != c->base)
            judge_pair(c, run, err);
    if (c->matrix != NULL)
        judge_matrix(c);
    else if (c->count > 2)
        judge_ranking(c);
    return err->status;
}
