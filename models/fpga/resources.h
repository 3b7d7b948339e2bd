/* The resource ledger: what an engine takes of its device, by linear rules (fs_resource_params). Queues are
 * registers with comparators; caches and spilled entries are block RAM. An unbounded queue is a question, not
 * hardware: it takes none. */
#ifndef FOAMSIM_MODELS_FPGA_RESOURCES_H
#define FOAMSIM_MODELS_FPGA_RESOURCES_H

#include "models/fpga/machine.h"

enum { FS_RESOURCE_REGISTERS, FS_RESOURCE_LUTS, FS_RESOURCE_DSPS, FS_RESOURCE_BLOCK_RAM, FS_RESOURCE_KINDS };
extern const char *const fs_resource_names[]; /* "registers", "look-up tables", "multipliers", "block RAM" */

typedef struct fs_resource {
    uint64_t used, available; /* block RAM in bytes */
} fs_resource;

void fs_resources_of(const fs_fpga_params *machine, fs_resource out[FS_RESOURCE_KINDS]);
/* Reports what the device has no room for, at its key, with what takes most; unless resources.check says to
 * ignore it. */
void fs_resources_check(const fs_fpga_params *machine, fs_check *check);

#endif
