/* The verdict: sentences computed from the figures of two runs, of views, and of a matrix. A sentence is said
 * only when the two runs differ in what it tells. */
#include "reports/compare.h"
#include "sim/base/detmath.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { MOST_SENTENCES = 64 };

typedef struct judge {
    fs_compare *c;
    fs_verdict *to;
    size_t run;        /* judged against the base */
    const char *a, *b; /* labels: base and run */
    bool incomplete;   /* one of the two did not finish its frame */
} judge;

static void say(judge *j, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(judge *j, const char *key, const char *format, ...) {
    char text[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (j->to->sentences == NULL)
        j->to->sentences = FS_NEW(j->c->arena, fs_sentence, MOST_SENTENCES);
    if (j->to->count < MOST_SENTENCES)
        j->to->sentences[j->to->count++] = (fs_sentence){key, fs_arena_strdup(j->c->arena, text)};
}

static double base_of(const judge *j, const char *name) {
    return fs_compare_number(j->c, j->c->base, name);
}

static double run_of(const judge *j, const char *name) {
    return fs_compare_number(j->c, j->run, name);
}

/* Both have the figure, and it is not the same. */
static bool differ(const judge *j, const char *name) {
    double a = base_of(j, name), b = run_of(j, name);
    return !isnan(a) && !isnan(b) && a != b;
}

static const char *count(const judge *j, double value) {
    return fs_text_count(j->c->arena, value);
}

/* Cycles in words: "12.3 million", "71,210". Two values that are to be told apart get as many digits as that
 * takes. */
static const char *millions(const judge *j, double value, int digits) {
    return fs_arena_printf(j->c->arena, "%.*f million", digits, fabs(value) / 1e6);
}

static const char *cycles(const judge *j, double value) {
    value = fabs(value);
    if (value < 1e6)
        return count(j, floor(value + 0.5));
    return millions(j, value, value >= 1e8 ? 0 : value >= 1e7 ? 1 : 2);
}

/* "1.22 instead of 1.21 million cycles" */
static const char *cycles_instead(const judge *j, double b, double a) {
    if (a < 1e6 || b < 1e6)
        return fs_arena_printf(j->c->arena, "%s instead of %s", cycles(j, b), cycles(j, a));
    int digits = 2;
    while (digits < 6 && strcmp(millions(j, a, digits), millions(j, b, digits)) == 0)
        digits++;
    return fs_arena_printf(j->c->arena, "%.*f instead of %s", digits, b / 1e6, millions(j, a, digits));
}

static const char *percent(const judge *j, double value) {
    return fs_text_percent(j->c->arena, value);
}

static const char *change(const judge *j, double value) {
    return value == 0 ? "unchanged" : fs_text_change(j->c->arena, value);
}

/* ---- two runs ---- */

static void judge_completeness(judge *j) {
    const fs_compare_figure *complete = fs_compare_find(j->c, "complete");
    for (int side = 0; complete != NULL && side < 2; side++) {
        const fs_figure *f = complete->values[side == 0 ? j->c->base : j->run];
        double coverage = side == 0 ? base_of(j, "coverage") : run_of(j, "coverage");
        bool finished = f == NULL || f->value != 0;
        j->incomplete |= !finished;
        if (!finished)
            say(j, "complete", "%s did not finish its frame%s: its time is not that of a frame.",
                side == 0 ? j->a : j->b,
                isnan(coverage) ? ""
                                : fs_arena_printf(j->c->arena, " (%.2f %% of the pixels)", 100 * coverage));
    }
}

static void judge_speed(judge *j) {
    double a = base_of(j, "device.seconds"), b = run_of(j, "device.seconds");
    if (isnan(a) || isnan(b)) {
        say(j, "speed", "%s has no device.seconds: the times cannot be compared.", isnan(a) ? j->a : j->b);
        return;
    }
    const char *as = fs_text_seconds(j->c->arena, a), *bs = fs_text_seconds(j->c->arena, b);
    if (a == b)
        say(j, "speed", "%s is exactly as fast as %s: %s.", j->b, j->a, bs);
    else
        say(j, "speed", "%s %s %s %s than %s: %s against %s.", j->b, j->incomplete ? "ends" : "is",
            percent(j, 100 * (b - a) / a),
            j->incomplete ? (b < a ? "earlier" : "later") : (b < a ? "faster" : "slower"), j->a, bs, as);
}

/* Where the cycles come from: the phases, the parts of a run. Each term that holds a tenth of the change or
 * more. */
typedef struct term {
    const char *name, *words;
} term;

static void judge_terms(judge *j, const char *key, const char *head, const term *terms, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += differ(j, terms[i].name) ? fabs(run_of(j, terms[i].name) - base_of(j, terms[i].name)) : 0;
    const char *text = "";
    size_t said = 0;
    for (size_t i = 0; i < n; i++) {
        double gap = differ(j, terms[i].name) ? run_of(j, terms[i].name) - base_of(j, terms[i].name) : 0;
        if (gap == 0 || fabs(gap) < 0.1 * sum)
            continue;
        const char *how =
            said == 0 ? fs_arena_printf(j->c->arena, "takes %s cycles", cycles(j, gap)) : cycles(j, gap);
        text = fs_arena_printf(j->c->arena, "%s%s%s %s %s", text, said == 0 ? "" : ", ", terms[i].words, how,
                               gap < 0 ? "less" : "more");
        said++;
    }
    if (said > 0)
        say(j, key, "%s%s.", head, text);
}

static void judge_iterations(judge *j) {
    double an = base_of(j, "device.iterations"), bn = run_of(j, "device.iterations");
    double ac = base_of(j, "device.cycles_per_iteration"), bc = run_of(j, "device.cycles_per_iteration");
    if (isnan(an) || isnan(bn) || isnan(ac) || isnan(bc) || (an == bn && ac == bc))
        return;
    if (an == bn)
        say(j, "iterations", "Both need %s iterations; one takes %s cycles on average.", count(j, bn),
            cycles_instead(j, bc, ac));
    else
        say(j, "iterations", "It needs %s instead of %s iterations, each of %s cycles on average.",
            count(j, bn), count(j, an), cycles_instead(j, bc, ac));
}

static void judge_pace(judge *j) {
    static const term roles[] = {{"pace.router", "routers set"},
                                 {"pace.tracer", "tracers"},
                                 {"pace.generator", "the generator"},
                                 {"pace.camera_tile", "the tracer of the camera's shard alone"}};
    const char *text = "";
    size_t said = 0;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        double a = 100 * base_of(j, roles[i].name), b = 100 * run_of(j, roles[i].name);
        if (isnan(a) || isnan(b) || fabs(a - b) < 1)
            continue;
        const char *words = roles[i].words;
        if (said == 0)
            text = fs_arena_printf(j->c->arena,
                                   "%c%s%s the pace in %.0f %% instead of %.0f %% of the iterations",
                                   words[0] >= 'a' ? words[0] - 'a' + 'A' : words[0], words + 1,
                                   i == 0 ? "" : (i == 1 ? " set" : " sets"), b, a);
        else
            text = fs_arena_printf(j->c->arena, "%s, %s in %.0f %% instead of %.0f %%", text, words, b, a);
        said++;
    }
    if (said > 0)
        say(j, "pace", "%s.", text);
}

/* Fewer or more rays wait, and the time hardly changes: the tracers are what the steps wait for. */
static void judge_bound(judge *j) {
    double as = base_of(j, "device.seconds"), bs = run_of(j, "device.seconds");
    double aw = base_of(j, "hops.waiting_mean"), bw = run_of(j, "hops.waiting_mean");
    double ap = base_of(j, "pace.tracer"), bp = run_of(j, "pace.tracer");
    if (fabs(bs - as) <= 0.01 * as && fabs(bw - aw) > 0.2 * fmax(aw, bw) && ap > 0.5 && bp > 0.5)
        say(j, "bound",
            "%s waiting hardly changes the time, as tracers set the pace in %.0f %% and %.0f %% of the "
            "iterations.",
            bw < aw ? "Less" : "More", 100 * bp, 100 * ap);
}

static void judge_rays(judge *j) {
    if (differ(j, "rays.dropped"))
        say(j, "dropped", "It loses %s rays instead of %s.", count(j, run_of(j, "rays.dropped")),
            count(j, base_of(j, "rays.dropped")));
    if (differ(j, "rays.spilled")) {
        double a = base_of(j, "rays.spilled"), b = run_of(j, "rays.spilled");
        if (b == 0)
            say(j, "spills", "No lane is ever too full: no spill instead of %s.", count(j, a));
        else
            say(j, "spills", "Full lanes send rays astray %s times instead of %s.", count(j, b),
                a == 0 ? "never" : count(j, a));
    }
    double a = base_of(j, "hops.waiting_mean"), b = run_of(j, "hops.waiting_mean");
    if (differ(j, "hops.waiting_mean") && fabs(a - b) >= 0.05)
        say(j, "waiting", "A ray waits %.2f instead of %.2f iterations beyond its shortest way.", b, a);
    a = base_of(j, "hops.router_mean"), b = run_of(j, "hops.router_mean");
    if (differ(j, "hops.router_mean") && fabs(a - b) > 0.005 * a)
        say(j, "path", "A ray makes %.1f instead of %.1f router visits.", b, a);
    a = base_of(j, "hops.tracer_mean"), b = run_of(j, "hops.tracer_mean");
    if (differ(j, "hops.tracer_mean") && fabs(a - b) > 0.005 * a)
        say(j, "path", "A ray makes %.2f instead of %.2f tracer visits.", b, a);
}

/* Where lanes are full: the level whose full lanes turned most rays away, and its share. NULL: none, or the
 * run has no levels.csv. */
static const char *fullest_level(judge *j, size_t run, fs_error *err) {
    fs_folder *folder = j->c->runs[run].folder;
    if (!fs_folder_has(folder, "levels.csv"))
        return NULL;
    const fs_csv *t = fs_folder_table(folder, "levels.csv", err);
    const char *const *part = t == NULL ? NULL : fs_csv_words(t, "part", err);
    const char *const *role = part == NULL ? NULL : fs_csv_words(t, "role", err);
    const int64_t *level = role == NULL ? NULL : fs_csv_ints(t, "level", err);
    const int64_t *turned = level == NULL ? NULL : fs_csv_ints(t, "turned_away", err);
    size_t most = SIZE_MAX;
    double sum = 0;
    for (size_t i = 0; turned != NULL && i < fs_csv_rows(t); i++) {
        if (strcmp(part[i], "all") != 0 || turned[i] <= 0)
            continue;
        sum += (double)turned[i];
        if (most == SIZE_MAX || turned[i] > turned[most])
            most = i;
    }
    if (most == SIZE_MAX)
        return NULL;
    const char *where = strcmp(role[most], "router") == 0
                            ? fs_arena_printf(j->c->arena, "routers of level %lld", (long long)level[most])
                        : strcmp(role[most], "tracer") == 0 ? "tracers"
                                                            : "the generator";
    return fs_arena_printf(j->c->arena, "%s in %s (%.0f %% of them)", where, j->c->runs[run].label,
                           100 * (double)turned[most] / sum);
}

static void judge_where(judge *j, fs_error *err) {
    const char *a = fullest_level(j, j->c->base, err), *b = fullest_level(j, j->run, err);
    if (a != NULL || b != NULL)
        say(j, "where", "Rays find their lane full mostly towards %s%s%s.", b != NULL ? b : a,
            a != NULL && b != NULL ? ", and towards " : "", a != NULL && b != NULL ? a : "");
}

/* Another overlay where nothing ever waited: what it widens was never narrow. */
static void judge_idle_overlay(judge *j) {
    static const char *const names[] = {"rays.spilled", "rays.dropped", "hops.waiting_mean"};
    bool overlay = false, calm = true;
    for (size_t s = 0; s < j->c->setting_count; s++)
        overlay |= strcmp(j->c->settings[s].section, "overlay") == 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        calm &= base_of(j, names[i]) == 0 && run_of(j, names[i]) == 0;
    if (overlay && calm)
        say(j, "calm",
            "No ray ever waits for a full lane in either of the two: another overlay can only change "
            "how far rays travel and what a step costs.");
}

static void judge_cost(judge *j) {
    if (differ(j, "device.static_exchange_cycles"))
        say(j, "exchange", "A static exchange takes %s instead of %s cycles.",
            cycles(j, run_of(j, "device.static_exchange_cycles")),
            cycles(j, base_of(j, "device.static_exchange_cycles")));
    static const term roles[] = {{"tiles.routers", "router"}, {"tiles.tracers", "tracer"}};
    double a, b;
    for (size_t i = 0; i < 2; i++)
        if (differ(j, roles[i].name)) {
            a = base_of(j, roles[i].name), b = run_of(j, roles[i].name);
            say(j, "tiles", "It takes %.0f %s %s tile%s: %.0f instead of %.0f.", fabs(b - a),
                b > a ? "more" : "fewer", roles[i].words, fabs(b - a) == 1 ? "" : "s", b, a);
        }
    a = base_of(j, "memory.peak_bytes"), b = run_of(j, "memory.peak_bytes");
    if (differ(j, "memory.peak_bytes") && fabs(b - a) >= 0.01 * a)
        say(j, "memory", "The fullest tile holds %.1f instead of %.1f KiB.", b / 1024, a / 1024);
}

static void judge_image(judge *j) {
    const fs_compare_figure *psnr = fs_compare_find(j->c, "image.psnr_db");
    if (psnr == NULL || psnr->values[j->c->base] == NULL || psnr->values[j->run] == NULL)
        return;
    double a = base_of(j, "image.psnr_db"), b = run_of(j, "image.psnr_db");
    if (isnan(a) != isnan(b))
        say(j, "image", "The picture of %s equals the reference; that of the other is %.1f dB from it.",
            isnan(a) ? j->a : j->b, isnan(a) ? b : a);
    else if (!isnan(a) && fabs(a - b) >= 0.05)
        say(j, "image", "The picture is %.1f dB %s the reference: %.1f instead of %.1f dB.", fabs(a - b),
            b > a ? "nearer to" : "farther from", b, a);
}

/* The largest gain of each run's ladder: what would help most. */
static const char *best_rung(judge *j, size_t run, fs_error *err) {
    fs_folder *folder = j->c->runs[run].folder;
    if (!fs_folder_has(folder, "ladder.csv"))
        return NULL;
    const fs_csv *ladder = fs_folder_table(folder, "ladder.csv", err);
    const char *const *name = ladder == NULL ? NULL : fs_csv_words(ladder, "name", err);
    const double *gain = name == NULL ? NULL : fs_csv_reals(ladder, "gain_percent", err);
    size_t best = SIZE_MAX;
    for (size_t i = 0; gain != NULL && i < fs_csv_rows(ladder); i++)
        if (strcmp(name[i], "measured") != 0 && strcmp(name[i], "all") != 0 && gain[i] > 0 &&
            (best == SIZE_MAX || gain[i] > gain[best]))
            best = i;
    if (best == SIZE_MAX)
        return NULL;
    char *words = fs_arena_strdup(j->c->arena, name[best]);
    for (char *p = words; *p != '\0'; p++)
        if (*p == '_')
            *p = ' ';
    return fs_arena_printf(j->c->arena, "%s (%s)", words, percent(j, gain[best]));
}

static void judge_ladder(judge *j, fs_error *err) {
    const char *a = best_rung(j, j->c->base, err), *b = best_rung(j, j->run, err);
    if (a != NULL && b != NULL)
        say(j, "ladder", "What would gain most: %s for %s, %s for %s.", b, j->b, a, j->a);
}

/* ---- views ---- */

static void judge_views(judge *j, fs_error *err) {
    fs_folder *a = j->c->runs[j->c->base].folder, *b = j->c->runs[j->run].folder;
    size_t n = fs_folder_views(a), faster = 0, best = 0, worst = 0;
    if (n == 0 || n != fs_folder_views(b)) {
        if (n != fs_folder_views(b))
            say(j, "views", "%s has %zu views, %s %zu: only their means are compared.", j->b,
                fs_folder_views(b), j->a, n);
        return;
    }
    double sum = 0, best_ratio = INFINITY, worst_ratio = 0;
    for (size_t v = 0; v < n; v++) {
        fs_folder *av = fs_folder_view(a, v, err), *bv = fs_folder_view(b, v, err);
        double x = av == NULL ? NAN : fs_folder_number(av, "device.seconds");
        double ratio = bv == NULL ? NAN : fs_folder_number(bv, "device.seconds") / x;
        if (!(ratio > 0))
            return;
        sum += fs_log(ratio);
        faster += ratio < 1;
        if (ratio < best_ratio) {
            best_ratio = ratio;
            best = v;
        }
        if (ratio > worst_ratio) {
            worst_ratio = ratio;
            worst = v;
        }
    }
    double mean = 100 * (fs_exp(sum / (double)n) - 1);
    say(j, "views",
        "Over %zu views it is faster in %zu; on average (geometric) it takes %s %s time, %s in the best view "
        "(%zu) and "
        "%s in the worst (%zu).",
        n, faster, percent(j, mean), mean <= 0 ? "less" : "more", change(j, 100 * (best_ratio - 1)), best,
        change(j, 100 * (worst_ratio - 1)), worst);
}

static void judge_pair(fs_compare *c, size_t run, fs_error *err) {
    static const term phases[] = {{"device.cycles_compute", "compute"},
                                  {"device.cycles_exchange", "exchange"},
                                  {"device.cycles_sync", "sync"},
                                  {"device.cycles_host", "the host"}};
    static const term parts[] = {{"parts.injection_cycles", "filling the pipeline"},
                                 {"parts.steady_cycles", "the steady part"},
                                 {"parts.drain_cycles", "the drain"}};
    judge j = {
        .c = c, .to = &c->verdicts[run], .run = run, .a = c->runs[c->base].label, .b = c->runs[run].label};
    judge_completeness(&j);
    judge_speed(&j);
    judge_views(&j, err);
    judge_iterations(&j);
    judge_terms(&j, "phases", "Of its phases, ", phases, sizeof phases / sizeof *phases);
    judge_terms(&j, "parts", "Of its parts, ", parts, sizeof parts / sizeof *parts);
    judge_pace(&j);
    judge_bound(&j);
    judge_rays(&j);
    judge_where(&j, err);
    judge_idle_overlay(&j);
    judge_cost(&j);
    judge_image(&j);
    judge_ladder(&j, err);
    bool equal = true;
    for (size_t i = 0; i < c->figure_count; i++)
        equal &= fs_compare_worse(c, &c->figures[i], run) == 0 &&
                 strcmp(fs_compare_difference(c, &c->figures[i], run), "=") == 0;
    if (equal)
        say(&j, "equal", "The two are equal in every figure.");
}

/* ---- all runs ---- */

/* Places of the runs by device.seconds, stable; those without a time last. */
static size_t *ranked(const fs_compare *c) {
    size_t *order = FS_NEW(c->arena, size_t, c->count);
    for (size_t i = 0; i < c->count; i++) {
        double seconds = fs_compare_number(c, i, "device.seconds");
        size_t at = i;
        for (; at > 0; at--) {
            double before = fs_compare_number(c, order[at - 1], "device.seconds");
            if (isnan(seconds) || !(isnan(before) || before > seconds))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return order;
}

static void judge_ranking(fs_compare *c) {
    judge j = {.c = c, .to = &c->verdicts[c->base], .run = c->base};
    enum { NAMED = 8 };
    const size_t *order = ranked(c);
    const fs_compare_figure *figure = fs_compare_find(c, "device.seconds");
    const char *text = "";
    for (size_t i = 0; i < c->count; i++) {
        if (i >= NAMED && i + 1 < c->count) /* of many runs the fastest, and the slowest */
            continue;
        double seconds = fs_compare_number(c, order[i], "device.seconds");
        const char *against =
            order[i] == c->base || figure == NULL ? "the base" : fs_compare_difference(c, figure, order[i]);
        text = fs_arena_printf(c->arena, "%s%s%s %s (%s)", text,
                               i == 0      ? ""
                               : i > NAMED ? ", ..., "
                                           : ", ",
                               c->runs[order[i]].label, fs_text_seconds(c->arena, seconds),
                               strcmp(against, "=") == 0 ? "as fast" : against);
    }
    say(&j, "ranking", "From the fastest: %s.", text);
}

/* "; it takes 35 more router tiles" */
static const char *routers_of_column(const judge *j, size_t k) {
    const fs_matrix *m = j->c->matrix;
    double a = fs_compare_number(j->c, m->column[m->base].run, "tiles.routers");
    double b = fs_compare_number(j->c, m->column[k].run, "tiles.routers");
    if (isnan(a) || isnan(b) || a == b)
        return "";
    return fs_arena_printf(j->c->arena, "; it takes %.0f %s router tile%s", fabs(b - a),
                           b > a ? "more" : "fewer", fabs(b - a) == 1 ? "" : "s");
}

static void judge_matrix(fs_compare *c) {
    const fs_matrix *m = c->matrix;
    judge j = {.c = c, .to = &c->verdicts[c->base], .run = c->base};
    size_t best = m->base;
    for (size_t k = 0; k < m->columns; k++)
        if (m->column[k].compared > 0 && m->column[k].ratio < (best == m->base ? 1 : m->column[best].ratio))
            best = k;
    if (best == m->base)
        say(&j, "best", "Nothing beats %s on average over the %zu rows.", m->column[best].label, m->rows);
    else
        say(&j, "best", "%s is the fastest on average: %s less time than %s (geometric mean over %zu row%s).",
            m->column[best].label, percent(&j, 100 * (1 - m->column[best].ratio)), m->column[m->base].label,
            m->column[best].compared, m->column[best].compared == 1 ? "" : "s");
    for (size_t k = 0; k < m->columns; k++) {
        const fs_matrix_column *column = &m->column[k];
        if (k == m->base || column->compared == 0)
            continue;
        const char *base = m->column[m->base].label;
        if (column->ties == column->compared) {
            say(&j, "column", "%s is exactly as fast as %s in all %zu rows.", column->label, base,
                column->compared);
            continue;
        }
        double mean = 100 * (column->ratio - 1);
        const char *range = ""; /* of more rows than one */
        if (column->compared > 1)
            range = fs_arena_printf(
                c->arena, ", at best %s (%s), at worst %s (%s)",
                change(&j, fs_matrix_at(m, column->best_row, k)->percent), m->row[column->best_row].label,
                change(&j, fs_matrix_at(m, column->worst_row, k)->percent), m->row[column->worst_row].label);
        say(&j, "column",
            "%s is faster than %s in %zu of %zu row%s%s; on average it takes %s %s time (iterations %s, "
            "cycles an "
            "iteration %s)%s%s.",
            column->label, base, column->wins, column->compared, column->compared == 1 ? "" : "s",
            column->ties == 0 ? "" : fs_arena_printf(c->arena, " and equal in %zu", column->ties),
            percent(&j, mean), mean <= 0 ? "less" : "more", change(&j, 100 * (column->iterations - 1)),
            change(&j, 100 * (column->cycles - 1)), range, routers_of_column(&j, k));
    }
    if (m->unfinished > 0)
        say(&j, "unfinished", "%zu run%s did not finish %s frame (marked *) and %s not compared.",
            m->unfinished, m->unfinished == 1 ? "" : "s", m->unfinished == 1 ? "its" : "their",
            m->unfinished == 1 ? "is" : "are");
    if (m->doubled > 0)
        say(&j, "doubled", "%zu run%s the settings of another one and %s left out%s.", m->doubled,
            m->doubled == 1 ? " has" : "s have", m->doubled == 1 ? "is" : "are",
            m->differing == 0 ? "" : ", though the times are not the same");
}

fs_status fs_compare_judge(fs_compare *c, fs_error *err) {
    c->verdicts = FS_NEW(c->arena, fs_verdict, c->count);
    for (size_t run = 0; run < c->count && c->matrix == NULL; run++)
        if (run != c->base)
            judge_pair(c, run, err);
    if (c->matrix != NULL)
        judge_matrix(c);
    else if (c->count > 2)
        judge_ranking(c);
    return err->status;
}
