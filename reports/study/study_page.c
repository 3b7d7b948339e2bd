/* The page of a sweep: words first, then charts, tables, and what it rests on. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

/* ---- commands ---- */

const char *fs_study_quote(fs_arena *arena, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0')
        return word;
    const char *text = "'";
    for (; *word != '\0'; word++)
        text = *word == '\'' ? fs_arena_printf(arena, "%s'\\''", text)
                             : fs_arena_printf(arena, "%s%c", text, *word);
    return fs_arena_printf(arena, "%s'", text);
}

const char *fs_study_short_key(const fs_study_page *p, size_t point) {
    return fs_arena_printf(p->arena, "%.12s", p->s->sweep->points[point].key);
}

const char *fs_study_command(const fs_study_page *p, size_t point) {
    const char *key = fs_study_short_key(p, point);
    return fs_arena_printf(p->arena, "foamsim report %s --point %s -o %s.html",
                           fs_study_quote(p->arena, p->store), key, key);
}

void fs_study_put_key(fs_study_page *p, fs_rows *t, size_t point) {
    fs_cell_pick(t, point, fs_study_short_key(p, point));
}

/* ---- summary ---- */

/* Under several conditions: the range of the best choice over them. */
static void put_asked_card(fs_study_page *p, size_t goal) {
    const fs_study *s = p->s;
    const fs_study_conditions all = fs_study_conditions_of(s, goal);
    size_t least = FS_STUDY_NONE, most = FS_STUDY_NONE;
    for (size_t i = 0; i < all.count; i++) {
        const size_t own = fs_study_under(s, goal, all.choice.point, all.best[i]);
        if (own == FS_STUDY_NONE)
            continue;
        least = least == FS_STUDY_NONE || s->goal[goal].value[own] < s->goal[goal].value[least] ? own : least;
        most = most == FS_STUDY_NONE || s->goal[goal].value[own] > s->goal[goal].value[most] ? own : most;
    }
    fs_sheet_card(
        p->sheet, s->goal[goal].label,
        fs_arena_printf(p->arena, "%s to %s", fs_study_value(s, goal, least), fs_study_value(s, goal, most)),
        s->choices == 0 ? "" : fs_study_chosen(s, least));
}

/* What the best is held against, beside it. */
static void put_best_card(fs_study_page *p, size_t goal) {
    const fs_study *s = p->s;
    const fs_study_goal *g = &s->goal[goal];
    if (s->choices < s->axes) {
        put_asked_card(p, goal);
        return;
    }
    fs_sheet_card(p->sheet, fs_arena_printf(p->arena, "best %s", g->label),
                  fs_study_value_and_range(p, goal, g->order[0]), "");
    if (s->baseline != FS_STUDY_NONE && !isnan(g->value[s->baseline]))
        fs_sheet_card(p->sheet, fs_arena_printf(p->arena, "%s of the baseline", g->label),
                      fs_study_value(s, goal, s->baseline),
                      fs_arena_printf(p->arena, "the best: %s", fs_study_to_baseline(s, goal, g->order[0])));
}

/* Area and power of the best point, and what they are held to. */
static void put_limits(fs_study_page *p) {
    size_t count = 0;
    const fs_stat *limit = fs_study_limits(p->s, &count);
    for (size_t i = 0; i < count && p->goals > 0 && p->s->goal[0].feasible > 0; i++) {
        fs_stat held;
        const char *of = "", *value = fs_study_held(p->s, &limit[i], fs_study_winner(p->s, 0), &of);
        if (value != NULL && fs_stats_find_in(p->s->figures, limit[i].held, &held))
            fs_sheet_card(p->sheet, fs_arena_printf(p->arena, "%s, at the best", held.label), value, of);
    }
}

/* The points in one card: what became of them. */
static void put_points_card(fs_study_page *p) {
    const fs_study *s = p->s;
    const char *more = fs_arena_printf(p->arena, "%s done, %s feasible", fs_number_grouped((double)s->done),
                                       fs_number_grouped((double)s->feasible));
    if (s->failed > 0)
        more = fs_arena_printf(p->arena, "%s, %s failed", more, fs_number_grouped((double)s->failed));
    if (s->open > 0)
        more = fs_arena_printf(p->arena, "%s, %s still to do", more, fs_number_grouped((double)s->open));
    fs_sheet_card(p->sheet, "points", fs_number_grouped((double)s->sweep->point_count), more);
}

