/* What the device has to say of a run: figures of summary.json that every workload on it has. */
#ifndef FOAMSIM_MODELS_IPU_DEVICE_FIGURES_H
#define FOAMSIM_MODELS_IPU_DEVICE_FIGURES_H

#include "models/ipu/device.h"
#include "sim/results/findings.h"
#include "sim/stats/stats.h"

#include <stdint.h>

typedef struct fs_device_figures {
    uint64_t cycles, iterations, cycles_compute, cycles_sync, cycles_exchange, cycles_host;
    double seconds;
    uint64_t turn; /* cycles from a worker's issue to its next, of the role where they are most */
} fs_device_figures;
extern const fs_stat_table fs_device_stats;
/* clock: Hz. */
fs_device_figures fs_device_figures_of(const fs_device *device, double clock);

/* The finding "time": where the time of a run goes, by phase. Nothing for a run that took no cycles. */
void fs_device_find_time(const fs_device_figures *figures, fs_findings *out);
/* The finding "continued": how much of the chip lies beyond the table of latencies; nothing where none does. */
void fs_device_find_continued(const fs_machine_params *machine, fs_findings *out);
/* The finding "turn": more workers than hide the IPU's latency lengthen a turn and add no issue slots; nothing
 * where no tile computed. */
void fs_device_find_turn(const fs_device *device, const fs_machine_params *machine, fs_findings *out);

/* A run has three parts, which do not overlap: the machine fills, runs full, runs empty. Where one ends is
 * the workload's matter. */
enum { FS_DEVICE_PARTS = 3 };
typedef struct fs_parts_figures {
    uint64_t iterations[FS_DEVICE_PARTS];
    uint64_t cycles[FS_DEVICE_PARTS]; /* of those iterations, host included */
} fs_parts_figures;
extern const fs_stat_table fs_parts_stats;

#endif
