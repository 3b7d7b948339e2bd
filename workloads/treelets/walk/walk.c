/* Itineraries over threads. */
#include "workloads/treelets/walk/walk_private.h"

#include "sim/base/alloc.h"
#include "sim/base/host.h"
#include "sim/host/signals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 }; /* paths that a thread takes at once */

typedef struct work {
    fs_itineraries_list all; /* of which each chunk is a part */
    uint64_t chunks;
    fs_piece_list *pieces; /* [chunks] */
} work;

static void walk_chunk(const work *w, uint64_t chunk) {
    const uint64_t first = chunk * CHUNK, rest = w->all.count - first;
    fs_itineraries_list list = w->all;
    list.first = first;
    list.count = rest < CHUNK ? rest : CHUNK;
    list.paths += first;
    list.begin += first;
    list.pieces_of += first;
    list.pieces = &w->pieces[chunk];
    (fs_host_has_avx2() ? fs_itineraries_list_avx2 : fs_itineraries_list_plain)(&list);
    list.pieces->piece = fs_realloc(list.pieces->piece, list.pieces->count * sizeof *list.pieces->piece);
}

/* All pieces in the order of their paths. Each chunk's go when they are copied. */
static void merge(const work *w, uint64_t count, fs_itineraries *its) {
    *its = (fs_itineraries){.paths = count,
                            .treelets = w->all.cut->treelets,
                            .first = fs_malloc((count + 1) * sizeof *its->first)};
    its->first[0] = 0;
    for (uint64_t p = 0; p < its->paths; p++)
        its->first[p + 1] = its->first[p] + w->all.pieces_of[p];
    its->piece = fs_malloc((its->first[its->paths] + 1) * sizeof *its->piece);
#pragma omp parallel for schedule(dynamic)
    for (uint64_t c = 0; c < w->chunks; c++) {
        const uint64_t from = c * CHUNK, to = from + CHUNK < its->paths ? from + CHUNK : its->paths;
        for (uint64_t p = from; p < to; p++)
            memcpy(its->piece + its->first[p], w->pieces[c].piece + w->all.begin[p],
                   w->all.pieces_of[p] * sizeof *its->piece);
        free(w->pieces[c].piece);
        w->pieces[c].piece = NULL;
    }
}

static bool walk_all(const fs_walk_scene *walk, const fs_treelet_cut *cut,
                     const fs_itineraries_params *params, const fs_walk_key *key, uint64_t count,
                     bool to_the_end, fs_itineraries *its, fs_walk_path *paths) {
    fs_top top = fs_top_of(walk, cut);
    fs_nest nest = {.node = NULL};
    fs_emitters emitters = {.count = 0};
    if (params->light == FS_SHADOW_EMITTERS)
        emitters = fs_emitters_of(walk);
    if (cut->nests)
        nest = fs_nest_of(walk, cut);
    const fs_walk_lens lens = fs_walk_lens_of(walk, &params->walk);
    fs_walk_path *own = paths == NULL ? fs_malloc((count + 1) * sizeof *own) : NULL;
    work w = {.all = {.walk = cut->nests ? &nest.walk : walk,
                      .cut = cut,
                      .top = &top,
                      .nest = cut->nests ? &nest : NULL,
                      .params = params,
                      .emitters = &emitters,
                      .stream = fs_rng_stream(params->walk.seed, "treelets/emitters"),
                      .lens = &lens,
                      .key = key,
                      .count = count,
                      .paths = paths == NULL ? own : paths,
                      .begin = fs_malloc((count + 1) * sizeof *w.all.begin),
                      .pieces_of = fs_malloc((count + 1) * sizeof *w.all.pieces_of)},
              .chunks = (count + CHUNK - 1) / CHUNK};
    bool whole = true;
    w.pieces = fs_calloc(w.chunks + 1, sizeof *w.pieces);
#pragma omp parallel for schedule(dynamic) reduction(&& : whole)
    for (uint64_t c = 0; c < w.chunks; c++) {
        const bool go_on = to_the_end || !fs_interrupted();
        if (go_on)
            walk_chunk(&w, c);
        whole = whole && go_on;
    }
    *its = (fs_itineraries){.paths = 0};
    if (whole)
        merge(&w, count, its);
    for (uint64_t c = 0; c < w.chunks; c++)
        free(w.pieces[c].piece);
    free(w.all.begin);
    free(w.all.pieces_of);
    free(w.pieces);
    free(own);
    fs_top_free(&top);
    fs_nest_free(&nest);
    fs_emitters_free(&emitters);
    return whole;
}

/* Walks some paths to their end: path i is (key[i].pixel, key[i].sample). */
static void walk_some(const fs_walk_scene *walk, const fs_treelet_cut *cut,
                      const fs_itineraries_params *params, const fs_walk_key *key, uint64_t count,
                      fs_itineraries *its, fs_walk_path *paths) {
    (void)walk_all(walk, cut, params, key, count, true, its, paths);
}

fs_status fs_itineraries_walk(const fs_walk_scene *walk, const fs_treelet_cut *cut,
                              const fs_itineraries_params *params, fs_itineraries *its, fs_walk_path *paths,
                              fs_error *err) {
    const uint64_t count = (uint64_t)params->walk.width * params->walk.height * params->samples;
    return walk_all(walk, cut, params, NULL, count, false, its, paths)
               ? FS_OK
               : fs_fail(err, FS_RUN, "interrupted while %" PRIu64 " paths were walked", count);
}

/* ---- what a walk will take, from some of its paths ---- */

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
    walk_some(walk, cut, params, key, count, &its, NULL);
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
