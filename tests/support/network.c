#include "tests/support/network.h"
#include "tests/support/test.h"

fs_noc_graph *make_network(fs_arena *arena, fs_noc_options o, const char *sizes) {
    int64_t *item = FS_NEW(arena, int64_t, 8);
    size_t count = 0;
    for (char *end = NULL; *sizes != '\0' && count < 8; sizes = end)
        item[count++] = strtol(sizes, &end, 10);
    o.size = (fs_int_list){item, count};
    o.size_given = true;
    o.link = o.link == 0 ? 1 : o.link;
    o.pitch = o.pitch == 0 ? 1000 : o.pitch;
    o.vcs = o.vcs == 0 ? FS_NOC_MOST_CHANNELS : o.vcs;
    o.concentration = o.concentration == 0 ? 1 : o.concentration;
    fs_error err = {0};
    fs_noc_graph *graph = (fs_noc_graph *)fs_noc_make(arena, &o, &err);
    assert_got(graph, &err);
    return graph;
}
