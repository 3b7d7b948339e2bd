/* Open points divided into tasks: those that share a scene together, none too long. */
#include "sim/cluster/private.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const fs_store_point *point;
    size_t place; /* in the sweep */
    double seconds, alone;
} entry;

/* Points of one geometry stand together, those of one traffic within; groups in the order of their keys. */
static int order(const void *a, const void *b) {
    const entry *x = a, *y = b;
    int by = strcmp(x->point->geometry_key, y->point->geometry_key);
    if (by == 0)
        by = strcmp(x->point->traffic_key, y->point->traffic_key);
    return by != 0 ? by : (x->place > y->place) - (x->place < y->place);
}

/* What entry i takes; first: of its chunk. */
static double of_entry(const entry *entries, size_t i, bool first) {
    const entry *e = &entries[i];
    const bool follows = !first && i > 0 && strcmp(e[-1].point->geometry_key, e->point->geometry_key) == 0;
    return follows || e->alone < e->seconds ? e->seconds : e->alone;
}

/* Cuts where the next point would make a chunk take longer than `seconds`. begin[i]: first entry of chunk i. */
static size_t cut(const entry *entries, size_t count, double seconds, size_t *begin) {
    size_t chunks = 0;
    double taken = 0;
    for (size_t i = 0; i < count; i++) {
        const double next = of_entry(entries, i, false);
        if (i == 0 || taken + next > seconds) {
            begin[chunks++] = i;
            taken = of_entry(entries, i, true);
        } else
            taken += next;
    }
    return chunks;
}

static void fill(fs_arena *arena, const entry *entries, size_t count, fs_cluster_chunk *chunk) {
    chunk->count = count;
    chunk->work = FS_NEW(arena, fs_store_point, count);
    for (size_t i = 0; i < count; i++)
        chunk->work[i] = *entries[i].point;
}

void fs_cluster_divide(fs_arena *arena, const fs_store_point *points, const size_t *point,
                       const double *seconds, const double *alone, size_t count,
                       const fs_cluster_options *options, fs_cluster_chunk **chunks, size_t *chunk_count) {
    enum { TRIES = 200 };
    const double wider = 1.1; /* until the array is within its limit */
    entry *entries = FS_NEW(arena, entry, count + 1);
    size_t *begin = FS_NEW(arena, size_t, count + 2);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        entries[i] =
            (entry){.point = &points[point[i]], .place = point[i], .seconds = seconds[i], .alone = alone[i]};
    }
    qsort(entries, count, sizeof *entries, order);
    for (size_t i = 0; i < count; i++)
        sum += of_entry(entries, i, false);
    double width = options->chunk_seconds;
    if (options->tasks_at_once > 0 && sum / (double)options->tasks_at_once < width)
        width = sum / (double)options->tasks_at_once;
    size_t made = cut(entries, count, width, begin), most = (size_t)options->array_limit;
    if (made > most && sum / (double)most > width)
        width = sum / (double)most;
    for (int i = 0; i < TRIES && made > most; i++, width *= wider)
        made = cut(entries, count, width, begin);
    if (made > most) { /* costs that no width can balance: by number */
        made = most;
        for (size_t i = 0; i < made; i++)
            begin[i] = i * count / made;
    }
    begin[made] = count;
    *chunks = FS_NEW(arena, fs_cluster_chunk, made + 1);
    *chunk_count = made;
    for (size_t i = 0; i < made; i++)
        fill(arena, entries + begin[i], begin[i + 1] - begin[i], &(*chunks)[i]);
}
