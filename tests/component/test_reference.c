/* The reference render: threads and partitions do not change its bits, and the cache gives it back whole. */
#include "sim/host/voice.h"
#include "tests/support/foam/small_foam.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/foam/march/reference.h"

#include <dirent.h>
#include <omp.h>
#include <sys/stat.h>
#include <unistd.h>

enum { W = 40, H = 30 };
static const fs_march_params rules = {.threshold = 0.01, .step_limit = 1000000};

typedef struct world {
    fs_foam foam;
    fs_arena *arena;
    fs_partition partition;
    fs_march_scene scene;
    fs_camera camera;
} world;

static void begin(world *w, uint32_t shards) {
    fs_error err = {0};
    const fs_partition_params cut = {.shards = shards};
    const fs_camera_params view = {.width = W,
                                   .height = H,
                                   .position = {0.8, -0.9, 0.7},
                                   .position_given = true,
                                   .look_at_given = true,
                                   .fov_y = 60};
    w->arena = fs_arena_create();
    assert_int_equal(fs_test_foam(500, 11, &w->foam), FS_OK);
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, &w->foam, &cut, w->arena, &w->partition, &err), 0);
    assert_int_equal(fs_march_scene_make(&w->foam, &w->partition, &w->scene, &err), FS_OK);
    assert_int_equal(fs_camera_make(&view, "test", &w->camera, &err), FS_OK);
}

static void end(world *w) {
    fs_march_scene_free(&w->scene);
    fs_foam_free(&w->foam);
    fs_arena_free(w->arena);
}

static void assert_same(const fs_reference *a, const fs_reference *b) {
    assert_true(a->width == W && b->width == W && a->height == H && b->height == H);
    assert_memory_equal(a->rgb, b->rgb, 3 * W * H * sizeof *a->rgb);
    assert_memory_equal(a->depth, b->depth, W * H * sizeof *a->depth);
    assert_memory_equal(a->cells, b->cells, W * H * sizeof *a->cells);
}

static fs_reference rendered(const world *w, int threads) {
    fs_reference r;
    omp_set_num_threads(threads);
    assert_int_equal(fs_reference_render(&w->scene, &w->partition, &w->camera, &rules, &r, NULL), FS_OK);
    return r;
}

TEST(threads_and_shards_do_not_matter) {
    world one, many;
    begin(&one, 1);
    begin(&many, 64);
    fs_reference a = rendered(&one, 1), b = rendered(&one, 7), c = rendered(&many, 3);
    assert_same(&a, &b);
    assert_same(&a, &c);
    float least = 1e9f, most = 0;
    for (int i = 0; i < 3 * W * H; i++) {
        assert_true(a.rgb[i] >= 0 && a.rgb[i] <= 1.00001f);
        least = a.rgb[i] < least ? a.rgb[i] : least;
        most = a.rgb[i] > most ? a.rgb[i] : most;
    }
    assert_true(most - least > 0.2f); /* a picture of something */
    fs_reference_free(&a);
    fs_reference_free(&b);
    fs_reference_free(&c);
    end(&one);
    end(&many);
}

/* Whether it had to be rendered; then it is kept. */
static bool fetch(const world *w, const fs_camera *camera, const fs_march_params *params, fs_reference *out) {
    if (fs_reference_find(&w->foam, camera, params, "deep/cache", out))
        return false;
    assert_int_equal(fs_reference_render(&w->scene, &w->partition, camera, params, out, NULL), FS_OK);
    fs_reference_keep(&w->foam, camera, params, "deep/cache", out);
    return true;
}

static char *only_entry(void) {
    static char path[512];
    DIR *dir = opendir("deep/cache/references");
    int count = 0;
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        if (e->d_name[0] != '.') {
            count++;
            snprintf(path, sizeof path, "deep/cache/references/%s", e->d_name);
        }
    closedir(dir);
    assert_int_equal(count, 1);
    return path;
}

TEST_IN(the_cache_gives_it_back_whole, scratch_enter, scratch_leave) {
    world w;
    begin(&w, 16);
    fs_reference fresh, kept;
    assert_true(fetch(&w, &w.camera, &rules, &fresh));
    assert_false(fetch(&w, &w.camera, &rules, &kept));
    assert_same(&fresh, &kept);
    fs_reference_free(&kept);
    char *path = only_entry();
    for (int damage = 0; damage < 4;
         damage++) { /* a flipped bit here and there (in an array, in the format), a short file, a long one */
        FILE *file = fopen(path, damage == 2 ? "wb" : damage == 3 ? "ab" : "r+b");
        assert_non_null(file);
        if (damage < 2) {
            assert_int_equal(fseek(file, damage == 0 ? 2000 : 5, SEEK_SET), 0);
            int byte = fgetc(file);
            assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
            fputc(byte ^ 4, file);
        } else {
            fputs("short", file);
        }
        fclose(file);
        assert_true(fetch(&w, &w.camera, &rules, &kept));
        assert_same(&fresh, &kept);
        fs_reference_free(&kept);
        assert_false(fetch(&w, &w.camera, &rules, &kept));
        assert_same(&fresh, &kept);
        fs_reference_free(&kept);
        assert_string_equal(only_entry(), path);
    }
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0); /* a pipe is not waited for */
    alarm(20);
    assert_true(fetch(&w, &w.camera, &rules, &kept));
    alarm(0);
    assert_same(&fresh, &kept);
    fs_reference_free(&kept);
    fs_reference_free(&fresh);
    end(&w);
}

TEST_IN(what_shapes_the_picture_is_in_the_key, scratch_enter, scratch_leave) {
    world w;
    begin(&w, 16);
    fs_reference r;
    fs_camera camera = w.camera;
    fs_march_params params = rules;
    (void)fetch(&w, &camera, &params, &r);
    fs_reference_free(&r);
    camera.offset_y += 0.01f;
    assert_true(fetch(&w, &camera, &params, &r));
    fs_reference_free(&r);
    params.threshold = 0.02;
    assert_true(fetch(&w, &camera, &params, &r));
    fs_reference_free(&r);
    params.hull_opaque = true;
    assert_true(fetch(&w, &camera, &params, &r));
    fs_reference_free(&r);
    w.foam.digest[0] = w.foam.digest[0] == 'a' ? 'b' : 'a';
    assert_true(fetch(&w, &camera, &params, &r));
    fs_reference_free(&r);
    params.step_limit--; /* bounds a defect, not the picture */
    assert_false(fetch(&w, &camera, &params, &r));
    fs_reference_free(&r);
    end(&w);
}

TEST_IN(a_cache_that_cannot_be_written_is_no_error, scratch_enter, scratch_leave) {
    world w;
    begin(&w, 16);
    FILE *file = fopen("plain", "w");
    assert_non_null(file);
    fclose(file);
    fs_reference plain = rendered(&w, 2), found;
    const bool was = fs_say_quiet(true);
    fs_reference_keep(&w.foam, &w.camera, &rules, "plain/cache", &plain);
    fs_say_quiet(was);
    assert_false(fs_reference_find(&w.foam, &w.camera, &rules, "plain/cache", &found));
    assert_false(fs_reference_find(&w.foam, &w.camera, &rules, NULL, &found));
    fs_reference_free(&plain);
    end(&w);
}

RUN_TESTS(NULL, NULL)
