/* How a search went, on the page of its store: what was found, how sure it is that nothing better was missed.
 * What the store says of it may come from anyone: missing numbers are left out. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"
#include "sim/results/results.h"

#include <math.h>

static const json_t *goal_at(const fs_study *s, size_t goal) {
    return fs_study_judged(s->search, "goals", "figure", s->goal[goal].figure);
}

/* ---- words ---- */

static const char *space_words(const fs_study_page *p) {
    const double space = fs_json_real(p->s->search, "space"), seen = fs_json_real(p->s->search, "seen");
    const double feasible = fs_json_real(p->s->search, "feasible");
    if (!(seen > 0 && space >= seen))
        return NULL;
    const char *of = fs_arena_printf(p->arena, "%s", fs_number_grouped(space));
    return fs_arena_printf(
        p->arena, "The search looked at %s of %s points, %s of the space; %s.",
        fs_arena_printf(p->arena, "%s", fs_number_grouped(seen)), of, fs_number_percent(seen / space),
        feasible >= seen ? "all are feasible"
                         : fs_arena_printf(p->arena, "%s are feasible", fs_number_grouped(feasible)));
}

static const char *count_words(const fs_study_page *p, double count) {
    return count < 0.01 ? "none"
           : count < 10 ? fs_number_short(count, 2)
                        : fs_arena_printf(p->arena, "%s", fs_number_grouped(floor(count + 0.5)));
}

static const char *left_words(const fs_study_page *p, size_t goal) {
    const json_t *j = goal_at(p->s, goal);
    const fs_study_goal *g = &p->s->goal[goal];
    const double better = fs_json_real(j, "better_left"), gain = fs_json_real(j, "gain_left");
    if (g->feasible == 0 || isnan(better) || isnan(gain))
        return NULL;
    const char *best = fs_arena_printf(p->arena, "%s: the best found is %s", g->label,
                                       fs_study_value(p->s, goal, g->order[0]));
    if (fs_json_real(p->s->search, "space") <= fs_json_real(p->s->search, "seen"))
        return fs_arena_printf(p->arena, "%s, of all points.", best);
    return fs_arena_printf(
        p->arena,
        "%s. The model expects %s unseen points%s to beat it by 0.1 %% or more; the most promising one is "
        "expected to gain %s.",
        best, better < 0.01 ? "no" : count_words(p, better),
        better >= 0.01 && better < 0.5 ? " (so probably none)" : "",
        gain > 0 ? fs_number_percent(gain) : "nothing");
}

static const char *volume_words(const fs_study_page *p) {
    const json_t *volumes = json_object_get(p->s->search, "volumes");
    const double now = fs_json_real(p->s->search, "volume"),
                 expected = fs_json_real(p->s->search, "volume_expected");
    const size_t count = json_array_size(volumes);
    size_t last = count;
    if (p->s->goals < 2 || !(now > 0) || isnan(expected) || count == 0)
        return NULL;
    while (last > 1 && json_number_value(json_array_get(volumes, last - 2)) >= 0.999 * now)
        last--;
    const double more = expected / now - 1;
    if (fs_json_real(p->s->search, "space") <= fs_json_real(p->s->search, "seen"))
        return NULL;
    return fs_arena_printf(
        p->arena,
        "The front had 99.9 %% of its volume after %zu points, and %zu more points added the rest; "
        "from all unseen points the model expects %s more.",
        last, count - last, more > 1e-6 ? fs_number_percent(more) : "nothing");
}

static const char *trust_words(const fs_study_page *p, size_t goal) {
    const json_t *j = goal_at(p->s, goal);
    const double error = fs_json_real(j, "error"), covered = fs_json_real(j, "covered");
    if (isnan(error) || isnan(covered))
        return NULL;
    return fs_arena_printf(
        p->arena,
        "Predictions of %s had a median error of %s; %s%s of them fell inside their 90 %% interval%s.",
        p->s->goal[goal].label, fs_number_percent(error), covered < 0.8 ? "only " : "",
        fs_number_percent(covered), covered < 0.8 ? ", so the model was too sure" : "");
}

