/* The builtin grove: the scene that another program makes by the same rules, bit by bit. */
#include "sim/config/config.h"
#include "workloads/scene/mesh/mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mixed(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9;
    x ^= x >> 27;
    x *= 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Of the bits of all vertices, then of all indices, in their order. */
static uint64_t chained(const fs_mesh_scene *s) {
    uint64_t d = 0;
    uint32_t word;
    for (uint32_t v = 0; v < s->vertices; v++)
        for (int a = 0; a < 3; a++) {
            memcpy(&word, &s->vertex[v][a], sizeof word);
            d = mixed(d ^ word);
        }
    for (uint32_t t = 0; t < s->triangles; t++)
        for (int c = 0; c < 3; c++)
            d = mixed(d ^ s->triangle[t][c]);
    return d;
}

/* Digests of another program that makes the same scene. FOAMSIM_GROVE: the greatest k; make large asks for 5. */
static void groves_have_their_digests(void **state) {
    (void)state;
    static const struct {
        int64_t k;
        bool closed;
        uint32_t triangles;
        uint64_t digest;
    } cases[] = {{1, false, 315392, 0x46226872ecd34acb},
                 {1, true, 315404, 0x97b35abb14346f5c},
                 {2, false, 1261568, 0xc49b06ff2a6c1a82},
                 {4, false, 5046272, 0xfb024091a67eab15},
                 {5, false, 7884800, 0x004813dc7f0005dd}};
    const char *most = getenv("FOAMSIM_GROVE");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].k > (most == NULL ? 1 : atoi(most)))
            continue;
        fs_arena *own = fs_arena_create();
        fs_error err = {.status = FS_OK};
        fs_mesh_scene s;
        fs_mesh_scene_params p;
        fs_params_default(own, &fs_mesh_scene_table, &p);
        p.builtin = FS_MESH_BUILTIN_GROVE;
        p.grove.k = cases[i].k;
        p.grove.closed = cases[i].closed;
        assert_int_equal(fs_mesh_scene_load(&p, own, &s, &err), FS_OK);
        assert_int_equal(s.triangles, cases[i].triangles);
        assert_int_equal(s.vertices, cases[i].k == 1 ? 158227 + (cases[i].closed ? 8 : 0) : s.vertices);
        if (chained(&s) != cases[i].digest)
            fail_msg("k %d: %016llx", (int)cases[i].k, (unsigned long long)chained(&s));
        fs_arena_free(own);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(groves_have_their_digests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
