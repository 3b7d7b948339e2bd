/* What an engine takes of its device. */
#include "models/fpga/machine.h"

#include "sim/config/config.h"

#include <inttypes.h>

const char *const fs_resource_names[] = {"registers", "look-up tables", "multipliers", "block RAM", NULL};

/* Sums of products of parameters, none negative, that stay at UINT64_MAX where they leave 64 bits. */
static uint64_t plus(uint64_t a, uint64_t b) {
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t times(uint64_t a, int64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, (uint64_t)b, &product) ? UINT64_MAX : product;
}

/* Block RAM of the cache and of spilled entries, behind what is built in any case. */
static uint64_t stored(const fs_fpga_params *m) {
    const uint64_t places = times((uint64_t)m->traversal.units, m->traversal.rays),
                   cache = m->cache.kind == FS_CACHE_NONE ? 0 : (uint64_t)m->cache.size,
                   spill = m->traversal.spill != FS_SPILL_BLOCK_RAM
                               ? 0
                               : times(times(places, m->traversal.spill_entries), m->traversal.entry);
    return plus(cache, spill);
}

static uint64_t used(int64_t fixed, int64_t units, int64_t of_unit, uint64_t entries, int64_t of_entry) {
    return plus((uint64_t)fixed, plus(times((uint64_t)units, of_unit), times(entries, of_entry)));
}

void fs_resources_of(const fs_fpga_params *m, fs_resource out[FS_RESOURCE_KINDS]) {
    const fs_resource_params *r = &m->resources;
    const int64_t units = m->traversal.units;
    const uint64_t entries = times(times((uint64_t)units, m->traversal.rays), m->traversal.queue);
    out[FS_RESOURCE_REGISTERS] =
        (fs_resource){used(r->fixed_registers, units, r->unit_registers, entries, r->entry_registers),
                      (uint64_t)r->registers};
    out[FS_RESOURCE_LUTS] =
        (fs_resource){used(r->fixed_luts, units, r->unit_luts, entries, r->entry_luts), (uint64_t)r->luts};
    out[FS_RESOURCE_DSPS] = (fs_resource){(uint64_t)r->fixed_dsps, (uint64_t)r->dsps};
    out[FS_RESOURCE_BLOCK_RAM] = (fs_resource){
        plus(used(r->fixed_block_ram, units, r->unit_block_ram, 0, 0), stored(m)), (uint64_t)r->block_ram};
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
