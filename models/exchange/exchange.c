/* Exchange phases: transfers over ports, planned ahead or as they come. */
#include "models/exchange/exchange.h"

#include "models/exchange/messages.h"
#include "sim/base/arith.h"

#include <stdlib.h>
#include <string.h>

typedef struct place {
    uint16_t row, folded, half;
} place;

struct fs_exchange {
    const fs_exchange_params *params;
    uint32_t tiles, count;
    const fs_transfer *transfers;
    fs_message_list list;
    uint32_t rotation; /* bytes of each pair; 0: transfers are a list */
    place *at;         /* [tiles] */
    /* Static mode */
    uint64_t *start;   /* [count] */
    uint8_t *wide;     /* [count] whether it is of a double-width message */
    uint64_t *waiting; /* [tiles] of each sender in a phase */
    fs_exchange_plan plan;
    /* Dynamic mode: a sender's lanes are lane[lane_start[s]] ..., in the order of their numbers */
    uint32_t *lane_start, *lane; /* [tiles + 1], [count] */
    uint32_t *next;              /* [tiles] cursor into lane */
    uint64_t *free_at;           /* [tiles] receivers */
    fs_event_heap requests;      /* [tiles]: one pending request a sender */
};

bool fs_exchange_columns_fit(const fs_exchange_params *params, const fs_geometry_params *geometry,
                             const fs_int_list *list, fs_arena *arena, const char **why) {
    const size_t columns = (size_t)(geometry->columns + 1) / 2,
                 least = columns < FS_EXCHANGE_KNOWN_COLUMNS ? columns : FS_EXCHANGE_KNOWN_COLUMNS;
    if (list->count < least) {
        *why = fs_arena_printf(arena,
                               "a chip of %lld columns folds into %zu and needs as many numbers (half-cycles "
                               "for each folded column distance), %d of them at least (after the last each "
                               "column adds %d), found %zu",
                               (long long)geometry->columns, columns, (int)least, FS_EXCHANGE_COLUMN_STEP,
                               list->count);
        return false;
    }
    for (size_t c = 0; c < columns && c < list->count; c++)
        if (2 * params->latency_base + list->item[c] < 0) {
            *why = fs_arena_printf(arena,
                                   "number %zu: %lld half-cycles make the latency negative, because "
                                   "exchange.latency_base is %lld cycles; allowed: %lld or more",
                                   c, (long long)list->item[c], (long long)params->latency_base,
                                   (long long)(-2 * params->latency_base));
            return false;
        }
    return true;
}

static fs_status check_latencies(const fs_exchange_params *params, const fs_geometry_params *geometry,
                                 fs_arena *arena, fs_error *err) {
    const char *why;
    if (!fs_exchange_columns_fit(params, geometry, &params->column_same, arena, &why))
        return fs_fail(err, FS_INPUT, "machine.exchange.column_same: %s", why);
    if (!fs_exchange_columns_fit(params, geometry, &params->column_other, arena, &why))
        return fs_fail(err, FS_INPUT, "machine.exchange.column_other: %s", why);
    return FS_OK;
}

/* ---- static plans ---- */

uint32_t fs_exchange_sent_with(const fs_exchange *x, uint32_t transfer) {
    return x->list.sent_with != NULL ? x->list.sent_with[transfer] : transfer;
}

static bool leads(const fs_exchange *x, uint32_t transfer) {
    return fs_exchange_sent_with(x, transfer) == transfer;
}

/* One copy, `begin` cycles after the beginning of the phase; lane: the numbers of its transfers. Returns when
 * its last word has arrived. */
static uint64_t plan_copy(fs_exchange *x, const uint32_t *lane, uint32_t count, uint64_t begin) {
    fs_messages of;
    fs_messages_plan(x, &x->list, lane, count, &of);
    for (uint32_t i = 0; i < count; i++) {
        const fs_message *m = &of.message[of.number[lane[i]]];
        x->start[lane[i]] = begin + of.start[of.number[lane[i]]];
        if (m->lent != m->src)
            x->wide[lane[i]] = 1;
    }
    const uint64_t arrival = begin + fs_messages_length(&of).arrived;
    fs_messages_free(&of);
    return arrival;
}

