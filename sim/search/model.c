/* A Gaussian process over points of levels (kriging: Sacks, Welch, Mitchell, Wynn 1989), its correlations by
 * the greatest likelihood. */
#include "sim/base/detmath.h"
#include "sim/search/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much alike two different levels of an axis are (of an ordered one: two neighbours). Steps of about
 * equal change in the process; the likelihood chooses among them. */
static const double alike[] = {0.3, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.9995};
enum { STEPS = sizeof alike / sizeof *alike, FIRST_STEP = 4, MOST_FITTED = 256, MOST_PASSES = 3 };
/* Beside the correlation of a point with itself, so that the factor exists. */
static const double nugget = 1e-6;

/* ---- correlations ---- */

typedef struct correlation {
    const fs_search_space *space;
    double *room;                       /* of all tables; free() it */
    double *table[FS_SEARCH_MOST_AXES]; /* [levels + 1][levels + 1]; the last one: the axis does not apply */
} correlation;

static double power(double base, size_t exponent) {
    double value = 1;
    while (exponent-- > 0)
        value *= base;
    return value;
}

static void correlate(correlation *c, const fs_search_space *space, const size_t *steps) {
    size_t room = 0;
    for (size_t a = 0; a < space->axes; a++)
        room += (space->levels[a] + 1) * (space->levels[a] + 1);
    c->space = space;
    c->room = fs_calloc(room + 1, sizeof *c->room);
    room = 0;
    for (size_t a = 0; a < space->axes; a++) {
        const size_t n = space->levels[a] + 1;
        c->table[a] = c->room + room;
        room += n * n;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++) {
                const bool both = i + 1 < n && k + 1 < n;
                const size_t apart = i == k ? 0 : both && space->ordered[a] ? (i > k ? i - k : k - i) : 1;
                c->table[a][i * n + k] = power(alike[steps[a]], apart);
            }
    }
}

static double of_pair(const correlation *c, size_t p, size_t q) {
    const fs_search_space *s = c->space;
    const uint16_t *x = s->at + p * s->axes, *y = s->at + q * s->axes;
    double product = 1;
    for (size_t a = 0; a < s->axes; a++) {
        const size_t n = s->levels[a] + 1;
        const size_t i = x[a] == FS_SEARCH_NO_LEVEL ? n - 1 : x[a];
        const size_t k = y[a] == FS_SEARCH_NO_LEVEL ? n - 1 : y[a];
        product *= c->table[a][i * n + k];
    }
    return product;
}

/* ---- the factor ---- */

/* Row i holds column i of L (K = L L^T), from the diagonal on: sums in a fixed order along a row, so that a
 * compiler may take several elements at once and the bits stay. False: not positive definite. */
static bool factorise(double *k, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double *row = k + i * n;
        if (!(row[i] > 0))
            return false;
        const double root = sqrt(row[i]);
        for (size_t j = i; j < n; j++)
            row[j] /= root;
        for (size_t below = i + 1; below < n; below++) {
            double *other = k + below * n;
            const double factor = row[below];
            for (size_t j = below; j < n; j++)
                other[j] -= factor * row[j];
        }
    }
    return true;
}

/* x becomes L^-1 x. */
static void solve_lower(const double *factor, size_t n, double *x) {
    for (size_t i = 0; i < n; i++) {
        const double *row = factor + i * n;
        x[i] /= row[i];
        for (size_t j = i + 1; j < n; j++)
            x[j] -= row[j] * x[i];
    }
}

/* x becomes L^-T x. */
static void solve_upper(const double *factor, size_t n, double *x) {
    for (size_t i = n; i-- > 0;) {
        const double *row = factor + i * n;
        double sum = x[i];
        for (size_t j = i + 1; j < n; j++)
            sum -= row[j] * x[j];
        x[i] = sum / row[i];
    }
}

/* ---- likelihood ---- */

typedef struct fitting {
    const fs_search_space *space;
    const size_t *point;
    const double *value;
    size_t count;
    double *factor, *x, *one; /* [count][count], [count], [count] */
    double mean, variance;
} fitting;

/* The logarithm of the likelihood but for a constant; -INFINITY where there is no factor. Leaves the factor,
 * mean, variance and x = L^-1 (value - mean). */
static double likelihood(fitting *f, const size_t *steps) {
    const size_t n = f->count;
    correlation c;
    correlate(&c, f->space, steps);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k < n; k++)
            f->factor[i * n + k] = of_pair(&c, f->point[i], f->point[k]) + (i == k ? nugget : 0);
    free(c.room);
    if (!factorise(f->factor, n))
        return (double)-INFINITY;
    memcpy(f->x, f->value, n * sizeof *f->x);
    for (size_t i = 0; i < n; i++)
        f->one[i] = 1;
    solve_lower(f->factor, n, f->x);
    solve_lower(f->factor, n, f->one);
    double above = 0, below = 0, sum = 0, log_root = 0;
    for (size_t i = 0; i < n; i++) {
        above += f->one[i] * f->x[i];
        below += f->one[i] * f->one[i];
    }
    f->mean = above / below;
    for (size_t i = 0; i < n; i++) {
        f->x[i] -= f->mean * f->one[i];
        sum += f->x[i] * f->x[i];
        log_root += fs_log(f->factor[i * n + i]);
    }
    f->variance = sum / (double)n;
    /* Values that are all equal: nothing to explain. */
    const double least = 1e-24;
    return -0.5 * (double)n * fs_log(f->variance > least ? f->variance : least) - log_root;
}

