/* A foam grown from the captured points of Garden, seen from where its authors show it, is as deep as their picture: a test of the
 * scene that knows no time. */
#include "registry/registry.h"
#include "sim/base/arith.h"
#include "sim/base/quantile.h"
#include "sim/config/config.h"
#include "sim/host/places.h"
#include "tests/support/test.h"
#include "workloads/foam/foam_params.h"
#include "workloads/foam/march/march.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/scene/foam/foam_scene.h"

#include <omp.h>
#include <unistd.h>

enum { ACROSS = 32, DOWN = 24, BLOCK = 20, STEP = 4, RAYS = (BLOCK / STEP) * (BLOCK / STEP) };

/* The authors' depths, scene units. */
static void read_published(double depth[DOWN][ACROSS]) {
    char line[512];
    FILE *file = fopen("tests/support/foam/garden_depth.csv", "r");
    assert_non_null(file);
    for (int j = 0; j < DOWN;) {
        assert_non_null(fgets(line, sizeof line, file));
        if (line[0] == '#')
            continue;
        char *at = line;
        for (int i = 0; i < ACROSS; i++, at++)
            depth[j][i] = strtod(at, &at) / 10;
        j++;
    }
    fclose(file);
}

/* How far the ray of a pixel goes: to the exit of its last cell, as the authors' program has it. */
static double depth_of(const fs_march_scene *scene, const fs_march_params *march, const fs_camera *camera,
                       uint32_t first, uint32_t i, uint32_t j) {
    float direction[3];
    fs_ray_state ray = {.T = 1.0f};
    fs_march_counts counts = {0};
    fs_camera_direction(camera, i, j, direction);
    fs_march(scene, march, camera->origin, direction, 0, scene->cells, &first, &ray, &counts);
    return (double)ray.t;
}

typedef struct agreement {
    double median, within;     /* of the relative error, shares of blocks that are 10 % off at most */
    double far, published_far; /* shares beyond 10 units */
} agreement;

/* Medians of blocks of pixels against the authors'. */
static agreement compare(const fs_march_scene *scene, const fs_march_params *march, const fs_camera *camera,
                         uint32_t first) {
    double published[DOWN][ACROSS], error[DOWN * ACROSS];
    read_published(published);
    agreement a = {0};
#pragma omp parallel for schedule(dynamic)
    for (uint32_t b = 0; b < DOWN * ACROSS; b++) {
        double ray[RAYS];
        for (uint32_t k = 0; k < RAYS; k++)
            ray[k] = depth_of(scene, march, camera, first,
                              b % ACROSS * BLOCK + k % (BLOCK / STEP) * STEP + STEP / 2,
                              b / ACROSS * BLOCK + k / (BLOCK / STEP) * STEP + STEP / 2);
        error[b] = fs_median(ray, RAYS) / published[b / ACROSS][b % ACROSS] - 1;
    }
    const double block = 1.0 / (DOWN * ACROSS);
    for (uint32_t b = 0; b < DOWN * ACROSS; b++) {
        const double deep = published[b / ACROSS][b % ACROSS];
        a.far += block * ((error[b] + 1) * deep > 10);
        a.published_far += block * (deep > 10);
        error[b] = fabs(error[b]);
        a.within += block * (error[b] <= 0.1);
    }
    a.median = fs_median(error, FS_COUNT(error));
    printf(
        "depth: median error %.2f %%, within 10 %% %.1f %%, beyond 10 units %.1f %% (the authors' %.1f %%)\n",
        100 * a.median, 100 * a.within, 100 * a.far, 100 * a.published_far);
    return a;
}

static agreement of_experiment(const char *path, const char *const *sets, size_t count) {
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    fs_config *config = fs_config_load(arena, path, fs_registry_all.sections, fs_registry_all.section_count,
                                       sets, count, fs_configs_dir(), &err);
    assert_got(config, &err);
    const fs_foam_params *params = fs_config_section(config, "workload");
    const fs_partition_params whole = {.shards = 1};
    fs_camera camera = {0};
    fs_foam foam = {0};
    fs_partition partition = {0};
    fs_march_scene scene = {0};
    assert_ok(fs_scene_load(fs_config_section(config, "scene"), getenv("FOAMSIM_GROWN"),
                            omp_get_max_threads(), &foam, &err) ||
                  fs_camera_make(&params->camera, path, &camera, &err) ||
                  fs_partition_make(&fs_partitioner_kd, &foam, &whole, arena, &partition, &err) ||
                  fs_march_scene_make(&foam, &partition, &scene, &err),
              &err);
    const agreement a =
        compare(&scene, &params->march, &camera, fs_march_nearest(&scene, &partition, camera.origin));
    fs_march_scene_free(&scene);
    fs_foam_free(&foam);
    fs_arena_free(arena);
    return a;
}

/* Where the authors' picture was taken (docs/facts/garden_view.md 1). */
#define POSE                                                                                                 \
    "workload.camera.world_to_camera=[[-0.729683, 0.315616, -0.606589, 0.366727], [-0.194327, 0.754808, "    \
    "0.626499, -1.287661], [0.655591, 0.575022, -0.489438, 3.470761], [0, 0, 0, 1]]"
#define LENS "workload.camera.intrinsics={fx: 507.0, fy: 507.0, cx: 320.5, cy: 240.5}"

/* A foam of a sixth of the points in a fiftieth of the sites; with FOAMSIM_GROWN all of it (`make grown`). */
TEST(a_grown_foam_is_as_deep_as_the_authors_picture) {
    const char *shared = getenv("FOAMSIM_SHARED");
    char file[4096];
    snprintf(file, sizeof file, "scene.file=%s/scenes/garden_sfm_points.ply",
             shared != NULL && shared[0] != '\0' ? shared : "../shared");
    static const char pose[] = POSE;
    const char *const sets[] = {file, pose, LENS, "scene.import.max_sites=25000",
                                "scene.import.grow.sites=80000"};
    const bool whole = getenv("FOAMSIM_GROWN") != NULL;
    if (access(strchr(file, '=') + 1, R_OK) != 0) {
        print_message("%s is not there: skipped (FOAMSIM_SHARED names the folder)\n", file);
        skip();
    }
    const agreement a =
        of_experiment("configs/validation/standins/view-garden-1.yaml", sets, whole ? 3 : FS_COUNT(sets));
    assert_true(a.median < 0.03);
    assert_true(a.within >= 0.75);
    assert_true(fabs(a.far - a.published_far) < 0.06);
}

RUN_TESTS(NULL, NULL)
