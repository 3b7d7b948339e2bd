/* The k-d partition against a naive one that sorts every node anew, and what a shard needs against sets. */
#include "sim/base/rng.h"
#include "tests/support/foam/small_foam.h"
#include "tests/support/test.h"
#include "workloads/foam/partition/partition.h"

#include <omp.h>

static const uint64_t seed = 20260207;

typedef struct points { /* a foam without faces */
    fs_foam foam;
    float *xyz;
} points;

/* Coordinates on a coarse grid, so that equal ones are common; stretched, so that axes take turns. */
static points random_points(fs_rng *rng, uint32_t n) {
    points p = {.foam = {.sites = n}, .xyz = fs_malloc(3 * (size_t)n * sizeof *p.xyz)};
    float stretch[3];
    uint32_t grid = fs_rng_below(rng, 2) ? 5 : 1000;
    for (int k = 0; k < 3; k++)
        stretch[k] = (float)fs_rng_range(rng, 0.2, 3);
    for (uint32_t i = 0; i < 3 * n; i++)
        p.xyz[i] = stretch[i / n] * ((float)fs_rng_below(rng, grid) - (float)(grid / 2));
    for (uint32_t i = 0; i < 3 * n; i += 7)
        p.xyz[i] = p.xyz[i] == 0.0f ? -0.0f : p.xyz[i];
    p.foam.x = p.xyz;
    p.foam.y = p.xyz + n;
    p.foam.z = p.xyz + 2 * n;
    p.foam.adjacency_end = fs_calloc(n, sizeof *p.foam.adjacency_end);
    return p;
}

static void free_points(points *p) {
    free(p->xyz);
    free(p->foam.adjacency_end);
}

static fs_partition cut(const fs_foam *foam, uint32_t shards, const double *normal, fs_arena *arena) {
    fs_partition_params params = {.shards = shards, .ground_normal_given = normal != NULL};
    if (normal != NULL)
        memcpy(params.ground_normal, normal, sizeof params.ground_normal);
    fs_partition p;
    fs_error err = {0};
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, foam, &params, arena, &p, &err), FS_OK);
    return p;
}

/* ---- the naive partition ---- */

typedef struct keyed {
    double key;
    uint32_t site;
} keyed;

static int by_key(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->site > y->site) - (x->site < y->site);
}

static void sort_along(const fs_foam *foam, int axis, keyed *node, uint32_t n) {
    const float *c = axis == 0 ? foam->x : axis == 1 ? foam->y : foam->z;
    for (uint32_t i = 0; i < n; i++)
        node[i].key = (double)c[node[i].site];
    qsort(node, n, sizeof *node, by_key); /* no two sites are equal */
}

static double quantile_of(const keyed *sorted, uint32_t n, double q) {
    double rank = q * (n - 1), low = floor(rank);
    double below = sorted[(uint32_t)low].key, above = sorted[(uint32_t)fmin(low + 1, n - 1)].key;
    return below + (rank - low) * (above - below);
}

static void naive_cut(const fs_foam *foam, keyed *node, uint32_t n, uint32_t shards, uint32_t *sizes) {
    if (shards == 1) {
        *sizes = n;
        return;
    }
    int widest = 0;
    double range[3];
    for (int axis = 0; axis < 3; axis++) {
        sort_along(foam, axis, node, n);
        range[axis] = quantile_of(node, n, 0.75) - quantile_of(node, n, 0.25);
        if (range[axis] > range[widest])
            widest = axis;
    }
    sort_along(foam, widest, node, n);
    naive_cut(foam, node, n / 2, shards / 2, sizes);
    naive_cut(foam, node + n / 2, n - n / 2, shards / 2, sizes + shards / 2);
}

TEST(kd_equals_the_naive_cut) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "kd");
    for (int n = 0; n < 150; n++) {
        points p = random_points(&rng, 1 + fs_rng_below(&rng, 3000));
        uint32_t sites = p.foam.sites, shards = 1, *sizes;
        while (2 * shards <= sites && fs_rng_below(&rng, 8) != 0)
            shards *= 2;
        keyed *all = test_keep(fs_malloc(sites * sizeof *all));
        sizes = fs_malloc(shards * sizeof *sizes);
        for (uint32_t i = 0; i < sites; i++)
            all[i].site = i;
        naive_cut(&p.foam, all, sites, shards, sizes);
        fs_arena *arena = test_arena();
        fs_partition k = cut(&p.foam, shards, NULL, arena);
        assert_int_equal(k.shards, shards);
        assert_int_equal(k.shard_start[0], 0);
        for (uint32_t s = 0; s < shards; s++)
            assert_int_equal(k.shard_start[s + 1] - k.shard_start[s], sizes[s]);
        for (uint32_t i = 0; i < sites; i++) {
            assert_int_equal(k.order[i], all[i].site);
            assert_int_equal(k.place[k.order[i]], i);
        }
        free(sizes);
        free_points(&p);
    }
}

