/* A link to the host, PCI Express: generation and lanes give bytes a second, payload travels in packets with
 * a header each. Both directions are independent. Reads of the board wait for the host's answer, and so many
 * packets may have been asked for at a time.
 *
 * A lane of generation 1 and 2 sends 2.5 and 5 GT/s with 8 bits in 10, of 3, 4 and 5 8, 16 and 32 GT/s with
 * 128 in 130 (PCIE). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { FS_LINK_NONE, FS_LINK_PCIE };
enum { FS_LINK_GENERATIONS = 5 };
extern const char *const fs_link_kinds[]; /* "none", "pcie", NULL */

typedef struct fs_link_params {
    int64_t kind; /* FS_LINK_NONE: everything arrives at once */
    int64_t generation, lanes;
    int64_t payload, header; /* bytes of a packet */
    int64_t outstanding;     /* packets that reads of the board may have asked for at a time */
    double latency;          /* seconds from a read to its first byte */
} fs_link_params;

/* Bytes a second of one direction, headers among them. */
uint64_t fs_link_bandwidth(const fs_link_params *link);

/* One direction: bytes in the order in which they are sent. The wire is a stream: records share packets as
 * long as it does not stand still. */
typedef struct fs_link_lane {
    const fs_link_params *link; /* borrowed */
    uint64_t cycles, bytes;     /* a wire byte takes cycles / bytes of the clock, in lowest terms */
    uint64_t latency;           /* of the link, in cycles */
    uint64_t window;            /* cycles that stand after every `outstanding` packets of reads */
    bool reads;
    uint64_t start; /* cycle in which the wire began to move after it stood still */
    uint64_t since; /* bytes of payload since then */
    uint64_t free;  /* cycle from which on it stands still */
    /* Counted: bytes of payload, cycles in which the wire moves, and in which it stood between records. */
    uint64_t sent, busy, stood;
} fs_link_lane;

/* A lane at a board of `clock` Hz; reads: the board asks for what comes. */
void fs_link_lane_init(fs_link_lane *lane, const fs_link_params *link, uint64_t clock, bool reads);
/* `bytes` may be asked for or sent from `now` on; returns the cycle in which the last of them arrives. Calls
 * in ascending order of `now`. Without a link: `now`. */
uint64_t fs_link_send(fs_link_lane *lane, uint64_t now, uint64_t bytes);
