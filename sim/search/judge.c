/* How sure it is that nothing better was missed. */
#include "sim/base/detmath.h"
#include "sim/base/quantile.h"
#include "sim/search/private.h"

#include <math.h>
#include <string.h>

/* A point counts as better from so much on: of the value, or of the spread of values not all above 0. */
static const double matters = 1e-3;

/* ---- volumes ---- */

typedef struct box {
    double best[FS_SEARCH_MOST_GOALS], worst[FS_SEARCH_MOST_GOALS]; /* of what was seen, smaller is better */
} box;

static double turned(const fs_search *s, size_t goal, double value) {
    return s->larger[goal] ? -value : value;
}

static box box_of(const fs_search *s) {
    box b;
    for (size_t g = 0; g < s->goals; g++) {
        b.best[g] = (double)INFINITY;
        b.worst[g] = (double)-INFINITY;
        for (size_t i = 0; i < s->seen_count; i++) {
            const double v = turned(s, g, s->seen[i].value[g]);
            b.best[g] = v < b.best[g] ? v : b.best[g]; /* a NAN is neither */
            b.worst[g] = v > b.worst[g] ? v : b.worst[g];
        }
    }
    return b;
}

/* 0 at the best, 1 at the worst seen; a goal in which all are alike is 0. */
static double in_box(const fs_search *s, const box *b, size_t goal, double value) {
    const double all = b->worst[goal] - b->best[goal];
    return all > 0 ? (turned(s, goal, value) - b->best[goal]) / all : 0;
}

static void point_in_box(const fs_search *s, const box *b, const double *value, double *point) {
    for (size_t g = 0; g < s->goals; g++)
        point[g] = in_box(s, b, g, value[g]);
}

static const double corner[FS_SEARCH_MOST_GOALS] = {1, 1, 1, 1, 1, 1}; /* of the box */

typedef struct growing {
    size_t goals, count;
    double *front, *scratch, volume;
} growing;

static void grow(growing *w, const double *point) {
    const double more = fs_search_adds(w->front, w->count, w->goals, corner, point, w->scratch);
    if (!(more > 0))
        return;
    w->volume += more;
    memcpy(w->front + w->count * w->goals, point, w->goals * sizeof *point);
    w->count = fs_search_front(w->front, w->count + 1, w->goals);
}

static void see_volumes(const fs_search *s, const box *b, growing *w, double *volumes) {
    double point[FS_SEARCH_MOST_GOALS];
    for (size_t i = 0; i < s->seen_count; i++) {
        point_in_box(s, b, s->seen[i].value, point);
        if (s->seen[i].feasible)
            grow(w, point);
        volumes[i] = w->volume;
    }
}

static double volume_of(const fs_search *s, fs_arena *arena, const box *b) {
    double *points = FS_NEW(arena, double, s->seen_count * s->goals + 1);
    size_t count = 0;
    for (size_t i = 0; i < s->seen_count; i++) {
        point_in_box(s, b, s->seen[i].value, points + count * s->goals);
        count += s->seen[i].feasible;
    }
    return fs_search_volume(points, count, s->goals, corner);
}

/* ---- predictions against what came out ---- */

static void judge_predictions(const fs_search *s, fs_arena *arena, const box *b, size_t goal,
                              fs_search_left *left) {
    const bool ratios = fs_search_in_ratios(s, goal);
    double *error = FS_NEW(arena, double, s->seen_count + 1);
    size_t count = 0, within = 0;
    for (size_t i = 0; i < s->seen_count; i++) {
        const fs_search_range *r = &s->seen[i].expected[goal];
        const double v = s->seen[i].value[goal];
        if (!s->seen[i].feasible || !r->known)
            continue;
        const double whole = ratios ? v : b->worst[goal] - b->best[goal];
        const double slack = 1e-9 * fabs(v); /* where the model is certain, its last digits */
        error[count++] = whole > 0 ? fabs(r->value - v) / whole : 0;
        within += v >= r->low - slack && v <= r->high + slack;
    }
    left->error = fs_median(error, count);
    left->covered = count == 0 ? (double)NAN : (double)within / (double)count;
}

/* ---- what the model expects of the space ---- */

typedef struct asked {
    size_t *point, count, unseen; /* the unseen ones first */
    double scale;                 /* unseen points of the space for each that was asked about */
    double *chance;               /* [unseen] */
} asked;

static asked ask(fs_search *s, fs_arena *arena) {
    asked q;
    size_t *known = FS_NEW(arena, size_t, s->seen_count + 1);
    double *costs = FS_NEW(arena, double, (s->seen_count + 1) * s->goals);
    const size_t feasible = fs_search_costs(s, known, costs);
    q.point = fs_search_candidates(s, arena, costs, known, feasible, &q.unseen);
    q.count = q.unseen + s->seen_count;
    for (size_t i = 0; i < s->seen_count; i++)
        q.point[q.unseen + i] = s->seen[i].point;
    q.scale = q.unseen == 0 ? 0 : (double)(s->space->count - s->seen_count) / (double)q.unseen;
    q.chance = fs_search_chances(s, arena, q.point, q.unseen);
    return q;
}

