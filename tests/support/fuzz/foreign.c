/* Files of other tools, as their formats read them: what is told, then every task. */
#include "formats/format.h"
#include "tests/support/fuzz/targets.h"

#include <stdlib.h>
#include <string.h>

extern const fs_format fs_format_booksim, fs_format_netrace, fs_format_chakra, fs_format_accelergy,
    fs_format_noc_trace, fs_format_trace_table, fs_format_workload;

/* Numbers of tasks ascend, and each waits for those before it alone. */
static void take_tasks(const fs_format *format, const char *path, const fs_format_asked *asked,
                       fs_arena *arena) {
    enum { MOST = 20000 };
    fs_error err = {0};
    fs_task_source source = {.self = NULL};
    fs_task task;
    uint64_t before = 0, count = 0;
    const fs_status status = format->tasks(arena, path, asked, &source, NULL, &err);
    fuzz_check(status, &err);
    if (status != FS_OK)
        return;
    for (; count < MOST && source.next(source.self, &task, &err); count++) {
        if (task.not_before < before || (task.kind != FS_TASK_COMPUTE && task.amount == 0))
            abort();
        before = task.not_before;
        for (size_t i = 0; i < task.after_count; i++)
            if (task.after[i] >= count)
                abort();
    }
    fuzz_check(err.status, &err);
    source.close(source.self);
}

/* Processors come one by one; legs follow from legs before them, and edges are few. */
static bool take_call(void *self, const fs_called *call, fs_error *err) {
    uint32_t *processors = self;
    (void)err;
    if (call->processor > *processors || call->name == NULL)
        abort();
    *processors += call->processor == *processors;
    for (uint32_t i = 0; call->kind == FS_RECORDED_SEND && i < call->legs; i++)
        if ((i > 0 && call->leg[i].parent >= i) ||
            (call->leg[i].edge != FS_NO_EDGE && call->leg[i].edge > 4096))
            abort();
    if (call->kind <= FS_RECORDED_SEND && call->bytes == 0)
        abort();
    return true;
}

static void take_calls(const fs_format *format, const char *path, const fs_format_asked *asked,
                       fs_arena *arena) {
    uint32_t processors = 0;
    fs_error err = {0};
    fs_recorded_span span;
    const fs_calls_taker taker = {.self = &processors, .take = take_call};
    fuzz_check(format->calls(arena, path, asked, &taker, &span, NULL, &err), &err);
}

static void read_as(const fs_format *format, const char *path) {
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    fs_notes notes = {.arena = arena};
    fs_format_told told = {.yaml = NULL};
    const fs_format_asked asked = {.clock = 1e9, .topology = "", .region = -1};
    fs_status status = format->tell(arena, path, &asked, &told, &notes, &err);
    fuzz_check(status, &err);
    if (status == FS_OK)
        status = fs_notes_refuse(&notes, false, true, &err);
    fuzz_check(status, &err);
    if (status == FS_OK && told.yaml == NULL)
        abort();
    if (status == FS_OK && format->tasks != NULL)
        take_tasks(format, path, &asked, arena);
    if (status == FS_OK && format->calls != NULL)
        take_calls(format, path, &asked, arena);
    fs_arena_free(arena);
}

void fuzz_booksim(const uint8_t *data, size_t size) {
    static const char net[] = "router 0 node 0 router 1\nrouter 1 node 1\n";
    fuzz_file("x.net", net, strlen(net));
    read_as(&fs_format_booksim, fuzz_file("x.cfg", data, size));
}

void fuzz_anynet(const uint8_t *data, size_t size) {
    static const char config[] = "topology = anynet; network_file = x.net; routing_function = min;";
    fuzz_file("x.net", data, size);
    read_as(&fs_format_booksim, fuzz_file("x.cfg", config, strlen(config)));
}

void fuzz_netrace(const uint8_t *data, size_t size) {
    read_as(&fs_format_netrace, fuzz_file("x.tra", data, size));
}

/* Two ranks: of odd sizes both have the same nodes, so that they meet; else the second has the second half. */
void fuzz_chakra(const uint8_t *data, size_t size) {
    const size_t half = size % 2 == 0 ? size / 2 : 0;
    fuzz_file("x.1.et", data + half, size - half);
    read_as(&fs_format_chakra, fuzz_file("x.0.et", data, half > 0 ? half : size));
}

/* The first byte: which of table, areas and map the rest is. */
void fuzz_prices(const uint8_t *data, size_t size) {
    static const char *const files[] = {"ERT.yaml", "ART.yaml", "map.yaml"};
    static const char *const usual[] = {"ERT: { version: 0.4, tables: [{ name: 'a.b[0..3]', actions: [{ "
                                        "name: c, arguments: { d: 1 }, energy: 2 }] }] }\n",
                                        "ART: { version: 0.4, tables: [{ name: 'a.b[0..3]', area: 7 }] }\n",
                                        "energy:\n  energy.slot: { component: a.b, action: c, arguments: { "
                                        "d: 1 } }\narea: { area.logic: { component: a.b } }\n"};
    for (size_t i = 0; i < 3; i++)
        fuzz_file(files[i], usual[i], strlen(usual[i]));
    if (size > 0)
        fuzz_file(files[data[0] % 3], data + 1, size - 1);
    read_as(&fs_format_accelergy, fuzz_path("ERT.yaml"));
}

void fuzz_stamps(const uint8_t *data, size_t size) {
    static const char joints[] =
        "{ \"inter_device_channel_pairs\": [ { \"local_device_id\": 0, \"local_eth_channel\": 0, "
        "\"remote_device_id\": 1, \"remote_eth_channel\": 1 } ], \"eth_chan_to_coord\": { \"0\": "
        "[3, 0], \"1\": [0, 0] } }";
    fuzz_file("topology.json", joints, strlen(joints));
    read_as(&fs_format_noc_trace, fuzz_file("x.json", data, size));
    read_as(&fs_format_trace_table, fuzz_file("x.csv", data, size));
}

/* The file that joins chips, under sends of both forms. */
void fuzz_joints(const uint8_t *data, size_t size) {
    static const char sends[] = "proc,sx,sy,event,noc,vc,dx,dy,bytes,cycle,ex,ey,chip,channel,hops\n"
                                "B,1,0,FABRIC_UNICAST_WRITE,NOC_0,0,2,0,1088,0,,,0,0,1\n"
                                "B,1,0,FABRIC_UNICAST_WRITE,NOC_0,0,2,0,1088,9,,,0,0,7\n";
    fuzz_file("topology.json", data, size);
    read_as(&fs_format_trace_table, fuzz_file("x.csv", sends, strlen(sends)));
}

void fuzz_transfers(const uint8_t *data, size_t size) {
    read_as(&fs_format_workload, fuzz_file("x.json", data, size));
}