static void put_sentences(fs_study_page *p) {
    size_t count = 0;
    const fs_study *s = p->s;
    const char **words = fs_study_words(s, &count);
    if (s->goals == 0)
        fs_sheet_note(p->sheet, "The sweep has no objectives: nothing can be called best.");
    if (count == 0)
        return;
    fs_sheet_say(p->sheet, "%s", words[0]);
    if (p->goals > 0 && fs_study_sure(p, 0) != NULL)
        fs_sheet_say(p->sheet, "%s", fs_study_sure(p, 0));
    fs_sheet_fold(p->sheet, false,
                  "%zu more %s: which axes matter, what trades against what, what is infeasible and why",
                  count - 1, count == 2 ? "sentence" : "sentences");
    fs_sheet_list(p->sheet, true, "findings");
    for (size_t i = 1; i < count; i++)
        fs_sheet_item(p->sheet, NULL, "%s", words[i]);
    fs_sheet_end(p->sheet);
    fs_sheet_end(p->sheet);
}

static void put_summary(fs_study_page *p, bool draws) {
    fs_sheet_section(p->sheet, "summary", "Summary", NULL);
    fs_sheet_box(p->sheet, "first front", NULL);
    fs_sheet_box(p->sheet, "", NULL);
    put_sentences(p);
    fs_sheet_box(p->sheet, "cards", NULL);
    for (size_t i = 0; i < p->goals; i++)
        if (p->s->goal[i].feasible > 0)
            put_best_card(p, i);
    put_limits(p);
    put_points_card(p);
    fs_sheet_end(p->sheet);
    fs_sheet_end(p->sheet);
    if (draws)
        fs_study_put_sight(p);
    fs_sheet_end(p->sheet);
}

/* ---- by objective ---- */

void fs_study_by_goal(fs_study_page *p, const char *id, bool (*has)(const fs_study_page *p, size_t goal),
                      void (*put)(fs_study_page *p, size_t goal)) {
    const char *label[FS_STUDY_GOALS] = {NULL};
    size_t goal[FS_STUDY_GOALS], goals = 0;
    for (size_t g = 0; g < p->goals; g++)
        if (has == NULL || has(p, g)) {
            label[goals] = p->s->goal[g].label;
            goal[goals++] = g;
        }
    if (goals == 0)
        fs_sheet_note(p->sheet, "There is nothing to show: no axis moves an objective.");
    fs_sheet_choice(p->sheet, id, "objective");
    for (size_t i = 0; i < goals; i++) {
        fs_sheet_panel(p->sheet, label[i]);
        put(p, goal[i]);
    }
    fs_sheet_end(p->sheet);
}

static void put_best(fs_study_page *p) {
    if (p->goals == 0 || p->s->done == 0)
        return;
    fs_sheet_section(p->sheet, "best", p->s->choices < p->s->axes ? "Each condition" : "Best point", NULL);
    fs_study_by_goal(p, "best-choice", NULL, fs_study_put_best);
}

/* ---- what it rests on ---- */

typedef struct tally {
    const char *word;
    size_t count;
    double seconds;
} tally;

static void put_tally(fs_study_page *p, fs_rows *t, const char *what,
                      const char *(*word)(const fs_store_point *point)) {
    tally *at = FS_NEW(p->arena, tally, p->s->sweep->point_count + 1);
    size_t known = 0;
    for (size_t i = 0; i < p->s->sweep->point_count; i++) {
        const fs_store_point *point = &p->s->sweep->points[i];
        const char *w = word(point);
        if (!fs_study_done(point) || w[0] == '\0')
            continue;
        const size_t k = FS_PLACE(at, known, word, w);
        if (k == known)
            at[known++].word = w;
        at[k].count++;
        at[k].seconds += isfinite(point->wall_seconds) ? point->wall_seconds : 0;
    }
    for (size_t k = 0; k < known; k++) {
        fs_rows_add(t);
        fs_cell(t, what);
        fs_cell(t, at[k].word);
        fs_cell_number(t, fs_number_grouped((double)at[k].count), (double)at[k].count);
        fs_cell_number(t, fs_number_seconds(at[k].seconds), at[k].seconds);
    }
}

static const char *layer_word(const fs_store_point *point) {
    return strcmp(point->layer, "price") == 0    ? "re-priced from a recorded activity"
           : strcmp(point->layer, "replay") == 0 ? "replayed from recorded itineraries"
           : strcmp(point->layer, "run") == 0    ? "run from the scene on"
                                                 : point->layer;
}

static const char *host_word(const fs_store_point *point) {
    return point->host;
}

static const char *version_word(const fs_store_point *point) {
    return point->version;
}