/* One axis at a time, one step up or down, as long as the likelihood grows. */
static void choose_steps(fitting *f, size_t *steps) {
    double best = likelihood(f, steps);
    bool moved = true;
    for (int pass = 0; pass < MOST_PASSES && moved; pass++) {
        moved = false;
        for (size_t a = 0; a < f->space->axes; a++)
            for (int way = -1; way <= 1; way += 2)
                for (;;) {
                    const size_t was = steps[a];
                    if (f->space->levels[a] < 2 || (way < 0 ? was == 0 : was + 1 == STEPS))
                        break;
                    steps[a] = way < 0 ? was - 1 : was + 1;
                    const double now = likelihood(f, steps);
                    if (!(now > best)) {
                        steps[a] = was;
                        break;
                    }
                    best = now;
                    moved = true;
                }
    }
}

void fs_search_fit(fs_search_model *m, const fs_search_space *space, const size_t *point, const double *value,
                   size_t count) {
    if (m->space == NULL)
        for (size_t a = 0; a < space->axes; a++)
            m->steps[a] = FIRST_STEP;
    fs_search_model_free(m);
    m->space = space;
    m->count = count;
    m->arena = fs_arena_create();
    m->point = FS_NEW(m->arena, size_t, count);
    m->factor = FS_NEW(m->arena, double, count *count);
    m->weight = FS_NEW(m->arena, double, count);
    memcpy(m->point, point, count * sizeof *point);
    fitting f = {.space = space, .factor = m->factor, .x = m->weight, .one = FS_NEW(m->arena, double, count)};
    const size_t fitted = count < MOST_FITTED ? count : MOST_FITTED;
    size_t *some = FS_NEW(m->arena, size_t, fitted);
    double *known = FS_NEW(m->arena, double, fitted);
    for (size_t i = 0; i < fitted; i++) {
        some[i] = point[i * count / fitted];
        known[i] = value[i * count / fitted];
    }
    f.point = some;
    f.value = known;
    f.count = fitted;
    choose_steps(&f, m->steps);
    f.point = point;
    f.value = value;
    f.count = count;
    likelihood(&f, m->steps);
    solve_upper(m->factor, count, m->weight);
    m->mean = f.mean;
    m->variance = f.variance;
}

/* The error of point i is w_i / c_i and its variance v / c_i, where w = K^-1 (y - mean) and c is the diagonal
 * of K^-1 = L^-T L^-1: the squares of a column of L^-1. */
void fs_search_left_out(const fs_search_model *m, double *ratio) {
    const size_t n = m->count;
    double *column = fs_calloc(n + 1, sizeof *column);
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        memset(column, 0, n * sizeof *column);
        column[i] = 1;
        solve_lower(m->factor, n, column);
        for (size_t k = i; k < n; k++)
            squares += column[k] * column[k];
        ratio[i] = m->variance > 0 ? fabs(m->weight[i]) / sqrt(squares * m->variance) : 0;
    }
    free(column);
}

void fs_search_model_free(fs_search_model *m) {
    fs_arena_free(m->arena);
    m->arena = NULL;
    m->count = 0;
}

/* ---- predictions ---- */

enum { STRIP = 256 }; /* candidates that a thread takes at once */

void fs_search_guess_at(fs_search_guess *g, const fs_search_model *m, const size_t *point, size_t count,
                        size_t more) {
    correlation c;
    correlate(&c, m->space, m->steps);
    *g = (fs_search_guess){
        .arena = fs_arena_create(), .model = m, .count = count, .rows = m->count, .point = point};
    g->mean = FS_NEW(g->arena, double, count + 1);
    g->part = FS_NEW(g->arena, double, count + 1);
    g->row = FS_NEW(g->arena, double, (m->count + more) * count + 1);
    const size_t strips = (count + STRIP - 1) / STRIP;
#pragma omp parallel for schedule(dynamic)
    for (size_t s = 0; s < strips; s++) {
        const size_t begin = s * STRIP, end = begin + STRIP < count ? begin + STRIP : count;
        for (size_t i = begin; i < end; i++) {
            g->mean[i] = m->mean;
            g->part[i] = 1 + nugget;
        }
        for (size_t r = 0; r < m->count; r++) {
            double *row = g->row + r * count;
            for (size_t i = begin; i < end; i++) {
                row[i] = of_pair(&c, m->point[r], point[i]);
                g->mean[i] += m->weight[r] * row[i];
            }
        }
        for (size_t r = 0; r < m->count; r++) { /* row r of L^-1 K */
            double *row = g->row + r * count;
            const double *factor = m->factor + r * m->count;
            for (size_t i = begin; i < end; i++) {
                row[i] /= factor[r];
                g->part[i] -= row[i] * row[i];
            }
            for (size_t j = r + 1; j < m->count; j++) {
                double *other = g->row + j * count;
                for (size_t i = begin; i < end; i++)
                    other[i] -= factor[j] * row[i];
            }
        }
        for (size_t i = begin; i < end; i++)
            g->part[i] = g->part[i] > 0 ? g->part[i] : 0;
    }
    free(c.room);
}

void fs_search_guess_chosen(fs_search_guess *g, size_t candidate) {
    const double root = sqrt(g->part[candidate] > nugget ? g->part[candidate] : nugget);
    double *row = g->row + g->rows * g->count;
    correlation c;
    correlate(&c, g->model->space, g->model->steps);
    for (size_t i = 0; i < g->count; i++) {
        double sum = of_pair(&c, g->point[candidate], g->point[i]);
        for (size_t r = 0; r < g->rows; r++)
            sum -= g->row[r * g->count + candidate] * g->row[r * g->count + i];
        row[i] = sum / root;
        const double part = g->part[i] - row[i] * row[i];
        g->part[i] = part > 0 ? part : 0;
    }
    g->rows++;
    free(c.room);
}

void fs_search_guess_free(fs_search_guess *g) {
    fs_arena_free(g->arena);
}
