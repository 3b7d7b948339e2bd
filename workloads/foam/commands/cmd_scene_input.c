/* The scene that a command is given: a file, a name, or an experiment's. */
#include "workloads/foam/commands/cmd_scene_input.h"
#include "sim/workload/workload.h"

#include "sim/cli/options.h"
#include "sim/yaml/paths.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

static void set_host(fs_scene_input *input) {
    const int threads = input->threads > 0 ? (int)input->threads : omp_get_max_threads();
    omp_set_num_threads(threads);
    input->host = (fs_host_options){.threads = threads};
    if (!input->no_cache)
        input->host.cache_dir = input->cache != NULL ? input->cache : fs_default_cache_dir();
}

static const fs_section *scene_section(const fs_registry *registry) {
    for (size_t i = 0; i < registry->section_count; i++)
        if (strcmp(registry->sections[i].name, "scene") == 0)
            return &registry->sections[i];
    fs_panic(__FILE__, __LINE__, "the registry has no section \"scene\"");
}

/* A file of sites by any name; a YAML file is a scene's description. */
static bool holds_sites(const char *file) {
    return fs_path_ends(file, ".ply") || (fs_path_is_file(file) && !fs_path_ends(file, ".yaml"));
}

/* A word that is no file is a scene of configs/scenes. */
static const char *path_of(const char *file, fs_arena *arena) {
    return fs_path_ends(file, ".yaml") || strchr(file, '/') != NULL
               ? file
               : fs_arena_printf(arena, "%s/scenes/%s.yaml", fs_configs_dir(), file);
}

const char *fs_cmd_input_kind(const fs_registry *registry, const char *file, fs_arena *arena) {
    fs_error err = {.status = FS_OK};
    const char *kind = NULL;
    if (holds_sites(file) || fs_config_load_section(arena, path_of(file, arena), scene_section(registry),
                                                    NULL, 0, fs_configs_dir(), &kind, &err) == NULL)
        return NULL;
    return kind;
}

fs_status fs_cmd_input_open(fs_scene_input *input, const char *file, fs_arena *arena, fs_foam *out,
                            fs_error *err) {
    const fs_scene_params *params;
    fs_scene_params of_ply;
    if (holds_sites(file)) {
        fs_params_default(arena, &fs_foam_scene_table, &of_ply);
        of_ply.file = file;
        params = &of_ply;
    } else {
        const char *kind;
        params = fs_config_load_section(arena, path_of(file, arena), scene_section(input->registry), NULL, 0,
                                        fs_configs_dir(), &kind, err);
        if (params == NULL)
            return err->status;
    }
    return fs_cmd_input_load(input, params, out, err);
}

fs_status fs_cmd_input_load(fs_scene_input *input, const fs_scene_params *params, fs_foam *out,
                            fs_error *err) {
    set_host(input);
    return fs_scene_load(params, input->host.cache_dir, input->host.threads, out, err);
}

fs_status fs_cmd_option_vec3(const char *name, const char *text, double out[3], fs_error *err) {
    char part[3][64], rest;
    if (sscanf(text, "%63[^,],%63[^,],%63[^,]%c", part[0], part[1], part[2], &rest) != 3)
        return fs_fail(err, FS_INPUT, "--%s: expected three numbers x,y,z, found \"%s\"", name, text);
    for (int k = 0; k < 3; k++)
        if (fs_option_real(name, part[k], -1e30, 1e30, &out[k], err))
            return FS_INPUT;
    return FS_OK;
}

fs_status fs_cmd_option_size(const char *text, fs_camera_params *camera, fs_error *err) {
    char width[32], height[32], rest;
    if (sscanf(text, "%31[^x]x%31[^x]%c", width, height, &rest) != 2)
        return fs_fail(err, FS_INPUT, "--size: expected WxH, such as 640x480, found \"%s\"", text);
    if (fs_option_int("size", width, 1, 65535, &camera->width, err))
        return FS_INPUT;
    return fs_option_int("size", height, 1, 65535, &camera->height, err);
}

int64_t fs_cmd_shards(uint32_t sites) {
    int64_t shards = 1;
    while (shards < 1024 && 2 * shards <= (int64_t)sites)
        shards *= 2;
    return shards;
}

fs_status fs_cmd_input_run(fs_status (*run)(void *request, fs_arena *arena, fs_foam *foam, fs_error *err),
                           void *request, fs_error *err) {
    fs_foam foam = {0};
    fs_arena *arena = fs_arena_create();
    const fs_status status = run(request, arena, &foam, err);
    fs_foam_free(&foam);
    fs_arena_free(arena);
    return status;
}
