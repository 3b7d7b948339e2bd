/* The sections of a sweep's page that hold plots, and what lies under the pointer. */
#include "reports/study/study_pictures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The figures of every point, once for all plots of dots; their settings are beside the table of points. */
static void put_point_data(fs_study_drawing *d) {
    const fs_study *s = d->p->s;
    json_t *layers = json_array();
    for (size_t g = 0; g < d->p->goals; g++) {
        json_t *values = json_array();
        for (size_t i = 0; i < s->sweep->point_count; i++)
            json_array_append_new(values, isnan(fs_study_shown(d, g, i))
                                              ? json_string("none")
                                              : json_real(fs_study_shown(d, g, i)));
        json_array_append_new(layers, json_pack("{s:s, s:s, s:o, s:s}", "what", s->goal[g].label, "unit",
                                                d->p->scale[g].unit, "values", values, "none", "none"));
    }
    fs_page_json(d->p->page, "sweep-points", 6, json_pack("{s:o}", "layers", layers));
}

/* Of the one panel that a picture of a sweep has. */
static json_t *show(const fs_plot_panel *panel, void *self) {
    const fs_study_picture *q = self;
    char data[FS_PLOT_NAME + 8];
    (void)panel;
    snprintf(data, sizeof data, "%s-data", q->name);
    return q->data != NULL
               ? json_pack("{s:s, s:[f,f], s:s}", "kind", "points", "half", 0.5, 0.5, "data", data)
               : json_pack("{s:s, s:s, s:o, s:o, s:o}", "kind", "dots", "data", "sweep-points", "x",
                           q->dots.x, "y", q->dots.y, "at", q->dots.at);
}

fs_status fs_study_put_picture(fs_study_drawing *d, size_t picture, bool wide, fs_error *err) {
    fs_study_page *p = d->p;
    fs_study_picture *q = &d->picture[picture];
    const fs_plot *plot = &d->plots[picture];
    const char *path = fs_arena_printf(p->arena, "%s/%s.svg", p->folder, q->name);
    const char *id = fs_arena_printf(p->arena, "plot-%s", q->name);
    fs_page_figure(p->page, q->name, plot->title, wide);
    if (fs_page_svg(p->page, path, id, plot->title, err))
        return err->status;
    fs_page_figure_end(p->page, "%s", plot->caption);
    if (q->data != NULL)
        fs_page_json(p->page, fs_arena_printf(p->arena, "%s-data", q->name), 6, q->data);
    fs_plot_hover(p->page, id, plot, 6, show, q);
    return FS_OK;
}

static void put_on_top(fs_study_page *p, const fs_study_picture *q) {
    fs_page_put(p->page, "<p class=\"note\">%s: <a href=\"#%s\">on the first screen</a>.</p>\n",
                p->s->axis[q->a].label, q->name);
}

/* The pictures whose name begins so, in a choice by goal where there are several. */
static fs_status put_by_goal(fs_study_drawing *d, const char *begin, const char *id, fs_error *err) {
    fs_study_page *p = d->p;
    const char *label[FS_STUDY_GOALS];
    size_t goal[FS_STUDY_GOALS], goals = 0;
    for (size_t g = 0; g < p->goals; g++)
        for (size_t i = 0; i < d->count; i++)
            if (d->picture[i].goal == g && strncmp(d->picture[i].name, begin, strlen(begin)) == 0) {
                label[goals] = p->s->goal[g].label;
                goal[goals++] = g;
                break;
            }
    if (goals == 0)
        fs_page_note(p->page, "There is nothing to draw: no axis moves an objective.");
    fs_page_choice(p->page, id, "objective", label, goals);
    for (size_t g = 0; g < goals; g++) {
        fs_page_panel(p->page, label[g]);
        fs_page_put(p->page, "<div class=\"figures-2 small\">\n");
        for (size_t i = 0; i < d->count; i++)
            if (d->picture[i].goal == goal[g] && strncmp(d->picture[i].name, begin, strlen(begin)) == 0) {
                if (d->picture[i].on_top)
                    put_on_top(p, &d->picture[i]);
                else if (fs_study_put_picture(d, i, false, err))
                    return err->status;
            }
        fs_page_put(p->page, "</div>\n");
    }
    fs_page_choice_end(p->page);
    return FS_OK;
}

