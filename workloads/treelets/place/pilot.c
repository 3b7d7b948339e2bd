/* What a pilot expects of each treelet. */
#include "workloads/treelets/place/place.h"

#include "sim/base/arith.h"

#include <string.h>

uint64_t fs_place_stride(uint64_t paths) {
    uint64_t stride = (618 * paths + 999) / 1000;
    while (stride > 1 && fs_common_divisor(stride, paths) != 1)
        stride++;
    return stride > 0 ? stride : 1;
}

void fs_place_pilot(const fs_itineraries *its, uint32_t share, double *load) {
    const uint64_t stride = fs_place_stride(its->paths), count = (its->paths + share - 1) / share;
    memset(load, 0, its->treelets * sizeof *load);
    for (uint64_t i = 0, p = 0; i < count; i++, p = (p + stride) % its->paths) {
        uint32_t where = FS_PIECE_ANYWHERE;
        for (uint64_t k = its->first[p]; k < its->first[p + 1]; k++) {
            where = its->piece[k].treelet != FS_PIECE_ANYWHERE ? its->piece[k].treelet : where;
            if (where != FS_PIECE_ANYWHERE)
                load[where] += its->piece[k].units;
        }
    }
}
