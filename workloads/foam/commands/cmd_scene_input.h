/* What the second words of `foamsim scene` share: the frame around each, the scene that it is given, options. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/cli/cli.h"
#include "sim/cli/options.h"
#include "workloads/image/camera.h"
#include "workloads/scene/foam/foam_scene.h"

/* What each request begins with. */
typedef struct fs_scene_input {
    const fs_cli *cli;
    fs_arena *arena;   /* of the command */
    fs_foam foam;      /* once it is loaded */
    const char *file;  /* the argument; NULL: none was given */
    const char *out;   /* --output, where it has that option */
    const char *cache; /* NULL: the usual folder */
    int64_t threads;   /* 0: all cores */
    bool no_cache;
    fs_host_options host; /* of the three before */
} fs_scene_input;

/* What a second word takes and does. */
typedef struct fs_scene_call {
    const char *usage; /* as of fs_options_parse */
    const fs_option *options;
    size_t count;
    int least;  /* arguments: 0 or 1, at most 1 */
    int shared; /* options about the host behind its own: 0, FS_SCENE_THREADS or FS_SCENE_HOST */
    fs_status (*run)(void *request, fs_error *err);
} fs_scene_call;
enum { FS_SCENE_THREADS = 1, FS_SCENE_HOST = 3 };

/* Parses the options, checks that --output was given where it has that option, runs the word and frees the foam. `request` begins with a fs_scene_input. */
fs_status fs_cmd_input_run(const fs_scene_call *word, void *request, fs_command_line *call, fs_error *err);

/* Loads input->file: a PLY of any kind that fs_scene_import reads, a scene's YAML file, or the name of one in
 * configs/scenes. */
fs_status fs_cmd_input_open(fs_scene_input *input, fs_error *err);

/* "x,y,z": three finite numbers; FS_INPUT with the option's name. */
fs_status fs_cmd_option_vec3(const char *name, const char *text, double out[3], fs_error *err);

/* "WxH": pixels of a picture, into width and height. */
fs_status fs_cmd_option_size(const char *text, fs_camera_params *camera, fs_error *err);

/* Shards of a scene that is drawn whole: they only bring neighbouring cells near each other in memory. */
int64_t fs_cmd_shards(uint32_t sites);

/* The second words of `foamsim scene`. argv[0] is the second word itself. */
extern const fs_command fs_scene_words[]; /* up to one without a name */

fs_status fs_cmd_scene_cameras(fs_command_line *call, fs_error *err);
fs_status fs_cmd_scene_contact(fs_command_line *call, fs_error *err);
fs_status fs_cmd_scene_generate(fs_command_line *call, fs_error *err);
fs_status fs_cmd_scene_import(fs_command_line *call, fs_error *err);
fs_status fs_cmd_scene_info(fs_command_line *call, fs_error *err);
fs_status fs_cmd_scene_partition(fs_command_line *call, fs_error *err);
fs_status fs_cmd_scene_render(fs_command_line *call, fs_error *err);
