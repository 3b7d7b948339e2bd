/* The verdict's reasons: where the time that two runs differ by comes from. What a workload has to say stands
 * in its figures' rows, in its page plan and in its tables; the words of this file are those of any. */
#include "reports/compare/compare_page.h"
#include "sim/base/numbers.h"
#include "sim/config/config.h"
#include "sim/workload/workload.h"

#include <math.h>
#include <string.h>

static const char *count(const fs_judge *j, double value) {
    return fs_text_count(j->c->arena, value);
}

/* Cycles in words: "12.3 million", "71,210". Two values that are to be told apart get as many digits as that
 * takes. */
static const char *millions(const fs_judge *j, double value, int digits) {
    return fs_arena_printf(j->c->arena, "%.*f million", digits, fabs(value) / 1e6);
}

static const char *cycles(const fs_judge *j, double value) {
    value = fabs(value);
    if (value < 1e6)
        return count(j, floor(value + 0.5));
    return millions(j, value, value >= 1e8 ? 0 : value >= 1e7 ? 1 : 2);
}

/* "1.22 instead of 1.21 million cycles" */
static const char *cycles_instead(const fs_judge *j, double b, double a) {
    if (a < 1e6 || b < 1e6)
        return fs_arena_printf(j->c->arena, "%s instead of %s", cycles(j, b), cycles(j, a));
    int digits = 2;
    while (digits < 6 && strcmp(millions(j, a, digits), millions(j, b, digits)) == 0)
        digits++;
    return fs_arena_printf(j->c->arena, "%.*f instead of %s", digits, b / 1e6, millions(j, a, digits));
}

/* What a figure says of a change, where that is no trifle: half a per cent, a point, a twentieth of a
 * decibel. */
static bool worth_saying(const fs_compare_figure *f, double a, double b) {
    if (isnan(a) || isnan(b)) /* null on one side, where it stands for something */
        return isnan(a) != isnan(b) && f->row->null_is != NULL;
    const double gap = fabs(b - a);
    return f->row->says == FS_SAYS_SHARE     ? gap >= 0.01
           : f->row->says == FS_SAYS_DECIBEL ? gap >= 0.05
                                             : gap > 0 && gap >= 0.005 * fmax(fabs(a), fabs(b));
}

/* The sentence with its values in place: `name` and `value` by pairs, to a NULL. */
static const char *filled(const fs_judge *j, const char *sentence, const char *const (*values)[2]) {
    const char *text = "";
    for (const char *at = sentence;;) {
        const char *brace = strchr(at, '{');
        if (brace == NULL)
            return fs_arena_printf(j->c->arena, "%s%s", text, at);
        const char *const *known = NULL;
        for (size_t i = 0; values[i][0] != NULL && known == NULL; i++)
            if (strncmp(brace, values[i][0], strlen(values[i][0])) == 0)
                known = values[i];
        text = fs_arena_printf(j->c->arena, "%s%.*s%s", text, (int)(brace - at), at,
                               known == NULL ? "{" : known[1]);
        at = brace + (known == NULL ? 1 : strlen(known[0]));
    }
}

/* Estimates whose difference may be one of their samples. */
static void judge_estimates(fs_judge *j) {
    const fs_compare *c = j->c;
    for (size_t i = 0; i < c->main_count; i++) {
        const fs_compare_figure *f = c->main[i];
        if (f->values[j->run] == NULL || f->equal || !fs_compare_within(c, f, j->run))
            continue;
        fs_judge_say(j, "interval",
                     "Samples cannot tell the two apart by %s: it is %s instead of %s, a difference within "
                     "the intervals.",
                     f->name, fs_compare_cell(c, f, j->run), fs_compare_cell(c, f, c->base));
    }
}

