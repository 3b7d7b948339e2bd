#include "tests/support/naive_unit.h"

#include "sim/base/error.h"
#include "workloads/hierarchy/tree/tree.h"

#include <math.h>
#include <string.h>

static const float margin = 1.0f + 0x1p-16f;

typedef struct entry {
    float distance;
    uint32_t reference;
} entry;

typedef struct unit {
    const fs_hierarchy *tree;
    const fs_unit_walk_ray *ray;
    entry queue[NAIVE_UNIT_QUEUE]; /* the nearest first */
    uint32_t held, places;
    float begins; /* nothing is hit before it */
    fs_unit_walk_hit best;
} unit;

/* Puts an entry behind all that are as near or nearer; true: one is pushed out. */
static bool put(unit *u, entry e) {
    uint32_t at = 0;
    while (at < u->held && (u->queue[at].distance < e.distance || u->queue[at].distance == e.distance))
        at++;
    const bool full = u->held == u->places;
    FS_ASSERT(u->held < NAIVE_UNIT_QUEUE, "a queue of more than %d entries", NAIVE_UNIT_QUEUE);
    if (at == u->places)
        return true;
    if (!full)
        u->held++;
    for (uint32_t i = u->held - 1; i > at; i--)
        u->queue[i] = u->queue[i - 1];
    u->queue[at] = e;
    return full;
}

static float beyond(float distance) {
    return distance < 0 ? distance * (1.0f - 0x1p-16f) : distance * margin;
}

/* Where the ray enters a child's box; INFINITY: nowhere up to `limit`. */
static float enters(const unit *u, const float *box, uint32_t child, float limit) {
    float in = u->begins, out = INFINITY;
    for (uint32_t a = 0; a < 3; a++) {
        const float inverse = 1.0f / u->ray->direction[a];
        const uint32_t width = u->tree->width, low = a * width + child, high = (3 + a) * width + child;
        const bool back = signbit(u->ray->direction[a]) != 0;
        const float near = (box[back ? high : low] - u->ray->origin[a]) * inverse,
                    far = (box[back ? low : high] - u->ray->origin[a]) * inverse;
        if (near > in)
            in = near;
        if (far < out)
            out = far;
    }
    return in <= beyond(out) && in <= limit ? in : INFINITY;
}

static void meet(unit *u, uint32_t slot, float limit) {
    const float *o = u->ray->origin, *d = u->ray->direction;
    float v[3], e[3], f[3], to[3];
    for (int a = 0; a < 3; a++) {
        v[a] = u->tree->edge[FS_EDGE_CORNER + a][slot];
        e[a] = u->tree->edge[FS_EDGE_FIRST + a][slot];
        f[a] = u->tree->edge[FS_EDGE_SECOND + a][slot];
        to[a] = o[a] - v[a];
    }
    const float p[3] = {d[1] * f[2] - d[2] * f[1], d[2] * f[0] - d[0] * f[2], d[0] * f[1] - d[1] * f[0]},
                q[3] = {to[1] * e[2] - to[2] * e[1], to[2] * e[0] - to[0] * e[2],
                        to[0] * e[1] - to[1] * e[0]};
    const float inverse = 1.0f / (p[0] * e[0] + p[1] * e[1] + p[2] * e[2]);
    const fs_unit_walk_hit hit = {.distance = (q[0] * f[0] + q[1] * f[1] + q[2] * f[2]) * inverse,
                                  .u = (p[0] * to[0] + p[1] * to[1] + p[2] * to[2]) * inverse,
                                  .v = (q[0] * d[0] + q[1] * d[1] + q[2] * d[2]) * inverse,
                                  .triangle = u->tree->triangle[slot]};
    if (hit.u >= 0 && hit.v >= 0 && hit.u + hit.v <= 1 && hit.distance > u->begins && hit.distance <= limit &&
        (hit.distance < u->best.distance ||
         (hit.distance == u->best.distance && hit.triangle < u->best.triangle)))
        u->best = hit;
}

static void ask(unit *u, fs_unit_walk_request *request, float limit) {
    const uint32_t reference = request->reference;
    if (fs_encoded_is_leaf(reference)) {
        const uint32_t first = fs_encoded_first(reference), count = fs_encoded_count(reference);
        FS_ASSERT(u->tree->cell == NULL, "no cells here");
        for (uint32_t i = 0; i < count; i++)
            meet(u, first + i, INFINITY);
        return;
    }
    const size_t id = fs_encoded_id(reference);
    for (uint32_t c = 0; c < u->tree->width; c++) {
        const float distance = enters(u, u->tree->box + id * 6 * u->tree->width, c, limit);
        if (distance == INFINITY)
            continue;
        request->inserted++;
        request->lost =
            (uint8_t)(request->lost + put(u, (entry){distance, u->tree->child[id * u->tree->width + c]}));
    }
}

uint32_t naive_unit(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, const fs_unit_walk_rules *rules,
                    fs_unit_walk_request *request, uint32_t most, fs_unit_walk_end *end) {
    unit u = {.tree = tree,
              .ray = ray,
              .queue = {{0, FS_REFERENCE_ROOT}},
              .held = 1,
              .begins = rules->behind ? -INFINITY : 0,
              .places = rules->queue == 0 ? NAIVE_UNIT_QUEUE : rules->queue,
              .best = {.distance = INFINITY, .triangle = FS_UNIT_WALK_MISS}};
    uint32_t requests = 0;
    *end = (fs_unit_walk_end){.most = 1};
    while (u.held > 0) {
        const entry next = u.queue[0];
        const float limit = beyond(u.best.distance);
        if (next.distance > limit)
            break;
        memmove(u.queue, u.queue + 1, --u.held * sizeof *u.queue);
        fs_unit_walk_request r = {.reference = next.reference};
        ask(&u, &r, limit);
        r.held = (uint16_t)u.held;
        end->lost += r.lost;
        end->most = u.held > end->most ? u.held : end->most;
        FS_ASSERT(requests < most, "more than %u requests", most);
        request[requests++] = r;
        if (rules->stop == FS_UNIT_WALK_FIRST && u.best.triangle != FS_UNIT_WALK_MISS)
            break;
    }
    end->left = u.held;
    end->hit =
        u.best.triangle == FS_UNIT_WALK_MISS ? (fs_unit_walk_hit){.triangle = FS_UNIT_WALK_MISS} : u.best;
    return requests;
}
