/* What the subcommands that look at a scene share: their FILE argument, and options about the host. */
#ifndef FOAMSIM_WORKLOADS_FOAM_COMMANDS_CMD_SCENE_INPUT_H
#define FOAMSIM_WORKLOADS_FOAM_COMMANDS_CMD_SCENE_INPUT_H

#include "sim/base/alloc.h"
#include "sim/workload/workload.h"
#include "workloads/image/camera.h"
#include "workloads/scene/foam/foam_scene.h"

typedef struct fs_scene_input { /* texts of the options, NULL: not given */
    const fs_registry *registry;
    const char *cache;
    int64_t threads; /* 0: all cores */
    bool no_cache;
    fs_host_options host; /* filled by fs_cmd_input_open and _load */
} fs_scene_input;

/* The rows of an option table. */
#define FS_SCENE_INPUT_OPTIONS(input)                                                                        \
    FS_OPTION_INT("threads", 't', "N", "host threads (all cores)", &(input)->threads, 1, 1024),              \
        FS_OPTION("cache", 0, "DIR", "folder of cached scenes ($XDG_CACHE_HOME/foamsim)", &(input)->cache),  \
        FS_FLAG("no-cache", 0, "read and write no cached scenes", &(input)->no_cache)

/* Applies the options and loads FILE: a PLY of any kind that fs_scene_import reads, a scene's YAML file, or
 * the name of one in configs/scenes. */
fs_status fs_cmd_input_open(fs_scene_input *input, const char *file, fs_arena *arena, fs_foam *out,
                            fs_error *err);

/* The same for the scene section of an experiment. */
fs_status fs_cmd_input_load(fs_scene_input *input, const fs_scene_params *params, fs_foam *out,
                            fs_error *err);

/* A subcommand's work: `run` with an arena and a foam of its own, both freed after it. */
fs_status fs_cmd_input_run(fs_status (*run)(void *request, fs_arena *arena, fs_foam *foam, fs_error *err),
                           void *request, fs_error *err);

/* "x,y,z": three finite numbers; FS_INPUT with the option's name. */
fs_status fs_cmd_option_vec3(const char *name, const char *text, double out[3], fs_error *err);

/* "WxH": pixels of a picture, into width and height. */
fs_status fs_cmd_option_size(const char *text, fs_camera_params *camera, fs_error *err);

/* Shards of a scene that is drawn whole: they only bring neighbouring cells near each other in memory. */
int64_t fs_cmd_shards(uint32_t sites);

/* The kind of a scene file, or of a name of configs/scenes; NULL when it is none that can be read. */
const char *fs_cmd_input_kind(const fs_registry *registry, const char *file, fs_arena *arena);

#endif
