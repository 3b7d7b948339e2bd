/* Remote buffers: streaming memory beside the chips, met by the tiles of input and output in whole batches.
 *
 * A batch lies in pieces, one for each of those tiles, one after the other. A piece moves in packets of
 * `packet` bytes (the last may be shorter), and the memory reads and writes whole lines of `line` bytes: a
 * packet that does not begin on a line touches one line more than it fills. So a buffer's alignment has a
 * price: pieces whose size is a multiple of a line touch bytes / line lines, pieces of 3,780 or 170,100 B
 * touch nearly five lines a packet in place of four (neural_path_tracing.md 6).
 *
 * Rate: `bandwidth` is a chip's, both directions together; `shared_bandwidth` is that of the memory which
 * `sharers` chips have in common, so n chips of a pod, filled up from the first memory on, have each at most
 * shared_bandwidth / min(n, sharers).
 */
#ifndef FOAMSIM_MODELS_DRAM_REMOTE_H
#define FOAMSIM_MODELS_DRAM_REMOTE_H

#include <stdint.h>

typedef struct fs_remote_params {
    double bandwidth;        /* B/s of a chip, both directions together: 3.52e9 */
    double shared_bandwidth; /* B/s of a memory: 25.6e9 */
    int64_t sharers;         /* chips that share a memory: 4 */
    double latency;          /* seconds from the request to the first line: 2e-6 */
    int64_t line;            /* B that the memory reads or writes at once: 64 */
    int64_t packet;          /* B of a packet: 256 */
} fs_remote_params;

/* A buffer of `pieces` of `bytes` each, one after the other from a line's beginning on. */
typedef struct fs_remote_buffer {
    uint64_t bytes;  /* of a piece */
    uint32_t pieces; /* one for each tile of input and output */
} fs_remote_buffer;

/* Lines that moving the buffer once touches. */
uint64_t fs_remote_lines(const fs_remote_params *p, fs_remote_buffer buffer);
/* B/s of a chip in a pod of `chips`: of lines, both directions together. */
double fs_remote_rate(const fs_remote_params *p, uint32_t chips);
/* Cycles of a clock of `hz`, rounded up, until `directions` (1 or 2: load, save, both beside each other)
 * moves of the buffer are over. */
uint64_t fs_remote_cycles(const fs_remote_params *p, fs_remote_buffer buffer, uint32_t directions,
                          uint32_t chips, double hz);

#endif
