/* Delaunay by insertion (Bowyer 1981, Watson 1981) with a vertex at infinity and integer predicates. */
#include "tests/support/foam/small_foam.h"

#include "sim/base/alloc.h"
#include "sim/base/rng.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum { GRID = 1 << 19 }; /* coordinates in (-GRID, GRID): a 3x3 minor of differences stays below 2^63 */
#define INFINITE UINT32_MAX
#define NONE     UINT32_MAX

typedef struct point {
    int64_t c[3];
} point;

typedef struct tet {
    uint32_t v[4];     /* positively oriented; INFINITE stands for a point beyond the hull */
    uint32_t n[4];     /* tetrahedron behind the face opposite v[i] */
    uint32_t fresh[4]; /* the tetrahedron that replaces face i while a cavity is filled */
    uint32_t conflict; /* number of the insertion whose cavity it belongs to */
} tet;

typedef struct mesh {
    point *p;
    tet *t;
    uint32_t count, capacity;
    uint32_t *free_list, free_count;
    uint32_t *stack, stack_capacity;
    uint32_t last; /* a finite tetrahedron to start the walk from */
    uint32_t insertion;
} mesh;

static int64_t minor(const int64_t a[3], const int64_t b[3], const int64_t c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static void difference(const point *a, const point *b, int64_t d[3]) {
    for (int k = 0; k < 3; k++)
        d[k] = a->c[k] - b->c[k];
}

/* > 0 when d sees a, b, c turn one way; 0 when the four are coplanar. */
static int64_t orientation(const point *a, const point *b, const point *c, const point *d) {
    int64_t u[3], v[3], w[3];
    difference(b, a, u);
    difference(c, a, v);
    difference(d, a, w);
    return minor(u, v, w);
}

static bool inside_sphere(const mesh *m, const tet *t, const point *p) {
    int64_t d[4][3];
    wide lifted[4];
    for (int i = 0; i < 4; i++) {
        difference(&m->p[t->v[i]], p, d[i]);
        lifted[i] = d[i][0] * d[i][0] + d[i][1] * d[i][1] + d[i][2] * d[i][2];
    }
    wide det = -lifted[0] * minor(d[1], d[2], d[3]) + lifted[1] * minor(d[0], d[2], d[3]) -
               lifted[2] * minor(d[0], d[1], d[3]) + lifted[3] * minor(d[0], d[1], d[2]);
    return det < 0;
}

/* Orientation of t with vertex i replaced by p. */
static int64_t side(const mesh *m, const tet *t, int i, const point *p) {
    const point *q[4];
    for (int k = 0; k < 4; k++)
        q[k] = k == i ? p : &m->p[t->v[k]];
    return orientation(q[0], q[1], q[2], q[3]);
}

static int infinite_corner(const tet *t) {
    for (int i = 0; i < 4; i++)
        if (t->v[i] == INFINITE)
            return i;
    return -1;
}

static bool in_conflict(const mesh *m, uint32_t id, const point *p) {
    const tet *t = &m->t[id];
    int corner = infinite_corner(t);
    if (corner < 0)
        return inside_sphere(m, t, p);
    int64_t s = side(m, t, corner, p);
    return s > 0 || (s == 0 && inside_sphere(m, &m->t[t->n[corner]], p));
}

static uint32_t new_tet(mesh *m) {
    if (m->free_count > 0)
        return m->free_list[--m->free_count];
    if (m->count == m->capacity) {
        m->capacity *= 2;
        m->t = fs_realloc(m->t, m->capacity * sizeof *m->t);
        m->free_list = fs_realloc(m->free_list, m->capacity * sizeof *m->free_list);
        m->stack = fs_realloc(m->stack, m->capacity * sizeof *m->stack);
    }
    return m->count++;
}

/* A tetrahedron in conflict with p: the one that holds it, or one beyond the hull face that sees it. */
static uint32_t locate(const mesh *m, const point *p) {
    uint32_t id = m->last;
    for (int i = 0; i < 4; i++) {
        const tet *t = &m->t[id];
        if (infinite_corner(t) >= 0)
            return id;
        if (side(m, t, i, p) < 0) {
            id = t->n[i];
            i = -1;
        }
    }
    return id;
}

static bool is_corner(const mesh *m, uint32_t id, const point *p) {
    for (int i = 0; i < 4; i++)
        if (m->t[id].v[i] != INFINITE && memcmp(&m->p[m->t[id].v[i]], p, sizeof *p) == 0)
            return true;
    return false;
}

static int index_of(const tet *t, uint32_t vertex) {
    for (int i = 0; i < 4; i++)
        if (t->v[i] == vertex)
            return i;
    abort();
}

/* The cavity's face that shares with face i of `id` the edge which leaves out corners i and j: turns round
 * that edge, through the cavity, to its other wall. */
static uint32_t across_edge(const mesh *m, uint32_t id, int i, int j) {
    uint32_t keep = m->t[id].v[i], out = m->t[id].v[j];
    for (;;) {
        const tet *t = &m->t[id];
        uint32_t next = t->n[index_of(t, out)];
        if (m->t[next].conflict != m->insertion)
            return t->fresh[index_of(t, out)];
        uint32_t entered = NONE; /* the corner of `next` that is not on the shared face */
        for (int k = 0; k < 4; k++)
            if (m->t[next].n[k] == id)
                entered = m->t[next].v[k];
        out = keep;
        keep = entered;
        id = next;
    }
}

static uint32_t dig_cavity(mesh *m, uint32_t first, const point *p) {
    uint32_t depth = 1;
    m->stack[0] = first;
    m->t[first].conflict = m->insertion;
    for (uint32_t next = 0; next < depth; next++)
        for (int i = 0; i < 4; i++) {
            uint32_t n = m->t[m->stack[next]].n[i];
            if (m->t[n].conflict != m->insertion && in_conflict(m, n, p)) {
                m->t[n].conflict = m->insertion;
                m->stack[depth++] = n;
            }
        }
    return depth;
}

static void fill_cavity(mesh *m, uint32_t depth, uint32_t vertex) {
    for (uint32_t s = 0; s < depth; s++)
        for (int i = 0; i < 4; i++) {
            uint32_t old = m->stack[s], outer = m->t[old].n[i];
            if (m->t[outer].conflict == m->insertion)
                continue;
            uint32_t id = new_tet(m);
            tet *t = &m->t[id];
            memcpy(t->v, m->t[old].v, sizeof t->v);
            t->v[i] = vertex;
            t->n[i] = outer;
            t->conflict = 0;
            m->t[old].fresh[i] = id;
            for (int k = 0; k < 4; k++)
                if (m->t[outer].n[k] == old)
                    m->t[outer].n[k] = id;
            if (infinite_corner(t) < 0)
                m->last = id;
        }
}

static void insert(mesh *m, uint32_t vertex, uint32_t at) {
    m->insertion = vertex;
    uint32_t depth = dig_cavity(m, at, &m->p[vertex]);
    /* Outer neighbours are looked up by id, so old faces must keep their links until all fresh ones stand. */
    fill_cavity(m, depth, vertex);
    for (uint32_t s = 0; s < depth; s++)
        for (int i = 0; i < 4; i++) {
            uint32_t old = m->stack[s];
            if (m->t[m->t[old].n[i]].conflict == m->insertion)
                continue;
            for (int j = 0; j < 4; j++)
                if (j != i)
                    m->t[m->t[old].fresh[i]].n[j] = across_edge(m, old, i, j);
        }
    for (uint32_t s = 0; s < depth; s++)
        m->free_list[m->free_count++] = m->stack[s];
}

static void begin_mesh(mesh *m) {
    bool positive = orientation(&m->p[0], &m->p[1], &m->p[2], &m->p[3]) > 0;
    m->t[0] = (tet){.v = {0, 1, positive ? 2 : 3, positive ? 3 : 2}, .n = {1, 2, 3, 4}};
    for (uint32_t i = 0; i < 4; i++) { /* beyond face i: the face turned round, infinity in place of v[i] */
        tet *t = &m->t[i + 1];
        *t = m->t[0];
        t->v[i] = INFINITE;
        uint32_t a = (i + 1) % 4, b = (i + 2) % 4;
        uint32_t swap = t->v[a];
        t->v[a] = t->v[b];
        t->v[b] = swap;
        for (uint32_t k = 0; k < 4; k++)
            t->n[k] = k == i ? 0 : k == a ? b + 1 : k == b ? a + 1 : k + 1;
    }
    m->count = 5;
    m->last = 0;
}

static point draw_point(fs_rng *rng, const point *centres, uint32_t clusters) {
    point p;
    if (clusters > 0 && fs_rng_below(rng, 2) == 0) {
        const point *centre = &centres[fs_rng_below(rng, clusters)];
        for (int k = 0; k < 3; k++)
            p.c[k] = centre->c[k] + (int64_t)(fs_rng_normal(rng) * (GRID / 64.0));
    } else {
        for (int k = 0; k < 3; k++)
            p.c[k] = (int64_t)fs_rng_below(rng, 2 * GRID - 1) - (GRID - 1);
    }
    for (int k = 0; k < 3; k++)
        p.c[k] = p.c[k] >= GRID ? GRID - 1 : p.c[k] <= -GRID ? 1 - GRID : p.c[k];
    return p;
}

static void triangulate(mesh *m, const fs_test_foam_options *o) {
    fs_rng rng = fs_rng_stream(o->seed, "test/foam/sites");
    point *centres = fs_malloc((o->clusters + 1) * sizeof *centres);
    for (uint32_t i = 0; i < o->clusters; i++)
        centres[i] = draw_point(&rng, NULL, 0);
    do
        for (uint32_t i = 0; i < 4; i++)
            m->p[i] = draw_point(&rng, centres, o->clusters);
    while (orientation(&m->p[0], &m->p[1], &m->p[2], &m->p[3]) == 0);
    begin_mesh(m);
    for (uint32_t i = 4; i < o->sites; i++) {
        uint32_t at;
        do { /* until it is no repeat of another site */
            m->p[i] = draw_point(&rng, centres, o->clusters);
            at = locate(m, &m->p[i]);
        } while (is_corner(m, at, &m->p[i]));
        insert(m, i, at);
    }
    free(centres);
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void gather_adjacency(const mesh *m, uint32_t sites, fs_foam *out) {
    bool *dead = fs_calloc(m->count, sizeof *dead);
    for (uint32_t i = 0; i < m->free_count; i++)
        dead[m->free_list[i]] = true;
    uint64_t *edge = fs_malloc((size_t)m->count * 12 * sizeof *edge);
    size_t edges = 0, kept = 0;
    for (uint32_t i = 0; i < m->count; i++)
        for (int a = 0; a < 4 && !dead[i]; a++)
            for (int b = 0; b < 4; b++)
                if (a != b && m->t[i].v[a] != INFINITE && m->t[i].v[b] != INFINITE)
                    edge[edges++] = (uint64_t)m->t[i].v[a] << 32 | m->t[i].v[b];
    qsort(edge, edges, sizeof *edge, by_value); /* equal keys are equal edges: no tie matters */
    out->adjacency = fs_malloc(edges * sizeof *out->adjacency);
    out->adjacency_end = fs_calloc(sites, sizeof *out->adjacency_end);
    for (size_t i = 0; i < edges; i++) {
        if (i > 0 && edge[i] == edge[i - 1])
            continue;
        out->adjacency[kept++] = (uint32_t)edge[i];
        out->adjacency_end[edge[i] >> 32] = kept;
    }
    out->faces = kept;
    free(edge);
    free(dead);
}

static void paint(const mesh *m, const fs_test_foam_options *o, fs_foam *out) {
    fs_rng rng = fs_rng_stream(o->seed, "test/foam/matter");
    float unit = 1.0f / GRID;
    for (int i = o->scale_exponent; i > 0; i--)
        unit *= 2.0f;
    for (int i = o->scale_exponent; i < 0; i++)
        unit *= 0.5f;
    for (uint32_t i = 0; i < o->sites; i++) {
        out->x[i] = (float)m->p[i].c[0] * unit;
        out->y[i] = (float)m->p[i].c[1] * unit;
        out->z[i] = (float)m->p[i].c[2] * unit;
        bool empty = fs_rng_unit(&rng) < o->empty_share;
        double density = fs_rng_range(&rng, o->density_low, o->density_high);
        out->density[i] = empty ? 0.0f : (float)density;
        for (int k = 0; k < 3; k++)
            out->rgb[3 * (size_t)i + (size_t)k] = (uint8_t)fs_rng_below(&rng, 256);
    }
}

static void digest_content(fs_foam *foam) {
    fs_digest d;
    fs_digest_begin(&d);
    fs_digest_add(&d, foam->x, foam->sites * sizeof *foam->x);
    fs_digest_add(&d, foam->y, foam->sites * sizeof *foam->y);
    fs_digest_add(&d, foam->z, foam->sites * sizeof *foam->z);
    fs_digest_add(&d, foam->density, foam->sites * sizeof *foam->density);
    fs_digest_add(&d, foam->rgb, 3 * (size_t)foam->sites);
    fs_digest_add(&d, foam->adjacency_end, foam->sites * sizeof *foam->adjacency_end);
    fs_digest_add(&d, foam->adjacency, foam->faces * sizeof *foam->adjacency);
    fs_digest_end(&d, foam->digest);
}

fs_status fs_test_foam_make(const fs_test_foam_options *o, fs_foam *out) {
    if (o->sites < 5)
        return FS_INPUT;
    mesh m = {.capacity = 64 + 8 * o->sites};
    m.p = fs_malloc(o->sites * sizeof *m.p);
    m.t = fs_malloc(m.capacity * sizeof *m.t);
    m.free_list = fs_malloc(m.capacity * sizeof *m.free_list);
    m.stack = fs_malloc(m.capacity * sizeof *m.stack);
    triangulate(&m, o);
    *out = (fs_foam){.sites = o->sites};
    out->x = fs_malloc(o->sites * sizeof *out->x);
    out->y = fs_malloc(o->sites * sizeof *out->y);
    out->z = fs_malloc(o->sites * sizeof *out->z);
    out->density = fs_malloc(o->sites * sizeof *out->density);
    out->rgb = fs_malloc(3 * (size_t)o->sites);
    gather_adjacency(&m, o->sites, out);
    paint(&m, o, out);
    digest_content(out);
    free(m.p);
    free(m.t);
    free(m.free_list);
    free(m.stack);
    return FS_OK;
}

fs_status fs_test_foam(uint32_t sites, uint64_t seed, fs_foam *out) {
    fs_test_foam_options o = {
        .sites = sites, .seed = seed, .empty_share = 0.5, .density_low = 0.5, .density_high = 20.0};
    return fs_test_foam_make(&o, out);
}