static void put_origin(fs_study_page *p) {
    const char *store = fs_study_quote(p->arena, p->store),
               *name = fs_study_quote(p->arena, p->s->sweep->name);
    fs_sheet_section(p->sheet, "origin", "Where it comes from",
                     "layers, versions and hosts; the sweep file; how to go on");
    if (p->s->done > 0) {
        fs_rows *t =
            fs_sheet_table(p->sheet, "What the finished points were made from, by which version, where.", "",
                           "", "#points", "#host time|process time of the host, summed", NULL);
        put_tally(p, t, "layer", layer_word);
        put_tally(p, t, "version", version_word);
        put_tally(p, t, "host", host_word);
    }
    fs_sheet_say(p->sheet, "To go on:");
    fs_sheet_list(p->sheet, false, "");
    fs_sheet_item(
        p->sheet, NULL,
        "<code>foamsim report %s --point KEY -o page.html</code>: the page of one point's run, which is made "
        "again from its configuration. KEY is in the table of points; its beginning is enough.",
        store);
    fs_sheet_item(p->sheet, NULL, "<code>foamsim report %s --sweep %s -o report.html</code>: this page.",
                  store, name);
    fs_sheet_item(p->sheet, NULL, "<code>foamsim query %s table --csv</code>: the table as CSV.", store);
    fs_sheet_end(p->sheet);
    if (p->s->sweep->text != NULL && p->s->sweep->text[0] != '\0') {
        fs_sheet_fold(p->sheet, false, "The sweep file");
        fs_sheet_say_as(p->sheet, "pre", "%s", p->s->sweep->text);
        fs_sheet_end(p->sheet);
    }
}

/* ---- the page ---- */

static fs_study_scale scale_of(const fs_study_goal *g) {
    static const struct {
        const char *of, *unit;
        double factor, from;
    } unit[] = {{"s", "s", 1, 1},
                {"s", "ms", 1e3, 1e-3},
                {"s", "µs", 1e6, 1e-6},
                {"s", "ns", 1e9, 0},
                {"B", "GiB", 1.0 / 1073741824, 1073741824},
                {"B", "MiB", 1.0 / 1048576, 1048576},
                {"B", "KiB", 1.0 / 1024, 1024},
                {"B", "B", 1, 0}};
    double most = 0;
    for (size_t i = 0; i < g->feasible; i++)
        most = fabs(g->value[g->order[i]]) > most ? fabs(g->value[g->order[i]]) : most;
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        if (strcmp(unit[i].of, g->unit) == 0 && most >= unit[i].from)
            return (fs_study_scale){unit[i].factor, unit[i].unit};
    return (fs_study_scale){1, g->unit};
}

/* The points of the sweep, with what the pointer shows of each. */
static const fs_chart_points *points_of(fs_study_page *p) {
    const size_t count = p->s->sweep->point_count;
    const char **name = FS_NEW(p->arena, const char *, count + 1);
    fs_panel *told = NULL;
    for (size_t i = 0; i < count; i++)
        name[i] = fs_study_settings(p->s, i);
    fs_chart_points *points =
        fs_sheet_points(p->sheet, "sweep-points", fs_values_words(p->sheet, name, count), &told);
    for (size_t g = 0; g < p->goals; g++) {
        double *value = FS_NEW(p->arena, double, count + 1);
        for (size_t i = 0; i < count; i++)
            value[i] = fs_study_shown(p, g, i);
        fs_panel_series(p->sheet, told, FS_DRAW_TOLD, p->s->goal[g].label, p->scale[g].unit)->value =
            fs_values_reals(p->sheet, value, count);
    }
    return points;
}

fs_status fs_study_write_page(const fs_study *s, const char *store, const char *path, unsigned reload,
                              fs_error *err) {
    fs_study_page *p = FS_NEW(s->arena, fs_study_page, 1);
    *p = (fs_study_page){.sheet = fs_sheet_create(fs_study_name(s)),
                         .s = s,
                         .arena = s->arena,
                         .store = store,
                         .goals = s->goals < FS_STUDY_GOALS ? s->goals : FS_STUDY_GOALS};
    const bool draws = s->done > 0 && p->goals > 0;
    fs_sheet_reload(p->sheet, reload);
    for (size_t i = 0; i < p->goals; i++)
        p->scale[i] = scale_of(&s->goal[i]);
    if (fs_study_title(s) != NULL)
        fs_sheet_headline(p->sheet, fs_study_title(s));
    p->points = points_of(p);
    put_summary(p, draws);
    put_best(p);
    fs_study_put_robust(p);
    if (s->search == NULL) /* the points of a search have few partners */
        fs_study_put_why(p);
    if (draws)
        fs_study_put_charts(p);
    if (s->search == NULL) /* and are no fair sample of their space */
        fs_study_put_effects(p);
    fs_study_put_points(p);
    fs_study_put_failed(p);
    put_origin(p);
    const fs_status status = fs_sheet_write(p->sheet, path, err);
    fs_sheet_free(p->sheet);
    return status;
}