/* Figures with a sentence of their own: those of the main table by their places, then the others. */
static void judge_figures(fs_judge *j, bool fabric) {
    const fs_compare *c = j->c;
    for (size_t i = 0; i < c->main_count + c->figure_count; i++) {
        const fs_compare_figure *f = i < c->main_count ? c->main[i] : &c->figures[i - c->main_count];
        if (f->row == NULL || f->row->changed == NULL || strcmp(f->name, f->row->name) != 0 ||
            (i >= c->main_count && f->row->place != 0) || f->values[c->base] == NULL ||
            f->values[j->run] == NULL)
            continue;
        const bool total = strcmp(f->unit, "s") == 0 || strcmp(f->unit, "J") == 0;
        if (fabric && fs_judge_of_fabric(f->name)) /* said already */
            continue;
        if (total && c->works_differ) /* of other work: neither more nor less than the other's */
            continue;
        const char *const values[][2] = {{"{new}", fs_compare_value(c, f, j->run)},
                                         {"{old}", fs_compare_value(c, f, c->base)},
                                         {NULL, NULL}};
        if (worth_saying(f, f->values[c->base]->value, f->values[j->run]->value))
            fs_judge_say(j, f->name, "%s", filled(j, f->row->changed, values));
    }
}

/* ---- where the cycles come from ---- */

static const char *hertz(const fs_judge *j, double value) {
    return value >= 1e9 ? fs_arena_printf(j->c->arena, "%s GHz", fs_number_short(value / 1e9, 4))
                        : fs_arena_printf(j->c->arena, "%s MHz", fs_number_short(value / 1e6, 4));
}

/* A phase, a part, a step: by how many cycles the run takes more; of different clocks by how many seconds. */
typedef struct term {
    const char *words;
    double gap;
} term;

/* Hertz of a run; NAN. */
static double clock_of(const fs_judge *j, size_t run) {
    return fs_compare_number(j->c, run, "device.cycles") / fs_compare_number(j->c, run, "device.seconds");
}

static bool clocks_differ(const fs_judge *j) {
    const double a = clock_of(j, j->c->base), b = clock_of(j, j->run);
    return fabs(b / a - 1) > 1e-6;
}

static void judge_clock(fs_judge *j) {
    const double a = clock_of(j, j->c->base), b = clock_of(j, j->run),
                 more = fs_judge_run(j, "device.cycles") / fs_judge_base(j, "device.cycles");
    if (!clocks_differ(j))
        return;
    fs_judge_say(j, "clock", "Its clock is %s %s: %s instead of %s; it takes %s.",
                 fs_number_percent(fabs(b / a - 1)), b > a ? "faster" : "slower", hertz(j, b), hertz(j, a),
                 more == 1 ? "as many cycles"
                           : fs_arena_printf(j->c->arena, "%s %s cycles", fs_number_percent(fabs(more - 1)),
                                             more > 1 ? "more" : "fewer"));
}

/* How many chips, where the two have not as many. */
static void judge_chips(fs_judge *j) {
    static const char key[] = "machine.chips";
    const char *a = fs_folder_setting(j->c->runs[j->c->base].folder, key),
               *b = fs_folder_setting(j->c->runs[j->run].folder, key);
    if (a != NULL && b != NULL && strcmp(a, b) != 0)
        fs_judge_say(j, "chips", "It has %s chip%s instead of %s.", b, strcmp(b, "1") == 0 ? "" : "s", a);
}

/* Each term that holds a tenth of the change or more. */
static void judge_terms(fs_judge *j, const char *key, const char *head, const term *terms, size_t n) {
    const bool timed = clocks_differ(j);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs(terms[i].gap);
    const char *text = "";
    size_t said = 0;
    for (size_t i = 0; i < n; i++) {
        const double gap = terms[i].gap;
        if ((!timed && fabs(gap) < 0.5) || !(fabs(gap) >= 0.1 * sum) || gap == 0)
            continue;
        const char *much = timed ? fs_text_seconds(j->c->arena, fabs(gap)) : cycles(j, gap),
                   *how = said > 0 ? much
                                   : fs_arena_printf(j->c->arena, "%s %s%s", fs_time_takes(terms[i].words),
                                                     much, timed ? "" : " cycles");
        text = fs_arena_append(j->c->arena, text, ", ", "%s %s %s", terms[i].words, how,
                               gap < 0 ? "less" : "more");
        said++;
    }
    if (said > 0)
        fs_judge_say(j, key, "%s%s.", head, text);
}

