/* A large scene from nothing to its pictures: a garden of a million cells is generated, meshed, cut and run
 * on the whole machine within 3 GiB, and comes out at the pace that the published machine's figures bracket.
 */
#include "registry/registry.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"

#include "sim/base/alloc.h"
#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/foam/foam_params.h"
#include "workloads/foam/march/march.h"
#include "workloads/scene/foam/foam_scene.h"

#include <limits.h>
#include <sys/resource.h>

static char experiment[PATH_MAX];

/* The largest process of all that ended so far, the mesher's among them, in bytes. */
static double largest_process(void) {
    struct rusage use;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &use), 0);
    return 1024.0 * (double)use.ru_maxrss;
}

/* The mean number of cells that a ray of the experiment's camera meets before it first leaves the camera's
 * shard, marched without a machine. */
static double cells_in_the_cameras_shard(void) {
    fs_error err = {0};
    fs_foam foam;
    fs_partition cut;
    fs_march_scene scene;
    fs_camera camera;
    fs_arena *arena = fs_arena_create();
    fs_config *config = fs_config_load(arena, experiment, fs_registry_sections, fs_registry_all.section_count,
                                       NULL, 0, fs_configs_dir(), &err);
    assert_got(config, &err);
    const fs_foam_params *params = fs_config_section(config, "workload");
    assert_ok(fs_scene_load(fs_config_section(config, "scene"), fs_default_cache_dir(), 1, &foam, &err) ||
                  fs_partition_make(&fs_partitioner_kd, &foam, &params->partition, arena, &cut, &err) ||
                  fs_march_scene_make(&foam, &cut, &scene, &err) ||
                  fs_camera_make(&params->camera, experiment, &camera, &err),
              &err);
    const uint32_t first = fs_march_nearest(&scene, &cut, camera.origin);
    const uint32_t *shard = &cut.shard_start[scene.cell[first].shard];
    uint64_t cells = 0;
    for (uint32_t y = 0; y < camera.height; y++)
        for (uint32_t x = 0; x < camera.width; x++) {
            uint32_t cell = first;
            float direction[3];
            fs_ray_state ray = {.T = 1.0f};
            fs_march_counts counts = {0};
            fs_camera_direction(&camera, x, y, direction);
            fs_march(&scene, &params->march, camera.origin, direction, shard[0], shard[1], &cell, &ray,
                     &counts);
            cells += counts.cells;
        }
    fs_march_scene_free(&scene);
    fs_foam_free(&foam);
    fs_arena_free(arena);
    return (double)cells / ((double)camera.width * camera.height);
}

TEST(a_million_cells) {
    const double gib = 1024.0 * 1024 * 1024;
    snprintf(experiment, sizeof experiment, "%s/experiments/garden-1m.yaml", fs_configs_dir());
    cli_must("run", experiment, "--quiet", "--out", "run", NULL);
    /* Two processes at most live at once, the run and its mesher: twice the larger one bounds both. */
    double memory = largest_process();
    assert_true(2 * memory < 3 * gib);

    json_t *s = run_json("run", "summary.json");
    double injecting = figure(s, "device.cycles_per_injecting_iteration");
    double all = figure(s, "device.cycles_per_iteration");
    double cells = cells_in_the_cameras_shard();
    print_message("%.1f cells of the camera's shard on a mean ray; %.2f million cycles an iteration while "
                  "injecting, %.2f over all %.0f; the camera's tracer %.2f for %.0f rays; %.3f s; largest "
                  "process %.0f MB\n",
                  cells, 1e-6 * injecting, 1e-6 * all, figure(s, "device.iterations"),
                  1e-6 * figure(s, "pace.camera_tile_cycles"), figure(s, "pace.camera_tile_rays"),
                  figure(s, "device.seconds"), 1e-6 * memory);
    assert_int_equal(figure_int(s, "scene.cells"), 1000000);
    assert_int_equal(figure_int(s, "rays.dropped"), 0);
    assert_true(json_is_true(figure_json(s, "complete")));
    /* A view that does not start at the rim of its shard, or the camera's tracer would have next to nothing
     * to do. */
    assert_true(cells >= 3);
    /* First principles for 3 to 10 cells a visit, 640 rays (ipu.md 9, reading 1): 1.0 to 2.6 million, and a
     * shard in front of the camera's may be hotter. */
    assert_true(injecting > 1e6 && injecting < 3e6);
    assert_true(all < injecting);
    assert_true(figure(s, "pace.camera_tile") > 0.5);
}

RUN_TESTS(cli_enter, cli_leave)
