/* A grove that grows with k: a wavy ground under round shrubs, sizes from some thousand triangles to millions out of
 * a few lines, the same bits everywhere: f32 throughout, no more than + - * /, sqrtf and floorf. Our own; its noise
 * is Perlin's lattice (An Image Synthesizer, 1985) with numbers of a hash. */
#include "sim/base/detmath.h"
#include "workloads/scene/mesh/mesh_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- noise ---- */

static uint32_t hash3(uint32_t x, uint32_t y, uint32_t z) {
    uint32_t h = x * 0x8da6b343u ^ y * 0xd8163841u ^ z * 0xcb1ab31fu;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    h *= 0x297a2d39u;
    return h ^ h >> 15;
}

/* -1 ... 1 in steps of 2^-23. */
static float lattice(int32_t x, int32_t y, int32_t z) {
    return (float)(int32_t)(hash3((uint32_t)x, (uint32_t)y, (uint32_t)z) >> 8) * 0x1p-23f - 1.0f;
}

static float smooth(float t) {
    return t * t * (3.0f - 2.0f * t);
}

static float mixed(float a, float b, float by) {
    return a + by * (b - a);
}

static float noise(float x, float y, float z) {
    const float fx = floorf(x), fy = floorf(y), fz = floorf(z);
    const int32_t i = (int32_t)fx, j = (int32_t)fy, k = (int32_t)fz;
    const float a = smooth(x - fx), b = smooth(y - fy), c = smooth(z - fz);
    float side[2];
    for (int q = 0; q < 2; q++)
        side[q] = mixed(mixed(lattice(i, j, k + q), lattice(i + 1, j, k + q), a),
                        mixed(lattice(i, j + 1, k + q), lattice(i + 1, j + 1, k + q), a), b);
    return mixed(side[0], side[1], c);
}

/* Three octaves. */
static float fractal(float x, float y, float z) {
    return noise(x, y, z) + 0.5f * noise(2.0f * x, 2.0f * y, 2.0f * z) +
           0.25f * noise(4.0f * x, 4.0f * y, 4.0f * z);
}

/* ---- the unit ball ---- */

/* An icosahedron, each triangle cut into four `level` times, its corners on the unit sphere. */
typedef struct ball {
    uint32_t vertices, triangles;
    float (*vertex)[3];
    uint32_t (*triangle)[3];
} ball;

enum { MOST_AROUND = 6 }; /* edges at a vertex, of which it halves those to higher numbers */
typedef struct halved {
    uint32_t to[MOST_AROUND], middle[MOST_AROUND], count;
} halved;

static void put_on_sphere(float v[3]) {
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++)
        v[a] = v[a] / length;
}

/* The vertex in the middle of an edge, made when it is first asked for. */
static uint32_t middle_of(ball *b, halved *edges, uint32_t one, uint32_t two) {
    const uint32_t from = one < two ? one : two, to = one < two ? two : one;
    halved *e = &edges[from];
    for (uint32_t i = 0; i < e->count; i++)
        if (e->to[i] == to)
            return e->middle[i];
    float *m = b->vertex[b->vertices];
    for (int a = 0; a < 3; a++)
        m[a] = b->vertex[from][a] + b->vertex[to][a];
    put_on_sphere(m);
    e->to[e->count] = to;
    e->middle[e->count++] = b->vertices;
    return b->vertices++;
}

static void halve_edges(ball *b, uint32_t (*old)[3]) {
    const uint32_t count = b->triangles;
    halved *edges = fs_calloc(b->vertices, sizeof *edges);
    memcpy(old, b->triangle, count * sizeof *old);
    b->triangles = 0;
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t i = old[t][0], j = old[t][1], k = old[t][2], ij = middle_of(b, edges, i, j),
                       jk = middle_of(b, edges, j, k), ki = middle_of(b, edges, k, i);
        const uint32_t four[4][3] = {{i, ij, ki}, {j, jk, ij}, {k, ki, jk}, {ij, jk, ki}};
        memcpy(b->triangle[b->triangles], four, sizeof four);
        b->triangles += 4;
    }
    free(edges);
}

