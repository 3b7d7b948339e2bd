/* The page of a sweep: words first, then pictures, tables, and what it rests on. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdlib.h>
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

void fs_study_put_key(fs_study_page *p, size_t point) {
    fs_page_put(p->page,
                "<td><button type=\"button\" class=\"pick\" data-point=\"%zu\" title=\"show the command that "
                "makes its run page\"><code>%s</code></button></td>",
                point, fs_study_short_key(p, point));
}

const char *fs_study_breakable(const fs_study_page *p, const char *name) {
    char *text = FS_NEW(p->arena, char, 4 * strlen(name) + 1), *to = text;
    for (; *name != '\0'; name++) {
        *to++ = *name;
        if ((*name == '.' || *name == '_') && name[1] != '\0')
            to = stpcpy(to, "\xe2\x80\x8b");
    }
    return text;
}

/* ---- summary ---- */

static void put_card(fs_study_page *p, const char *what, const char *value) {
    fs_page_put(p->page, "<div class=\"card\"><span>%s</span><b>%s</b></div>\n", what, value);
}

/* Area and power of the best point, and what they are held to. */
static void put_limits(fs_study_page *p) {
    size_t count = 0;
    const fs_stat *limit = fs_study_limits(p->s, &count);
    for (size_t i = 0; i < count && p->goals > 0 && p->s->goal[0].feasible > 0; i++) {
        fs_stat held;
        const char *of = "", *value = fs_study_held(p->s, &limit[i], p->s->goal[0].order[0], &of);
        if (value != NULL && fs_stats_find_in(p->s->figures, limit[i].held, &held))
            fs_page_put(p->page,
                        "<div class=\"card\"><span>%s, at the best</span><b>%s</b><span>%s</span></div>\n",
                        held.label, value, of);
    }
}

/* What the best is held against, beside it. */
static void put_baseline(fs_study_page *p, size_t goal) {
    const fs_study *s = p->s;
    if (s->baseline == FS_STUDY_NONE || isnan(s->goal[goal].value[s->baseline]))
        return;
    fs_page_put(
        p->page,
        "<div class=\"card\"><span>%s of the baseline</span><b>%s</b><span>the best: %s</span></div>\n",
        s->goal[goal].label, fs_study_value(s, goal, s->baseline),
        fs_study_to_baseline(s, goal, s->goal[goal].order[0]));
}

static const char *count_text(size_t count) {
    return fs_number_grouped((double)count);
}

static void put_sentences(fs_study_page *p) {
    size_t count = 0;
    const fs_study *s = p->s;
    const char **words = fs_study_words(s, &count);
    if (s->goals == 0)
        fs_page_note(p->page, "The sweep has no objectives: nothing can be called best.");
    if (count > 0) {
        fs_page_put(p->page, "<p>%s</p>\n", words[0]);
        if (p->goals > 0 && fs_study_sure(p, 0) != NULL)
            fs_page_put(p->page, "<p>%s</p>\n", fs_study_sure(p, 0));
        fs_page_put(p->page,
                    "<details class=\"sentences\"><summary>%zu more %s: which axes matter, what trades "
                    "against what, what is infeasible and why</summary>\n<ol class=\"findings\">\n",
                    count - 1, count == 2 ? "sentence" : "sentences");
        for (size_t i = 1; i < count; i++)
            fs_page_put(p->page, "<li>%s</li>\n", words[i]);
        fs_page_put(p->page, "</ol>\n</details>\n");
    }
}

static fs_status put_summary(fs_study_page *p, fs_error *err) {
    const fs_study *s = p->s;
    fs_page_section(p->page, "summary", "Summary");
    fs_page_put(p->page, "<div class=\"first front\">\n<div>\n");
    put_sentences(p);
    fs_page_put(p->page, "<div class=\"cards\">\n");
    put_card(p, "points", count_text(s->sweep->point_count));
    put_card(p, "done", count_text(s->done));
    put_card(p, "feasible", count_text(s->feasible));
    put_card(p, "failed", count_text(s->failed));
    if (s->open > 0)
        put_card(p, "still to do", count_text(s->open));
    for (size_t i = 0; i < p->goals; i++)
        if (s->goal[i].feasible > 0) {
            put_card(p, fs_arena_printf(p->arena, "best %s", s->goal[i].label),
                     fs_study_value_and_range(p, i, s->goal[i].order[0]));
            put_baseline(p, i);
        }
    put_limits(p);
    fs_page_put(p->page, "</div>\n</div>\n");
    if (fs_study_put_sight(p, err))
        return err->status;
    fs_page_put(p->page, "</div>\n");
    return FS_OK;
}

/* ---- the best, and around it ---- */

