/* Plug-ins: overlays and workloads that were compiled outside of this tree, as shared objects.
 *
 *     #include "registry/plugin.h"
 *     static const fs_overlay_kind hub = {.abi = FS_OVERLAY_ABI, .name = "hub", ...};
 *     static const fs_overlay_kind *const overlays[] = {&hub, NULL};
 *     FS_PLUGIN(.overlays = overlays);
 *
 *     cc -shared -fPIC $(pkg-config --cflags foamsim-plugin) hub.c -o hub.so
 *     foamsim --plugin ./hub.so run demo --set overlay.kind=hub
 *
 * A plug-in is code of this program: only the person names one, by --plugin or $FOAMSIM_PLUGINS (paths with
 * ':' between them), never a file that is read. Processes that this one starts load the same. The file's
 * digest is part of every key of an experiment that uses one of its kinds, so that results of two builds
 * never mix.
 *
 * What it was compiled for must be what loads it, number by number; else it is refused with both.
 */
#pragma once

#include "models/overlay/overlay.h"
#include "sim/base/version.h"
#include "sim/workload/workload.h"

enum {
    FS_PLUGIN_ABI = 2,   /* of the struct below */
    FS_PLUGIN_KINDS = 16 /* most overlays, and most workloads, that all plug-ins of a process bring */
};

typedef struct fs_plugin_workload {
    const fs_workload *workload;
    const fs_param_table *table; /* of its section */
} fs_plugin_workload;

typedef struct fs_plugin {
    int abi;             /* FS_PLUGIN_ABI; first, so that any foamsim can read it */
    const char *version; /* FS_VERSION of the headers: what they declare is of that version alone */
    int overlay_abi, workload_abi;
    const fs_overlay_kind *const *overlays; /* NULL at the end; NULL: none */
    const fs_plugin_workload *workloads;    /* `workload` NULL at the end; NULL: none */
} fs_plugin;

/* The one symbol that is looked for. */
#define FS_PLUGIN(...)                                                                                       \
    extern const fs_plugin foamsim_plugin;                                                                   \
    const fs_plugin foamsim_plugin = {.abi = FS_PLUGIN_ABI,                                                  \
                                      .version = FS_VERSION,                                                 \
                                      .overlay_abi = FS_OVERLAY_ABI,                                         \
                                      .workload_abi = FS_ABI,                                                \
                                      __VA_ARGS__}

/* Enters what it brings into the registry. `digest` (kept) is that of its file. FS_INPUT: another ABI, a kind
 * that exists already, too many; `file` is its name in messages. */
fs_status fs_registry_extend(const fs_plugin *plugin, const char *file, const char *digest, fs_error *err);
