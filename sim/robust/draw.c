/* Where in their ranges the parameters are: all corners, or a Latin hypercube (McKay, Beckman, Conover 1979). */
#include "sim/robust/robust.h"

enum { MOST_BITS = 20 };

void fs_hypercube(fs_arena *arena, fs_rng rng, size_t parameters, size_t count, double *place) {
    size_t *order = FS_NEW(arena, size_t, count + 1);
    for (size_t u = 0; u < parameters; u++) {
        fs_rng own = fs_rng_sub(rng, u);
        for (size_t i = 0; i < count; i++)
            order[i] = i;
        for (size_t i = count; i-- > 1;) {
            const size_t k = fs_rng_below(&own, (uint32_t)i + 1), was = order[i];
            order[i] = order[k];
            order[k] = was;
        }
        for (size_t i = 0; i < count; i++)
            place[i * parameters + u] = ((double)order[i] + fs_rng_unit(&own)) / (double)count;
    }
}

fs_robust_draws fs_robust_draw(fs_arena *arena, size_t parameters, size_t first, size_t count,
                               uint64_t seed) {
    const bool corners = parameters <= MOST_BITS && ((size_t)1 << parameters) <= first;
    if (first > count)
        first = count;
    if (corners)
        first = count = (size_t)1 << parameters;
    double *place = FS_NEW(arena, double, count *parameters + 1);
    const fs_rng rng = fs_rng_stream(seed, "robust");
    for (size_t i = 0; i < count * parameters && corners; i++)
        place[i] = (double)(i / parameters >> i % parameters & 1);
    if (!corners) {
        fs_hypercube(arena, fs_rng_sub(rng, 0), parameters, first, place);
        fs_hypercube(arena, fs_rng_sub(rng, 1), parameters, count - first, place + first * parameters);
    }
    return (fs_robust_draws){
        .count = count, .parameters = parameters, .first = first, .place = place, .corners = corners};
}
