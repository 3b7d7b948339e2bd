/* A check of 64 bits: four lanes of multiplications, mixed at the end. */
#include "sim/base/check.h"

#include <string.h>

enum { LANES = 4, WORD = 8 };

/* One to one in h for a given word, and in the word for a given h: a difference stays one. A product leaves a
 * difference in the highest bits where it is, so these come down before the second one, which spreads them.
 */
static uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15); /* odd numbers of many ones and zeros */
    return (h ^ h >> 32) * UINT64_C(0xc2b2ae3d27d4eb4f);
}

uint64_t fs_check64(uint64_t so_far, const void *data, size_t bytes) {
    const unsigned char *at = data, *end = at + bytes;
    uint64_t h[LANES], word[LANES];
    for (unsigned i = 0; i < LANES; i++)
        h[i] = mix(so_far + i, bytes);
    for (; end - at >= LANES * WORD; at += LANES * WORD) {
        memcpy(word, at, sizeof word);
        for (unsigned i = 0; i < LANES; i++)
            h[i] = mix(h[i], word[i]);
    }
    memset(word, 0, sizeof word);
    if (at < end)
        memcpy(word, at, (size_t)(end - at));
    uint64_t all = 0;
    for (unsigned i = 0; i < LANES; i++)
        all = mix(all, mix(h[i], word[i]));
    return all ^ all >> 32;
}
