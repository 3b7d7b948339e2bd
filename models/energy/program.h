/* Energies of a program's events: operations by class, accesses of tile memory by width, issue slots. */
#ifndef FOAMSIM_MODELS_ENERGY_PROGRAM_H
#define FOAMSIM_MODELS_ENERGY_PROGRAM_H

#include "models/energy/prices.h"
#include "models/tile/tile.h"

/* What the energy of a call goes into. */
typedef enum fs_call_part { FS_CALL_ISSUE, FS_CALL_ARITHMETIC, FS_CALL_SRAM, FS_CALL_PARTS } fs_call_part;

/* aJ; `of` a call whatever it counts (prologues, barriers), and of one occurrence of each event. Slots are
 * those that the machine's cost.* give them; cost.scale stretches them as it does in time. */
typedef struct fs_program_energy {
    uint64_t call[FS_CALL_PARTS];
    uint64_t event[FS_MOST_EVENTS][FS_CALL_PARTS];
} fs_program_energy;

void fs_energy_of_program(const fs_priced_program *program, const fs_energy_prices *prices,
                          fs_program_energy *out);

#endif
