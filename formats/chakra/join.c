/* What nodes of one rank and of several wait for: ids become numbers of nodes, the k-th send between two ranks with a tag
 * meets the k-th receive, the k-th collective of a group is one on all of its ranks. */
#include "formats/chakra/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool fs_chakra_wrong(const fs_chakra *c, const fs_chakra_node *n, const char *format, ...) {
    char words[512];
    FS_VARIADIC(args, format, vsnprintf(words, sizeof words, format, args));
    fs_fail(c->err, FS_INPUT, "%s: node %" PRIu64 " (byte %" PRIu64 "): %s", c->file[n->rank], n->id, n->byte,
            words);
    return false;
}

/* ---- ids ---- */

static int by_number(uint64_t x, uint64_t y) {
    return x < y ? -1 : x > y;
}

static int by_id(const void *a, const void *b) {
    const fs_chakra_node *x = *(const fs_chakra_node *const *)a, *y = *(const fs_chakra_node *const *)b;
    return x->id != y->id ? by_number(x->id, y->id) : by_number((uintptr_t)x, (uintptr_t)y);
}

static bool join_rank(fs_chakra *c, uint32_t rank) {
    const uint32_t begin = c->begin[rank], count = c->begin[rank + 1] - begin;
    fs_chakra_node **sorted = fs_malloc((count + 1) * sizeof *sorted), key = {.id = 0}, *wanted = &key;
    bool good = true;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &c->node[begin + i];
    qsort(sorted, count, sizeof *sorted, by_id);
    for (uint32_t i = 1; i < count && good; i++)
        if (sorted[i]->id == sorted[i - 1]->id)
            good = fs_chakra_wrong(c, sorted[i], "id: expected one of its own, found that of another node");
    for (uint32_t i = 0; i < count && good; i++) {
        const fs_chakra_node *n = &c->node[begin + i];
        for (uint32_t k = n->first; k < n->first + n->count && good; k++) {
            size_t low = 0, high = count;
            wanted->id = c->after[k];
            while (low < high) {
                const size_t middle = (low + high) / 2;
                if (sorted[middle]->id < wanted->id)
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low == count || sorted[low]->id != wanted->id)
                good = fs_chakra_wrong(
                    c, n, "data_deps: waits for node %" PRIu64 ", which the file does not have", wanted->id);
            else
                c->after[k] = (uint64_t)(sorted[low] - c->node);
        }
    }
    free(sorted);
    return good;
}

/* ---- sends and receives ---- */

/* Where a message goes; both ends of it sort to the same place. */
static int by_way(const void *a, const void *b) {
    const fs_chakra_node *x = *(const fs_chakra_node *const *)a, *y = *(const fs_chakra_node *const *)b;
    const bool sends = x->kind == FS_CHAKRA_SEND;
    const uint32_t from[] = {sends ? x->rank : x->peer, sends ? y->rank : y->peer},
                   to[] = {sends ? x->peer : x->rank, sends ? y->peer : y->rank};
    return from[0] != from[1] ? by_number(from[0], from[1])
           : to[0] != to[1]   ? by_number(to[0], to[1])
           : x->tag != y->tag ? by_number((uint64_t)x->tag, (uint64_t)y->tag)
                              : by_number((uintptr_t)x, (uintptr_t)y);
}

/* Nodes of a kind by their ways; free(). */
static fs_chakra_node **sorted_by_way(const fs_chakra *c, uint8_t kind, uint32_t *count) {
    fs_chakra_node **list = NULL;
    *count = 0;
    for (uint32_t i = 0; i < c->nodes; i++)
        if (c->node[i].kind == kind) {
            list = fs_grow(list, *count, sizeof(fs_chakra_node *));
            list[(*count)++] = &c->node[i];
        }
    if (*count > 0)
        qsort(list, *count, sizeof *list, by_way);
    return list;
}

/* Before, at or behind the way of a receive. */
static int compare_ways(const fs_chakra_node *send, const fs_chakra_node *receive) {
    return send->rank != receive->peer   ? by_number(send->rank, receive->peer)
           : send->peer != receive->rank ? by_number(send->peer, receive->rank)
                                         : by_number((uint64_t)send->tag, (uint64_t)receive->tag);
}