/* Copy after copy; one without bytes takes no time. lane: [count] for their numbers. */
static void plan_serial(fs_exchange *x, const fs_exchange_copies *copies, uint32_t *lane) {
    uint64_t begin = 0;
    for (uint32_t c = 0; c < copies->count; c++) {
        uint32_t n = 0;
        for (uint32_t t = 0; t < x->count; t++)
            if (copies->of[t] == c)
                lane[n++] = t;
        const uint64_t arrival = plan_copy(x, lane, n, begin);
        begin = arrival > begin ? arrival + copies->between : begin;
    }
}

static void plan_merged(fs_exchange *x, uint32_t *lane) {
    for (uint32_t t = 0; t < x->count; t++)
        lane[t] = t;
    plan_copy(x, lane, x->count, 0);
}

uint64_t fs_exchange_transfer_cycles(const fs_exchange *x, uint32_t transfer, uint64_t bytes) {
    const uint64_t width = (uint64_t)x->params->bytes_per_cycle << (x->wide != NULL && x->wide[transfer]);
    return (bytes + width - 1) / width;
}

/* ---- rotation ---- */

/* Half-cycles for so many folded columns, continued behind the list's last number. */
static int64_t of_columns(const fs_int_list *list, uint32_t distance) {
    const int64_t beyond = distance < list->count ? 0 : (int64_t)distance + 1 - (int64_t)list->count;
    return list->item[(int64_t)distance - beyond] + FS_EXCHANGE_COLUMN_STEP * beyond;
}

static void count_sent(const fs_transfer *t, uint64_t bytes, uint64_t cycles, const fs_port_counters *c) {
    if (c->bytes_out)
        c->bytes_out[t->src] += bytes;
    if (c->busy_out)
        c->busy_out[t->src] += cycles;
}

static void count_received(const fs_transfer *t, uint64_t bytes, uint64_t cycles, const fs_port_counters *c) {
    if (c->bytes_in)
        c->bytes_in[t->dst] += bytes;
    if (c->busy_in)
        c->busy_in[t->dst] += cycles;
}

/* No latency is longer. */
static uint32_t longest_latency(const fs_exchange *x) {
    uint32_t row = 0, folded = 0;
    for (uint32_t t = 0; t < x->tiles; t++) {
        row = x->at[t].row > row ? x->at[t].row : row;
        folded = x->at[t].folded > folded ? x->at[t].folded : folded;
    }
    int64_t halves = 0;
    for (uint32_t d = 0; d <= folded; d++) {
        const int64_t same = of_columns(&x->params->column_same, d),
                      other = of_columns(&x->params->column_other, d), more = same > other ? same : other;
        halves = more > halves ? more : halves;
    }
    return (uint32_t)((2 * (x->params->latency_base + 2 * x->params->latency_row * row) + halves + 1) / 2);
}

/* The last arrival is of a round near the last: from there back until no latency makes up for a round earlier. */
static void plan_rotation(fs_exchange *x, fs_arena *arena) {
    const uint64_t cycles = fs_exchange_port_cycles(x, x->rotation), most = longest_latency(x);
    x->waiting = FS_NEW(arena, uint64_t, x->tiles);
    x->plan.bound = x->plan.length = (x->tiles - 1) * cycles;
    x->plan.efficiency = 1.0;
    for (uint32_t r = x->tiles - 1; r > 0 && r * cycles + most > x->plan.arrival; r--)
        for (uint32_t t = 0; t < x->tiles; t++)
            x->plan.arrival =
                fs_most(x->plan.arrival, r * cycles + fs_exchange_latency(x, t, (t + r) % x->tiles));
}

