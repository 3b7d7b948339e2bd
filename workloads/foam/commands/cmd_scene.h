/* The second words of `foamsim scene`. argv[0] is the second word itself. */
#ifndef FOAMSIM_WORKLOADS_FOAM_COMMANDS_CMD_SCENE_H
#define FOAMSIM_WORKLOADS_FOAM_COMMANDS_CMD_SCENE_H

#include "sim/cli/cli.h"

#include <stddef.h>

typedef struct fs_scene_word {
    const char *name, *summary;
    fs_status (*run)(const fs_cli *cli, int argc, char **argv, fs_error *err);
} fs_scene_word;

extern const fs_scene_word fs_scene_words[]; /* up to one without a name */

fs_status fs_cmd_scene_cameras(const fs_cli *cli, int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_contact(const fs_cli *cli, int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_generate(const fs_cli *cli, int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_import(const fs_cli *cli, int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_info(const fs_cli *cli, int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_partition(const fs_cli *cli, int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_render(const fs_cli *cli, int argc, char **argv, fs_error *err);

#endif
