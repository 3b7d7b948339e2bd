/* Kernels of a program: events with their operations, code bytes, workers. */
#include "workloads/program/private.h"

#include <inttypes.h>
#include <string.h>

#define NAME(op, key, slots, pipe, doc, source, confidence) #key,
const char *const fs_superstep_operations[] = {FS_OP_TABLE(NAME) NULL};
#undef NAME

/* Index in FS_OP_TABLE of an operation by its key in `cost.`, or FS_OP_COUNT. */
static uint32_t operation_named(const char *name) {
    uint32_t op = 0;
    while (op < FS_OP_COUNT && strcmp(fs_superstep_operations[op], name) != 0)
        op++;
    return op;
}

uint32_t fs_superstep_kernel(const fs_superstep_reader *r, const char *name) {
    const fs_program *kernels = r->kernels.item;
    for (uint32_t k = 0; k < r->kernels.count; k++)
        if (strcmp(kernels[k].name, name) == 0)
            return k;
    return UINT32_MAX;
}

enum {
    MOST_CYCLES = 1000000, /* of one occurrence beside the workers */
    MOST_SIDE = 100000     /* of a product */
};

/* Keys of an event that are no operations. */
static const char *const event_keys[] = {"paired", "segment", "every_call", "first_worker",
                                         "cycles", "doc",     NULL};

/* How many pairs the operations of an event allow: an instruction holds one of each pipe. */
static uint32_t most_pairs(const fs_event *event, uint32_t of[2]) {
#define PIPE(op, key, slots, pipe, doc, source, confidence) (pipe),
    static const uint8_t pipe_of[FS_OP_COUNT] = {FS_OP_TABLE(PIPE)};
#undef PIPE
    of[0] = of[1] = 0;
    for (uint32_t op = 0; op < FS_OP_COUNT; op++)
        of[pipe_of[op]] += event->op[op];
    return of[0] < of[1] ? of[0] : of[1];
}

/* `paired:` of an event whose operations are known: a number, or all that there are. */
static void read_pairs(const fs_superstep_reader *r, const fs_node *value, fs_event *event) {
    uint32_t of[2];
    const uint32_t most = most_pairs(event, of);
    int64_t n = most < UINT16_MAX ? most : UINT16_MAX;
    const bool all = value->kind == FS_NODE_SCALAR && strcmp(value->text, "all") == 0;
    if (!all && !fs_yaml_int(r->yaml, value, FS_UNIT_NONE, 0, UINT16_MAX, &n))
        return;
    if (n > most)
        fs_yaml_wrong(r->yaml, value,
                      "expected at most %" PRIu32 " or all: %" PRIu32
                      " operations of the main pipe and %" PRIu32
                      " of the aux pipe, one of each in a pair; found %" PRId64,
                      most, of[0], of[1], n);
    event->paired = (uint16_t)n;
}

/* One key of an event: an operation's count, or one of event_keys. */
static void read_event_key(fs_superstep_reader *r, const fs_node *value, const char *name, fs_event *event) {
    int64_t n = 0;
    if (strcmp(name, "doc") == 0) {
        fs_yaml_text(r->yaml, value, &event->doc);
        return;
    }
    if (strcmp(name, "paired") == 0)
        return; /* when all operations are known */
    if (strcmp(name, "cycles") == 0) {
        if (fs_yaml_int(r->yaml, value, FS_UNIT_CYCLES, 0, MOST_CYCLES, &n))
            event->cycles = (uint32_t)n;
        return;
    }
    const int64_t most = strcmp(name, "segment") == 0 ? FS_MAX_SEGMENTS - 1 : UINT16_MAX;
    if (!fs_yaml_int(r->yaml, value, FS_UNIT_NONE, 0, most, &n))
        return;
    const uint32_t op = operation_named(name);
    if (op < FS_OP_COUNT)
        event->op[op] = (uint16_t)n;
    else if (strcmp(name, "segment") == 0)
        event->segment = (uint8_t)n;
    else if (strcmp(name, "every_call") == 0)
        event->always_each = (uint16_t)n;
    else
        event->always_first = (uint16_t)n;
}

