/* What an error says of a scene's file that does not exist. */
#ifndef FOAMSIM_WORKLOADS_SCENE_FILES_CAPTURED_H
#define FOAMSIM_WORKLOADS_SCENE_FILES_CAPTURED_H

/* The last argument of fs_check_file (sim/config/config.h) for `scene.file`. */
#define FS_SCENE_CAPTURED "Captured scenes are not part of foamsim; docs/scenes.md names their sources"

#endif
