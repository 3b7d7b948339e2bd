/* The study of the next chip, searched in four ways. */
#include "tests/support/sweep/search_case.h"

#include "sim/base/rng.h"
#include "tests/support/test.h"

enum { COLUMNS = 12, SCENE = 9, SECONDS = 9, SRAM = 11, MOST = 3000, MOST_LEVELS = 16 };

typedef struct reading {
    size_t count;
    char cell[MOST][COLUMNS][24];
    char scene[MOST];
} reading;

static void read_scene(reading *r, const char *path, char scene) {
    char line[256];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in)); /* the names */
    while (fgets(line, sizeof line, in) != NULL) {
        size_t column = 0;
        assert_true(r->count < MOST);
        for (char *at = line; column < COLUMNS; at += strcspn(at, ",\n") + 1)
            snprintf(r->cell[r->count][column++], sizeof r->cell[0][0], "%.*s", (int)strcspn(at, ",\n"), at);
        r->scene[r->count++] = scene;
    }
    fclose(in);
}

/* Levels in the order of the file; numbers from small to large. */
static void read_axis(const reading *r, fs_arena *arena, size_t axis, size_t axes, size_t *levels,
                      bool *ordered, uint16_t *at) {
    static const bool is_number[STUDY_AXES] = {false, false, true, true,  false,
                                               true,  true,  true, false, false};
    const char **name = FS_NEW(arena, const char *, MOST_LEVELS);
    *levels = 0;
    *ordered = is_number[axis];
    for (size_t i = 0; i < r->count; i++) {
        const char *text = axis == SCENE ? (r->scene[i] == 's' ? "small" : "large") : r->cell[i][axis];
        size_t k = 0;
        while (k < *levels && strcmp(name[k], text) != 0)
            k++;
        assert_true(k < MOST_LEVELS);
        if (k == *levels)
            name[(*levels)++] = text;
        at[i * axes + axis] = (uint16_t)k;
    }
    for (size_t i = 0; i < r->count && *ordered; i++) {
        const double own = strtod(r->cell[i][axis], NULL);
        uint16_t rank = 0;
        for (size_t k = 0; k < *levels; k++)
            rank = (uint16_t)(rank + (strtod(name[k], NULL) < own));
        at[i * axes + axis] = rank;
    }
}

study_space study_space_read(fs_arena *arena, study_scenes which) {
    reading *r = FS_NEW(arena, reading, 1);
    if (which != STUDY_LARGE)
        read_scene(r, "docs/studies/next-chip.csv", 's');
    if (which != STUDY_SMALL)
        read_scene(r, "docs/studies/next-chip-1m.csv", 'l');
    const size_t axes = which == STUDY_BOTH ? STUDY_AXES : STUDY_AXES - 1;
    size_t *levels = FS_NEW(arena, size_t, axes);
    bool *ordered = FS_NEW(arena, bool, axes);
    uint16_t *at = FS_NEW(arena, uint16_t, r->count * axes);
    double *values = FS_NEW(arena, double, r->count *STUDY_GOALS);
    for (size_t a = 0; a < axes; a++)
        read_axis(r, arena, a, axes, &levels[a], &ordered[a], at);
    study_space s = {
        .space = {.axes = axes, .levels = levels, .ordered = ordered, .count = r->count, .at = at},
        .values = values};
    for (size_t i = 0; i < r->count; i++)
        for (size_t g = 0; g < STUDY_GOALS; g++) {
            const double v = strtod(r->cell[i][g == 0 ? SECONDS : SRAM], NULL);
            values[i * STUDY_GOALS + g] = v;
            s.best[g] = i == 0 || v < s.best[g] ? v : s.best[g];
            s.worst[g] = i == 0 || v > s.worst[g] ? v : s.worst[g];
        }
    s.volume = fs_search_volume(values, r->count, STUDY_GOALS, s.worst);
    return s;
}

/* ---- evolution ---- */

/* Of two drawn members of what was seen the one that is not dominated; ties are drawn. */
static size_t parent(const study_space *s, fs_rng *rng, const size_t *seen, size_t count) {
    const size_t a = seen[fs_rng_below(rng, (uint32_t)count)], b = seen[fs_rng_below(rng, (uint32_t)count)];
    const double *x = s->values + a * STUDY_GOALS, *y = s->values + b * STUDY_GOALS;
    size_t beats_a = 0, beats_b = 0;
    for (size_t i = 0; i < count; i++) {
        const double *z = s->values + seen[i] * STUDY_GOALS;
        beats_a += fs_search_dominates(z, x, STUDY_GOALS);
        beats_b += fs_search_dominates(z, y, STUDY_GOALS);
    }
    return beats_a <= beats_b ? a : b;
}