/* What an event may have: operations and event_keys. */
static const char *const *allowed_keys(fs_arena *arena) {
    enum { EXTRA = sizeof event_keys / sizeof *event_keys };
    const char **keys = FS_NEW(arena, const char *, FS_OP_COUNT + EXTRA);
    memcpy(keys, fs_superstep_operations, FS_OP_COUNT * sizeof *keys);
    memcpy(keys + FS_OP_COUNT, event_keys, sizeof event_keys);
    return keys;
}

static void read_event(fs_superstep_reader *r, const fs_node *node, const char *name, fs_event *event) {
    *event = (fs_event){.name = name, .doc = "", .source = r->file};
    if (!fs_yaml_mapping(r->yaml, node, allowed_keys(r->arena)))
        return;
    for (size_t i = 0; i < node->count; i++)
        read_event_key(r, node->entries[i].value, node->entries[i].key, event);
    const fs_node *paired = fs_yaml_get(r->yaml, node, "paired", false);
    if (paired != NULL)
        read_pairs(r, paired, event);
}

/* Events in the order of their segments, as a program wants them; in one segment as they are written. */
static void sort_events(fs_event *events, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && events[j - 1].segment > events[j].segment; j--) {
            const fs_event swap = events[j];
            events[j] = events[j - 1];
            events[j - 1] = swap;
        }
}

static void read_events(fs_superstep_reader *r, const fs_node *node, fs_program *kernel) {
    if (!fs_superstep_mapping(r, node))
        return;
    if (node->count == 0 || node->count > FS_MAX_EVENTS) {
        fs_yaml_wrong(r->yaml, node, "expected 1 to %d events, found %zu", FS_MAX_EVENTS, node->count);
        return;
    }
    fs_event *events = FS_NEW(r->arena, fs_event, node->count);
    for (size_t i = 0; i < node->count; i++)
        read_event(r, node->entries[i].value, node->entries[i].key, &events[i]);
    sort_events(events, (uint32_t)node->count);
    kernel->events = events;
    kernel->event_count = (uint32_t)node->count;
    kernel->segments = events[node->count - 1].segment + 1u;
}

static void read_barrier(fs_superstep_reader *r, const fs_node *node, fs_program *kernel) {
    fs_event *barrier = FS_NEW(r->arena, fs_event, 1);
    read_event(r, node, "barrier", barrier);
    kernel->barrier = barrier;
}

static void read_kernel(fs_superstep_reader *r, const fs_node *node, const char *name) {
    static const char *const keys[] = {"code", "workers", "launch", "events", "barrier", NULL};
    int64_t code = 0, workers = 0;
    bool launched = true;
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return;
    const fs_yaml_in in = {r->yaml, node};
    const fs_node *events = fs_yaml_get(r->yaml, node, "events", true),
                  *barrier = fs_yaml_get(r->yaml, node, "barrier", false);
    fs_yaml_int_in(in, "code", false, FS_UNIT_BYTES, 0, 1 << 30, &code);
    fs_yaml_int_in(in, "workers", false, FS_UNIT_NONE, 0, r->workers, &workers);
    fs_yaml_bool_in(in, "launch", false, &launched);
    fs_program *kernel = fs_superstep_add(r->arena, &r->kernels, sizeof *kernel);
    *kernel = (fs_program){.name = name,
                           .segments = 1,
                           .workers = (uint32_t)workers,
                           .code_bytes = (uint64_t)code,
                           .free_launch = !launched};
    if (events != NULL)
        read_events(r, events, kernel);
    if (barrier != NULL)
        read_barrier(r, barrier, kernel);
    if (kernel->segments > 1 && kernel->barrier == NULL)
        fs_yaml_wrong(r->yaml, node,
                      "a kernel of %u segments has barriers between them: expected `barrier:` with the "
                      "operations that each worker pays for one",
                      kernel->segments);
}

