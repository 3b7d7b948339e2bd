/* What the host can and what it spends: time and memory of the process and of the programs that it started and
 * that have ended (the mesher). Host matters only; no result depends on them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

bool fs_host_has_avx2(void); /* and F16C; false on other processors than x86-64 */

double fs_host_wall_seconds(void); /* a monotonic clock */
double fs_host_cpu_seconds(void);  /* so far, all threads, children included */
uint64_t
fs_host_peak_rss_bytes(void); /* largest resident set of the process, or of a child if that is larger */
uint64_t fs_host_memory_bytes(void); /* of the machine */
/* Resident memory, now, of a process and of all that it and those started. 0 for one that has ended. */
uint64_t fs_host_resident_bytes(pid_t process);