static void put_words(fs_study_page *p) {
    const char *words[2 * FS_STUDY_GOALS + 2];
    size_t count = 0;
    words[count++] = space_words(p);
    for (size_t g = 0; g < p->goals; g++)
        words[count++] = left_words(p, g);
    words[count++] = volume_words(p);
    for (size_t g = 0; g < p->goals; g++)
        words[count++] = trust_words(p, g);
    fs_sheet_list(p->sheet, true, "findings");
    for (size_t i = 0; i < count; i++)
        if (words[i] != NULL)
            fs_sheet_item(p->sheet, NULL, "%s", words[i]);
    fs_sheet_end(p->sheet);
}

/* ---- which axes matter ---- */

static void put_shares(fs_study_page *p) {
    size_t shown = 0, goal[FS_STUDY_GOALS];
    for (size_t g = 0; g < p->goals; g++)
        if (json_array_size(json_object_get(goal_at(p->s, g), "share")) == p->s->sweep->axis_count)
            goal[shown++] = g;
    if (shown == 0)
        return;
    fs_rows *t = fs_sheet_table(
        p->sheet,
        "Which axes matter, over the whole space, by the model: most points that were looked at "
        "are good ones, so that their means say little.",
        "axis", NULL);
    for (size_t k = 0; k < shown; k++)
        fs_rows_head(t, p->s->goal[goal[k]].label, true,
                     "part of the variance over the whole space that the axis alone explains");
    for (size_t a = 0; a < p->s->sweep->axis_count; a++) {
        fs_rows_add(t);
        fs_cell_head(t, "%s", fs_study_axis_label(p->arena, p->s->sweep->axes[a]));
        for (size_t k = 0; k < shown; k++) {
            const json_t *share = json_array_get(json_object_get(goal_at(p->s, goal[k]), "share"), a);
            const double value = json_is_number(share) ? json_number_value(share) : (double)NAN;
            fs_cell_bar(t, fs_study_share(p->s, value), value, 1, "plain");
        }
    }
}

/* ---- the chart ---- */

static bool is_drawn(const fs_study *s) {
    const size_t looked_at = json_array_size(json_object_get(s->search, "volumes"));
    /* a baseline that no point was stands behind those that the search looked at */
    return looked_at > 1 && (looked_at == s->sweep->point_count || looked_at + 1 == s->sweep->point_count);
}

/* Steps, as what was found stays found. */
static void draw_volume(fs_study_page *p) {
    const json_t *volumes = json_object_get(p->s->search, "volumes"), *one;
    const double expected = fs_json_real(p->s->search, "volume_expected");
    const size_t count = json_array_size(volumes);
    double *volume = FS_NEW(p->arena, double, count);
    size_t i;
    json_array_foreach(volumes, i, one) volume[i] = json_is_number(one) ? json_number_value(one) : 0;
    fs_chart *chart = fs_sheet_chart(p->sheet, "search-volume", "What was found, after so many points",
                                     "The part of the box between the best and the worst seen that the front "
                                     "dominates (hypervolume). Dashed: what "
                                     "the model expects of the whole space.");
    fs_panel *panel = fs_chart_panel(p->sheet, chart, NULL);
    panel->x = (fs_axis){.label = "points looked at", .low = 0, .high = (double)count};
    panel->y = (fs_axis){.label = "part of the box", .low = 0, .high = expected > 1 ? expected * 1.02 : 1.02};
    panel->tall = 260;
    fs_chart_series *q = fs_panel_series(p->sheet, panel, FS_DRAW_STEPS, NULL, NULL);
    q->x = fs_values_steps(p->sheet, 1, 1, count);
    q->y = fs_values_reals(p->sheet, volume, count);
    q->width = 2;
    fs_chart_series *dots = fs_panel_series(p->sheet, panel, FS_DRAW_DOTS, NULL, NULL);
    dots->x = q->x;
    dots->y = q->y;
    dots->size = 2;
    q->colour = dots->colour = "series-0";
    dots->points = p->points;
    dots->at = fs_values_steps(p->sheet, 0, 1, count);
    if (isfinite(expected))
        fs_panel_mark(p->sheet, panel, (fs_chart_mark){.kind = FS_MARK_ACROSS, .y = expected, .dash = 1});
}

void fs_study_put_search(fs_study_page *p) {
    if (!json_is_object(p->s->search))
        return;
    fs_sheet_section(p->sheet, "search", "How sure it is that nothing better was missed", NULL);
    put_words(p);
    if (is_drawn(p->s))
        draw_volume(p);
    put_shares(p);
}