static void count_rotation(const fs_exchange *x, uint64_t phases, const fs_port_counters *c) {
    const uint64_t bytes = phases * (x->tiles - 1) * x->rotation,
                   cycles = phases * (x->tiles - 1) * fs_exchange_port_cycles(x, x->rotation);
    for (uint32_t t = 0; t < x->tiles; t++) {
        const fs_transfer own = {t, t, x->rotation};
        count_sent(&own, bytes, cycles, c);
        count_received(&own, bytes, cycles, c);
    }
}

uint64_t fs_exchange_wide_bytes(const fs_exchange *x) {
    uint64_t bytes = 0;
    for (uint32_t t = 0; x->wide != NULL && t < x->count; t++)
        bytes += x->wide[t] ? x->transfers[t].bytes : 0;
    return bytes;
}

/* From the starts to what the phase costs each sender, and as a whole. */
static void sum_plan(fs_exchange *x) {
    uint64_t *busy = fs_calloc(3 * (size_t)x->tiles, sizeof *busy), *lent = busy + x->tiles,
             *in = lent + x->tiles;
    for (uint32_t t = 0; t < x->count; t++) {
        const fs_transfer *of = &x->transfers[t];
        const uint64_t cycles = fs_exchange_transfer_cycles(x, t, of->bytes), end = x->start[t] + cycles;
        if (cycles == 0)
            continue;
        in[of->dst] += cycles;
        const uint64_t arrival = end + fs_exchange_latency(x, of->src, of->dst);
        x->plan.arrival = fs_most(x->plan.arrival, arrival);
        x->plan.length = fs_most(x->plan.length, end);
        if (!leads(x, t))
            continue;
        x->waiting[of->src] = fs_most(x->waiting[of->src], end);
        busy[of->src] += cycles;
        if (x->wide[t])
            lent[fs_geometry_partner(of->src)] += cycles;
    }
    for (uint32_t s = 0; s < x->tiles; s++) { /* to the end of its last transfer it moves words or waits */
        x->waiting[s] -= busy[s];
        x->plan.bound = fs_most(x->plan.bound, fs_most(busy[s] + lent[s], in[s]));
    }
    x->plan.efficiency = x->plan.length ? (double)x->plan.bound / (double)x->plan.length : 1.0;
    free(busy);
}

static void plan_static(fs_exchange *x, const fs_exchange_copies *copies, fs_arena *arena) {
    uint32_t *lane = fs_malloc((x->count + 1) * sizeof *lane);
    x->start = FS_NEW(arena, uint64_t, x->count);
    x->wide = FS_NEW(arena, uint8_t, x->count);
    x->waiting = FS_NEW(arena, uint64_t, x->tiles);
    if (copies != NULL)
        plan_serial(x, copies, lane);
    else
        plan_merged(x, lane);
    sum_plan(x);
    free(lane);
}

static void sort_by_sender(fs_exchange *x) {
    for (uint32_t t = 0; t < x->count; t++)
        x->lane_start[x->transfers[t].src + 1]++;
    for (uint32_t s = 0; s < x->tiles; s++)
        x->lane_start[s + 1] += x->lane_start[s];
    memcpy(x->next, x->lane_start, x->tiles * sizeof *x->next);
    for (uint32_t t = 0; t < x->count; t++)
        x->lane[x->next[x->transfers[t].src]++] = t;
}

static void prepare_dynamic(fs_exchange *x, uint32_t room, fs_arena *arena) {
    x->lane_start = FS_NEW(arena, uint32_t, x->tiles + 1);
    x->lane = FS_NEW(arena, uint32_t, x->count > room ? x->count : room);
    x->next = FS_NEW(arena, uint32_t, x->tiles);
    x->free_at = FS_NEW(arena, uint64_t, x->tiles);
    x->requests.item = FS_NEW(arena, fs_heap_item, x->tiles);
    sort_by_sender(x);
}