/* "+12 %" or "3.1 times" of `v` over the best, with its sign for people. */
static const char *change(const fs_study_page *p, double best, double v) {
    if (isnan(v) || !(best > 0))
        return "";
    double ratio = v / best;
    if (ratio >= 10)
        return fs_arena_printf(p->arena, "%s times", fs_number_short(ratio, 3));
    return fabs(ratio - 1) < 0.0005 ? "no change" : fs_arena_strdup(p->arena, fs_number_change(ratio - 1));
}

/* The value of the axis, and those of axes that the best point does not have. */
static const char *neighbour_name(const fs_study_page *p, size_t axis, size_t best, size_t q) {
    const fs_study *s = p->s;
    const char *text = s->axis[axis].level[s->axis[axis].at[q]].value;
    for (size_t a = 0; a < s->axes; a++)
        if (a != axis && s->axis[a].at[best] == FS_STUDY_NONE && s->axis[a].at[q] != FS_STUDY_NONE)
            text = fs_arena_printf(p->arena, "%s, %s", text, s->axis[a].level[s->axis[a].at[q]].value);
    return text;
}

static void put_neighbour(fs_study_page *p, const fs_study_goal *g, size_t axis, size_t best, size_t q) {
    const fs_store_point *point = &p->s->sweep->points[q];
    bool done = fs_study_done(point) && !isnan(g->value[q]);
    const char *state = !done ? strcmp(point->status, "done") == 0 ? "no figure" : point->status
                              : change(p, g->value[best], g->value[q]);
    bool same = done && fabs(g->value[q] / g->value[best] - 1) < 0.0005;
    bool worse = done && !same && (g->larger ? g->value[q] < g->value[best] : g->value[q] > g->value[best]);
    fs_page_put(p->page, "<span class=\"chip %s\" title=\"%s\">%s <b>%s</b></span> ",
                !done              ? "gone"
                : !point->feasible ? "hollow"
                : worse            ? "worse"
                                   : "equal",
                !done             ? point->error
                : point->feasible ? fs_study_number(p->s, g->value[q], g->unit)
                                  : fs_arena_printf(p->arena, "%s, infeasible",
                                                    fs_study_number(p->s, g->value[q], g->unit)),
                neighbour_name(p, axis, best, q),
                done && !point->feasible ? fs_arena_printf(p->arena, "%s, infeasible", state) : state);
}

static void put_around(fs_study_page *p, size_t goal) {
    const fs_study *s = p->s;
    const fs_study_goal *g = &s->goal[goal];
    if (g->feasible == 0) {
        fs_page_note(p->page, "No feasible point has this figure.");
        return;
    }
    size_t best = g->order[0];
    fs_page_put(p->page, "<p><b>%s</b> at point <code>%s</code>; its run page: <code>%s</code></p>\n",
                fs_study_value_and_range(p, goal, best), fs_study_short_key(p, best),
                fs_study_command(p, best));
    fs_page_heads(p->page,
                  fs_arena_printf(p->arena,
                                  "One step away from the best point: what each other choice does to %s, "
                                  "all else equal.",
                                  g->label),
                  "axis", "at the best point", "changed alone to", NULL);
    for (size_t i = 0; i < s->axes; i++) {
        size_t a = g->rank[i], count = 0, shown = 0;
        const size_t *along = fs_study_along(s, best, a, &count);
        if (s->axis[a].at[best] == FS_STUDY_NONE)
            continue;
        fs_page_row(p->page);
        fs_page_put(p->page, "<th scope=\"row\">%s</th><td><b>%s</b></td><td class=\"chips\">",
                    fs_study_breakable(p, s->axis[a].label), s->axis[a].level[s->axis[a].at[best]].value);
        for (size_t k = 0; k < count; k++)
            if (along[k] != best && s->axis[a].at[along[k]] != FS_STUDY_NONE) {
                put_neighbour(p, g, a, best, along[k]);
                shown++;
            }
        if (shown == 0)
            fs_page_put(p->page, "<span class=\"note\">no point differs in this axis alone</span>");
        fs_page_put(p->page, "</td>");
    }
    fs_page_table_end(p->page);
}

void fs_study_by_goal(fs_study_page *p, const char *id, bool (*has)(const fs_study_page *p, size_t goal),
                      void (*put)(fs_study_page *p, size_t goal)) {
    const char *label[FS_STUDY_GOALS] = {NULL};
    size_t goal[FS_STUDY_GOALS], goals = 0;
    for (size_t g = 0; g < p->goals; g++)
        if (has == NULL || has(p, g)) {
            label[goals] = p->s->goal[g].label;
            goal[goals++] = g;
        }
    fs_page_choice(p->page, id, "objective", label, goals);
    for (size_t i = 0; i < goals; i++) {
        fs_page_panel(p->page, label[i]);
        put(p, goal[i]);
    }
    fs_page_choice_end(p->page);
}

static void put_best(fs_study_page *p) {
    if (p->goals == 0 || p->s->done == 0)
        return;
    fs_page_section(p->page, "best", "Best point");
    fs_study_by_goal(p, "best-choice", NULL, put_around);
}