static bool join_messages(fs_chakra *c) {
    uint32_t sends, receives, i = 0, k = 0;
    bool good = true;
    fs_chakra_node **send = sorted_by_way(c, FS_CHAKRA_SEND, &sends),
                   **receive = sorted_by_way(c, FS_CHAKRA_RECEIVE, &receives);
    for (uint32_t n = 0; n < c->nodes && good; n++)
        if ((c->node[n].kind == FS_CHAKRA_SEND || c->node[n].kind == FS_CHAKRA_RECEIVE) &&
            c->node[n].peer >= c->ranks)
            good = fs_chakra_wrong(c, &c->node[n], "rank %" PRIu32 " has no file, %s.%" PRIu32 ".et",
                                   c->node[n].peer, c->prefix, c->node[n].peer);
    while (good && (i < sends || k < receives)) {
        const int order = i == sends ? 1 : k == receives ? -1 : compare_ways(send[i], receive[k]);
        if (order < 0)
            good = fs_chakra_wrong(c, send[i], "rank %" PRIu32 " has no receive for it with tag %" PRId64,
                                   send[i]->peer, send[i]->tag);
        else if (order > 0)
            good = fs_chakra_wrong(c, receive[k], "rank %" PRIu32 " has no send for it with tag %" PRId64,
                                   receive[k]->peer, receive[k]->tag);
        else if (send[i]->amount != receive[k]->amount)
            good = fs_chakra_wrong(c, receive[k],
                                   "comm_size: expected %" PRIu64 ", that of its send, found %" PRIu64,
                                   send[i]->amount, receive[k]->amount);
        else {
            receive[k++]->peer = (uint32_t)(send[i++] - c->node);
        }
    }
    free(send);
    free(receive);
    return good;
}

/* ---- collectives ---- */

/* The k-th node of a group on a rank takes its place in the group's k-th collective. */
static bool meet(fs_chakra *c, uint32_t n, uint32_t place, uint32_t *met) {
    fs_chakra_node *node = &c->node[n];
    const fs_chakra_group *group = &c->group[node->group];
    uint32_t m = met[node->group];
    while (m < c->meetings &&
           (c->meeting[m].group != node->group || c->meeting[m].node[place] != FS_CHAKRA_NONE))
        m++;
    met[node->group] = m;
    if (m == c->meetings) {
        c->meeting = fs_arena_grow(c->arena, c->meeting, c->meetings, sizeof *c->meeting);
        c->meeting[c->meetings++] = (fs_chakra_meeting){
            .group = node->group, .came = n, .node = FS_NEW(c->arena, uint32_t, group->ranks)};
        memset(c->meeting[m].node, 0xff, group->ranks * sizeof *c->meeting[m].node);
    }
    const fs_chakra_node *other = &c->node[c->meeting[m].came];
    if (node->collective != other->collective || node->amount != other->amount ||
        strcmp(node->name, other->name) != 0)
        return fs_chakra_wrong(c, node,
                               "the same collective on every rank is expected, %s (comm_type %u, %" PRIu64
                               " B) as on rank %" PRIu32 "; found %s (comm_type %u, %" PRIu64 " B)",
                               other->name, other->collective, other->amount, other->rank, node->name,
                               node->collective, node->amount);
    c->meeting[m].node[place] = n;
    node->peer = m;
    return true;
}

/* The place of a rank in a group's ring. */
static uint32_t place_of(const fs_chakra_group *group, uint32_t rank) {
    uint32_t place = 0;
    while (place < group->ranks && group->rank[place] != rank)
        place++;
    return place;
}

static bool join_collectives(fs_chakra *c) {
    bool good = true;
    uint32_t *met = fs_malloc((c->groups + 1) * sizeof *met);
    for (uint32_t rank = 0; rank < c->ranks && good; rank++) {
        memset(met, 0, (c->groups + 1) * sizeof *met);
        for (uint32_t n = c->begin[rank]; n < c->begin[rank + 1] && good; n++) {
            if (c->node[n].kind != FS_CHAKRA_COLLECTIVE)
                continue;
            const uint32_t place = place_of(&c->group[c->node[n].group], rank);
            good =
                place < c->group[c->node[n].group].ranks
                    ? meet(c, n, place, met)
                    : fs_chakra_wrong(c, &c->node[n], "pg_name: rank %" PRIu32 " is not in the group \"%s\"",
                                      rank, c->group[c->node[n].group].name);
        }
    }
    free(met);
    for (uint32_t m = 0; m < c->meetings && good; m++)
        for (uint32_t i = 0; i < c->group[c->meeting[m].group].ranks && good; i++)
            if (c->meeting[m].node[i] == FS_CHAKRA_NONE) {
                const fs_chakra_meeting *it = &c->meeting[m];
                uint32_t there = 0;
                while (it->node[there] == FS_CHAKRA_NONE)
                    there++;
                good = fs_chakra_wrong(c, &c->node[it->node[there]],
                                       "rank %" PRIu32 " has no such collective, %s",
                                       c->group[it->group].rank[i], c->node[it->node[there]].name);
            }
    return good;
}

bool fs_chakra_join(fs_chakra *c) {
    for (uint32_t rank = 0; rank < c->ranks; rank++)
        if (!join_rank(c, rank))
            return false;
    return join_messages(c) && join_collectives(c);
}
