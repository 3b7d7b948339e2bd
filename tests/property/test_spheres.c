/* The scene of five spheres against an independent calculation: every primitive tested in double precision, a tree of its
 * own by a full sweep of the surface area heuristic, random numbers of its own, numbers of the scene as they are published
 * (neural_path_tracing.md 2; IRL). */
#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/paths/walk/walk.h"

enum { BALLS = 5, SHAPES = 6, MOST = 10, SIZE = 480 };

typedef struct vec {
    double c[3];
} vec;

typedef enum matter { MATT, MIRROR, GLASS } matter;

static const struct {
    double centre[3], radius, albedo;
    matter matter;
} shape[SHAPES] = {
    {{-1.8575, -0.98714, -3.6}, 0.6, 1, MATT},     {{0.74795, -0.55, -4.3816}, 1.05, 1, MIRROR},
    {{1.9929, -1.08666, -3.23}, 0.5, 0.75, GLASS}, {{-0.19931, -1.183, -2.75}, 0.4, 0.8, MATT},
    {{-0.19931, -1.183, -2.75}, 0.401, 1, GLASS},  {{0, -1.6, -5.22}, 3.5, 0.98, MATT},
};

/* ---- vectors and random numbers ---- */

static double dot(vec a, vec b) {
    return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

static vec add(vec a, double by, vec b) {
    return (vec){{a.c[0] + by * b.c[0], a.c[1] + by * b.c[1], a.c[2] + by * b.c[2]}};
}

static vec unit(vec a) {
    return add((vec){{0}}, 1 / sqrt(dot(a, a)), a);
}

/* Marsaglia's xorshift, multiplied (Vigna, 2016). */
static double draw(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 0x2545f4914f6cdd1dull >> 11) * 0x1p-53;
}

/* ---- the tree ---- */

typedef struct box {
    double low[3], high[3];
} box;

typedef struct node {
    box of;
    int shape; /* -1: inner */
    int child[2];
} node;

static node tree[2 * SHAPES - 1];
static int nodes;

static box box_of(const int *list, int count) {
    box b = {{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}};
    for (int i = 0; i < count; i++)
        for (int a = 0; a < 3; a++) {
            b.low[a] = fmin(b.low[a], shape[list[i]].centre[a] - shape[list[i]].radius);
            b.high[a] = fmax(b.high[a], shape[list[i]].centre[a] + shape[list[i]].radius);
        }
    return b;
}

static double area(box b) {
    const double x = b.high[0] - b.low[0], y = b.high[1] - b.low[1], z = b.high[2] - b.low[2];
    return x * y + y * z + z * x;
}

static void sort(int *list, int count, int axis) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && shape[list[k - 1]].centre[axis] > shape[list[k]].centre[axis]; k--) {
            const int other = list[k];
            list[k] = list[k - 1];
            list[k - 1] = other;
        }
}

/* The cheapest of all cuts along all axes; the part of more shapes first. */
static int plant(int *list, int count) {
    const int at = nodes++;
    tree[at] = (node){.of = box_of(list, count), .shape = count == 1 ? list[0] : -1};
    if (count == 1)
        return at;
    int best_axis = 0, best_cut = 1;
    double best = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        sort(list, count, axis);
        for (int cut = 1; cut < count; cut++) {
            const double cost =
                area(box_of(list, cut)) * cut + area(box_of(list + cut, count - cut)) * (count - cut);
            if (cost < best) {
                best = cost;
                best_axis = axis;
                best_cut = cut;
            }
        }
    }
    sort(list, count, best_axis);
    const bool swap = count - best_cut > best_cut;
    int first[SHAPES], second[SHAPES];
    memcpy(first, swap ? list + best_cut : list, sizeof(int) * (size_t)(swap ? count - best_cut : best_cut));
    memcpy(second, swap ? list : list + best_cut, sizeof(int) * (size_t)(swap ? best_cut : count - best_cut));
    const int a = plant(first, swap ? count - best_cut : best_cut),
              b = plant(second, swap ? best_cut : count - best_cut);
    tree[at].child[0] = a;
    tree[at].child[1] = b;
    return at;
}

