/* The kind that a configuration names. A file of its own: it alone needs the registry. */
#include "models/overlay/overlay.h"

#include "sim/config/config.h"

fs_status fs_overlay_plan(const fs_overlay_site *site, fs_arena *arena, fs_overlay *out, fs_error *err) {
    const fs_overlay_kind *kind = fs_overlay_find(fs_overlay_kinds, fs_config_kind(site->config, "overlay"));
    FS_ASSERT(kind != NULL && kind->abi == FS_OVERLAY_ABI, "overlay kind without a descriptor");
    return kind->plan(fs_config_section(site->config, "overlay"), site, arena, out, err);
}
