/* Active tiles dealt to threads: each begins with its own part and then helps others. */
#include "workloads/foam/kernels/deal.h"

enum { AT_A_TIME = 16 }; /* tiles that a thread takes: a tracer's work is uneven */

void fs_deal_create(fs_deal *deal, fs_arena *arena, const fs_overlay *overlay, uint32_t threads) {
    uint32_t tiles[UINT8_MAX + 1] = {0}, seen[UINT8_MAX + 1] = {0}; /* of each level */
    *deal = (fs_deal){.threads = threads,
                      .thread_of = FS_NEW(arena, uint32_t, overlay->tiles),
                      .order = FS_NEW(arena, uint32_t, overlay->tiles),
                      .part = FS_NEW(arena, fs_deal_part, threads)};
    for (uint32_t t = 0; t < overlay->tiles; t++)
        tiles[overlay->level[t]] += overlay->role[t] != FS_ROLE_SPARE;
    for (uint32_t t = 0; t < overlay->tiles; t++) {
        const uint8_t level = overlay->level[t];
        if (overlay->role[t] != FS_ROLE_SPARE)
            deal->thread_of[t] = (uint32_t)((uint64_t)seen[level]++ * threads / tiles[level]);
    }
}

/* Threads begin with the routers, which have the highest numbers and hold most rays: what ends late is short
 * then. */
void fs_deal_tiles(fs_deal *deal, const uint32_t *tiles, uint32_t count) {
    uint32_t at = 0;
    for (uint32_t t = 0; t < deal->threads; t++)
        deal->part[t].end = 0;
    for (uint32_t i = 0; i < count; i++)
        deal->part[deal->thread_of[tiles[i]]].end++;
    for (uint32_t t = 0; t < deal->threads; t++) {
        fs_deal_part *part = &deal->part[t];
        part->next = at;
        at += part->end;
        part->end = part->next;
    }
    for (uint32_t i = count; i-- > 0;)
        deal->order[deal->part[deal->thread_of[tiles[i]]].end++] = tiles[i];
}

bool fs_deal_take(fs_deal *deal, uint32_t thread, uint32_t *begin, uint32_t *end) {
    for (uint32_t t = 0; t < deal->threads; t++) {
        fs_deal_part *part = &deal->part[(thread + t) % deal->threads];
        if (__atomic_load_n(&part->next, __ATOMIC_RELAXED) >= part->end)
            continue;
        *begin = __atomic_fetch_add(&part->next, AT_A_TIME, __ATOMIC_RELAXED);
        if (*begin < part->end) {
            *end = part->end - *begin < AT_A_TIME ? part->end : *begin + AT_A_TIME;
            return true;
        }
    }
    return false;
}
