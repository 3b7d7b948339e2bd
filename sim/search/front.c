/* Fronts and what they dominate. Smaller is better throughout. */
#include "sim/search/private.h"

#include <stdlib.h>
#include <string.h>

bool fs_search_dominates(const double *a, const double *b, size_t goals) {
    bool better = false;
    for (size_t g = 0; g < goals; g++) {
        if (a[g] > b[g])
            return false;
        better |= a[g] < b[g];
    }
    return better;
}

static bool no_worse(const double *a, const double *b, size_t goals) {
    for (size_t g = 0; g < goals; g++)
        if (a[g] > b[g])
            return false;
    return true;
}

size_t fs_search_front(double *points, size_t count, size_t goals) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        double p[FS_SEARCH_MOST_GOALS];
        memcpy(p, points + i * goals, goals * sizeof *p);
        bool beaten = false;
        for (size_t k = 0; k < kept && !beaten; k++)
            beaten = no_worse(points + k * goals, p, goals);
        if (beaten)
            continue;
        size_t left = 0;
        for (size_t k = 0; k < kept; k++)
            if (!no_worse(p, points + k * goals, goals))
                memmove(points + left++ * goals, points + k * goals, goals * sizeof *p);
        kept = left;
        memcpy(points + kept++ * goals, p, goals * sizeof *p);
    }
    return kept;
}

/* ---- volumes ---- */

/* Ascending in one goal; equal ones keep their order. Few points: by insertion. */
static void sort_by(double *points, size_t count, size_t goals, size_t goal) {
    double p[FS_SEARCH_MOST_GOALS];
    for (size_t i = 1; i < count; i++) {
        size_t at = i;
        memcpy(p, points + i * goals, goals * sizeof *p);
        while (at > 0 && points[(at - 1) * goals + goal] > p[goal])
            at--;
        memmove(points + (at + 1) * goals, points + at * goals, (i - at) * goals * sizeof *p);
        memcpy(points + at * goals, p, goals * sizeof *p);
    }
}

/* Slices along the last goal: between two of its values the first ones dominate what they do in one dimension
 * less. points [count][goals] are within the reference and are sorted here. */
static double sliced(double *points, size_t count, size_t goals, const double *reference, double *scratch) {
    const size_t last = goals - 1;
    double sum = 0;
    if (count == 0)
        return 0;
    sort_by(points, count, goals, last);
    if (goals == 1)
        return reference[0] - points[0];
    for (size_t i = 0; i < count; i++) {
        const double top = i + 1 < count ? points[(i + 1) * goals + last] : reference[last];
        const double depth = top - points[i * goals + last];
        if (!(depth > 0))
            continue;
        for (size_t k = 0; k <= i; k++)
            memcpy(scratch + k * last, points + k * goals, last * sizeof *scratch);
        const size_t kept = fs_search_front(scratch, i + 1, last);
        sum += depth * sliced(scratch, kept, last, reference, scratch + (i + 1) * last);
    }
    return sum;
}

double fs_search_volume(const double *points, size_t count, size_t goals, const double *reference) {
    double *copy = fs_calloc(count * goals * (goals + 1) + 1, sizeof *copy);
    size_t within = 0;
    for (size_t i = 0; i < count; i++)
        if (no_worse(points + i * goals, reference, goals))
            memcpy(copy + within++ * goals, points + i * goals, goals * sizeof *copy);
    within = fs_search_front(copy, within, goals);
    const double volume = sliced(copy, within, goals, reference, copy + within * goals);
    free(copy);
    return volume;
}

double fs_search_adds(const double *front, size_t count, size_t goals, const double *reference,
                      const double *point, double *scratch) {
    double box = 1;
    for (size_t g = 0; g < goals; g++) {
        if (!(point[g] < reference[g]))
            return 0;
        box *= reference[g] - point[g];
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (no_worse(front + i * goals, point, goals))
            return 0;
        for (size_t g = 0; g < goals; g++) {
            const double v = front[i * goals + g];
            scratch[kept * goals + g] = v > point[g] ? v : point[g];
        }
        kept += no_worse(scratch + kept * goals, reference, goals);
    }
    kept = fs_search_front(scratch, kept, goals);
    return box - sliced(scratch, kept, goals, reference, scratch + kept * goals);
}