/* A child that has each level of one of its parents, or, one time in as many as there are axes, a drawn one:
 * the unseen point of the space that differs from it in the fewest axes. */
static size_t child(const study_space *s, fs_rng *rng, const size_t *seen, size_t count, const bool *known) {
    const fs_search_space *p = &s->space;
    const uint16_t *x = p->at + parent(s, rng, seen, count) * p->axes;
    const uint16_t *y = p->at + parent(s, rng, seen, count) * p->axes;
    uint16_t wanted[STUDY_AXES];
    for (size_t a = 0; a < p->axes; a++) {
        wanted[a] = fs_rng_below(rng, 2) ? x[a] : y[a];
        if (fs_rng_below(rng, (uint32_t)p->axes) == 0)
            wanted[a] = (uint16_t)fs_rng_below(rng, (uint32_t)p->levels[a]);
    }
    size_t best = 0, least = SIZE_MAX;
    for (size_t i = 0; i < p->count; i++) {
        size_t differ = 0;
        for (size_t a = 0; a < p->axes; a++)
            differ += p->at[i * p->axes + a] != wanted[a];
        if (!known[i] && differ < least) {
            least = differ;
            best = i;
        }
    }
    return best;
}

/* ---- looking ---- */

static size_t next_points(const study_space *s, study_way way, fs_rng *rng, const bool *known,
                          const size_t *seen, size_t count) {
    enum { FIRST = 20 };
    if (way == STUDY_FACTORIAL)
        return count;
    if (way == STUDY_EVOLUTION && count >= FIRST)
        return child(s, rng, seen, count, known);
    for (;;) {
        const size_t p = fs_rng_below(rng, (uint32_t)s->space.count);
        if (!known[p])
            return p;
    }
}

static bool found_best(const study_space *s, const size_t *seen, size_t count) {
    for (size_t g = 0; g < STUDY_GOALS; g++) {
        bool found = false;
        for (size_t i = 0; i < count && !found; i++)
            found = s->values[seen[i] * STUDY_GOALS + g] <= s->best[g];
        if (!found)
            return false;
    }
    return true;
}

study_found study_look(const study_space *s, study_way way, uint64_t seed, size_t budget, size_t batch) {
    static const bool smaller[STUDY_GOALS] = {false};
    fs_arena *arena = fs_arena_create();
    fs_search *search = fs_search_create(arena, &s->space, smaller, STUDY_GOALS, seed);
    fs_rng rng = fs_rng_stream(seed, "test/search");
    bool *known = FS_NEW(arena, bool, s->space.count);
    size_t *seen = FS_NEW(arena, size_t, budget + batch), count = 0;
    double *values = FS_NEW(arena, double, (budget + batch) * STUDY_GOALS);
    study_found found = {0, 0};
    while (count < budget && (found.best == 0 || found.volume == 0)) {
        const size_t left = budget - count, most = left < batch ? left : batch;
        size_t more = 1;
        if (way == STUDY_MODEL)
            more = fs_search_propose(search, most, seen + count);
        else
            seen[count] = next_points(s, way, &rng, known, seen, count);
        for (size_t i = 0; i < more; i++) {
            const double *v = s->values + seen[count] * STUDY_GOALS;
            if (way == STUDY_MODEL)
                fs_search_learn(search, seen[count], v);
            known[seen[count]] = true;
            memcpy(values + count++ * STUDY_GOALS, v, STUDY_GOALS * sizeof *v);
            if (found.best == 0 && found_best(s, seen, count))
                found.best = count;
            if (found.volume == 0 &&
                fs_search_volume(values, count, STUDY_GOALS, s->worst) >= 0.95 * s->volume)
                found.volume = count;
        }
    }
    fs_search_free(search);
    fs_arena_free(arena);
    return found;
}

void study_covered(const study_space *s, uint64_t seed, size_t budget, size_t batch,
                   double covered[STUDY_GOALS]) {
    static const bool smaller[STUDY_GOALS] = {false};
    fs_arena *arena = fs_arena_create();
    fs_search *search = fs_search_create(arena, &s->space, smaller, STUDY_GOALS, seed);
    size_t *points = FS_NEW(arena, size_t, batch), count = 0;
    while (count < budget) {
        const size_t more =
            fs_search_propose(search, budget - count < batch ? budget - count : batch, points);
        for (size_t i = 0; i < more; i++)
            fs_search_learn(search, points[i], s->values + points[i] * STUDY_GOALS);
        count += more;
    }
    fs_search_judgement judgement;
    fs_search_judge(search, arena, &judgement);
    for (size_t g = 0; g < STUDY_GOALS; g++)
        covered[g] = judgement.left[g].covered;
    fs_search_free(search);
    fs_arena_free(arena);
}
