/* Columns of occurrences. */
#include "workloads/paths/walk/counts.h"

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/base/host.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t kept[FS_WALK_KEPT] = {
    FS_WALK_AXIS,     FS_WALK_INNER,   FS_WALK_EDGE_EXIT, FS_WALK_RANGE_EXIT,  FS_WALK_TRIANGLE,
    FS_WALK_NORMAL,   FS_WALK_SMOOTH,  FS_WALK_SPHERE,    FS_WALK_SPHERE_ROOT, FS_WALK_DISC,
    FS_WALK_EMISSION, FS_WALK_DIFFUSE, FS_WALK_SPECULAR,  FS_WALK_REFRACTIVE,  FS_WALK_ROULETTE,
    FS_WALK_ESCAPE,   FS_WALK_END};

/* What follows from others: event = a + times b. In an order in which each finds its own. */
typedef struct rule {
    uint8_t event, a, b, times;
} rule;
static const rule rules[] = {{FS_WALK_HIT, FS_WALK_DIFFUSE, FS_WALK_SPECULAR, 1},
                             {FS_WALK_HIT, FS_WALK_HIT, FS_WALK_REFRACTIVE, 1},
                             {FS_WALK_SEGMENT, FS_WALK_HIT, FS_WALK_ESCAPE, 1},
                             {FS_WALK_NODE, FS_WALK_SEGMENT, FS_WALK_INNER, 2},
                             {FS_WALK_SHEAR, FS_WALK_EDGE_EXIT, FS_WALK_RANGE_EXIT, 1},
                             {FS_WALK_SHEAR, FS_WALK_SHEAR, FS_WALK_TRIANGLE, 1},
                             {FS_WALK_LEAF, FS_WALK_SHEAR, FS_WALK_SPHERE, 1},
                             {FS_WALK_LEAF, FS_WALK_LEAF, FS_WALK_DISC, 1},
                             {FS_WALK_CAMERA, FS_WALK_END, FS_WALK_PROLOGUE, 1}};
enum { RULES = sizeof rules / sizeof *rules };

static void complete(uint32_t *row) {
    for (int i = 0; i < RULES; i++)
        row[rules[i].event] = row[rules[i].a] + rules[i].times * row[rules[i].b];
}

void fs_walk_counts_create(fs_walk_counts *counts, uint64_t rows) {
    *counts = (fs_walk_counts){.rows = rows};
}

void fs_walk_counts_free(fs_walk_counts *counts) {
    for (int k = 0; k < FS_WALK_KEPT; k++)
        free(counts->column[k].data);
    *counts = (fs_walk_counts){.rows = 0};
}

/* ---- one column ---- */

static uint32_t get(const fs_walk_counts *c, int k, uint64_t row) {
    const void *data = c->column[k].data;
    switch (c->column[k].width) {
    case 0:
        return 0;
    case 1:
        return ((const uint8_t *)data)[row];
    case 2:
        return ((const uint16_t *)data)[row];
    default:
        return ((const uint32_t *)data)[row];
    }
}

static void put(uint8_t width, void *data, uint64_t row, uint32_t value) {
    if (width == 1)
        ((uint8_t *)data)[row] = (uint8_t)value;
    else if (width == 2)
        ((uint16_t *)data)[row] = (uint16_t)value;
    else if (width == 4)
        ((uint32_t *)data)[row] = value;
}

static void widen(fs_walk_counts *c, int k, uint32_t most) {
    const uint8_t width = most == 0 ? 0 : most <= UINT8_MAX ? 1 : most <= UINT16_MAX ? 2 : 4;
    if (width <= c->column[k].width)
        return;
    void *wider = fs_calloc(c->rows, width);
    for (uint64_t r = 0; c->column[k].width > 0 && r < c->rows; r++)
        put(width, wider, r, get(c, k, r));
    free(c->column[k].data);
    c->column[k].data = wider;
    c->column[k].width = width;
}

/* ---- rows ---- */

