/* Calls of the host in cycles of the tile clock. */
#include "models/host/host.h"

#include "sim/base/error.h"

#include <math.h>

/* No run is longer than a double can count exactly: 2^53 cycles are 78 days at 1.33 GHz. */
static uint64_t to_cycles(double cycles) {
    FS_ASSERT(cycles >= 0 && cycles < 0x1p53, "a host call of %g cycles", cycles);
    return (uint64_t)floor(cycles + 0.5);
}

uint64_t fs_host_launch_cycles(const fs_host_params *p, double hz) {
    return to_cycles(p->launch * hz);
}

uint64_t fs_host_transfer_cycles(const fs_host_params *p, double hz, uint64_t bytes) {
    return to_cycles((double)bytes / p->bandwidth * hz);
}

uint64_t fs_host_streams_cycles(const fs_host_params *p, double hz, uint64_t streams) {
    return to_cycles((double)streams * p->stream_copy * hz);
}