void fs_exchange_set(fs_exchange *x, const fs_transfer *transfers, uint32_t count) {
    FS_ASSERT(x->params->mode == FS_EXCHANGE_DYNAMIC, "a static exchange moves what was planned");
    x->transfers = x->list.transfers = transfers;
    x->count = x->list.all = count;
    memset(x->lane_start, 0, (x->tiles + 1) * sizeof *x->lane_start);
    sort_by_sender(x);
}

fs_exchange *fs_exchange_create(fs_arena *arena, const fs_exchange_params *params,
                                const fs_geometry_params *geometry, uint32_t tiles,
                                const fs_exchange_lanes *lanes, fs_error *err) {
    if (check_latencies(params, geometry, arena, err))
        return NULL;
    fs_exchange *x = FS_NEW(arena, fs_exchange, 1);
    *x =
        (fs_exchange){.params = params, .tiles = tiles, .count = lanes->count, .transfers = lanes->transfers};
    x->list = (fs_message_list){.params = params, .transfers = x->transfers, .tiles = tiles, .all = x->count};
    x->at = FS_NEW(arena, place, tiles);
    for (uint32_t t = 0; t < tiles; t++) {
        fs_position p = fs_geometry_position(geometry, t);
        x->at[t] = (place){(uint16_t)p.row, (uint16_t)p.folded, (uint16_t)p.half};
    }
    x->rotation = lanes->rotation;
    FS_ASSERT(x->rotation == 0 || (params->mode == FS_EXCHANGE_STATIC && x->count == 0),
              "a rotation is a static exchange without a list");
    if (x->rotation > 0) {
        plan_rotation(x, arena);
    } else if (params->mode == FS_EXCHANGE_STATIC) {
        x->list.sent_with = lanes->sent_with;
        x->list.apart = lanes->apart;
        plan_static(x, lanes->copies, arena);
    } else {
        prepare_dynamic(x, lanes->room, arena);
    }
    return x;
}

uint32_t fs_exchange_continued(const fs_exchange_params *params, const fs_geometry_params *geometry) {
    const size_t columns = (size_t)(geometry->columns + 1) / 2,
                 known = params->column_same.count < params->column_other.count ? params->column_same.count
                                                                                : params->column_other.count;
    return columns > known ? (uint32_t)(columns - known) : 0;
}

uint32_t fs_exchange_latency(const fs_exchange *x, uint32_t src, uint32_t dst) {
    const place *a = &x->at[src], *b = &x->at[dst];
    uint32_t distance = a->folded > b->folded ? a->folded - b->folded : b->folded - a->folded;
    const fs_int_list *list = a->half == b->half ? &x->params->column_same : &x->params->column_other;
    int64_t halves = 2 * (x->params->latency_base + x->params->latency_row * (a->row + b->row));
    return (uint32_t)((halves + of_columns(list, distance) + 1) / 2);
}

uint32_t fs_exchange_message(const fs_exchange *x, uint32_t transfer, uint32_t occupied) {
    uint32_t whole = x->rotation > 0 ? x->rotation : x->transfers[transfer].bytes;
    if (x->params->mode == FS_EXCHANGE_STATIC)
        return whole;
    FS_ASSERT(occupied <= whole, "lane %u holds %u bytes in a buffer of %u", transfer, occupied, whole);
    return occupied ? occupied + (uint32_t)x->params->header : 0;
}

uint64_t fs_exchange_port_cycles(const fs_exchange *x, uint64_t bytes) {
    uint64_t width = (uint64_t)x->params->bytes_per_cycle;
    return (bytes + width - 1) / width;
}

void fs_exchange_count_planned(const fs_exchange *x, uint64_t phases, const fs_port_counters *counters) {
    FS_ASSERT(x->params->mode == FS_EXCHANGE_STATIC, "a dynamic exchange has no plan");
    if (x->rotation > 0)
        count_rotation(x, phases, counters);
    for (uint32_t t = 0; t < x->count; t++) {
        const uint64_t bytes = x->transfers[t].bytes,
                       cycles = phases * fs_exchange_transfer_cycles(x, t, bytes);
        if (leads(x, t))
            count_sent(&x->transfers[t], phases * bytes, cycles, counters);
        count_received(&x->transfers[t], phases * bytes, cycles, counters);
    }
    if (counters->waiting_out)
        for (uint32_t s = 0; s < x->tiles; s++)
            counters->waiting_out[s] += phases * x->waiting[s];
}

