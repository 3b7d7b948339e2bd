/* Which access is chosen when, and when its data move. */
#include "models/dram/dram.h"

#include "sim/base/arith.h"
#include "sim/base/error.h"

#include <stddef.h>

enum { NO_ROW = -1, ACTIVATES = 4 };

typedef struct bank {
    int64_t row;            /* open one, or NO_ROW */
    uint64_t activate_from; /* earliest next activate: tRC behind the last, tRP behind a precharge */
    uint64_t precharge_from;
    uint64_t activated; /* when the open row can be read: tRCD behind its activate */
} bank;

typedef struct rank {
    uint64_t activates[ACTIVATES]; /* cycles + 1 of the last four, oldest at `oldest`; 0: none */
    uint32_t oldest;
    uint64_t activate_from; /* tRRD behind the last, refresh */
    uint64_t refresh_at;
} rank;

typedef struct waiting {
    fs_dram_access access;
    uint64_t arrived;
} waiting;

typedef struct channel {
    rank *ranks;    /* [ranks] */
    bank *banks;    /* [ranks][banks] */
    waiting *queue; /* [room], oldest first */
    uint32_t count;
    uint64_t choose_from; /* when the next may be chosen */
    uint64_t bus_free;
    uint64_t read_from; /* earliest read command behind a write */
    uint32_t last_rank;
    bool used; /* last_rank says something */
} channel;

struct fs_dram {
    const fs_dram_kind *kind;
    int64_t scheduler;
    uint32_t room;
    channel *channels;
    fs_dram_bank_use *bank_use; /* [channels][ranks][banks] */
    fs_dram_use use;
};

fs_dram *fs_dram_create(fs_arena *arena, const fs_dram_kind *kind, int64_t scheduler, uint32_t room) {
    fs_dram *d = FS_NEW(arena, fs_dram, 1);
    const uint32_t banks = kind->ranks * kind->banks;
    *d = (fs_dram){.kind = kind,
                   .scheduler = scheduler,
                   .room = room,
                   .channels = FS_NEW(arena, channel, kind->channels),
                   .bank_use = FS_NEW(arena, fs_dram_bank_use, (size_t)kind->channels * banks)};
    for (uint32_t c = 0; c < kind->channels; c++) {
        channel *ch = &d->channels[c];
        ch->ranks = FS_NEW(arena, rank, kind->ranks);
        ch->banks = FS_NEW(arena, bank, banks);
        ch->queue = FS_NEW(arena, waiting, room);
        for (uint32_t b = 0; b < banks; b++)
            ch->banks[b].row = NO_ROW;
        /* Ranks refresh one after the other. */
        for (uint32_t r = 0; r < kind->ranks; r++)
            ch->ranks[r].refresh_at = (uint64_t)kind->refi * (r + 1) / kind->ranks;
    }
    return d;
}

/* ---- where an address lies ---- */

typedef struct place {
    uint32_t channel, rank, bank;
    int64_t row;
} place;

static place place_of(const fs_dram_kind *k, uint64_t page_of_channel) {
    FS_ASSERT(k->ranks > 0, "%s: no rank", k->name);
    return (place){.bank = (uint32_t)(page_of_channel % k->banks),
                   .rank = (uint32_t)(page_of_channel / k->banks % k->ranks),
                   .row = (int64_t)(page_of_channel / k->banks / k->ranks)};
}

/* The first burst of an access by its number in the channel; returns the channel. */
static uint32_t first_burst(const fs_dram_kind *k, uint64_t address, uint64_t *burst) {
    const uint64_t page = address / k->page_bytes;
    *burst = (page / k->channels * k->page_bytes + address % k->page_bytes) / fs_dram_burst_bytes(k);
    return (uint32_t)(page % k->channels);
}

static place place_of_burst(const fs_dram_kind *k, uint64_t burst) {
    return place_of(k, burst * fs_dram_burst_bytes(k) / k->page_bytes);
}

/* ---- commands ---- */

/* Refreshes that fall due up to `now`: each waits until its rank's banks may be closed, closes them all, and
 * leaves them closed for tRFC. */
static void refresh(fs_dram *d, channel *ch, uint32_t number, uint64_t now) {
    const fs_dram_kind *k = d->kind;
    rank *r = &ch->ranks[number];
    bank *banks = ch->banks + (size_t)number * k->banks;
    while (r->refresh_at <= now) {
        uint64_t closed = r->refresh_at;
        for (uint32_t b = 0; b < k->banks; b++) {
            if (banks[b].row != NO_ROW)
                closed = fs_most(closed, fs_most(banks[b].precharge_from, r->refresh_at) + k->rp);
            closed = fs_most(closed, banks[b].row == NO_ROW ? banks[b].activate_from : closed);
            banks[b].row = NO_ROW;
        }
        r->activate_from = fs_most(r->activate_from, closed + k->rfc);
        r->refresh_at += k->refi;
        d->use.refreshes++;
    }
}

/* Opens a row as early as the times between commands allow; it may be read from `activated` on. */
static void activate(const fs_dram_kind *k, rank *r, bank *b, int64_t row, uint64_t from) {
    uint64_t at = fs_most(fs_most(from, b->activate_from), r->activate_from);
    const uint64_t fourth = r->activates[r->oldest];
    if (fourth > 0)
        at = fs_most(at, fourth - 1 + k->faw);
    r->activates[r->oldest] = at + 1;
    r->oldest = (r->oldest + 1) % ACTIVATES;
    r->activate_from = at + k->rrd;
    b->activate_from = at + k->rc;
    b->precharge_from = at + k->ras;
    b->activated = at + k->rcd;
    b->row = row;
}

