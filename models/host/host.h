/* The host link: engine launches, camera broadcast, framebuffer readback (ipu.md 5 and 10).
 *
 * Fused: a device-side loop; the host is met at a host visit only: external sync + one launch + bytes over
 * the link. Unfused (paper, Appendix C): every subprogram (compute step, exchange) is launched by the host,
 * so each iteration costs `programs` launches and external syncs on top. A visit that fills streams of their own,
 * copied one after the other, pays a handshake for each of them beside the bytes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_host_params {
    bool fused;
    double launch;      /* seconds of an engine launch: 0.2 ms (0.1 ... 1 ms) */
    double stream_copy; /* seconds of a stream's copy beside its bytes: 0.02 ms (0.0015 ... 0.27 ms) */
    double bandwidth;   /* bytes a second sustained: 5.5e9 (2 ... 12.5e9) */
    int64_t programs;   /* subprograms that an unfused iteration launches: 2 */
} fs_host_params;

/* All in cycles of a clock of `hz`, rounded to nearest. */
uint64_t fs_host_launch_cycles(const fs_host_params *p, double hz);
uint64_t fs_host_transfer_cycles(const fs_host_params *p, double hz, uint64_t bytes);
uint64_t fs_host_streams_cycles(const fs_host_params *p, double hz, uint64_t streams);
