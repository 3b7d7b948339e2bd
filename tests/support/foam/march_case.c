#include "tests/support/foam/march_case.h"

#include "tests/support/foam/small_foam.h"
#include "tests/support/test.h"

void cut_world(world *w, uint32_t shards) {
    fs_error err = {0};
    const fs_partition_params params = {.shards = shards};
    w->arena = fs_arena_create();
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, &w->foam, &params, w->arena, &w->partition, &err),
                     FS_OK);
    assert_int_equal(fs_march_scene_make(&w->foam, &w->partition, &w->scene, &err), FS_OK);
}

void random_world(world *w, fs_rng *rng, uint32_t sites, double empty) {
    const int scale = (int)fs_rng_below(rng, 9) - 4;
    const fs_test_foam_options options = {.sites = sites,
                                          .seed = fs_rng_u64(rng),
                                          .empty_share = empty,
                                          .density_low = ldexp(0.1, -scale),
                                          .density_high = ldexp(fs_rng_range(rng, 0.2, 30), -scale),
                                          .scale_exponent = scale,
                                          .clusters = fs_rng_below(rng, 2) * (1 + fs_rng_below(rng, 4))};
    assert_int_equal(fs_test_foam_make(&options, &w->foam), FS_OK);
    uint32_t shards = 1;
    while (2 * shards <= sites && shards < 64)
        shards *= 2;
    w->size = ldexpf(1.0f, scale);
    cut_world(w, shards);
}

void end_world(world *w) {
    fs_march_scene_free(&w->scene);
    fs_foam_free(&w->foam);
    fs_arena_free(w->arena);
}

beam random_beam(const world *w, fs_rng *rng) {
    beam b;
    double length = 0, range = fs_rng_below(rng, 2) ? 0.9 : 3.0; /* among the sites, or mostly outside */
    double d[3];
    for (int k = 0; k < 3; k++) {
        b.origin[k] = w->size * (float)fs_rng_range(rng, -range, range);
        d[k] = fs_rng_normal(rng);
        length += d[k] * d[k];
    }
    for (int k = 0; k < 3; k++)
        b.direction[k] = (float)(d[k] / sqrt(length));
    return b;
}

float coordinate(const fs_foam *foam, uint32_t site, int axis) {
    return axis == 0 ? foam->x[site] : axis == 1 ? foam->y[site] : foam->z[site];
}

void lattice_world(world *w, int reach) {
    fs_foam *f = &w->foam;
    uint32_t n = EDGE * EDGE * EDGE;
    *f = (fs_foam){.sites = n};
    f->x = fs_malloc(n * sizeof *f->x);
    f->y = fs_malloc(n * sizeof *f->y);
    f->z = fs_malloc(n * sizeof *f->z);
    f->density = fs_malloc(n * sizeof *f->density);
    f->rgb = fs_calloc(n, 3);
    f->adjacency_end = fs_malloc(n * sizeof *f->adjacency_end);
    f->adjacency = fs_malloc((size_t)n * 26 * sizeof *f->adjacency);
    for (uint32_t i = 0; i < n; i++) {
        int x = (int)(i % EDGE), y = (int)(i / EDGE % EDGE), z = (int)(i / EDGE / EDGE);
        f->x[i] = (float)x;
        f->y[i] = (float)y;
        f->z[i] = (float)z;
        f->density[i] = 0.01f;
        for (uint32_t j = 0; j < n; j++) {
            int dx = (int)(j % EDGE) - x, dy = (int)(j / EDGE % EDGE) - y, dz = (int)(j / EDGE / EDGE) - z;
            if (i != j && dx * dx <= 1 && dy * dy <= 1 && dz * dz <= 1 &&
                dx * dx + dy * dy + dz * dz <= reach)
                f->adjacency[f->faces++] = j;
        }
        f->adjacency_end[i] = f->faces;
    }
    w->size = EDGE;
    cut_world(w, 8);
}
