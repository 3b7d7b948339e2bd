/* Packets over PCI Express. */
#include "models/link/link.h"

#include "models/part/part.h"
#include "sim/base/arith.h"

#include <stddef.h>

const char *const fs_link_kinds[] = {[FS_LINK_NONE] = "none", [FS_LINK_PCIE] = "pcie", NULL};

/* Transfers a second, and bits of 1,000 (2: of 130,000) that carry bytes: PCIE. */
static const uint64_t transfers[FS_LINK_GENERATIONS] = {2500000000, 5000000000, 8000000000, 16000000000,
                                                        32000000000};

uint64_t fs_link_bandwidth(const fs_link_params *link) {
    const uint64_t bits = transfers[link->generation - 1] * (uint64_t)link->lanes;
    return link->generation <= 2 ? bits / 10 : bits / 130 * 16;
}

void fs_link_lane_init(fs_link_lane *lane, const fs_link_params *link, uint64_t clock, bool reads) {
    *lane = (fs_link_lane){.link = link, .reads = reads};
    if (link->kind == FS_LINK_NONE)
        return;
    const uint64_t bandwidth = fs_link_bandwidth(link), divisor = fs_common_divisor(clock, bandwidth);
    lane->latency = fs_clock_cycles(link->latency, clock);
    lane->cycles = clock / divisor;
    lane->bytes = bandwidth / divisor;
    /* Packet k is asked for when packet k - outstanding has come, so behind every `outstanding` packets the
     * wire waits until a read's latency and one packet have passed. */
    const uint64_t packet = (uint64_t)(link->payload + link->header) * lane->cycles,
                   once = lane->latency + (packet + lane->bytes - 1) / lane->bytes,
                   all = (uint64_t)link->outstanding * packet / lane->bytes;
    lane->window = reads && once > all ? once - all : 0;
}

/* Cycles from the start until n bytes of payload are there. */
static uint64_t stream(const fs_link_lane *lane, uint64_t n) {
    const uint64_t payload = (uint64_t)lane->link->payload, packets = (n + payload - 1) / payload,
                   wire = n + packets * (uint64_t)lane->link->header;
    return (wire * lane->cycles + lane->bytes - 1) / lane->bytes +
           (packets - 1) / (uint64_t)lane->link->outstanding * lane->window;
}

uint64_t fs_link_send(fs_link_lane *lane, uint64_t now, uint64_t bytes) {
    lane->sent += bytes;
    if (lane->link->kind == FS_LINK_NONE)
        return now;
    const uint64_t ready = now + (lane->reads ? lane->latency : 0);
    if (ready > lane->free || lane->since == 0) {
        lane->stood += lane->since > 0 ? ready - lane->free : 0;
        lane->start = ready;
        lane->free = ready;
        lane->since = 0;
    }
    lane->since += bytes;
    const uint64_t end = lane->start + stream(lane, lane->since);
    lane->busy += end - lane->free;
    lane->free = end;
    return end;
}