/* ---- what it rests on ---- */

typedef struct tally {
    const char *word;
    size_t count;
    double seconds;
} tally;

static void put_tally(fs_study_page *p, const char *what, const char *(*word)(const fs_store_point *point)) {
    tally *t = FS_NEW(p->arena, tally, p->s->sweep->point_count + 1);
    size_t known = 0;
    for (size_t i = 0; i < p->s->sweep->point_count; i++) {
        const fs_store_point *point = &p->s->sweep->points[i];
        const char *w = word(point);
        size_t k = 0;
        if (!fs_study_done(point) || w[0] == '\0')
            continue;
        while (k < known && strcmp(t[k].word, w) != 0)
            k++;
        if (k == known)
            t[known++].word = w;
        t[k].count++;
        t[k].seconds += isfinite(point->wall_seconds) ? point->wall_seconds : 0;
    }
    for (size_t k = 0; k < known; k++) {
        fs_page_row(p->page);
        fs_page_cell(p->page, what);
        fs_page_cell(p->page, t[k].word);
        fs_page_cell_number(p->page, fs_number_grouped((double)t[k].count), (double)t[k].count);
        fs_page_cell_number(p->page, fs_number_seconds(t[k].seconds), t[k].seconds);
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
    fs_page_folded(p->page, "origin", "Where it comes from",
                   "layers, versions and hosts; the sweep file; how to go on");
    if (p->s->done > 0) {
        fs_page_heads(p->page, "What the finished points were made from, by which version, where.", "", "",
                      "#points", "#host time|process time of the host, summed", NULL);
        put_tally(p, "layer", layer_word);
        put_tally(p, "version", version_word);
        put_tally(p, "host", host_word);
        fs_page_table_end(p->page);
    }
    fs_page_put(
        p->page,
        "<p>To go on:</p><ul>\n<li><code>foamsim report %s --point KEY -o page.html</code>: the page of one "
        "point's run, which is made again from its configuration. KEY is in the table of points; its "
        "beginning is enough.</li>\n"
        "<li><code>foamsim report %s --sweep %s -o report.html</code>: this page.</li>\n"
        "<li><code>foamsim query %s table --csv</code>: the table as CSV.</li>\n</ul>\n",
        store, store, name, store);
    if (p->s->sweep->text != NULL && p->s->sweep->text[0] != '\0') {
        fs_page_fold(p->page, "The sweep file");
        fs_page_put(p->page, "<pre>%s</pre>\n", p->s->sweep->text);
        fs_page_fold_end(p->page);
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

fs_status fs_study_write_page(const fs_study *s, const char *store, const char *path, unsigned reload,
                              fs_error *err) {
    fs_study_page *p = FS_NEW(s->arena, fs_study_page, 1);
    *p = (fs_study_page){.s = s,
                         .arena = s->arena,
                         .store = store,
                         .goals = s->goals < FS_STUDY_GOALS ? s->goals : FS_STUDY_GOALS};
    bool draws = s->done > 0 && p->goals > 0;
    if (draws && (p->drawing = fs_drawing_open(fs_drawing_beside(s->arena, path), "study", err)) == NULL)
        return err->status;
    p->folder = draws ? fs_drawing_folder(p->drawing) : NULL;
    p->page = fs_page_create(fs_arena_printf(s->arena, "Sweep %s", s->sweep->name));
    fs_page_reload(p->page, reload);
    for (size_t i = 0; i < p->goals; i++)
        p->scale[i] = scale_of(&s->goal[i]);
    if (fs_study_title(s) != NULL)
        fs_page_headline(p->page, fs_study_title(s));
    fs_status status = draws ? fs_study_draw(p, err) : FS_OK;
    if (status == FS_OK)
        status = put_summary(p, err);
    if (status == FS_OK) {
        put_best(p);
        fs_study_put_robust(p);
        if (s->search == NULL) /* the points of a search have few partners */
            fs_study_put_why(p);
        status = draws ? fs_study_put_pictures(p, err) : FS_OK;
    }
    if (status == FS_OK) {
        if (s->search == NULL) /* the points of a search are no fair sample of their space */
            fs_study_put_effects(p);
        fs_study_put_points(p);
        fs_study_put_failed(p);
        put_origin(p);
        fs_page_put(p->page, "<div id=\"picked\" role=\"status\" hidden><span></span><code></code><button "
                             "type=\"button\">copy</button> <button type=\"button\">tick to compare</button> "
                             "<button type=\"button\">close</button></div>\n");
        status = fs_page_write(p->page, path, err);
    }
    fs_status closed = fs_drawing_close(p->drawing, status == FS_OK, err);
    status = status == FS_OK ? closed : status;
    fs_page_free(p->page);
    return status;
}
