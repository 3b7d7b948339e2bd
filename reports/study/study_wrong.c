/* What is wrong with points whose answer is not right, and with a sweep that has no feasible point. */
#include "reports/study/study_page.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

const char *fs_study_fill(const fs_study *s, const char *sentence, const char *place, const char *words) {
    const char *at = strstr(sentence, place);
    return at == NULL ? sentence
                      : fs_arena_printf(s->arena, "%.*s%s%s", (int)(at - sentence), sentence, words,
                                        fs_study_fill(s, at + strlen(place), place, words));
}

/* The finished point that breaks the constraint most, or least. */
static size_t extreme(const fs_study *s, const fs_store_constraint *c, bool most) {
    size_t found = FS_STUDY_NONE;
    double at = 0;
    for (size_t p = 0; p < s->sweep->point_count; p++) {
        const fs_store_point *point = &s->sweep->points[p];
        const double v = fs_study_done(point) && !fs_store_keeps(point, c)
                             ? fs_store_number_of(point, c->figure)
                             : (double)NAN;
        const double by = c->op == FS_STORE_AT_LEAST ? c->number - v : v - c->number;
        if (isnan(v) || (found != FS_STUDY_NONE && (most ? by <= at : by >= at)))
            continue;
        found = p;
        at = by;
    }
    return found;
}

const char *fs_study_wrong(const fs_study *s, const fs_store_constraint *c, bool most, size_t *point) {
    fs_stat row;
    *point = extreme(s, c, most);
    if (*point == FS_STUDY_NONE || !fs_stats_find_in(s->figures, c->figure, &row) || row.wrong == NULL)
        return NULL;
    const double v = fs_store_number_of(&s->sweep->points[*point], c->figure);
    return fs_study_fill(s, row.wrong, "{value}",
                         row.says == FS_SAYS_SHARE ? fs_study_share(s, v)
                                                   : fs_study_number(s, v, row.unit == NULL ? "" : row.unit));
}

/* The constraint that most points break, of those that tell whether the answer is right first. */
static const fs_store_constraint *most_broken(const fs_study *s, size_t *count) {
    const fs_store_constraint *found = NULL;
    bool right = false;
    *count = 0;
    for (size_t c = 0; c < s->sweep->constraint_count; c++) {
        size_t point;
        const fs_store_constraint *one = &s->sweep->constraints[c];
        const bool tells = fs_study_wrong(s, one, false, &point) != NULL && s->broken[c] == s->done;
        if (s->broken[c] == 0 || (right && !tells) || (right == tells && s->broken[c] <= *count))
            continue;
        found = one;
        right = tells;
        *count = s->broken[c];
    }
    return found;
}

const char *fs_study_none(const fs_study *s) {
    size_t count = 0, point = FS_STUDY_NONE;
    if (s->feasible > 0 || s->done == 0)
        return NULL;
    const char *whom = s->done == 1 ? "The one finished point is infeasible"
                                    : fs_arena_printf(s->arena, "None of %s finished points is feasible",
                                                      fs_number_grouped((double)s->done));
    const fs_store_constraint *c = most_broken(s, &count);
    if (c == NULL)
        return whom;
    const char *wrong = fs_study_wrong(s, c, false, &point);
    if (wrong == NULL)
        return fs_arena_printf(s->arena, "%s: %s %s %s", whom,
                               count == s->done ? "all" : fs_number_grouped((double)count),
                               count == 1 ? "breaks" : "break", fs_study_constraint(s, c));
    return s->done == 1 ? fs_arena_printf(s->arena, "%s: %s", whom, wrong)
                        : fs_arena_printf(s->arena, "%s: even at the best of them %s", whom, wrong);
}

const fs_stat *fs_study_limits(const fs_study *s, size_t *count) {
    enum { MOST = 8 };
    fs_stat *rows = FS_NEW(s->arena, fs_stat, MOST);
    const fs_store_point *any = NULL;
    *count = 0;
    for (size_t p = 0; p < s->sweep->point_count && any == NULL; p++)
        any = fs_study_done(&s->sweep->points[p]) ? &s->sweep->points[p] : NULL;
    for (size_t i = 0; any != NULL && i < any->figure_count && *count < MOST; i++)
        if (fs_stats_find_in(s->figures, any->figures[i].name, &rows[*count]))
            *count += rows[*count].held != NULL;
    return rows;
}

const char *fs_study_held(const fs_study *s, const fs_stat *limit, size_t point, const char **of) {
    const fs_store_figure *f = fs_store_figure_of(&s->sweep->points[point], limit->held);
    if (f == NULL || isnan(f->number))
        return NULL;
    const double share = fs_store_number_of(&s->sweep->points[point], limit->name);
    *of = !(share > 0) ? "no limit"
                       : fs_arena_printf(s->arena, "%s of the limit, %s", fs_study_share(s, share),
                                         fs_study_number(s, f->number / share, f->unit));
    return fs_study_number(s, f->number, f->unit);
}
