/* foamsim scene info: the figures that decide how a scene behaves on a machine. */
#include "sim/base/quantile.h"
#include "workloads/foam/commands/cmd_scene_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_degrees(const fs_foam *foam) {
    float *degree = fs_malloc(foam->sites * sizeof *degree);
    for (uint32_t i = 0; i < foam->sites; i++)
        degree[i] = (float)(foam->adjacency_end[i] - fs_foam_begin(foam, i));
    printf("degree    mean %.3f, 1 %% %.0f, median %.0f, 99 %% %.0f, max %.0f\n",
           (double)foam->faces / foam->sites, fs_quantile(degree, foam->sites, 0.01),
           fs_quantile(degree, foam->sites, 0.5), fs_quantile(degree, foam->sites, 0.99),
           fs_quantile(degree, foam->sites, 1));
    free(degree);
}

static void print_densities(const fs_foam *foam) {
    float *density = fs_malloc(foam->sites * sizeof *density);
    uint32_t filled = 0;
    for (uint32_t i = 0; i < foam->sites; i++)
        if (foam->density[i] > 0)
            density[filled++] = foam->density[i];
    printf("empty     %" PRIu32 " sites, %.1f %%\n", foam->sites - filled,
           100.0 * (foam->sites - filled) / foam->sites);
    if (filled > 0)
        printf("density   5 %% %.6g, 25 %% %.6g, median %.6g, 75 %% %.6g, 95 %% %.6g, max %.6g (of the "
               "others)\n",
               fs_quantile(density, filled, 0.05), fs_quantile(density, filled, 0.25),
               fs_quantile(density, filled, 0.5), fs_quantile(density, filled, 0.75),
               fs_quantile(density, filled, 0.95), fs_quantile(density, filled, 1));
    free(density);
}

static void print_foam(const fs_foam *foam) {
    const float *axis[3] = {foam->x, foam->y, foam->z};
    printf("sites     %" PRIu32 "\nfaces     %" PRIu64 " (directed)\n", foam->sites, foam->faces);
    print_degrees(foam);
    print_densities(foam);
    for (int a = 0; a < 3; a++)
        printf("%c         %.6g ... %.6g, middle 90 %% %.6g ... %.6g\n", "xyz"[a],
               fs_quantile(axis[a], foam->sites, 0), fs_quantile(axis[a], foam->sites, 1),
               fs_quantile(axis[a], foam->sites, 0.05), fs_quantile(axis[a], foam->sites, 0.95));
    printf("sha256    %s\n", foam->digest);
}

static fs_status run(void *self, fs_error *err) {
    fs_scene_input *input = self;
    if (fs_cmd_input_open(input, err) == FS_OK)
        print_foam(&input->foam);
    return err->status;
}

fs_status fs_cmd_scene_info(fs_command_line *call, fs_error *err) {
    fs_scene_input input = {0};
    const fs_scene_call word = {
        .usage =
            "scene info FILE [options]\n"
            "Prints sites, faces, degrees, empty share, box, densities and digest of a scene (PLY, scene "
            "YAML or scene name).",
        .least = 1,
        .shared = FS_SCENE_HOST,
        .run = run};
    return fs_cmd_input_run(&word, &input, call, err);
}
