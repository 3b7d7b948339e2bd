/* Execution traces of Chakra: a file a rank, nodes with what they wait for. Ranks are end points of a network;
 * collectives are rings of one way. */
#include "formats/chakra/private.h"
#include "sim/base/numbers.h"

#include <inttypes.h>
#include <stdlib.h>

/* The network between ranks, where the person names none: links of 10 GB/s, over which a message takes a microsecond. */
static const char network[] =
    "machine:\n  clock: 1 GHz\n  exchange:\n    kind: noc\n    mode: dynamic\n    noc:\n"
    "      topology: torus\n      size: [%" PRIu32 "]\n      link: 992 cycles\n"
    "      width: 10 B\n      packet: 65536 B\n      header: 0\n"
    "workload:\n  kind: fabric\n  network: reserve\n";

typedef struct reader {
    fs_chakra c;
    fs_chakra_order *order;
} reader;

static bool next(void *self, fs_task *out, fs_error *err) {
    return fs_chakra_order_next(((reader *)self)->order, out, err);
}

static void close_reader(void *self) {
    reader *r = self;
    free(r->c.node);
    free(r->c.after);
    free(r);
}

static reader *open_reader(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_notes *notes,
                           fs_error *err) {
    reader *r = fs_calloc(1, sizeof *r);
    fs_chakra *c = &r->c;
    *c = (fs_chakra){.arena = arena, .notes = notes, .err = err};
    bool good = fs_chakra_find(c, path);
    c->begin = FS_NEW(arena, uint32_t, c->ranks + 1);
    for (uint32_t rank = 0; rank < c->ranks && good; rank++) {
        good = fs_chakra_read(c, rank);
        c->begin[rank + 1] = c->nodes;
    }
    if (good && c->nodes == 0)
        good = fs_fail(err, FS_INPUT, "%s: expected nodes, found none", path) == FS_OK;
    if (good && fs_chakra_join(c)) {
        r->order = fs_chakra_order_make(c, asked->clock);
        return r;
    }
    close_reader(r);
    return NULL;
}

static fs_status tasks(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_task_source *out,
                       fs_notes *notes, fs_error *err) {
    reader *r = open_reader(arena, path, asked, notes, err);
    *out = (fs_task_source){.self = r, .next = next, .close = close_reader};
    return r == NULL ? err->status : FS_OK;
}

/* ---- what it says ---- */

static void note(const fs_chakra *c, fs_note_kind kind, const char *what, const char *words) {
    fs_notes_add(c->notes, (fs_note){.kind = kind, .what = what, .words = words, .file = c->file[0]});
}

/* Nodes of each kind, and what they move. */
static void say_nodes(const fs_chakra *c) {
    static const char *const names[] = {[FS_CHAKRA_METADATA] = "metadata",
                                        [FS_CHAKRA_COMPUTE] = "computations",
                                        [FS_CHAKRA_SEND] = "sends",
                                        [FS_CHAKRA_RECEIVE] = "receives",
                                        [FS_CHAKRA_COLLECTIVE] = "collectives"};
    uint64_t count[FS_CHAKRA_COLLECTIVE + 1] = {0}, bytes = 0;
    for (uint32_t i = 0; i < c->nodes; i++) {
        const fs_chakra_node *n = &c->node[i];
        count[n->kind]++;
        bytes += n->kind == FS_CHAKRA_SEND || n->kind == FS_CHAKRA_COLLECTIVE ? n->amount : 0;
    }
    note(c, FS_NOTE_TAKEN,
         fs_arena_printf(c->arena, "%" PRIu32 " rank%s", c->ranks, c->ranks == 1 ? "" : "s"),
         fs_arena_printf(c->arena, "%s nodes; sends and collectives of %s B", fs_number_grouped(c->nodes),
                         fs_number_grouped((double)bytes)));
    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        if (count[k] > 0)
            note(c, FS_NOTE_TAKEN,
                 fs_arena_printf(c->arena, "%s %s", fs_number_grouped((double)count[k]), names[k]),
                 k == FS_CHAKRA_COLLECTIVE ? "as rings of one way" : "as they are");
}

/* What the rings and ends of messages do not have from the file. */
static void say_near(const fs_chakra *c) {
    static const char *const others[] = {
        [FS_CHAKRA_REDUCE] = "reduce",       [FS_CHAKRA_GATHER] = "gather",   [FS_CHAKRA_SCATTER] = "scatter",
        [FS_CHAKRA_BROADCAST] = "broadcast", [FS_CHAKRA_BARRIER] = "barrier", [FS_CHAKRA_COLLECTIVES] = NULL};
    for (uint32_t m = 0; m < c->meetings; m++) {
        const char *name = others[c->node[c->meeting[m].node[0]].collective];
        if (name != NULL)
            note(c, FS_NOTE_NEAR, fs_arena_printf(c->arena, "comm_type %s", name),
                 "goes round a ring, a step less than it has ranks");
    }
    for (uint32_t i = 0; i < c->afters; i++)
        if (c->node[c->after[i]].kind == FS_CHAKRA_SEND)
            note(c, FS_NOTE_NEAR, "data_deps on a send",
                 "it is over when it has arrived, not when it has left");
}

static fs_status tell(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_format_told *out,
                      fs_notes *notes, fs_error *err) {
    const fs_format_asked usual = {.clock = asked->clock > 0 ? asked->clock : 1e9};
    reader *r = open_reader(arena, path, &usual, notes, err);
    fs_task task;
    if (r == NULL)
        return err->status;
    say_nodes(&r->c);
    say_near(&r->c);
    note(&r->c, FS_NOTE_IGNORED, "inputs, outputs", "times follow from the rest");
    *out = (fs_format_told){.yaml = fs_arena_printf(arena, network, r->c.ranks),
                            .machine = "gc200",
                            .records = r->c.nodes,
                            .unit = "nodes"};
    while (next(r, &task, err))
        ;
    close_reader(r);
    return err->status;
}

/* A short message, whose first field is a text of letters as versions have them. */
static bool is_chakra(const uint8_t *head, size_t bytes) {
    if (bytes < 4 || head[0] >= 0x80 || head[1] != 0x0a || head[2] == 0 || head[2] + 2 > head[0] ||
        head[2] + 3u > bytes)
        return false;
    for (size_t i = 3; i < head[2] + 3u; i++)
        if ((head[i] < '0' || head[i] > '9') && (head[i] < 'a' || head[i] > 'z') && head[i] != '.' &&
            head[i] != '-')
            return false;
    return true;
}

const fs_format fs_format_chakra = {.name = "chakra",
                                    .what = "an execution trace of Chakra",
                                    .is = is_chakra,
                                    .tell = tell,
                                    .tasks = tasks,
                                    .beside = fs_chakra_beside};