static double gap_of(const fs_judge *j, const char *name) {
    const double a = fs_judge_base(j, name), b = fs_judge_run(j, name);
    const bool timed = clocks_differ(j);
    return isnan(a) || isnan(b) ? 0 : timed ? b / clock_of(j, j->run) - a / clock_of(j, j->c->base) : b - a;
}

/* Of an iteration: "1.22 instead of 1.21 million cycles", of different clocks "80.1 µs instead of 84.3
 * µs". */
static const char *iteration_instead(const fs_judge *j, double b, double a) {
    if (!clocks_differ(j))
        return fs_arena_printf(j->c->arena, "%s cycles", cycles_instead(j, b, a));
    return fs_arena_printf(j->c->arena, "%s instead of %s",
                           fs_text_seconds(j->c->arena, b / clock_of(j, j->run)),
                           fs_text_seconds(j->c->arena, a / clock_of(j, j->c->base)));
}

/* What cycles of terms are divided by: by nothing, or by the clocks where they differ; over the whole run;
 * or, where one of another length was asked for and its time does not decide, an iteration. */
typedef struct span {
    double base, run;
    const char *of; /* "Of its " */
} span;

static span span_of(const fs_judge *j) {
    const fs_compare_figure *decides = fs_compare_decides(j->c);
    const double a = fs_judge_base(j, "device.iterations"), b = fs_judge_run(j, "device.iterations");
    const bool timed = clocks_differ(j);
    const double x = timed ? clock_of(j, j->c->base) : 1, y = timed ? clock_of(j, j->run) : 1;
    if (a > 0 && b > 0 && a != b && decides != NULL && strcmp(decides->name, "device.seconds") != 0)
        return (span){a * x, b * y, "Of an iteration's "};
    return (span){x, y, "Of its "};
}

static void judge_iterations(fs_judge *j) {
    double an = fs_judge_base(j, "device.iterations"), bn = fs_judge_run(j, "device.iterations");
    double ac = fs_judge_base(j, "device.cycles_per_iteration"),
           bc = fs_judge_run(j, "device.cycles_per_iteration");
    const bool means = !isnan(ac) && !isnan(bc);
    if (isnan(an) || isnan(bn) || (an == bn && (!means || ac == bc)))
        return;
    if (!means)
        fs_judge_say(j, "iterations", "It runs %s instead of %s iterations.", count(j, bn), count(j, an));
    else if (an == bn)
        fs_judge_say(j, "iterations", "Both need %s iterations; one takes %s on average.", count(j, bn),
                     iteration_instead(j, bc, ac));
    else
        fs_judge_say(j, "iterations", "It needs %s instead of %s iterations, each of %s on average.",
                     count(j, bn), count(j, an), iteration_instead(j, bc, ac));
}

static void judge_phases(fs_judge *j, span over) {
    term terms[FS_TIME_PHASES];
    for (size_t i = 0; i < FS_TIME_PHASES; i++) {
        const double a = fs_judge_base(j, fs_time_phases[i].figure),
                     b = fs_judge_run(j, fs_time_phases[i].figure);
        terms[i] = (term){fs_time_phases[i].words, isnan(a) || isnan(b) ? 0 : b / over.run - a / over.base};
    }
    judge_terms(j, "phases", fs_arena_printf(j->c->arena, "%sphases, ", over.of), terms, FS_TIME_PHASES);
}