TEST(threads_do_not_matter) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "threads");
    points p = random_points(&rng, 20000);
    fs_arena *arena = test_arena();
    omp_set_num_threads(1);
    fs_partition one = cut(&p.foam, 256, NULL, arena);
    omp_set_num_threads(5);
    fs_partition five = cut(&p.foam, 256, NULL, arena);
    assert_memory_equal(one.order, five.order, 20000 * sizeof *one.order);
    assert_memory_equal(one.shard_start, five.shard_start, 257 * sizeof *one.shard_start);
    assert_memory_equal(one.size, five.size, 256 * sizeof *one.size);
    free_points(&p);
}

/* Sites spread widely along the normal and little across it: turned upright, the first cut goes across it. */
TEST(the_ground_is_turned_level) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "ground");
    const double special[4][3] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, -2, 0}};
    for (int n = 0; n < 40; n++) {
        double normal[3], length = 0;
        for (int k = 0; k < 3; k++)
            normal[k] = n < 4 ? special[n][k] : fs_rng_normal(&rng);
        for (int k = 0; k < 3; k++)
            length += normal[k] * normal[k];
        points p = random_points(&rng, 1000);
        for (uint32_t i = 0; i < 1000; i++) {
            double along = fs_rng_range(&rng, -20, 20) / sqrt(length);
            p.foam.x[i] = (float)(fs_rng_unit(&rng) + along * normal[0]);
            p.foam.y[i] = (float)(fs_rng_unit(&rng) + along * normal[1]);
            p.foam.z[i] = (float)(fs_rng_unit(&rng) + along * normal[2]);
        }
        fs_arena *arena = test_arena();
        fs_partition k = cut(&p.foam, 2, normal, arena);
        double highest = -INFINITY, lowest = INFINITY;
        for (uint32_t i = 0; i < 1000; i++) {
            uint32_t s = k.order[i];
            double height = ((double)p.foam.x[s] * normal[0] + (double)p.foam.y[s] * normal[1] +
                             (double)p.foam.z[s] * normal[2]) /
                            sqrt(length);
            if (i < 500)
                highest = fmax(highest, height);
            else
                lowest = fmin(lowest, height);
        }
        assert_true(highest <= lowest + 1e-9);
        if (n == 0) { /* z is up already */
            fs_partition plain = cut(&p.foam, 64, NULL, arena), turned = cut(&p.foam, 64, normal, arena);
            assert_memory_equal(plain.order, turned.order, 1000 * sizeof *plain.order);
        }
        free_points(&p);
    }
}

/* ---- what a shard needs ---- */

TEST(sizes_are_those_of_the_sets) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "sizes");
    for (int n = 0; n < 10; n++) {
        fs_foam foam;
        const uint32_t sites = 100 + fs_rng_below(&rng, 900), shards = 1u << fs_rng_below(&rng, 7);
        assert_int_equal(fs_test_foam(sites, fs_rng_u64(&rng), &foam), FS_OK);
        fs_arena *arena = test_arena();
        fs_partition p = cut(&foam, shards, NULL, arena);
        uint32_t *shard_of = test_keep(fs_malloc(sites * sizeof *shard_of));
        for (uint32_t s = 0; s < shards; s++)
            for (uint32_t i = p.shard_start[s]; i < p.shard_start[s + 1]; i++)
                shard_of[p.order[i]] = s;
        uint64_t cells = 0, faces = 0;
        for (uint32_t s = 0; s < shards; s++) {
            uint8_t *touched = test_keep(fs_calloc(sites, 1)), *near = test_keep(fs_calloc(shards, 1));
            fs_shard_size expected = {.adjacency_bytes = 2};
            for (uint32_t i = 0; i < sites; i++) {
                if (shard_of[i] != s)
                    continue;
                expected.cells++;
                for (uint64_t f = fs_foam_begin(&foam, i); f < foam.adjacency_end[i]; f++) {
                    expected.adjacency++;
                    touched[foam.adjacency[f]] = shard_of[foam.adjacency[f]] != s;
                }
            }
            for (uint32_t i = 0; i < sites; i++) {
                expected.neighbour_cells += touched[i];
                near[shard_of[i]] |= touched[i];
            }
            for (uint32_t q = 0; q < shards; q++)
                if (near[q])
                    assert_int_equal(p.neighbour[p.neighbour_start[s] + expected.neighbour_shards++], q);
            assert_int_equal(p.neighbour_start[s + 1] - p.neighbour_start[s], expected.neighbour_shards);
            assert_memory_equal(&p.size[s], &expected, sizeof expected);
            assert_int_equal(fs_shard_bytes(&expected), 24 * (uint64_t)expected.cells +
                                                            16 * (uint64_t)expected.neighbour_cells +
                                                            2 * (uint64_t)expected.adjacency);
            cells += expected.cells;
            faces += expected.adjacency;
        }
        assert_true(cells == foam.sites && faces == foam.faces);
        fs_foam_free(&foam);
    }
}

