/* The second words of `foamsim scene`. argv[0] is the second word itself. */
#ifndef FOAMSIM_WORKLOADS_FOAM_CMD_SCENE_H
#define FOAMSIM_WORKLOADS_FOAM_CMD_SCENE_H

#include "sim/base/error.h"

fs_status fs_cmd_scene_generate(int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_import(int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_info(int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_partition(int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_render(int argc, char **argv, fs_error *err);

/* Draws FOLDER/NAME.png from the tables in FOLDER with the script NAME.gp of reports/, which is copied there.
 * Set by registry/registry.c, as workloads know nothing of reports. */
extern fs_status (*const fs_scene_plot)(const char *folder, const char *name, fs_error *err);

#endif
