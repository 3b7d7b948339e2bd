/* Kernels of a program: events with their operations, code bytes, workers. */
#include "workloads/program/private.h"

#include "sim/base/arith.h"

#include <inttypes.h>
#include <string.h>

#define NAME(op, key, slots, pipe, doc, source, confidence) #key,
const char *const fs_superstep_operations[] = {FS_OP_TABLE(NAME) NULL};
#undef NAME

uint32_t fs_superstep_kernel(const fs_superstep_reader *r, const char *name) {
    const fs_program *kernels = r->kernels.item;
    const size_t k = FS_PLACE(kernels, r->kernels.count, name, name);
    return k < r->kernels.count ? (uint32_t)k : UINT32_MAX;
}

enum {
    MOST_CYCLES = 1000000, /* of one occurrence beside the workers */
    MOST_SIDE = 100000     /* of a product */
};

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

/* `paired:` of an event whose operations are read: a number, or all that there are. */
static bool read_pairs(const fs_yaml *yaml, const fs_node *value, void *self, void *member) {
    (void)self;
    fs_event *event = member;
    uint32_t of[2];
    const uint32_t most = most_pairs(event, of);
    int64_t n = most < UINT16_MAX ? most : UINT16_MAX;
    const bool all = value->kind == FS_NODE_SCALAR && strcmp(value->text, "all") == 0;
    if (!all && !fs_yaml_int(yaml, value, FS_UNIT_NONE, 0, UINT16_MAX, &n))
        return false;
    event->paired = (uint16_t)n;
    return n <= most || fs_yaml_wrong(yaml, value,
                                      "expected at most %" PRIu32 " or all: %" PRIu32
                                      " operations of the main pipe and %" PRIu32
                                      " of the aux pipe, one of each in a pair; found %" PRId64,
                                      most, of[0], of[1], n);
}

#define FS_ROWS_OF fs_event
#define OPERATION(o, key, slots, pipe, about, from, confidence)                                              \
    FS_YAML_INT(#key, op[FS_OP_##o], NONE, 0, UINT16_MAX, FS_YAML_MAY),
static const fs_yaml_row event_rows[] = {
    FS_OP_TABLE(OPERATION) FS_YAML_NAME(name),
    {.name = "paired", .kind = FS_YAML_IS_READ, .read = read_pairs, .def = FS_YAML_MAY},
    FS_YAML_INT("segment", segment, NONE, 0, FS_MAX_SEGMENTS - 1, "0"),
    FS_YAML_INT("every_call", always_each, NONE, 0, UINT16_MAX, "0"),
    FS_YAML_INT("first_worker", always_first, NONE, 0, UINT16_MAX, "0"),
    FS_YAML_INT("cycles", cycles, CYCLES, 0, MOST_CYCLES, "0 cycles"),
    FS_YAML_TEXT("doc", doc, ""),
};
#undef OPERATION
static const fs_yaml_shape event_shape = FS_YAML_SHAPE(event_rows, sizeof(fs_event));
#undef FS_ROWS_OF

/* Events in the order of their segments, as a program wants them; in one segment as they are written. */
static void sort_events(fs_event *events, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && events[j - 1].segment > events[j].segment; j--) {
            const fs_event swap = events[j];
            events[j] = events[j - 1];
            events[j - 1] = swap;
        }
}

/* A kernel as it is written. */
typedef struct kernel_text {
    const char *name;
    uint64_t code;
    uint32_t workers, event_count;
    bool launch;
    fs_event *events, barrier;
} kernel_text;

static void add_kernel(fs_superstep_reader *r, const fs_node *node, kernel_text *k) {
    const bool barrier = fs_tree_get(node, "barrier") != NULL;
    sort_events(k->events, k->event_count);
    for (uint32_t e = 0; e < k->event_count; e++)
        k->events[e].source = r->file;
    k->barrier.name = "barrier";
    k->barrier.source = r->file;
    fs_program *kernel = fs_superstep_add(r->arena, &r->kernels, sizeof *kernel);
    *kernel = (fs_program){.name = k->name,
                           .segments = k->event_count > 0 ? k->events[k->event_count - 1].segment + 1u : 1,
                           .events = k->events,
                           .event_count = k->event_count,
                           .barrier = barrier ? &k->barrier : NULL,
                           .workers = k->workers,
                           .code_bytes = k->code,
                           .free_launch = !k->launch};
    if (kernel->segments > 1 && !barrier)
        fs_yaml_wrong(r->yaml, node,
                      "a kernel of %u segments has barriers between them: expected `barrier:` with the "
                      "operations that each worker pays for one",
                      kernel->segments);
}

void fs_superstep_read_kernels(fs_superstep_reader *r, const fs_node *node) {
    typedef struct kernels {
        kernel_text *item;
        uint32_t count;
    } kernels;
#define FS_ROWS_OF kernel_text
    const fs_yaml_row rows[] = {
        FS_YAML_NAME(name),
        FS_YAML_INT("code", code, BYTES, 0, 1 << 30, "0 B"),
        FS_YAML_INT("workers", workers, NONE, 0, r->workers, "0"),
        FS_YAML_BOOL("launch", launch, "true"),
        FS_YAML_MAP("events", events, event_count, &event_shape, NULL, .item = "event", .least = 1,
                    .most = FS_MAX_EVENTS),
        FS_YAML_PART("barrier", barrier, &event_shape, FS_YAML_MAY),
    };
    const fs_yaml_shape kernel = FS_YAML_SHAPE(rows, sizeof(kernel_text));
#undef FS_ROWS_OF
#define FS_ROWS_OF kernels
    const fs_yaml_row all = FS_YAML_MAP("kernels", item, count, &kernel, NULL);
#undef FS_ROWS_OF
    kernels k = {0};
    fs_yaml_read_row(r->yaml, node, &all, r, &k);
    for (uint32_t i = 0; i < k.count; i++)
        add_kernel(r, node->entries[i].value, &k.item[i]);
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
        events[i].op[(uint32_t)FS_WORD_PLACE(fs_superstep_operations, FS_OP_COUNT, name)] = 1;
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
    static const char *const types[FS_AMP_TYPES + 1] = {
        [FS_AMP_F16] = "f16", [FS_AMP_F32] = "f32", [FS_AMP_F8] = "f8"};
    static const fs_event cycle =
        FS_EVENT("product", "a cycle of the matrix unit", "neural_path_tracing.md 4, PL", .cycles = 1);
#define FS_ROWS_OF fs_amp_product
    static const fs_yaml_row rows[] = {
        FS_YAML_WORD("type", type, types, NULL),
        FS_YAML_INT("rows", rows, NONE, 1, MOST_SIDE, NULL),
        FS_YAML_INT("inputs", inputs, NONE, 1, MOST_SIDE, NULL),
        FS_YAML_INT("outputs", outputs, NONE, 1, MOST_SIDE, NULL),
    };
    static const fs_yaml_shape shape = FS_YAML_SHAPE(rows, sizeof(fs_amp_product));
#undef FS_ROWS_OF
    if (!fs_yaml_fill(r->yaml, node, &shape, r, product))
        return UINT32_MAX;
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
