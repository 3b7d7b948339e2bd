/* Order of many things by a key, and keys along a Morton curve. */
#ifndef FOAMSIM_SIM_BASE_ORDER_H
#define FOAMSIM_SIM_BASE_ORDER_H

#include <stdint.h>

/* list [n] receives 0 ... n - 1 by (key, number); twice as fast where no key has more than 32 bits. */
void fs_order_by_key(const uint64_t *key, uint32_t n, uint32_t *list);

/* Bits 0, 1, 2, ... of a 21-bit number to places 0, 3, 6, ...: of three of them, shifted by 0, 1 and 2, the place
 * on a Morton curve, along which what is close in space is close. */
static inline uint64_t fs_spread_bits(uint64_t x) {
    x = (x | x << 32) & UINT64_C(0x001f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x001f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

#endif