/* Whether values of both goals differ over the front. */
static bool trades(const fs_study_page *p, const fs_study_picture *q) {
    const fs_study_goal *a = &p->s->goal[q->a];
    size_t count = 0, *front = fs_study_front(p->s, q->a, q->b, &count);
    return count > 1 && fabs(a->value[front[0]] - a->value[front[count - 1]]) > 0;
}

/* A front of one place: says so, and there is nothing to draw. */
static bool one_is_best(fs_study_page *p, const fs_study_picture *q) {
    const fs_study_goal *a = &p->s->goal[q->a], *b = &p->s->goal[q->b];
    size_t count = 0, *front = fs_study_front(p->s, q->a, q->b, &count);
    const size_t first = front[0];
    if (trades(p, q))
        return false;
    fs_page_put(p->page,
                "<p>%s and %s do not compete: %s is best in both, with %s and %s%s; its run page: "
                "<code>%s</code></p>\n",
                a->label, b->label, fs_study_settings(p->s, first), fs_study_value(p->s, q->a, first),
                fs_study_value(p->s, q->b, first),
                count == 1 ? ""
                           : fs_arena_printf(p->arena, " (and %zu more points with the same)", count - 1),
                fs_study_command(p, first));
    return true;
}

static fs_status put_fronts(fs_study_drawing *d, fs_error *err) {
    fs_study_page *p = d->p;
    size_t fronts = 0;
    fs_page_folded(p->page, "front", "What trades against what",
                   "objectives against each other, and the points that no other point dominates");
    for (size_t i = 0; i < d->count; i++) {
        fs_study_picture *q = &d->picture[i];
        if (strncmp(q->name, "front-", 6) != 0)
            continue;
        fronts++;
        if (one_is_best(p, q))
            continue;
        if (!q->on_top && fs_study_put_picture(d, i, false, err))
            return err->status;
        fs_study_put_front(p, q->a, q->b);
    }
    if (fronts == 0)
        fs_page_note(p->page, p->goals < 2 ? "A front needs two objectives; this sweep has one."
                                           : "No feasible point has two of the objectives.");
    return FS_OK;
}

fs_status fs_study_draw(fs_study_page *p, fs_error *err) {
    fs_study_drawing *d = FS_NEW(p->arena, fs_study_drawing, 1);
    d->p = p;
    const char **name = FS_NEW(p->arena, const char *, FS_STUDY_PICTURES);
    fs_plot *plots = FS_NEW(p->arena, fs_plot, FS_STUDY_PICTURES);
    fs_status status = fs_study_write_pictures(d, err);
    free(d->text.text);
    for (size_t i = 0; i < d->count; i++)
        name[i] = d->picture[i].name;
    if (status == FS_OK)
        status = fs_drawing_run(p->drawing, name, d->count, FS_PLOT_SVG, plots, err);
    d->plots = plots;
    p->written = d;
    return status;
}

fs_status fs_study_put_sight(fs_study_page *p, fs_error *err) {
    fs_study_drawing *d = p->written;
    size_t seen = SIZE_MAX;
    for (size_t i = 0; d != NULL && i < d->count && seen == SIZE_MAX; i++)
        if (strncmp(d->picture[i].name, "front-", 6) == 0 && trades(p, &d->picture[i]))
            seen = i;
    for (size_t i = 0; d != NULL && i < d->count && seen == SIZE_MAX; i++)
        if (strncmp(d->picture[i].name, "axis-0-", 7) == 0 && d->picture[i].a == p->s->goal[0].rank[0])
            seen = i;
    if (d != NULL)
        put_point_data(d);
    if (seen == SIZE_MAX)
        return FS_OK;
    d->picture[seen].on_top = true;
    return fs_study_put_picture(d, seen, false, err);
}

fs_status fs_study_put_pictures(fs_study_page *p, fs_error *err) {
    fs_study_drawing *d = p->written;
    if (fs_study_put_search(d, err))
        return err->status;
    fs_page_folded(p->page, "axes", "Each axis", "every objective against every axis");
    if (p->s->axes > fs_study_drawn_axes(p))
        fs_page_note(p->page, "The %zu axes of %zu that explain most are drawn.", fs_study_drawn_axes(p),
                     p->s->axes);
    if (put_by_goal(d, "axis-", "axes-choice", err))
        return err->status;
    if (p->s->axes > 1 && p->s->search == NULL) {
        fs_page_folded(p->page, "pairs", "Two axes at a time", "the best of each two values");
        if (put_by_goal(d, "pair-", "pairs-choice", err))
            return err->status;
    }
    return put_fronts(d, err);
}
