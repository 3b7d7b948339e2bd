/* What an error says of a scene's file that does not exist. */
#pragma once

/* The last argument of fs_check_file (sim/config/config.h) for `scene.file`. */
#define FS_SCENE_CAPTURED "Captured scenes are not part of foamsim; docs/scenes.md names their sources"
