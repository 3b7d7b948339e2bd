/* What the host spends: time and memory of the process. Host matters only; no result depends on them. */
#ifndef FOAMSIM_SIM_BASE_HOST_H
#define FOAMSIM_SIM_BASE_HOST_H

#include <stdint.h>

double fs_host_wall_seconds(void); /* a monotonic clock */
double fs_host_cpu_seconds(void);  /* of the process so far, all threads */
uint64_t fs_host_peak_rss_bytes(void);
uint64_t fs_host_memory_bytes(void); /* of the machine */

#endif