void fs_walk_counts_keep(fs_walk_counts *counts, uint64_t first, uint64_t count,
                         uint32_t (*rows)[FS_WALK_EVENTS]) {
    for (uint64_t r = 0; r < count; r++) {
        uint32_t row[FS_WALK_EVENTS];
        memcpy(row, rows[r], sizeof row);
        complete(row);
        FS_ASSERT(memcmp(row, rows[r], sizeof row) == 0, "a row whose events do not follow from each other");
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < FS_WALK_KEPT; k++) {
        uint32_t most = 0;
        for (uint64_t r = 0; r < count; r++)
            most = rows[r][kept[k]] > most ? rows[r][kept[k]] : most;
        widen(counts, k, most);
        for (uint64_t r = 0; counts->column[k].width > 0 && r < count; r++)
            put(counts->column[k].width, counts->column[k].data, first + r, rows[r][kept[k]]);
    }
}

/* A loop over a column by the type of its rows; none for zeros throughout. */
#define BY_WIDTH(width, LOOP)                                                                                \
    if ((width) == 1)                                                                                        \
        LOOP(uint8_t);                                                                                       \
    else if ((width) == 2)                                                                                   \
        LOOP(uint16_t);                                                                                      \
    else if ((width) == 4)                                                                                   \
    LOOP(uint32_t)

enum { CHUNK = FS_WALK_CHUNK, WORTH_THREADS = 1 << 20 }; /* rows */

#define TAKE_COLUMN(type)                                                                                    \
    for (uint64_t r = 0; r < count; r++)                                                                     \
    rows[r][kept[k]] = ((const type *)data)[first + r]

static void take_column(uint8_t width, const void *data, int k, uint64_t first, uint64_t count,
                        uint32_t (*rows)[FS_WALK_EVENTS]) {
    BY_WIDTH(width, TAKE_COLUMN);
}

void fs_walk_counts_rows(const fs_walk_counts *counts, uint64_t first, uint64_t count,
                         uint32_t (*rows)[FS_WALK_EVENTS]) {
#pragma omp parallel for schedule(static)
    for (uint64_t from = 0; from < count; from += CHUNK) {
        const uint64_t some = count - from < CHUNK ? count - from : CHUNK;
        memset(rows[from], 0, some * sizeof *rows);
        for (int k = 0; k < FS_WALK_KEPT; k++)
            take_column(counts->column[k].width, counts->column[k].data, k, first + from, some, rows + from);
        for (uint64_t r = from; r < from + some; r++)
            complete(rows[r]);
    }
}

#define COPY_COLUMN(type)                                                                                    \
    for (uint64_t r = 0; r < count; r++)                                                                     \
    to[r] = ((const type *)c->column[k].data)[first + r]

void fs_walk_counts_columns(const fs_walk_counts *c, uint64_t first, uint64_t count, fs_walk_columns out) {
    for (int e = 0; e < FS_WALK_EVENTS; e++)
        memset(out[e], 0, count * sizeof *out[e]);
    for (int k = 0; k < FS_WALK_KEPT; k++) {
        uint32_t *to = out[kept[k]];
        BY_WIDTH(c->column[k].width, COPY_COLUMN);
    }
    for (const rule *is = rules; is < rules + RULES; is++)
        for (uint64_t r = 0; r < count; r++)
            out[is->event][r] = out[is->a][r] + is->times * out[is->b][r];
}

/* ---- sums ---- */

/* Prices of the kept events, with those of what follows from them. */
static void fold(const uint32_t *price, uint64_t of[FS_WALK_KEPT]) {
    uint64_t whole[FS_WALK_EVENTS];
    for (int e = 0; e < FS_WALK_EVENTS; e++)
        whole[e] = price[e];
    for (int i = RULES; i-- > 0;) {
        const rule *is = &rules[i];
        if (is->a != is->event)
            whole[is->a] += whole[is->event];
        whole[is->b] += is->times * whole[is->event];
    }
    for (int k = 0; k < FS_WALK_KEPT; k++)
        of[k] = whole[kept[k]];
}

/* Of up to CHUNK rows, column by column. SUM: of 32 bits where no row can leave them, else of 64. */
#define ADD_COLUMN(VALUE)                                                                                    \
    for (uint64_t r = 0; r < count; r++)                                                                     \
    sum[r] += (sum_type)of[k] * (sum_type)((const VALUE *)c->column[k].data)[first + r]
#define ADD_COLUMNS(SUM)                                                                                     \
    typedef SUM sum_type;                                                                                    \
    sum_type sum[CHUNK] = {0};                                                                               \
    for (int k = 0; k < FS_WALK_KEPT; k++)                                                                   \
        BY_WIDTH(c->column[k].width, ADD_COLUMN);                                                            \
    for (uint64_t r = 0; r < count; r++)                                                                     \
    slots[r] = sum[r]

