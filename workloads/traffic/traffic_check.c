/* What an experiment of traffic must be like, before anything of it is made. */
#include "models/ipu/machine.h"
#include "sim/config/config.h"
#include "sim/workload/run_params.h"
#include "workloads/traffic/traffic_params.h"

enum { WORD = 4 }; /* bytes; exchange granularity, ipu.md 4 */

void fs_traffic_check_config(const fs_config *config, fs_check *check) {
    const fs_traffic_params *p = fs_config_section(config, "workload");
    const fs_machine_params *machine = fs_config_section(config, "machine");
    const fs_run_params *run = fs_config_section(config, "run");
    const int64_t iterations = p->warmup + p->measure + p->drain;
    if (machine->execution != FS_EXECUTION_BSP)
        fs_check_wrong(check, "machine.execution",
                       "traffic is made iteration by iteration; expected bsp, found decoupled");
    if (!(p->load > 0) && !(p->rate > 0))
        fs_check_wrong(check, "workload.load", "no rays: load or rate has to be above 0");
    if (p->payload_bytes % WORD != 0)
        fs_check_wrong(check, "workload.payload_bytes", "expected a multiple of %d B, found %lld B", WORD,
                       (long long)p->payload_bytes);
    if (iterations > run->max_iterations)
        fs_check_wrong(check, "workload.measure",
                       "warmup + measure + drain are %lld iterations, run.max_iterations is %lld",
                       (long long)iterations, (long long)run->max_iterations);
    if (p->buffers == FS_TRAFFIC_INFINITE && machine->exchange.mode == FS_EXCHANGE_STATIC)
        fs_check_wrong(check, "workload.buffers",
                       "a static exchange moves whole buffers, and infinite ones have no whole: set "
                       "machine.exchange.mode to dynamic, or buffers to overlay or slots");
}
