/* The frame of the second words of `foamsim scene`: options, and the scene that is named. */
#include "workloads/foam/commands/cmd_scene_input.h"
#include "sim/workload/workload.h"

#include "sim/yaml/paths.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

static const fs_section *scene_section(const fs_registry *registry) {
    const fs_section *scene = FS_FOUND(registry->sections, registry->section_count, name, "scene");
    FS_ASSERT(scene != NULL, "the registry has no section \"scene\"");
    return scene;
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

fs_status fs_cmd_input_open(fs_scene_input *input, fs_error *err) {
    const fs_scene_params *params;
    fs_scene_params of_ply;
    if (holds_sites(input->file)) {
        fs_params_default(input->arena, &fs_foam_scene_table, &of_ply);
        of_ply.file = input->file;
        params = &of_ply;
    } else {
        const char *kind;
        params = fs_config_load_section(input->arena, path_of(input->file, input->arena),
                                        scene_section(input->cli->registry), NULL, 0, fs_configs_dir(), &kind,
                                        err);
        if (params == NULL)
            return err->status;
    }
    return fs_scene_load(params, input->host.cache_dir, input->host.threads, &input->foam, err);
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

/* ---- the frame of a word ---- */

enum { MOST_OPTIONS = 16 };

static bool parse(const fs_scene_call *word, fs_scene_input *input, fs_command_line *call, fs_error *err) {
    const fs_option shared[FS_SCENE_HOST] = {
        FS_OPTION_INT("threads", 't', "N", "host threads (all cores)", &input->threads, 1, 1024),
        FS_OPTIONS_CACHE(input),
    };
    fs_option options[MOST_OPTIONS];
    FS_ASSERT(word->count + FS_SCENE_HOST <= MOST_OPTIONS, "a command of more options");
    const size_t count = word->count + (size_t)word->shared;
    for (size_t i = 0; i < count; i++)
        options[i] = i < word->count ? word->options[i] : shared[i - word->count];
    const char *name = call->argv[0];
    if (!fs_options_parse(call, word->usage, options, count, word->least, 1, err))
        return false;
    input->file = call->argc > 0 ? call->argv[0] : NULL;
    for (size_t i = 0; i < word->count && input->out == NULL; i++)
        if (word->options[i].text == &input->out)
            return fs_fail(err, FS_INPUT, "scene %s: --%s %s is missing", name, word->options[i].name,
                           word->options[i].value) == FS_OK;
    const int threads = input->threads > 0 ? (int)input->threads : omp_get_max_threads();
    omp_set_num_threads(threads);
    input->host = (fs_host_options){.threads = threads, .cache_dir = FS_CACHE_DIR(input)};
    return true;
}

fs_status fs_cmd_input_run(const fs_scene_call *word, void *request, fs_command_line *call, fs_error *err) {
    fs_scene_input *input = request;
    input->cli = call->cli;
    input->arena = call->arena;
    if (parse(word, input, call, err))
        word->run(request, err);
    fs_foam_free(&input->foam);
    return err->status;
}
