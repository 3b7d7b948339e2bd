/* What an engine takes of its device. */
#include "models/fpga/resources.h"

#include "sim/config/config.h"

#include <inttypes.h>

const char *const fs_resource_names[] = {"registers", "look-up tables", "multipliers", "block RAM", NULL};

/* Block RAM of the cache and of spilled entries, behind what is built in any case. */
static uint64_t stored(const fs_fpga_params *m) {
    const uint64_t places = (uint64_t)(m->traversal.units * m->traversal.rays),
                   cache = m->cache.kind == FS_CACHE_NONE ? 0 : (uint64_t)m->cache.size,
                   spill = m->traversal.spill != FS_SPILL_BLOCK_RAM
                               ? 0
                               : places * (uint64_t)(m->traversal.spill_entries * m->traversal.entry);
    return cache + spill;
}

void fs_resources_of(const fs_fpga_params *m, fs_resource out[FS_RESOURCE_KINDS]) {
    const fs_resource_params *r = &m->resources;
    const int64_t units = m->traversal.units, entries = units * m->traversal.rays * m->traversal.queue;
    out[FS_RESOURCE_REGISTERS] = (fs_resource){
        (uint64_t)(r->fixed_registers + units * r->unit_registers + entries * r->entry_registers),
        (uint64_t)r->registers};
    out[FS_RESOURCE_LUTS] = (fs_resource){
        (uint64_t)(r->fixed_luts + units * r->unit_luts + entries * r->entry_luts), (uint64_t)r->luts};
    out[FS_RESOURCE_DSPS] = (fs_resource){(uint64_t)r->fixed_dsps, (uint64_t)r->dsps};
    out[FS_RESOURCE_BLOCK_RAM] = (fs_resource){
        (uint64_t)(r->fixed_block_ram + units * r->unit_block_ram) + stored(m), (uint64_t)r->block_ram};
}

void fs_resources_check(const fs_fpga_params *machine, fs_check *check) {
    static const char *const keys[FS_RESOURCE_KINDS] = {"machine.resources.registers",
                                                        "machine.resources.luts", "machine.resources.dsps",
                                                        "machine.resources.block_ram"};
    fs_resource r[FS_RESOURCE_KINDS];
    if (machine->resources.check == FS_RESOURCES_IGNORE)
        return;
    fs_resources_of(machine, r);
    for (int k = 0; k < FS_RESOURCE_KINDS; k++)
        if (r[k].used > r[k].available)
            fs_check_wrong(check, keys[k],
                           "the engine takes %" PRIu64 " of %" PRIu64 " %s%s, %.0f %%; expected at most "
                           "100 %%, by fewer units, shorter queues or a smaller cache, or resources.check "
                           "ignore",
                           r[k].used, r[k].available, k == FS_RESOURCE_BLOCK_RAM ? "bytes of " : "",
                           fs_resource_names[k], 100.0 * (double)r[k].used / (double)r[k].available);
}
