/* Common ticks of clocks. */
#include "models/part/part.h"

#include "sim/base/arith.h"

#include <math.h>

bool fs_clock_pair_of(uint64_t a, uint64_t b, fs_clock_pair *pair) {
    const uint64_t divisor = fs_common_divisor(a, b);
    *pair = (fs_clock_pair){.a = b / divisor, .b = a / divisor};
    return pair->a <= FS_CLOCK_TICK_HZ / a;
}

uint64_t fs_clock_cycles(double seconds, uint64_t hz) {
    const double cycles = seconds * (double)hz, whole = nearbyint(cycles);
    return (uint64_t)(fabs(cycles - whole) <= 1e-9 * whole ? whole : ceil(cycles));
}