/* A sender asks for the receiver of its next lane that has something to send. */
static void request_next(fs_exchange *x, uint32_t sender, uint64_t now, const uint32_t *occupied) {
    uint32_t *next = &x->next[sender];
    while (*next < x->lane_start[sender + 1] && occupied[x->lane[*next]] == 0)
        ++*next;
    if (*next < x->lane_start[sender + 1])
        fs_heap_put(x->requests.item, &x->requests.count, (fs_heap_item){now, sender});
}

/* A request is granted when its receiver has done the earlier ones: taken off the heap in the order (time,
 * sender), each fixes its transfer's times at once, and the sender's next request lies in the future. */
static uint64_t dynamic_phase(fs_exchange *x, const uint32_t *occupied, const fs_port_counters *counters) {
    uint64_t last_arrival = 0;
    memset(x->free_at, 0, x->tiles * sizeof *x->free_at);
    memcpy(x->next, x->lane_start, x->tiles * sizeof *x->next);
    for (uint32_t s = 0; s < x->tiles; s++)
        request_next(x, s, 0, occupied);
    while (x->requests.count > 0) {
        fs_heap_item request = fs_heap_take(x->requests.item, &x->requests.count);
        uint32_t lane = x->lane[x->next[request.id]++];
        const fs_transfer *t = &x->transfers[lane];
        uint32_t bytes = fs_exchange_message(x, lane, occupied[lane]);
        uint64_t cycles = fs_exchange_port_cycles(x, bytes), *free_at = &x->free_at[t->dst];
        uint64_t start = *free_at > request.time ? *free_at : request.time, end = start + cycles;
        uint64_t arrival = end + fs_exchange_latency(x, t->src, t->dst);
        *free_at = end;
        last_arrival = arrival > last_arrival ? arrival : last_arrival;
        count_sent(t, bytes, cycles, counters);
        count_received(t, bytes, cycles, counters);
        if (counters->waiting_out)
            counters->waiting_out[t->src] += start - request.time;
        request_next(x, request.id, end, occupied);
    }
    return last_arrival;
}

uint64_t fs_exchange_phase(fs_exchange *x, const uint32_t *occupied, const fs_port_counters *counters) {
    static const fs_port_counters none = {0};
    const fs_port_counters *c = counters ? counters : &none;
    uint64_t overhead = (uint64_t)x->params->program_overhead;
    if (x->params->mode != FS_EXCHANGE_STATIC)
        return overhead + dynamic_phase(x, occupied, c);
    if (counters)
        fs_exchange_count_planned(x, 1, c);
    return overhead + x->plan.arrival;
}

uint64_t fs_exchange_static_start(const fs_exchange *x, uint32_t transfer) {
    FS_ASSERT(x->params->mode == FS_EXCHANGE_STATIC, "a dynamic exchange has no plan");
    return x->rotation > 0 ? transfer % (x->tiles - 1) * fs_exchange_port_cycles(x, x->rotation)
                           : x->start[transfer];
}

fs_exchange_plan fs_exchange_plan_of(const fs_exchange *x) {
    FS_ASSERT(x->params->mode == FS_EXCHANGE_STATIC, "a dynamic exchange has no plan");
    return x->plan;
}

uint64_t fs_exchange_broadcast(const fs_exchange *x, uint32_t src, uint64_t bytes) {
    uint32_t farthest = 0;
    for (uint32_t t = 0; t < x->tiles; t++) {
        uint32_t latency = t == src ? 0 : fs_exchange_latency(x, src, t);
        farthest = latency > farthest ? latency : farthest;
    }
    return bytes ? fs_exchange_port_cycles(x, bytes) + farthest : 0;
}
