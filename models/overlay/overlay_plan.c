/* The kind that a configuration names. */
#include "models/overlay/overlay.h"

#include "sim/config/config.h"

#include <string.h>

static const fs_overlay_kind *kind_of(const fs_config *config) {
    const fs_overlay_kind *kind = fs_config_descriptor(config, "overlay");
    FS_ASSERT(kind != NULL && kind->abi == FS_OVERLAY_ABI, "overlay kind without a descriptor");
    return kind;
}

fs_status fs_overlay_plan(const fs_overlay_site *site, fs_arena *arena, fs_overlay *out, fs_error *err) {
    static const char name[] = "overlay ";
    fs_error why = {0};
    const fs_status status =
        kind_of(site->config)->plan(fs_config_section(site->config, "overlay"), site, arena, out, &why);
    if (!status)
        return fs_overlay_place_on_chips(out, site->machine, arena, err);
    /* A key's sentence begins with its place; one about the kind gets the section's. */
    if (strncmp(why.text, name, sizeof name - 1) != 0)
        return fs_fail(err, status, "%s", why.text);
    return fs_fail(err, status, "%s %s", fs_config_where(site->config, "overlay", ""),
                   why.text + sizeof name - 1);
}

/* SRAM of a tile of a role, before anything lies there. */
static uint64_t all_of(const fs_machine_params *machine, fs_role role) {
    const int64_t sram = fs_machine_sram(machine, role) - machine->memory.reserved;
    return sram > 0 ? (uint64_t)sram : 0;
}

fs_status fs_overlay_check_plan(const fs_config *config, uint32_t shards, uint32_t payload_bytes,
                                fs_error *err) {
    if (kind_of(config)->by_neighbours)
        return FS_OK;
    const fs_machine_params *machine = fs_config_section(config, "machine");
    fs_arena *arena = fs_arena_create();
    uint64_t *free_tracer = FS_NEW(arena, uint64_t, shards);
    for (uint32_t s = 0; s < shards; s++)
        free_tracer[s] = all_of(machine, FS_ROLE_TRACER);
    const fs_overlay_site site = {.config = config,
                                  .machine = machine,
                                  .shards = shards,
                                  .payload_bytes = payload_bytes,
                                  .free_tracer = free_tracer,
                                  .free_router = all_of(machine, FS_ROLE_ROUTER),
                                  .free_generator = all_of(machine, FS_ROLE_GENERATOR)};
    fs_overlay overlay;
    const fs_status status = fs_overlay_plan(&site, arena, &overlay, err);
    fs_arena_free(arena);
    return status;
}