void fs_superstep_read_kernels(fs_superstep_reader *r, const fs_node *node) {
    if (!fs_superstep_mapping(r, node))
        return;
    for (size_t i = 0; i < node->count; i++)
        read_kernel(r, node->entries[i].value, node->entries[i].key);
}

uint32_t fs_superstep_bare_kernel(fs_superstep_reader *r, const fs_node *ops, uint64_t **count) {
    if (!fs_yaml_mapping(r->yaml, ops, fs_superstep_operations))
        return UINT32_MAX;
    if (ops->count == 0 || ops->count > FS_MAX_EVENTS) {
        fs_yaml_wrong(r->yaml, ops, "expected 1 to %d operations, found %zu", FS_MAX_EVENTS, ops->count);
        return UINT32_MAX;
    }
    fs_event *events = FS_NEW(r->arena, fs_event, ops->count);
    *count = FS_NEW(r->arena, uint64_t, ops->count);
    for (size_t i = 0; i < ops->count; i++) {
        const char *name = ops->entries[i].key;
        int64_t n = 0;
        if (!fs_yaml_int(r->yaml, ops->entries[i].value, FS_UNIT_NONE, 0, FS_SUPERSTEP_COUNT, &n))
            return UINT32_MAX;
        events[i] = (fs_event){.name = name, .doc = "", .source = r->file};
        events[i].op[operation_named(name)] = 1;
        (*count)[i] = (uint64_t)n;
    }
    fs_program *kernel = fs_superstep_add(r->arena, &r->kernels, sizeof *kernel);
    *kernel = (fs_program){.name = fs_arena_printf(r->arena, "operations %u", r->kernels.count),
                           .segments = 1,
                           .events = events,
                           .event_count = (uint32_t)ops->count};
    return r->kernels.count - 1;
}

uint32_t fs_superstep_matrix_kernel(fs_superstep_reader *r, const fs_node *node, uint64_t **count,
                                    fs_amp_product *product) {
    static const char *const keys[] = {"type", "rows", "inputs", "outputs", NULL};
    static const char *const types[FS_AMP_TYPES + 1] = {
        [FS_AMP_F16] = "f16", [FS_AMP_F32] = "f32", [FS_AMP_F8] = "f8"};
    static const fs_event cycle =
        FS_EVENT("product", "a cycle of the matrix unit", "neural_path_tracing.md 4, PL", .cycles = 1);
    int64_t type = 0, size[3] = {0};
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return UINT32_MAX;
    const fs_yaml_in in = {r->yaml, node};
    bool good = fs_yaml_word_in(in, "type", true, types, &type);
    for (int i = 0; i < 3; i++)
        good &= fs_yaml_int_in(in, keys[1 + i], true, FS_UNIT_NONE, 1, MOST_SIDE, &size[i]);
    if (!good)
        return UINT32_MAX;
    *product = (fs_amp_product){(fs_amp_type)type, (uint32_t)size[0], (uint32_t)size[1], (uint32_t)size[2]};
    *count = FS_NEW(r->arena, uint64_t, 1);
    **count = fs_amp_cycles(&r->machine->matrix, r->workers, *product);
    if (**count > FS_SUPERSTEP_COUNT) {
        fs_yaml_wrong(r->yaml, node, "expected a product of at most %" PRId64 " cycles on a tile",
                      (int64_t)FS_SUPERSTEP_COUNT);
        return UINT32_MAX;
    }
    fs_program *kernel = fs_superstep_add(r->arena, &r->kernels, sizeof *kernel);
    *kernel = (fs_program){.name = fs_arena_printf(r->arena, "product %u", r->kernels.count),
                           .segments = 1,
                           .workers = 1,
                           .events = &cycle,
                           .event_count = 1,
                           .free_launch = true};
    return r->kernels.count - 1;
}
