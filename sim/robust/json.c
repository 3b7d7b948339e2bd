/* The verdict on a sweep's points as JSON, and its sentence. */
#include "sim/base/numbers.h"
#include "sim/results/results.h"
#include "sim/robust/private.h"

#include <math.h>
#include <string.h>

static const fs_store_point *point_at(const fs_robust *r, size_t p) {
    return &r->sweep->points[r->point[p]];
}

/* ---- one parameter alone ---- */

/* A point with one parameter at an end; as it is, where the point does not take it. */
static double alone_at(const fs_robust *r, size_t goal, size_t set, size_t p) {
    if (r->within[p] && r->refused[p * r->parameters + r->set[set].alone])
        return fs_store_number_of(point_at(r, p), r->sweep->objectives[goal].figure);
    return r->value[goal][set * r->points + p];
}

/* The sets behind the joint ones: at which the nominally best is beaten, by whom, and what that is worth. */
static json_t *turns_of(const fs_robust *r, size_t goal, size_t best) {
    const fs_store_objective *o = &r->sweep->objectives[goal];
    json_t *all = json_array();
    for (size_t d = r->draws.count; d < r->sets && best != SIZE_MAX; d++) {
        if (r->failed[d * r->points + best])
            continue;
        const double own = alone_at(r, goal, d, best);
        size_t first = best;
        for (size_t p = 0; p < r->points; p++)
            if (fs_store_better(o, alone_at(r, goal, d, p), alone_at(r, goal, d, first)))
                first = p;
        if (first == best)
            continue;
        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:s, s:o}", "key", r->parameter[r->set[d].alone].key, "end",
                           r->set[d].end == 0 ? "low" : "high", "value", r->set[d].text[r->set[d].alone],
                           "to", point_at(r, first)->key, "regret",
                           fs_json_number(
                               isnan(own) ? (double)NAN
                                          : fs_robust_regret(o->larger, own, alone_at(r, goal, d, first)))));
    }
    return all;
}

/* ---- words ---- */

/* " (1.9 times as much)" of a number; what it is as things are is that of any point. */
static const char *times_words(const fs_robust *r, const char *key, const char *value) {
    const fs_store_parameter *usual = fs_store_parameter_of(point_at(r, 0), key);
    const double now = usual == NULL ? (double)NAN : usual->number, then = fs_sweep_value_number(value);
    return now > 0 && isfinite(then)
               ? fs_arena_printf(r->arena, " (%s times as much)", fs_number_short(then / now, 2))
               : "";
}

/* What alone would change the choice: parameters with their ends, the dearest mistake first. */
static const char *turn_words(const fs_robust *r, const json_t *turns) {
    enum { NAMED = 3 };
    const size_t count = json_array_size(turns);
    bool *told = FS_NEW(r->arena, bool, count + 1);
    const char *text = "";
    if (count == 0)
        return "no parameter alone would change it";
    for (size_t n = 0; n < count && n < NAMED; n++) {
        size_t next = SIZE_MAX;
        for (size_t i = 0; i < count; i++) {
            const double own = json_number_value(json_object_get(json_array_get(turns, i), "regret"));
            if (!told[i] && (next == SIZE_MAX ||
                             own > json_number_value(json_object_get(json_array_get(turns, next), "regret"))))
                next = i;
        }
        const json_t *turn = json_array_get(turns, next);
        told[next] = true;
        const char *key = fs_json_text(turn, "key"), *value = fs_json_text(turn, "value");
        text = fs_arena_append(r->arena, text, ", ", "%s at %s%s", key, value, times_words(r, key, value));
    }
    return count > NAMED
               ? fs_arena_printf(r->arena, "%zu ends of parameters would change it alone, %s before others",
                                 count, text)
               : fs_arena_printf(r->arena, "only %s would change it alone", text);
}

/* "at most 2.8 %", "less than 0.1 %" behind. */
static const char *behind_words(const fs_robust *r, double regret) {
    const char *words = fs_number_share(regret);
    const bool less = strncmp(words, "under ", 6) == 0;
    return fs_arena_printf(r->arena, "%s %s", less ? "less than" : "at most", less ? words + 6 : words);
}

/* The choice that loses least at the worst, and what it costs as things are; "": the best is it. */
static const char *safe_words(const fs_robust *r, const fs_robust_cases *c, const fs_robust_verdict *v) {
    if (v->safe == SIZE_MAX || v->safe == v->best)
        return v->safe == SIZE_MAX ? "" : "; no choice is safer";
    const double more = fs_robust_regret(c->larger, c->nominal[v->safe], c->nominal[v->best]);
    const fs_robust_point *safe = &v->point[v->safe];
    return fs_arena_printf(
        r->arena, "; the safest choice is %s, %s behind the best%s%s", point_at(r, v->safe)->label,
        behind_words(r, safe->regret_most),
        safe->infeasible == 0
            ? ""
            : fs_arena_printf(r->arena, ", infeasible at %s of the draws",
                              fs_number_share((double)safe->infeasible / (double)r->draws.count)),
        more > 0 ? fs_arena_printf(r->arena, ", %s worse as things are", fs_number_share(more)) : "");
}

