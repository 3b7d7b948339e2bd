/* What a walk will take, from some of its paths. */
#include "workloads/treelets/walk/walk.h"

#include "sim/base/alloc.h"
#include "sim/base/host.h"

#include <stdlib.h>

enum { SAMPLE = 4096 }; /* paths, spread over the picture */

/* Beside its pieces a path takes its place among them, twice while they are merged, and what it brings. */
enum { OF_A_PATH = 3 * sizeof(uint64_t) + sizeof(fs_walk_path) };

fs_itineraries_expected fs_itineraries_expect(const fs_walk_scene *walk, const fs_treelet_cut *cut,
                                              const fs_itineraries_params *params) {
    const uint64_t all = (uint64_t)params->walk.width * params->walk.height * params->samples,
                   count = all < SAMPLE ? all : SAMPLE;
    fs_walk_key *key = fs_malloc((count + 1) * sizeof *key);
    fs_itineraries its;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t path = (2 * i + 1) * all / (2 * count);
        key[i] = (fs_walk_key){(uint32_t)(path / params->samples), (uint32_t)(path % params->samples)};
    }
    const double begin = fs_host_wall_seconds();
    fs_itineraries_walk_some(walk, cut, params, key, count, &its, NULL);
    const double seconds = fs_host_wall_seconds() - begin, times = (double)all / (double)count;
    const fs_itineraries_expected expected = {
        .paths = all,
        .pieces = (double)its.first[count] * times,
        .bytes = (double)all * OF_A_PATH + 2 * (double)its.first[count] * times * sizeof(fs_piece),
        .seconds = seconds * times};
    fs_itineraries_free(&its);
    free(key);
    return expected;
}
