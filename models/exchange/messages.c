/* Messages of a schedule: who sends what to whom in the same cycles, at which width. */
#include "models/exchange/messages.h"

#include "sim/base/alloc.h"

#include <stdlib.h>
#include <string.h>

static bool leads(const fs_message_list *list, uint32_t transfer) {
    return list->sent_with == NULL || list->sent_with[transfer] == transfer;
}

/* Numbers and receivers of the messages, and what a port and the way to the farthest receiver take. */
static void gather(const fs_exchange *x, const fs_message_list *list, const uint32_t *lane, uint32_t count,
                   fs_messages *out) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t t = lane[i], lead = list->sent_with != NULL ? list->sent_with[t] : t;
        const fs_transfer *of = &list->transfers[t];
        if (leads(list, t)) {
            out->number[t] = out->count;
            out->message[out->count++] = (fs_message){
                .src = of->src, .lent = of->src, .cycles = fs_exchange_port_cycles(x, of->bytes)};
        }
        out->number[t] = out->number[lead];
        FS_ASSERT(out->number[t] < out->count && list->transfers[lead].src == of->src &&
                      list->transfers[lead].bytes == of->bytes,
                  "transfer %u is not sent with transfer %u", t, lead);
        fs_message *m = &out->message[out->number[t]];
        const uint32_t latency = fs_exchange_latency(x, of->src, of->dst);
        m->latency = latency > m->latency ? latency : m->latency;
        m->count++;
    }
    for (uint32_t m = 0, first = 0; m < out->count; first += out->message[m++].count)
        out->message[m].first = first;
    uint32_t *fill = fs_calloc(out->count + 1, sizeof *fill);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t m = out->number[lane[i]];
        out->to[out->message[m].first + fill[m]++] = list->transfers[lane[i]].dst;
    }
    free(fill);
}

static fs_schedule_job job_of(const fs_messages *m, bool single) {
    return (fs_schedule_job){m->tiles, m->count, m->message, m->to, single};
}

/* ---- double-width messages ---- */

typedef struct receivers {
    uint32_t *of;    /* [tiles] 1 + the message that is looked at, of a tile that it goes to */
    uint32_t *takes; /* [tiles] messages to it in the whole schedule; 1 if its port is not lent */
    bool idle;       /* a tile whose partner takes nothing in may have its port */
} receivers;

/* Whole pairs, none of them the sender's. */
static bool may_be_wide(const fs_messages *all, uint32_t message, const receivers *r) {
    const fs_message *m = &all->message[message];
    for (uint32_t i = 0; i < m->count; i++)
        r->of[all->to[m->first + i]] = 1 + message;
    for (uint32_t i = 0; i < m->count; i++) {
        const uint32_t tile = all->to[m->first + i], partner = fs_geometry_partner(tile);
        if (tile == m->src || partner == m->src ||
            (r->of[partner] != 1 + message && !(r->idle && r->takes[partner] == 0)))
            return false;
    }
    return true;
}

/* Makes messages double-width where they may be. Returns whether one was. */
static bool widen(const fs_exchange *x, const fs_message_list *list, const uint32_t *lane, uint32_t count,
                  fs_messages *out) {
    receivers r = {.of = fs_calloc(out->tiles, sizeof *r.of),
                   .takes = fs_calloc(out->tiles, sizeof *r.takes),
                   .idle = list->params->pair_receive == FS_EXCHANGE_PAIR_IDLE};
    bool any = false;
    for (uint32_t t = 0; list->apart != NULL && t < out->tiles; t++)
        r.takes[t] = list->apart[t];
    for (uint32_t i = 0; i < count; i++)
        r.takes[list->transfers[lane[i]].dst] += list->transfers[lane[i]].bytes > 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bytes = list->transfers[lane[i]].bytes;
        fs_message *m = &out->message[out->number[lane[i]]];
        const uint32_t partner = fs_geometry_partner(m->src);
        if (!leads(list, lane[i]) || bytes < FS_EXCHANGE_LEAST_WIDE ||
            (list->apart != NULL && list->apart[partner]) || !may_be_wide(out, out->number[lane[i]], &r))
            continue;
        m->lent = partner;
        m->cycles = fs_exchange_port_cycles(x, ((uint64_t)bytes + 1) / 2);
        any = true;
    }
    free(r.of);
    free(r.takes);
    return any;
}

/* The plan with double-width messages, where it is the shorter one. */
static void plan_wide(const fs_exchange *x, const fs_message_list *list, const uint32_t *lane, uint32_t count,
                      fs_messages *out) {
    fs_messages wide = *out;
    wide.message = fs_malloc((out->count + 1) * sizeof *wide.message);
    memcpy(wide.message, out->message, out->count * sizeof *wide.message);
    wide.start = fs_calloc(out->count + 1, sizeof *wide.start);
    bool better = widen(x, list, lane, count, &wide);
    if (better) {
        const fs_schedule_job job = job_of(&wide, false);
        fs_schedule_plan(&job, wide.start);
        better = fs_schedule_shorter(fs_messages_length(&wide), fs_messages_length(out));
    }
    fs_messages *worse = better ? out : &wide;
    free(worse->message);
    free(worse->start);
    if (better)
        *out = wide;
}

fs_schedule_length fs_messages_length(const fs_messages *messages) {
    const fs_schedule_job job = job_of(messages, false);
    return fs_schedule_length_of(&job, messages->start);
}

void fs_messages_plan(const fs_exchange *x, const fs_message_list *list, const uint32_t *lane, uint32_t count,
                      fs_messages *out) {
    *out = (fs_messages){.tiles = list->tiles};
    out->number = fs_malloc((list->all + 1) * sizeof *out->number);
    memset(out->number, 0xff, list->all * sizeof *out->number);
    out->message = fs_malloc((count + 1) * sizeof *out->message);
    out->to = fs_malloc((count + 1) * sizeof *out->to);
    gather(x, list, lane, count, out);
    out->start = fs_calloc(out->count + 1, sizeof *out->start);
    const fs_schedule_job job = job_of(out, out->count == count);
    fs_schedule_plan(&job, out->start);
    const int64_t rule = list->params->pair_receive;
    if (rule == FS_EXCHANGE_PAIR_IDLE || (rule == FS_EXCHANGE_PAIR_SHARED && list->sent_with != NULL))
        plan_wide(x, list, lane, count, out);
}

void fs_messages_free(fs_messages *m) {
    free(m->number);
    free(m->message);
    free(m->to);
    free(m->start);
}