typedef void price_rows(const fs_walk_counts *c, const uint64_t of[FS_WALK_KEPT], uint64_t first,
                        uint64_t count, uint64_t *slots);

static void price_wide(const fs_walk_counts *c, const uint64_t of[FS_WALK_KEPT], uint64_t first,
                       uint64_t count, uint64_t *slots) {
    ADD_COLUMNS(uint64_t);
}

static void price_narrow(const fs_walk_counts *c, const uint64_t of[FS_WALK_KEPT], uint64_t first,
                         uint64_t count, uint64_t *slots) {
    ADD_COLUMNS(uint32_t);
}

#if defined(__x86_64__)
__attribute__((target("avx2")))
#endif
static void
price_avx2(const fs_walk_counts *c, const uint64_t of[FS_WALK_KEPT], uint64_t first, uint64_t count,
           uint64_t *slots) {
    ADD_COLUMNS(uint32_t);
}

/* The same sums by all of them. */
static price_rows *pricer_of(const fs_walk_counts *c, const uint64_t of[FS_WALK_KEPT]) {
    static const uint64_t most[] = {0, UINT8_MAX, UINT16_MAX, 0, UINT32_MAX};
    uint64_t sum = 0;
    for (int k = 0; k < FS_WALK_KEPT; k++) {
        const uint64_t width = c->column[k].width;
        if (width > 0 && of[k] > UINT32_MAX / most[width])
            return price_wide;
        sum += of[k] * most[width];
    }
    return sum > UINT32_MAX ? price_wide : fs_host_has_avx2() ? price_avx2 : price_narrow;
}

void fs_walk_counts_price(const fs_walk_counts *counts, uint64_t first, uint64_t count, const uint32_t *price,
                          uint64_t *slots) {
    uint64_t of[FS_WALK_KEPT];
    fold(price, of);
    price_rows *const rows_of = pricer_of(counts, of);
#pragma omp parallel for schedule(static)
    for (uint64_t from = 0; from < count; from += CHUNK)
        rows_of(counts, of, first + from, count - from < CHUNK ? count - from : CHUNK, slots + from);
}

#define SUM_COLUMN(type)                                                                                     \
    for (uint64_t r = first; r < first + count; r++)                                                         \
    sum += ((const type *)data)[r]

static uint64_t sum_of(uint8_t width, const void *data, uint64_t first, uint64_t count) {
    uint64_t sum = 0;
    BY_WIDTH(width, SUM_COLUMN);
    return sum;
}

void fs_walk_counts_sum(const fs_walk_counts *counts, uint64_t first, uint64_t count,
                        uint64_t sum[FS_WALK_EVENTS]) {
    memset(sum, 0, FS_WALK_EVENTS * sizeof *sum);
#pragma omp parallel for schedule(dynamic) if (count >= WORTH_THREADS)
    for (int k = 0; k < FS_WALK_KEPT; k++)
        sum[kept[k]] = sum_of(counts->column[k].width, counts->column[k].data, first, count);
    for (int i = 0; i < RULES; i++)
        sum[rules[i].event] = sum[rules[i].a] + rules[i].times * sum[rules[i].b];
}

/* ---- files ---- */

static const char *name_of(int k) {
    return fs_walk_program.events[kept[k]].name;
}

void fs_walk_counts_sections(fs_recorded *f, uint64_t rows, fs_walk_counts *counts) {
    uint8_t width[FS_WALK_KEPT];
    if (fs_recorded_reads(f))
        fs_walk_counts_create(counts, rows);
    for (int k = 0; k < FS_WALK_KEPT; k++)
        width[k] = counts->column[k].width;
    fs_recorded_bytes(f, "widths", width, sizeof width);
    for (int k = 0; k < FS_WALK_KEPT; k++) {
        if (fs_recorded_reads(f) && (width[k] > 4 || width[k] == 3))
            fs_recorded_wrong(f, "a column of %d bytes a row", width[k]);
        if (f->err->status != FS_OK || width[k] == 0)
            continue;
        counts->column[k].width = width[k];
        fs_recorded_list(f, name_of(k), &counts->column[k].data, rows, width[k]);
    }
}