/* The parts that the plan names, where it says which figure has their cycles. */
static void judge_parts(fs_judge *j) {
    const fs_page_plan *plan = j->c->plan;
    term *terms = FS_NEW(j->c->arena, term, plan->part_count);
    for (size_t i = 0; i < plan->part_count; i++) {
        const fs_plan_part *p = &plan->parts[i];
        terms[i] = (term){p->said == NULL ? p->label : p->said, p->cycles == NULL ? 0 : gap_of(j, p->cycles)};
    }
    judge_terms(j, "parts", "Of its parts, ", terms, plan->part_count);
}

/* The plan's column of that form, in its unit; NULL: none. */
static const char *column_of(const fs_plan_panel *panel, const char *form, const char *unit) {
    for (size_t i = 0; i < panel->column_count; i++) {
        const fs_plan_column *k = &panel->columns[i];
        if (strcmp(k->form, form) == 0 && (unit == NULL || strcmp(k->unit, unit) == 0))
            return k->column;
    }
    return NULL;
}

/* A table whose rows have names and cycles, such as the steps of a program: both runs have the same rows. */
static void judge_rows(fs_judge *j, const fs_plan_section *s, span over, fs_error *err) {
    fs_folder *a = j->c->runs[j->c->base].folder, *b = j->c->runs[j->run].folder;
    const char *name = column_of(&s->panels[0], "text", NULL),
               *taken = column_of(&s->panels[0], "bar", "cycles");
    if (name == NULL || taken == NULL || !fs_folder_has(a, s->file) || !fs_folder_has(b, s->file))
        return;
    const fs_csv *at = fs_folder_table(a, s->file, err);
    const fs_csv *bt = at == NULL ? NULL : fs_folder_table(b, s->file, err);
    const char *const *an = bt == NULL ? NULL : fs_csv_words(at, name, err);
    const char *const *bn = an == NULL ? NULL : fs_csv_words(bt, name, err);
    const double *ac = bn == NULL ? NULL : fs_csv_reals(at, taken, err);
    const double *bc = ac == NULL ? NULL : fs_csv_reals(bt, taken, err);
    const size_t rows = bc == NULL ? 0 : fs_csv_rows(at);
    if (rows < 2 || rows != fs_csv_rows(bt))
        return;
    term *terms = FS_NEW(j->c->arena, term, rows);
    for (size_t i = 0; i < rows; i++) {
        if (strcmp(an[i], bn[i]) != 0)
            return;
        terms[i] =
            (term){fs_arena_printf(j->c->arena, "\"%s\"", an[i]), bc[i] / over.run - ac[i] / over.base};
    }
    judge_terms(j, s->id, fs_arena_printf(j->c->arena, "%s%s, ", over.of, s->id), terms, rows);
}

static void judge_tables(fs_judge *j, span over, fs_error *err) {
    for (size_t i = 0; i < j->c->plan->section_count && err->status == FS_OK; i++) {
        const fs_plan_section *s = j->c->plan->sections[i];
        if (strcmp(s->kind, "table") == 0 && s->file != NULL && s->panel_count > 0)
            judge_rows(j, s, over, err);
    }
}

/* ---- reasons of the plan ---- */

/* Where most of what a reason counts happens, and how much there is in all. */
typedef struct count_of {
    bool known; /* the run has the table */
    double all;
    const char *where; /* "routers of level 2 in two (81 % of them)"; NULL: there is none */
} count_of;

static const char *place_of(fs_compare_run *run, const char *role, int64_t level, int64_t tiles) {
    const char *label = run->roles.label[fs_roles_at(&run->roles, role)];
    if (fs_roles_levelled(&run->roles, role))
        return fs_arena_printf(run->roles.arena, "%s of level %lld", label, (long long)level);
    return tiles == 1 ? fs_arena_printf(run->roles.arena, "the %s", role) : label;
}

