/* Lines of a buffer in pieces and packets, and the time of moving them. */
#include "models/dram/dram.h"

#include <math.h>

static uint64_t lines_between(uint64_t from, uint64_t bytes, uint64_t line) {
    return bytes == 0 ? 0 : (from + bytes - 1) / line - from / line + 1;
}

uint64_t fs_remote_lines(const fs_remote_params *p, fs_remote_buffer buffer) {
    const uint64_t line = (uint64_t)p->line, packet = (uint64_t)p->packet, full = buffer.bytes / packet,
                   rest = buffer.bytes % packet;
    uint64_t lines = 0;
    for (uint32_t i = 0; i < buffer.pieces;
         i++) { /* packets of a piece lie alike: they are whole lines long */
        const uint64_t from = i * buffer.bytes;
        lines += full * lines_between(from % line, packet, line) + lines_between(from % line, rest, line);
    }
    return lines;
}

double fs_remote_rate(const fs_remote_params *p, uint32_t chips) {
    const double sharing = (double)(chips < p->sharers ? chips : p->sharers);
    return fmin(p->bandwidth, p->shared_bandwidth / sharing);
}

uint64_t fs_remote_cycles(const fs_remote_params *p, fs_remote_buffer buffer, uint32_t directions,
                          uint32_t chips, double hz) {
    if (directions == 0 || buffer.bytes == 0)
        return 0;
    const double bytes = (double)(directions * fs_remote_lines(p, buffer) * (uint64_t)p->line);
    return (uint64_t)ceil((bytes / fs_remote_rate(p, chips) + p->latency) * hz);
}