static void judge_share(const fs_search_space *space, fs_arena *arena, const asked *q, const double *mean,
                        double *share) {
    double sum = 0, total = 0;
    for (size_t i = 0; i < q->count; i++)
        sum += mean[i];
    const double all = q->count == 0 ? 0 : sum / (double)q->count;
    for (size_t i = 0; i < q->count; i++)
        total += (mean[i] - all) * (mean[i] - all);
    for (size_t a = 0; a < space->axes; a++) {
        const size_t n = space->levels[a] + 1;
        double *of = FS_NEW(arena, double, n), *times = FS_NEW(arena, double, n), between = 0;
        for (size_t i = 0; i < q->count; i++) {
            const uint16_t at = space->at[q->point[i] * space->axes + a];
            of[at == FS_SEARCH_NO_LEVEL ? n - 1 : at] += mean[i];
            times[at == FS_SEARCH_NO_LEVEL ? n - 1 : at] += 1;
        }
        for (size_t k = 0; k < n; k++)
            if (times[k] > 0)
                between += times[k] * (of[k] / times[k] - all) * (of[k] / times[k] - all);
        share[a] = total > 0 ? between / total : 0;
    }
}

static void judge_goal(fs_search *s, fs_arena *arena, const asked *q, size_t goal, fs_search_guess *guess,
                       fs_search_left *left) {
    const bool ratios = fs_search_in_ratios(s, goal);
    double best = (double)INFINITY, worst = (double)-INFINITY, most = 0;
    for (size_t i = 0; i < s->seen_count; i++)
        if (s->seen[i].feasible) {
            const double cost = fs_search_cost_of(s, goal, ratios, s->seen[i].value[goal]);
            left->best = cost < best ? s->seen[i].value[goal] : left->best;
            best = cost < best ? cost : best;
            worst = cost > worst ? cost : worst;
        }
    const double enough = ratios ? matters : matters * (worst - best);
    for (size_t i = 0; i < q->unseen; i++) {
        const double deviation = sqrt(s->goal[goal].variance * guess->part[i]);
        const double gain = q->chance[i] * fs_search_improvement(guess->mean[i], deviation, best);
        const double room = best - enough - guess->mean[i];
        left->better += q->scale * q->chance[i] *
                        (deviation > 0 ? fs_search_normal(room / deviation)
                         : room > 0    ? 1
                                       : 0);
        most = gain > most ? gain : most;
    }
    left->gain = !ratios           ? (worst > best ? most / (worst - best) : 0)
                 : s->larger[goal] ? fs_exp(most) - 1
                                   : 1 - fs_exp(-most);
    judge_share(s->space, arena, q, guess->mean, left->share);
}

/* ---- all of it ---- */

static void expect(fs_search *s, fs_arena *arena, fs_search_judgement *j, const box *b, growing *w) {
    const asked q = ask(s, arena);
    fs_search_guess guess[FS_SEARCH_MOST_GOALS];
    for (size_t g = 0; g < s->goals; g++) {
        fs_search_guess_at(&guess[g], &s->goal[g], q.point, q.count, 0);
        judge_goal(s, arena, &q, g, &guess[g], &j->left[g]);
        judge_predictions(s, arena, b, g, &j->left[g]);
    }
    for (size_t i = 0; i < q.unseen; i++) {
        double point[FS_SEARCH_MOST_GOALS];
        for (size_t g = 0; g < s->goals; g++)
            point[g] = in_box(s, b, g, fs_search_value_of(s, g, fs_search_in_ratios(s, g), guess[g].mean[i]));
        if (q.chance[i] > 0.5)
            grow(w, point);
    }
    for (size_t g = 0; g < s->goals; g++)
        fs_search_guess_free(&guess[g]);
    j->looked = q.unseen;
    j->volume_expected = w->volume > j->volume ? w->volume : j->volume;
}

void fs_search_judge(fs_search *s, fs_arena *arena, fs_search_judgement *j) {
    double *volumes = FS_NEW(arena, double, s->seen_count + 1);
    *j = (fs_search_judgement){.seen = s->seen_count,
                               .space = s->space->count,
                               .volumes = volumes,
                               .left = FS_NEW(arena, fs_search_left, s->goals)};
    for (size_t i = 0; i < s->seen_count; i++)
        j->feasible += s->seen[i].feasible;
    for (size_t g = 0; g < s->goals; g++) {
        j->left[g].share = FS_NEW(arena, double, s->space->axes + 1);
        j->left[g].best = j->left[g].error = j->left[g].covered = (double)NAN;
    }
    const box b = box_of(s);
    growing w = {.goals = s->goals,
                 .front = FS_NEW(arena, double, (s->space->count + 1) * s->goals),
                 .scratch = FS_NEW(arena, double, (s->space->count + 2) * s->goals * (s->goals + 2))};
    see_volumes(s, &b, &w, volumes);
    j->volume = j->volume_expected = volume_of(s, arena, &b);
    if (fs_search_fit_all(s))
        expect(s, arena, j, &b, &w);
}
