/* A user's own overlay, from a YAML file: tiles with roles, lanes between them, routing tables where shortest
 * ways are not wanted. docs/overlays-file.md has the format, configs/overlays/ examples.
 *
 * What the file leaves out is chosen so that a regular network is a few lines: ports are numbered in the
 * order in which lanes are written, a tile's buffer is shared equally among its lanes, routes are shortest
 * ways and equally short ones that are written side by side are choices. fs_overlay_check's findings are the
 * file's mistakes.
 */
#ifndef FOAMSIM_MODELS_OVERLAY_KINDS_FILE_H
#define FOAMSIM_MODELS_OVERLAY_KINDS_FILE_H

#include "models/overlay/overlay.h"

typedef struct fs_file_params {
    const char *file;         /* absolute path */
    int64_t dispatch;         /* fs_dispatch */
    int64_t router_buffer;    /* bytes of a router for all its lanes; 0: what is left */
    int64_t tracer_buffer;    /* of a tracer */
    int64_t generator_buffer; /* of the generator */
    int64_t generator_ring;   /* rays that its backlog ring holds */
} fs_file_params;

extern const fs_overlay_kind fs_overlay_file;
extern const fs_param_table fs_overlay_file_table; /* "overlay/file" */

#endif