static ball make_ball(uint32_t level) {
    static const float g = 1.61803398875f;
    const float corner[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                 {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    static const uint32_t face[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                         {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                         {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                         {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const size_t triangles = (size_t)20 << 2 * level, vertices = triangles / 2 + 2;
    ball b = {.vertices = 12,
              .triangles = 20,
              .vertex = fs_malloc(vertices * sizeof *b.vertex),
              .triangle = fs_malloc(triangles * sizeof *b.triangle)};
    uint32_t(*old)[3] = fs_malloc(triangles * sizeof *old);
    memcpy(b.vertex, corner, sizeof corner);
    memcpy(b.triangle, face, sizeof face);
    for (uint32_t v = 0; v < b.vertices; v++)
        put_on_sphere(b.vertex[v]);
    for (uint32_t l = 0; l < level; l++)
        halve_edges(&b, old);
    free(old);
    return b;
}

/* ---- the grove ---- */

/* The scene's arrays from where a part of it begins. */
typedef struct part {
    uint32_t base; /* vertex[0] in the scene's numbering */
    float (*vertex)[3];
    uint32_t (*triangle)[3];
} part;

static part add_part(fs_mesh_builder *b, uint32_t vertices, uint32_t triangles) {
    part p = {.base = b->scene.vertices};
    fs_mesh_add_room(b, vertices, triangles, &p.vertex, &p.triangle);
    return p;
}

/* `side` x `side` quads over [-40, 40] x [-84, -4]. */
static void add_ground(fs_mesh_builder *b, uint32_t side) {
    const part p = add_part(b, (side + 1) * (side + 1), 2 * side * side);
#pragma omp parallel for schedule(static)
    for (uint32_t j = 0; j <= side; j++)
        for (uint32_t i = 0; i <= side; i++) {
            const uint32_t at = j * (side + 1) + i, next = p.base + at + side + 1;
            const float x = -40.0f + 80.0f * ((float)i / (float)side),
                        z = -84.0f + 80.0f * ((float)j / (float)side);
            const float v[3] = {x, -6.0f + 1.5f * fractal(x * 0.125f, 0, z * 0.125f), z};
            memcpy(p.vertex[at], v, sizeof v);
            if (i == side || j == side)
                continue;
            const uint32_t quad[2][3] = {{p.base + at, next, p.base + at + 1},
                                         {p.base + at + 1, next, next + 1}};
            memcpy(p.triangle[2 * (j * side + i)], quad, sizeof quad);
        }
}

/* Shrub `id` at place (i, j) of `side` x `side`: a ball with bumps. */
static void grow_shrub(const part *p, const ball *unit, uint32_t side, uint32_t i, uint32_t j) {
    const uint32_t id = j * side + i;
    const int32_t n = (int32_t)id;
    const float pitch = 72.0f / (float)side, radius = pitch * (0.28f + 0.08f * lattice(n, 37, 9));
    const float x = -36.0f + pitch * ((float)i + 0.5f + 0.18f * lattice(n, 11, 5)),
                z = -80.0f + pitch * ((float)j + 0.5f + 0.18f * lattice(n, 23, 7)), y = -5.0f + 0.6f * radius,
                bumps = (float)id * 7.0f;
    for (uint32_t v = 0; v < unit->vertices; v++) {
        const float *u = unit->vertex[v];
        const float r = radius * (1.0f + 0.25f * fractal(3.0f * u[0] + bumps, 3.0f * u[1], 3.0f * u[2]));
        const float at[3] = {x + r * u[0], y + r * u[1], z + r * u[2]};
        memcpy(p->vertex[(size_t)id * unit->vertices + v], at, sizeof at);
    }
    for (uint32_t t = 0; t < unit->triangles; t++)
        for (int c = 0; c < 3; c++)
            p->triangle[(size_t)id * unit->triangles + t][c] =
                p->base + id * unit->vertices + unit->triangle[t][c];
}

static void add_shrubs(fs_mesh_builder *b, uint32_t side, uint32_t level) {
    ball unit = make_ball(level);
    const part p = add_part(b, side * side * unit.vertices, side * side * unit.triangles);
#pragma omp parallel for schedule(dynamic)
    for (uint32_t id = 0; id < side * side; id++)
        grow_shrub(&p, &unit, side, id % side, id / side);
    free(unit.vertex);
    free(unit.triangle);
}

/* Walls, floor and ceiling around all: no ray escapes. */
static void add_shell(fs_mesh_builder *b) {
    static const float corner[8][3] = {{-41, -10, -85}, {41, -10, -85}, {-41, 24, -85}, {41, 24, -85},
                                       {-41, -10, 4},   {41, -10, 4},   {-41, 24, 4},   {41, 24, 4}};
    static const uint32_t face[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 2, 6}, {0, 6, 4},
                                         {1, 5, 7}, {1, 7, 3}, {2, 3, 7}, {2, 7, 6}, {0, 4, 5}, {0, 5, 1}};
    const part p = add_part(b, 8, 12);
    memcpy(p.vertex, corner, sizeof corner);
    for (int t = 0; t < 12; t++)
        for (int c = 0; c < 3; c++)
            p.triangle[t][c] = p.base + face[t][c];
}

static uint32_t ground_of(const fs_mesh_grove *g) {
    return (uint32_t)(g->ground * g->k);
}
static uint32_t shrubs_of(const fs_mesh_grove *g) {
    return (uint32_t)(g->shrubs * g->k);
}

double fs_mesh_grove_triangles(const fs_mesh_grove *g) {
    const double ground = (double)(g->ground * g->k), shrubs = (double)(g->shrubs * g->k),
                 of_shrub = 20 * (double)((uint64_t)1 << 2 * g->level);
    return 2 * ground * ground + shrubs * shrubs * of_shrub + (g->closed ? 12 : 0);
}

void fs_mesh_build_grove(fs_mesh_builder *b, const fs_mesh_grove *g, double albedo) {
    const float a = (float)albedo;
    const fs_material material = {{a, a, a}, {0}, 1.52f, FS_MATERIAL_DIFFUSE};
    fs_mesh_begin(b, fs_mesh_add_material(b, &material));
    add_ground(b, ground_of(g));
    add_shrubs(b, shrubs_of(g), (uint32_t)g->level);
    if (g->closed)
        add_shell(b);
    b->scene.camera =
        (fs_mesh_camera){.forward = {0, 0, -1}, .up = {0, 1, 0}, .fov = (float)(60 * FS_DEGREE)};
}