/* ---- rays ---- */

/* Distance along the ray to a shape; infinite: none. */
static double meet(int s, vec o, vec d) {
    const vec centre = {{shape[s].centre[0], shape[s].centre[1], shape[s].centre[2]}},
              to = add(centre, -1, o);
    const double square = shape[s].radius * shape[s].radius;
    if (s == BALLS) { /* the floor looks up */
        const double t = to.c[1] / d.c[1];
        const vec aside = add(add(o, t, d), -1, centre);
        return d.c[1] != 0 && t > 0 && dot(aside, aside) < square ? t : INFINITY;
    }
    const double along = dot(to, d), left = square - dot(to, to) + along * along;
    if (along < 0 || left < 0)
        return INFINITY;
    const double near = along - sqrt(left);
    return near > 0 ? near : along + sqrt(left);
}

static bool enters(const box *b, vec o, vec d, double most) {
    double from = 0, to = most;
    for (int a = 0; a < 3; a++) {
        const double one = (b->low[a] - o.c[a]) / d.c[a], two = (b->high[a] - o.c[a]) / d.c[a];
        from = fmax(from, fmin(one, two));
        to = fmin(to, fmax(one, two));
    }
    return from <= to;
}

static int nearest(vec o, vec d, double *t, uint64_t *visited) {
    int stack[SHAPES], held = 1, found = -1;
    stack[0] = 0;
    *t = INFINITY;
    while (held > 0) {
        const node *n = &tree[stack[--held]];
        ++*visited;
        if (!enters(&n->of, o, d, *t))
            continue;
        if (n->shape < 0) {
            stack[held++] = n->child[1];
            stack[held++] = n->child[0];
            continue;
        }
        const double at = meet(n->shape, o, d);
        if (at < *t) {
            *t = at;
            found = n->shape;
        }
    }
    return found;
}

/* The direction after a hit; *coloured: the albedo counts. */
static vec scatter(matter of, vec d, vec n, uint64_t *random, bool *coloured) {
    const double facing = dot(d, n);
    const vec mirrored = add(d, -2 * facing, n);
    *coloured = true;
    if (of == MIRROR)
        return mirrored;
    if (of == MATT) { /* a point of the sphere that touches the surface: the cosine's law */
        const double z = 2 * draw(random) - 1, turn = 2 * 3.14159265358979323846 * draw(random),
                     r = sqrt(1 - z * z);
        return unit(add(n, 1, (vec){{r * cos(turn), r * sin(turn), z}}));
    }
    const double ratio = facing > 0 ? 1.52 : 1 / 1.52, cosine = fabs(facing),
                 left = 1 - ratio * ratio * (1 - cosine * cosine);
    const vec against = add((vec){{0}}, facing > 0 ? -1 : 1, n);
    const double r0 = pow((1 - ratio) / (1 + ratio), 2), reflected = r0 + (1 - r0) * pow(1 - cosine, 5);
    if (left > 0 && draw(random) > reflected)
        return unit(add(add((vec){{0}}, ratio, d), ratio * cosine - sqrt(left), against));
    *coloured = false;
    return mirrored;
}

/* One path from a pixel: its segments. */
static uint32_t follow(uint32_t pixel, uint64_t *random, uint64_t *visited) {
    const double x = (pixel % SIZE + draw(random)) / SIZE - 0.5,
                 y = (pixel / SIZE + draw(random)) / SIZE - 0.5;
    vec o = {{0}}, d = unit((vec){{2 * x, -2 * y, -1}});
    double throughput = 1;
    for (uint32_t i = 0; i < MOST; i++) {
        double t;
        bool coloured;
        const int s = nearest(o, d, &t, visited);
        if (s < 0)
            return i + 1;
        o = add(o, t, d);
        const vec n =
            s == BALLS
                ? (vec){{0, 1, 0}}
                : unit(add(o, -1, (vec){{shape[s].centre[0], shape[s].centre[1], shape[s].centre[2]}}));
        d = scatter(shape[s].matter, d, n, random, &coloured);
        throughput *= coloured ? shape[s].albedo : 1;
        if (i > 3) {
            if (draw(random) > throughput)
                return i + 1;
            throughput = 1;
        }
        o = add(o, copysign(1e-4, dot(d, n)), n);
    }
    return MOST;
}