/* Opens the burst's row if it is not; counts which it was. */
static bank *open_row(fs_dram *d, channel *ch, place at, uint64_t arrived) {
    const fs_dram_kind *k = d->kind;
    rank *r = &ch->ranks[at.rank];
    bank *b = &ch->banks[at.rank * k->banks + at.bank];
    fs_dram_bank_use *use = &d->bank_use[((size_t)at.channel * k->ranks + at.rank) * k->banks + at.bank];
    if (b->row == at.row) {
        use->hits++;
        d->use.hits++;
    } else if (b->row == NO_ROW) {
        use->misses++;
        d->use.misses++;
        activate(k, r, b, at.row, arrived);
    } else {
        use->conflicts++;
        d->use.conflicts++;
        b->activate_from = fs_most(b->activate_from, fs_most(b->precharge_from, arrived) + k->rp);
        activate(k, r, b, at.row, arrived);
    }
    return b;
}

/* One burst; returns the cycle in which its data begin to move. */
static uint64_t move(fs_dram *d, channel *ch, place at, uint64_t arrived, bool write) {
    const fs_dram_kind *k = d->kind;
    const bank *opened = open_row(d, ch, at, arrived);
    const uint32_t length = fs_dram_burst_cycles(k), delay = write ? k->cl - 1 : k->cl;
    bool switched = ch->used && ch->last_rank != at.rank;
    uint64_t command = fs_most(arrived, opened->activated);
    if (!write)
        command = fs_most(command, ch->read_from);
    const uint64_t data = fs_most(command + delay, ch->bus_free + (switched ? k->rank_switch : 0));
    command = data - delay;
    bank *b = &ch->banks[at.rank * k->banks + at.bank];
    b->precharge_from = fs_most(b->precharge_from, write ? data + length + k->wr : command + k->rtp);
    if (write)
        ch->read_from = data + length + k->wtr;
    d->use.rank_switches += switched;
    d->use.bursts++;
    d->use.busy += length;
    ch->bus_free = data + length;
    ch->last_rank = at.rank;
    ch->used = true;
    return data;
}

/* ---- choice ---- */

void fs_dram_offer(fs_dram *d, uint64_t now, const fs_dram_access *access) {
    uint64_t burst;
    channel *ch = &d->channels[first_burst(d->kind, access->address, &burst)];
    FS_ASSERT(ch->count < d->room, "a memory with room for %u accesses is full", d->room);
    ch->queue[ch->count++] = (waiting){.access = *access, .arrived = now};
}

static uint64_t due(const channel *ch) {
    return ch->count == 0 ? FS_DRAM_NEVER : fs_most(ch->choose_from, ch->queue[0].arrived);
}

uint64_t fs_dram_next_due(const fs_dram *d) {
    uint64_t next = FS_DRAM_NEVER;
    for (uint32_t c = 0; c < d->kind->channels; c++) {
        const uint64_t at = due(&d->channels[c]);
        next = at < next ? at : next;
    }
    return next;
}

static bool row_is_open(const fs_dram_kind *k, const channel *ch, const fs_dram_access *access) {
    uint64_t burst;
    first_burst(k, access->address, &burst);
    const place at = place_of_burst(k, burst);
    return ch->banks[at.rank * k->banks + at.bank].row == at.row;
}

/* The oldest, or with open rows first the oldest of those whose row is open. */
static uint32_t choose(const fs_dram *d, const channel *ch) {
    for (uint32_t i = 0; d->scheduler == FS_DRAM_FR_FCFS && i < ch->count; i++)
        if (row_is_open(d->kind, ch, &ch->queue[i].access))
            return i;
    return 0;
}

static void serve(fs_dram *d, uint32_t number, const waiting *w, fs_dram_data *out) {
    const fs_dram_kind *k = d->kind;
    channel *ch = &d->channels[number];
    const uint32_t bytes = fs_dram_burst_bytes(k);
    uint64_t burst;
    first_burst(k, w->access.address, &burst);
    const uint64_t bursts = (w->access.address % bytes + w->access.bytes + bytes - 1) / bytes;
    /* One at a time, nothing is prepared before its turn. */
    const uint64_t from = d->scheduler == FS_DRAM_ONE ? fs_most(w->arrived, ch->choose_from) : w->arrived;
    for (uint32_t r = 0; r < k->ranks; r++)
        refresh(d, ch, r, fs_most(from, ch->bus_free));
    for (uint64_t i = 0; i < bursts; i++) {
        place at = place_of_burst(k, burst + i);
        at.channel = number;
        const uint64_t data = move(d, ch, at, from, w->access.write);
        if (i == 0)
            out->first = data;
        out->last = data + fs_dram_burst_cycles(k);
    }
    out->tag = w->access.tag;
    /* The next column command may follow when its data would find the bus free. */
    const uint64_t next = out->last > k->cl ? out->last - k->cl : 0;
    ch->choose_from = d->scheduler == FS_DRAM_ONE ? out->last : next;
    d->use.accesses++;
}

bool fs_dram_step(fs_dram *d, uint64_t now, fs_dram_data *data) {
    for (uint32_t c = 0; c < d->kind->channels; c++) {
        channel *ch = &d->channels[c];
        if (due(ch) > now)
            continue;
        const uint32_t chosen = choose(d, ch);
        const waiting w = ch->queue[chosen];
        for (uint32_t i = chosen; i + 1 < ch->count; i++)
            ch->queue[i] = ch->queue[i + 1];
        ch->count--;
        serve(d, c, &w, data);
        return true;
    }
    return false;
}

fs_dram_use fs_dram_use_of(const fs_dram *d) {
    return d->use;
}

const fs_dram_bank_use *fs_dram_banks(const fs_dram *d) {
    return d->bank_use;
}
