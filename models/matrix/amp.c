/* Closed forms of the matrix unit's programs. */
#include "models/matrix/amp.h"

/* neural_path_tracing.md 4, PL (poplin/PerformanceEstimation.hpp). */
typedef struct shape {
    uint32_t inputs, bytes;    /* of a pass; of a number */
    uint32_t macs;             /* of a unit in a cycle */
    uint32_t row;              /* cycles of a row in a pass */
    uint32_t issues[4];        /* of a worker with 0, 1, 2, 3 rows; each further row is `row` more */
    uint32_t first, first_row; /* in the pass that sets sums to zero: more issues of a worker, and of a row */
    uint32_t spare;            /* issues that this pass saves a worker with rows */
} shape;
static const shape shapes[FS_AMP_TYPES] = {
    [FS_AMP_F16] = {16, 2, 4, 4, {15, 26, 35, 31}, 0, 0, 0},
    [FS_AMP_F32] = {8, 4, 1, 8, {24, 47, 46, 46}, 2, 8, 0},
    [FS_AMP_F8] = {32, 1, 8, 4, {20, 37, 42, 49}, 0, 0, 5},
};

uint32_t fs_amp_inputs(fs_amp_type type) {
    return shapes[type].inputs;
}

uint32_t fs_amp_bytes(fs_amp_type type) {
    return shapes[type].bytes;
}

uint64_t fs_amp_peak(const fs_matrix_params *p, fs_amp_type type) {
    return (uint64_t)p->units * shapes[type].macs;
}

/* Issues of a worker that streams `rows` rows through a pass; first: the pass that also sets the sums to
 * zero. Below three rows a worker does not reach its loop. */
static uint64_t worker_issues(fs_amp_type type, uint32_t rows, int first) {
    const shape *s = &shapes[type];
    uint64_t issues = rows < 3 ? s->issues[rows] : s->issues[3] + (uint64_t)(rows - 3) * s->row;
    if (first && rows > 0)
        issues = issues + s->first + (uint64_t)s->first_row * rows - s->spare;
    return issues;
}

/* The slowest worker of a pass: shares of the rows differ by one, and one row more may take less. */
static uint64_t pass(const fs_amp_product *a, uint32_t workers, int first) {
    const uint64_t less = worker_issues(a->type, a->rows / workers, first),
                   more = worker_issues(a->type, (a->rows + workers - 1) / workers, first);
    return workers * (less > more ? less : more);
}

static uint64_t vertex(uint32_t workers, const fs_amp_product *a, uint64_t gi, uint64_t go, uint64_t load) {
    const uint64_t zeroing = pass(a, workers, 1), adding = pass(a, workers, 0), w = workers;
    switch (a->type) {
    case FS_AMP_F16: /* state that workers keep from pass to pass saves issues, and is set up once */
        return 63 + 7 * w + (gi - 1) * (15 + 3 * w + go * (25 + load + adding)) + 11 +
               go * (25 + load + zeroing);
    case FS_AMP_F32:
        return 63 + (gi - 1) * (15 + go * (25 + load + adding)) + 11 + go * (25 + load + zeroing);
    default:
        return 46 + 2 * w + 9 +
               go * (6 * w + 10 + (14 * w + 11 + 6 * w) + load + zeroing +
                     (gi - 1) * (11 * w + 6 + 6 * w + load + adding));
    }
}

uint64_t fs_amp_cycles(const fs_matrix_params *p, uint32_t workers, fs_amp_product product) {
    const shape *s = &shapes[product.type];
    const uint64_t units = (uint64_t)p->units, gi = (product.inputs + s->inputs - 1) / s->inputs,
                   go = (product.outputs + units - 1) / units, bytes = s->inputs * units * s->bytes,
                   load = (bytes + (uint64_t)p->load_bytes - 1) / (uint64_t)p->load_bytes;
    if (gi == 0 || go == 0)
        return 0;
    if (p->kernel == FS_AMP_PANELS)
        return gi * go * ((uint64_t)product.rows * s->row + (uint64_t)p->panel);
    return vertex(workers, &product, gi, go, load);
}