TEST(entries_grow_with_the_shard) {
    const fs_shard_size small = {65535, 0, 10, 0, 2}, large = {60000, 5536, 10, 1, 4};
    assert_int_equal(fs_shard_adjacency_bytes(&small), 20);
    assert_int_equal(fs_shard_adjacency_bytes(&large), 40);
    fs_rng rng = fs_rng_stream(seed, "entries");
    points p = random_points(&rng, 70000);
    fs_arena *arena = test_arena();
    for (uint32_t sites = 65534; sites <= 65536; sites++) { /* 65,535 is the last that 2 B can index */
        p.foam.sites = sites;
        fs_partition one = cut(&p.foam, 1, NULL, arena);
        assert_int_equal(one.size[0].cells, sites);
        assert_int_equal(one.size[0].adjacency_bytes, sites < 65536 ? 2 : 4);
        fs_error err = {0};
        assert_int_equal(fs_partition_check_record(&one, &err), sites > 65534 ? FS_INPUT : FS_OK);
        if (sites > 65534)
            assert_non_null(strstr(err.text, "shard 0 has 6553"));
        fs_partition two = cut(&p.foam, 2, NULL, arena);
        assert_int_equal(fs_partition_check_record(&two, &err), FS_OK);
    }
    free_points(&p);
}

static void refused(const fs_foam *foam, const fs_partition_params *params, const char *word) {
    fs_arena *arena = test_arena();
    fs_partition p;
    fs_error err = {0};
    assert_fails(fs_partition_make(&fs_partitioner_kd, foam, params, arena, &p, &err), FS_INPUT, &err, word);
}

/* Any number of shards: sizes differ by one cell at most, every cell has one place, and what a cut divides
 * lies on its two sides: the extents of neighbours along some axis overlap in equal coordinates only. */
TEST(any_number_of_shards) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "any number");
    for (int n = 0; n < 60; n++) {
        const uint32_t sites = 1 + (uint32_t)fs_rng_below(&rng, 3000),
                       shards = 1 + (uint32_t)fs_rng_below(&rng, sites < 400 ? sites : 400);
        points p = random_points(&rng, sites);
        fs_arena *arena = test_arena();
        const fs_partition k = cut(&p.foam, shards, NULL, arena);
        assert_int_equal(k.shards, shards);
        bool *seen = FS_NEW(arena, bool, sites);
        for (uint32_t i = 0; i < sites; i++) {
            assert_false(seen[k.order[i]]);
            seen[k.order[i]] = true;
        }
        for (uint32_t s = 0; s < shards; s++)
            assert_in_range(k.shard_start[s + 1] - k.shard_start[s], sites / shards, sites / shards + 1);
        const uint32_t middle = k.shard_start[shards / 2];
        bool parted = shards < 2;
        const float *const axis[] = {p.foam.x, p.foam.y, p.foam.z};
        for (int a = 0; a < 3; a++) {
            float highest = -INFINITY, lowest = INFINITY;
            for (uint32_t i = 0; i < sites; i++) {
                const float at = axis[a][k.order[i]];
                if (i < middle)
                    highest = at > highest ? at : highest;
                else
                    lowest = at < lowest ? at : lowest;
            }
            parted |= highest <= lowest;
        }
        assert_true(parted);
        free_points(&p);
    }
}

TEST(wrong_input_is_named) {
    fs_rng rng = fs_rng_stream(seed, "wrong");
    points p = random_points(&rng, 100);
    refused(&p.foam, &(fs_partition_params){.shards = 128}, "128 shards of a scene with 100 cells");
    refused(&p.foam, &(fs_partition_params){.shards = 0}, "0 shards");
    refused(&p.foam, &(fs_partition_params){.shards = 4, .ground_normal_given = true}, "ground_normal");
    refused(&p.foam,
            &(fs_partition_params){.shards = 4, .ground_normal_given = true, .ground_normal = {0, NAN, 1}},
            "ground_normal");
    free_points(&p);
}

RUN_TESTS(NULL, NULL)