static count_of count_reason(fs_judge *j, const fs_plan_reason *reason, size_t at, fs_error *err) {
    fs_compare_run *run = &j->c->runs[at];
    const fs_csv *t =
        fs_folder_has(run->folder, reason->file) ? fs_folder_table(run->folder, reason->file, err) : NULL;
    const char *const *part = t == NULL ? NULL : fs_csv_words(t, "part", err);
    const char *const *role = part == NULL ? NULL : fs_csv_words(t, "role", err);
    const int64_t *level = role == NULL ? NULL : fs_csv_ints(t, "level", err);
    const int64_t *tiles = level == NULL ? NULL : fs_csv_ints(t, "tiles", err);
    const int64_t *n = tiles == NULL ? NULL : fs_csv_ints(t, reason->column, err);
    count_of found = {.known = n != NULL};
    size_t most = SIZE_MAX;
    for (size_t i = 0; n != NULL && i < fs_csv_rows(t); i++) {
        if (strcmp(part[i], "all") != 0 || n[i] <= 0)
            continue;
        found.all += (double)n[i];
        if (most == SIZE_MAX || n[i] > n[most])
            most = i;
    }
    if (most != SIZE_MAX)
        found.where = fs_arena_printf(j->c->arena, "%s in %s (%.0f %% of them)",
                                      place_of(run, role[most], level[most], tiles[most]), run->label,
                                      100 * (double)n[most] / found.all);
    return found;
}

static bool section_differs(const fs_compare *c, const char *section) {
    return section != NULL && FS_HAS(c->settings, c->setting_count, section, section);
}

/* What is counted differs much and the time does not, as something else bounds it. */
static void judge_bound(fs_judge *j, const fs_plan_reason *reason, double base, double run) {
    const fs_compare_figure *f = reason->figure == NULL ? NULL : fs_compare_find(j->c, reason->figure);
    const double as = fs_judge_base(j, "device.seconds"), bs = fs_judge_run(j, "device.seconds");
    if (reason->bound == NULL || f == NULL || !(fabs(bs - as) <= 0.01 * as) ||
        !(fabs(run - base) > 0.2 * fmax(base, run)) || !(fs_judge_base(j, f->name) > 0.5) ||
        !(fs_judge_run(j, f->name) > 0.5))
        return;
    const char *const values[][2] = {{"{More}", run < base ? "Fewer" : "More"},
                                     {"{new}", fs_compare_value(j->c, f, j->run)},
                                     {"{old}", fs_compare_value(j->c, f, j->c->base)},
                                     {NULL, NULL}};
    fs_judge_say(j, "bound", "%s", filled(j, reason->bound, values));
}

static void judge_reason(fs_judge *j, const fs_plan_reason *reason, fs_error *err) {
    const count_of a = count_reason(j, reason, j->c->base, err), b = count_reason(j, reason, j->run, err);
    if (!a.known || !b.known)
        return;
    const char *const where = a.where == NULL || b.where == NULL
                                  ? (b.where == NULL ? a.where : b.where)
                                  : fs_arena_printf(j->c->arena, "%s, and %s", b.where, a.where);
    const char *const values[][2] = {{"{where}", where}, {NULL, NULL}};
    if (where != NULL && reason->most != NULL)
        fs_judge_say(j, "where", "%s", filled(j, reason->most, values));
    if (where == NULL && reason->none != NULL && section_differs(j->c, reason->when))
        fs_judge_say(j, "calm", "%s", reason->none);
    judge_bound(j, reason, a.all, b.all);
}

/* ---- tiles, ladders ---- */

const char *fs_judge_tiles(const fs_compare *c, size_t a, size_t b, size_t role) {
    const fs_roles *roles = &c->runs[a].roles;
    const char *name = fs_arena_printf(c->arena, "tiles.%s", roles->label[role]);
    const double x = fs_compare_number(c, a, name), y = fs_compare_number(c, b, name), gap = fabs(y - x);
    if (isnan(x) || isnan(y) || x == y)
        return NULL;
    return fs_arena_printf(c->arena, "%.0f %s %s tile%s", gap, y > x ? "more" : "fewer", roles->name[role],
                           gap == 1 ? "" : "s");
}

