/* Bytes over the links between chips: of several chips alike that run the program, this is one. */
#include "models/sync/sync.h"
#include "workloads/program/private.h"

#include <inttypes.h>
#include <math.h>

/* A chip has ten links of 128 Gbit/s each way, of which 85 % is reached; a word is on its way for 250 ns (ipu.md 5: 70 to
 * 100 %, 100 to 600 ns). Two links join two neighbours of a ladder. */
enum { MOST_LINKS = 10, MOST_BYTES = 1 << 30 };

typedef struct halo {
    int64_t bytes, links, neighbours;
    double bandwidth, latency;
    fs_superstep_group on;
    const fs_node *pattern;
} halo;

static bool check(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)self;
    const halo *h = item;
    return h->links * h->neighbours <= MOST_LINKS ||
           fs_yaml_wrong(yaml, node,
                         "expected at most %d links in all, found %" PRId64 " to each of %" PRId64,
                         MOST_LINKS, h->links, h->neighbours);
}

#define FS_ROWS_OF halo
static const fs_yaml_row rows[] = {
    FS_YAML_NODE("pattern", pattern, NULL),
    FS_YAML_READ("on", on, fs_superstep_read_tiles, NULL),
    FS_YAML_INT("bytes", bytes, BYTES, 0, MOST_BYTES, NULL),
    FS_YAML_INT("neighbours", neighbours, NONE, 1, MOST_LINKS, "1"),
    FS_YAML_INT("links", links, NONE, 1, MOST_LINKS, "2"),
    FS_YAML_REAL("bandwidth", bandwidth, BYTES_PER_SECOND, 1e3, 1e15, "13.6 GB/s"),
    FS_YAML_REAL("latency", latency, SECONDS, 0, 1, "250 ns"),
};
static const fs_yaml_shape shape = FS_YAML_SHAPE(rows, sizeof(halo), check);

/* All chips meet, which takes the place of the chip's own barrier; then the bytes go to all neighbours at once, as fast as
 * the links or the ports of the tiles that have them. */
void fs_superstep_read_chips(fs_superstep_reader *r, const fs_node *node, fs_superstep *step) {
    const fs_machine_params *m = r->machine;
    halo h = {0};
    if (!fs_yaml_fill(r->yaml, node, &shape, r, &h))
        return;
    const uint64_t all = (uint64_t)m->sync.external, own = fs_sync_internal(&m->sync, &m->geometry),
                   links = (uint64_t)ceil((double)h.bytes / ((double)h.links * h.bandwidth) * m->clock),
                   tile = ((uint64_t)(h.bytes * h.neighbours) + h.on.count - 1) / h.on.count,
                   port = (tile + (uint64_t)m->exchange.bytes_per_cycle - 1) /
                          (uint64_t)m->exchange.bytes_per_cycle,
                   cycles = (all > own ? all - own : 0) + (uint64_t)ceil(h.latency * m->clock) +
                            (links > port ? links : port);
    step->beyond = cycles > step->beyond ? cycles : step->beyond;
    step->beyond_bytes += (uint64_t)(h.bytes * h.neighbours);
}
