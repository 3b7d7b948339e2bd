/* The second words of `foamsim scene`. argv[0] is the second word itself. */
#ifndef FOAMSIM_WORKLOADS_FOAM_COMMANDS_CMD_SCENE_H
#define FOAMSIM_WORKLOADS_FOAM_COMMANDS_CMD_SCENE_H

#include "sim/base/error.h"

#include <stddef.h>

typedef struct fs_scene_word {
    const char *name, *summary;
    fs_status (*run)(int argc, char **argv, fs_error *err);
} fs_scene_word;

/* What `foamsim scene` can do with scenes of one kind (scene.kind). */
typedef struct fs_scene_kind {
    const char *kind;           /* "foam" */
    const fs_scene_word *words; /* [count] */
    size_t count;
} fs_scene_kind;
extern const fs_scene_kind fs_scene_kind_foam;

fs_status fs_cmd_scene_cameras(int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_contact(int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_generate(int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_import(int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_info(int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_partition(int argc, char **argv, fs_error *err);
fs_status fs_cmd_scene_render(int argc, char **argv, fs_error *err);

/* Draws TARGET/NAME.png with the script NAME.gp of reports/plot, from what `write` puts into the folder that
 * it is given; data and script move to TARGET, too. FS_INPUT without gnuplot, FS_IO. The registry says who
 * draws. */
extern fs_status (*const fs_scene_plot)(const char *target, const char *name,
                                        fs_status (*write)(void *self, const char *folder, fs_error *err),
                                        void *self, fs_error *err);

#endif