static void judge_tiles(fs_judge *j) {
    const fs_roles *roles = &j->c->runs[j->c->base].roles;
    for (size_t i = 0; i < roles->count; i++) {
        const char *more = fs_judge_tiles(j->c, j->c->base, j->run, i),
                   *name = fs_arena_printf(j->c->arena, "tiles.%s", roles->label[i]);
        if (more != NULL)
            fs_judge_say(j, "tiles", "It takes %s: %.0f instead of %.0f.", more, fs_judge_run(j, name),
                         fs_judge_base(j, name));
    }
}

/* The largest gain of a run's ladder: what would help most. */
static const char *best_rung(fs_judge *j, size_t run, fs_error *err) {
    const fs_compare_run *r = &j->c->runs[run];
    fs_what_if best;
    if (fs_what_ifs(j->c->arena, r->folder, r->plan, &best, 1, err) == 0)
        return NULL;
    return fs_arena_printf(j->c->arena, "%s (%s)", best.said, fs_number_percent(fabs(best.gain)));
}

static void judge_ladder(fs_judge *j, fs_error *err) {
    const char *a = best_rung(j, j->c->base, err), *b = best_rung(j, j->run, err);
    if (a != NULL && b != NULL)
        fs_judge_say(j, "ladder", "What would gain most: %s for %s, %s for %s.", b, j->b, a, j->a);
}

/* ---- settings that cannot count ---- */

static const char *setting_of(void *folder, const char *name) {
    return strchr(name, '.') == NULL ? NULL : fs_folder_setting(folder, name);
}

/* Of settings that differ, those that something else decides in both runs. */
static void judge_fixed(fs_judge *j) {
    const fs_registry *known = j->c->registry;
    for (size_t i = 0; known != NULL && i < j->c->setting_count; i++) {
        const fs_compare_setting *s = &j->c->settings[i];
        const char *name = fs_arena_printf(j->c->arena, "%s.%s", s->section, s->key), *words = NULL;
        const size_t side[2] = {j->c->base, j->run};
        const bool idle = fs_judge_run(j, "device.cycles") == fs_judge_base(j, "device.cycles");
        if (s->values[side[0]] == NULL || s->values[side[1]] == NULL ||
            strcmp(s->values[side[0]], s->values[side[1]]) == 0)
            continue;
        for (size_t k = 0; k < 2; k++) {
            const fs_param_values values = {.of = setting_of, .self = j->c->runs[side[k]].folder};
            words = k == 1 && words == NULL ? NULL
                                            : fs_param_fixed(known->sections, known->section_count, name,
                                                             &values, idle, j->c->arena);
        }
        if (words != NULL)
            fs_judge_say(j, "fixed", "%s changes no time: %s.", name, words);
    }
}

void fs_judge_reasons(fs_judge *j, fs_error *err) {
    const fs_page_plan *plan = j->c->plan;
    const span over = span_of(j);
    const fs_compare_run *a = &j->c->runs[j->c->base], *b = &j->c->runs[j->run];
    const bool same = b->other_work[0] == '\0', alike = strcmp(a->plan->workload, b->plan->workload) == 0;
    if (same) { /* what takes more or less of the time, of one work */
        judge_chips(j);
        judge_clock(j);
        judge_fixed(j);
        judge_iterations(j);
        judge_phases(j, over);
        judge_tables(j, over, err);
        judge_parts(j);
    }
    const bool fabric = fs_judge_fabric(j);
    fs_judge_against(j);
    if (alike) {
        judge_estimates(j);
        judge_figures(j, fabric);
    }
    for (size_t i = 0; alike && i < plan->reason_count && err->status == FS_OK; i++)
        judge_reason(j, &plan->reasons[i], err);
    if (alike)
        judge_tiles(j);
    judge_ladder(j, err);
}