/* ---- the program ---- */

static void count_program(double *segments, double *visited, double *escaped) {
    fs_arena *arena = test_arena();
    fs_mesh_scene_params p;
    fs_mesh_scene scene;
    fs_bvh bvh;
    fs_walk_scene walk;
    fs_error err = {.status = FS_OK};
    const fs_walk_params params = {.width = SIZE,
                                   .height = SIZE,
                                   .seed = 11,
                                   .most_segments = MOST,
                                   .roulette_above = 3,
                                   .jitter = 0.25f};
    fs_params_default(arena, &fs_mesh_scene_table, &p);
    p.builtin = FS_MESH_BUILTIN_SPHERES;
    assert_int_equal(fs_mesh_scene_load(&p, arena, &scene, &err), FS_OK);
    assert_true(fabs((double)scene.camera.fov - 1.5707963267948966) < 1e-6);
    fs_mesh_scene_to_camera(&scene);
    assert_int_equal(fs_bvh_build(&scene, FS_TREE_NODE_HALF, arena, &bvh, &err), FS_OK);
    fs_walk_prepare(&walk, &scene, &bvh, arena);
    const uint64_t count = (uint64_t)SIZE * SIZE;
    fs_walk_key *list = test_keep(malloc(count * sizeof *list));
    fs_walk_path *paths = test_keep(calloc(count, sizeof *paths));
    uint32_t(*counts)[FS_WALK_EVENTS] = calloc(count, sizeof *counts);
    uint64_t sum[FS_WALK_EVENTS] = {0};
    for (uint32_t i = 0; i < count; i++)
        list[i] = (fs_walk_key){i, 0};
    fs_walk_paths(&walk, &params, list, count, paths, counts);
    for (uint64_t i = 0; i < count; i++)
        for (int e = 0; e < FS_WALK_EVENTS; e++)
            sum[e] += counts[i][e];
    *segments = (double)sum[FS_WALK_SEGMENT] / (double)count;
    *visited = (double)sum[FS_WALK_NODE] / (double)sum[FS_WALK_SEGMENT];
    *escaped = (double)sum[FS_WALK_ESCAPE] / (double)count;
    free(counts);
}

static bool within(double a, double b, double share) {
    return fabs(a - b) <= share * b;
}

/* Half a percent is five times what so many paths scatter by; 1.562 and 5.531 are of another program, which draws the
 * published picture (neural_path_tracing.md 2). */
TEST(paths_are_those_of_an_independent_calculation) {
    int all[SHAPES] = {0, 1, 2, 3, 4, 5};
    double segments, per_segment, escaped;
    uint64_t random = 88172645463325252ull, visited = 0, sum = 0;
    nodes = 0;
    plant(all, SHAPES);
    for (uint32_t pixel = 0; pixel < SIZE * SIZE; pixel++)
        sum += follow(pixel, &random, &visited);
    const double own = (double)sum / (SIZE * SIZE), own_nodes = (double)visited / (double)sum;
    count_program(&segments, &per_segment, &escaped);
    print_message("segments a path %.4f (%.4f), nodes a segment %.4f (%.4f)\n", segments, own, per_segment,
                  own_nodes);
    assert_true(within(segments, own, 0.005));
    assert_true(within(per_segment, own_nodes, 0.005));
    assert_true(within(segments, 1.562, 0.02));
    assert_true(within(per_segment, 5.531, 0.02));
    assert_true(escaped > 0.98);
}

RUN_TESTS(NULL, NULL)