/* One sentence, of the draws: what stays, what building it may cost, what could turn it. */
static const char *sentence_of(const fs_robust *r, size_t goal, const fs_robust_cases *c,
                               const fs_robust_verdict *v, const json_t *turns) {
    const fs_store_objective *o = &r->sweep->objectives[goal];
    const fs_robust_point *best = &v->point[v->best];
    const double draws = (double)r->draws.count;
    const char *how =
        fs_arena_printf(r->arena, "of the ranges (%zu %s of %zu uncertain parameters)", r->draws.count,
                        r->draws.corners ? "corners" : "joint draws", r->parameters);
    const char *begin = fs_arena_printf(r->arena, "%s stays the best choice for %s in",
                                        point_at(r, v->best)->label, o->figure);
    if (best->best == r->draws.count)
        return fs_arena_printf(r->arena, "%s all %s; %s.", begin, how, turn_words(r, turns));
    const char *lost = best->infeasible == 0
                           ? ""
                           : fs_arena_printf(r->arena, ", is infeasible at %s of the draws",
                                             fs_number_share((double)best->infeasible / draws));
    return fs_arena_printf(r->arena, "%s %s %s%s; elsewhere it is %s behind the best%s; %s.", begin,
                           fs_number_share((double)best->best / draws), how, lost,
                           behind_words(r, best->regret_most), safe_words(r, c, v), turn_words(r, turns));
}

/* ---- JSON ---- */

static json_t *points_json(const fs_robust *r, const fs_robust_verdict *v) {
    json_t *all = json_array();
    for (size_t p = 0; p < r->points; p++) {
        const fs_robust_point *q = &v->point[p];
        json_array_append_new(all, json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "key",
                                             point_at(r, p)->key, "draws", (json_int_t)q->draws, "best",
                                             (json_int_t)q->best, "infeasible", (json_int_t)q->infeasible,
                                             "low", fs_json_number(q->low), "high", fs_json_number(q->high),
                                             "regret_mean", fs_json_number(q->regret_mean), "regret_most",
                                             fs_json_number(q->regret_most)));
    }
    return all;
}

/* Of the nominally best, at each joint draw. */
static json_t *values_json(const fs_robust *r, size_t goal, size_t best) {
    json_t *all = json_array();
    for (size_t d = 0; d < r->draws.count && best != SIZE_MAX; d++)
        json_array_append_new(all, fs_json_number(r->value[goal][d * r->points + best]));
    return all;
}

/* What each parameter alone does to the nominally best, at its low end and at its high one. */
static json_t *alone_json(const fs_robust *r, size_t goal, size_t best) {
    json_t *all = json_array();
    for (size_t d = r->draws.count; d + 1 < r->sets && best != SIZE_MAX; d += 2)
        json_array_append_new(all, json_pack("{s:s, s:o, s:o}", "key", r->parameter[r->set[d].alone].key,
                                             "low", fs_json_number(alone_at(r, goal, d, best)), "high",
                                             fs_json_number(alone_at(r, goal, d + 1, best))));
    return all;
}

static json_t *goal_json(const fs_robust *r, size_t goal) {
    const fs_store_objective *o = &r->sweep->objectives[goal];
    double *nominal = FS_NEW(r->arena, double, r->points + 1);
    fs_robust_verdict v;
    const fs_robust_cases cases = fs_robust_cases_of(r, goal, nominal);
    fs_robust_judge(r->arena, &cases, &v);
    json_t *turns = turns_of(r, goal, v.best);
    size_t turned = 0;
    for (size_t d = 0; d < r->draws.count; d++)
        turned += v.turned[d];
    const char *sentence = sentence_of(r, goal, &cases, &v, turns);
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:s}", "figure", o->figure, "best",
                     point_at(r, v.best)->key, "next", v.next == SIZE_MAX ? "" : point_at(r, v.next)->key,
                     "safest", v.safe == SIZE_MAX ? "" : point_at(r, v.safe)->key, "turned",
                     (json_int_t)turned, "turns", turns, "alone", alone_json(r, goal, v.best), "points",
                     points_json(r, &v), "values", values_json(r, goal, v.best), "sentence", sentence);
}

static json_t *parameters_json(const fs_robust *r) {
    json_t *all = json_array();
    for (size_t u = 0; u < r->parameters; u++)
        json_array_append_new(all,
                              json_pack("{s:s, s:s, s:s}", "key", r->parameter[u].key, "low",
                                        r->parameter[u].end[0]->text, "high", r->parameter[u].end[1]->text));
    return all;
}

static json_t *draws_json(const fs_robust *r) {
    json_t *all = json_array();
    for (size_t d = 0; d < r->draws.count; d++) {
        json_t *one = json_array();
        for (size_t u = 0; u < r->parameters; u++)
            json_array_append_new(one, json_string(r->set[d].text[u]));
        json_array_append_new(all, one);
    }
    return all;
}

json_t *fs_robust_json(const fs_robust *r) {
    json_t *goals = json_array(), *left_out = json_array();
    for (size_t g = 0; g < r->sweep->objective_count; g++)
        json_array_append_new(goals, goal_json(r, g));
    for (size_t i = 0; i < r->left_out_count; i++)
        json_array_append_new(left_out,
                              json_pack("{s:s, s:s}", "key", r->left_out[i].key, "why", r->left_out[i].why));
    json_t *all = json_pack("{s:I, s:I, s:b, s:o, s:o, s:o, s:o}", "points", (json_int_t)r->points,
                            "feasible", (json_int_t)r->feasible, "corners", r->draws.corners, "parameters",
                            parameters_json(r), "left_out", left_out, "draws", draws_json(r), "goals", goals);
    FS_ASSERT(all != NULL, "the host has no memory left");
    return all;
}
