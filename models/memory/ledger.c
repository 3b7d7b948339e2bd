/* Allocations tile by tile, their sums, and the sentence when one is too full. */
#include "models/memory/ledger.h"

#include "sim/host/voice.h"

#include <inttypes.h>
#include <string.h>

enum { BLOCK = 1024 }; /* entries taken from the arena at a time */

typedef struct entry {
    const char *name;
    uint64_t bytes;
    struct entry *next;
} entry;

typedef struct tile_ledger {
    entry *first, *last; /* in the order of adding */
    uint64_t used;       /* bytes: the sum of the entries */
    int64_t sram;        /* bytes of the tile */
} tile_ledger;

struct fs_ledger {
    fs_arena *arena;
    fs_memory_params params;
    uint32_t tiles;
    tile_ledger *tile; /* [tiles] */
    entry *spare;      /* [spare_count] not yet used */
    uint32_t spare_count;
};

fs_ledger *fs_ledger_create(fs_arena *arena, uint32_t tiles, const fs_memory_params *params) {
    fs_ledger *ledger = FS_NEW(arena, fs_ledger, 1);
    ledger->arena = arena;
    ledger->params = *params;
    ledger->tiles = tiles;
    ledger->tile = FS_NEW(arena, tile_ledger, tiles);
    for (uint32_t t = 0; t < tiles; t++)
        ledger->tile[t].sram = params->sram;
    return ledger;
}

static tile_ledger *tile_of(const fs_ledger *ledger, uint32_t tile) {
    FS_ASSERT(tile < ledger->tiles, "tile %u of %u", tile, ledger->tiles);
    return &ledger->tile[tile];
}

void fs_ledger_size(fs_ledger *ledger, uint32_t tile, int64_t sram) {
    tile_of(ledger, tile)->sram = sram;
}

int64_t fs_ledger_sram(const fs_ledger *ledger, uint32_t tile) {
    return tile_of(ledger, tile)->sram;
}

void fs_ledger_add(fs_ledger *ledger, uint32_t tile, const char *name, uint64_t bytes) {
    tile_ledger *t = tile_of(ledger, tile);
    if (ledger->spare_count == 0) {
        ledger->spare = FS_NEW(ledger->arena, entry, BLOCK);
        ledger->spare_count = BLOCK;
    }
    entry *e = ledger->spare++;
    ledger->spare_count--;
    *e = (entry){.name = name, .bytes = bytes};
    *(t->last ? &t->last->next : &t->first) = e;
    t->last = e;
    t->used += bytes;
}

uint64_t fs_ledger_used(const fs_ledger *ledger, uint32_t tile) {
    return tile_of(ledger, tile)->used;
}

uint64_t fs_ledger_bytes(const fs_ledger *ledger, uint32_t tile, const char *name) {
    uint64_t bytes = 0;
    for (const entry *e = tile_of(ledger, tile)->first; e != NULL; e = e->next)
        if (strcmp(e->name, name) == 0)
            bytes += e->bytes;
    return bytes;
}

/* Bytes of a tile that allocations may take. */
static uint64_t usable(const fs_ledger *ledger, uint32_t tile) {
    const int64_t sram = ledger->tile[tile].sram, reserved = ledger->params.reserved;
    return sram > reserved ? (uint64_t)(sram - reserved) : 0;
}

/* Bytes by which a tile does not fit. */
static uint64_t beyond(const fs_ledger *ledger, uint32_t tile) {
    const uint64_t used = ledger->tile[tile].used, size = usable(ledger, tile);
    return used > size ? used - size : 0;
}

uint32_t fs_ledger_worst(const fs_ledger *ledger) {
    uint32_t worst = 0;
    for (uint32_t t = 1; t < ledger->tiles; t++)
        if (ledger->tile[t].used > ledger->tile[worst].used)
            worst = t;
    return worst;
}

uint64_t fs_ledger_peak(const fs_ledger *ledger) {
    return ledger->tiles ? ledger->tile[fs_ledger_worst(ledger)].used : 0;
}

uint32_t fs_ledger_over(const fs_ledger *ledger) {
    uint32_t over = 0;
    for (uint32_t t = 0; t < ledger->tiles; t++)
        over += beyond(ledger, t) > 0;
    return over;
}

/* The ledger of one tile as text, a line to an allocation, appended to `text`. */
static void describe(const fs_ledger *ledger, uint32_t tile, fs_error *text) {
    for (const entry *e = ledger->tile[tile].first; e != NULL; e = e->next)
        fs_fail_also(text, FS_INPUT, "  %10" PRIu64 " B  %s", e->bytes, e->name);
    fs_fail_also(text, FS_INPUT, "  %10" PRIu64 " B  all allocations", ledger->tile[tile].used);
    fs_fail_also(text, FS_INPUT, "  %10" PRIu64 " B  usable: %lld B of SRAM less %lld B that can't be loaded",
                 usable(ledger, tile), (long long)ledger->tile[tile].sram,
                 (long long)ledger->params.reserved);
}

fs_status fs_ledger_check(const fs_ledger *ledger, const char *(*role_of)(const void *self, uint32_t tile),
                          const void *self, fs_error *err) {
    uint32_t over = fs_ledger_over(ledger);
    if (over == 0)
        return FS_OK;
    uint32_t worst = 0;
    for (uint32_t t = 1; t < ledger->tiles; t++)
        worst = beyond(ledger, t) > beyond(ledger, worst) ? t : worst;
    fs_error text = {0};
    fs_fail(&text, FS_INPUT,
            "memory: %" PRIu32 " of %" PRIu32 " tiles do not fit in SRAM; the worst is tile %" PRIu32
            " (%s), %" PRIu64 " B over:",
            over, ledger->tiles, worst, role_of(self, worst), beyond(ledger, worst));
    describe(ledger, worst, &text);
    if (ledger->params.check == FS_MEMORY_WARN) {
        fs_say("warning: %s", text.text);
        return FS_OK;
    }
    fs_fail_also(
        &text, FS_INPUT,
        "Hint: use more shards or a smaller scene, smaller buffers, or run on with machine.memory.check: "
        "warn.");
    return fs_fail(err, FS_INPUT, "%s", text.text);
}

void fs_ledger_write_csv(const fs_ledger *ledger, const char *(*role_of)(const void *self, uint32_t tile),
                         const void *self, FILE *out) {
    for (uint32_t t = 0; t < ledger->tiles; t++)
        for (const entry *e = ledger->tile[t].first; e != NULL; e = e->next)
            fprintf(out, "%" PRIu32 ",%s,%s,%" PRIu64 "\n", t, role_of(self, t), e->name, e->bytes);
}
