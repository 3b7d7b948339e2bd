/* Configurations of BookSim 2: what becomes a key of an experiment, what is near, what is refused and where. */
#include "tests/support/foreign/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

extern const fs_format fs_format_booksim;

/* A router that is exactly foamsim's. */
#define EXACT                                                                                                \
    "num_vcs = 4; vc_buf_size = 8; routing_delay = 0; credit_delay = 1;\n"                                   \
    "vc_allocator = separable_input_first; sw_allocator = separable_input_first;\n"
#define MESH EXACT "topology = mesh; k = 4; n = 2; routing_function = dor;\n"

/* What a configuration with these statements behind `base` says. */
static reading read_with(const char *base, const char *more) {
    reading r = reading_begin();
    char text[4096];
    snprintf(text, sizeof text, "%s%s", base, more);
    scratch_put("x.cfg", text, strlen(text));
    reading_tell(&r, &fs_format_booksim, "x.cfg");
    return r;
}

TEST(keys_become_those_of_an_experiment) {
    static const struct {
        const char *base, *more, *row;
    } cases[] = {
        {MESH, "", "size: [4, 4]"},
        {MESH, "k = 3; n = 3;", "size: [3, 3, 3]"},
        {MESH, "", "vcs: 4\n      buffer: 8"},
        {EXACT, "topology = torus; k = 5; n = 1; routing_function = dim_order;",
         "topology: torus\n      size: [5]"},
        {EXACT, "topology = torus; routing_function = dim_order; use_noc_latency = 0;", "link: 1 cycles"},
        {EXACT, "topology = fattree; k = 4; n = 3; routing_function = nca;",
         "topology: fat_tree\n      size: [4, 3]"},
        {EXACT,
         "topology = flatfly; k = 2; n = 2; c = 4; x = 2; y = 2; xr = 2; yr = 2; routing_function = ran_min;",
         "concentration: 4"},
        {MESH, "packet_size = 8; injection_rate = 0.01;", "load: 0.08\n"},
        {MESH, "packet_size = 8; injection_rate_uses_flits = 1; injection_rate = 0.01;", "load: 0.01\n"},
        {MESH, "packet_size = {{1,5}}; packet_size_rate = {{3,1}}; injection_rate = 0.1;", "load: 0.2\n"},
        {MESH, "packet_size = {{1,5}}; packet_size_rate = {{3,1}};", "sizes: [1, 5]\n  shares: [3, 1]"},
        {MESH, "packet_size = 100;", "packet: 400 B"},
        {MESH, "warmup_periods = 2; sample_period = 500; max_samples = 6;",
         "warmup: 1000 cycles\n  measure: 2000 cycles"},
        {MESH, "sim_type = throughput;", "drain: 0 cycles"},
        {MESH, "injection_process = on_off; burst_alpha = 0.05; burst_beta = 0.1;",
         "on: 10 cycles, off: 20 cycles"},
        {MESH, "injection_process = on_off({-1,0.1,0.4});", "on: 10 cycles, off: 30 cycles"},
        {MESH, "traffic = bitcomp;", "pattern: bit_complement"},
        {MESH, "traffic = bitrev;", "pattern: bit_reversal"},
        {MESH, "traffic = transpose;", "pattern: transpose"},
        {MESH, "traffic = tornado;", "pattern: tornado"},
        {MESH, "traffic = neighbor;", "pattern: neighbour"},
        {MESH, "traffic = hotspot({{3,5},{2,4}});", "hotspot_share: 1\n  hotspot: [3, 5, 5]"},
        {MESH, "traffic = hotspot(7);", "hotspot: [7]"},
        {MESH, "injection_rate = 1;", "load: 1\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reading r = read_with(cases[i].base, cases[i].more);
        if (r.err.status != FS_OK || strstr(r.told.yaml, cases[i].row) == NULL)
            fail_msg("\"%s\": expected \"%s\", found %s\n%s", cases[i].more, cases[i].row, r.told.yaml,
                     r.err.text);
    }
}

/* Of node i the goals that goals.csv has, as weights of all nodes. */
static void goals_of(const reading *r, unsigned i, double weight[16]) {
    memset(weight, 0, 16 * sizeof *weight);
    assert_int_equal(r->told.files, 1);
    for (const char *at = r->told.file[0].text; at != NULL && *at != '\0'; at = strchr(at, '\n') + 1) {
        unsigned from, to;
        double rate = 1;
        assert_true(sscanf(at, "%u,%u,%lf", &from, &to, &rate) >= 2);
        if (from == i)
            weight[to] += rate;
    }
}

TEST(patterns_without_a_name_are_written_out) {
    double w[16];
    reading r = read_with(MESH, "traffic = shuffle;");
    goals_of(&r, 9, w);
    assert_true(w[3] > 0); /* 1001 turned left is 0011 */
    r = read_with(MESH, "traffic = diagonal;");
    goals_of(&r, 15, w);
    assert_true(w[15] > 1.99 * w[0] && w[15] < 2.01 * w[0]);
    r = read_with(MESH, "traffic = asymmetric;");
    goals_of(&r, 13, w);
    assert_true(w[5] > 0 && w[13] > 0);
    r = read_with(MESH, "traffic = background({{0,1}});");
    goals_of(&r, 3, w);
    for (int i = 0; i < 16; i++)
        assert_true((w[i] > 0) == (i > 1));
    r = read_with(MESH, "traffic = tornado({16,1,1});");
    goals_of(&r, 12, w);
    assert_true(w[(12 + 7) % 16] > 0);
}

TEST(what_cannot_be_had_is_refused_at_its_place) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {MESH "num_vc = 4;", "x.cfg:4:1: num_vc: the original has no such key; did you mean \"num_vcs\"?"},
        {MESH "k = 4.5;", "x.cfg:4:5: k: expected a whole number, found \"4.5\""},
        {MESH "k = four;", "x.cfg:4:5: k: expected a whole number"},
        {MESH "k 4;", "x.cfg:4:3: expected = behind the key k"},
        {MESH "k = 4\nn = 2;", "x.cfg:5:1: expected a semicolon behind the value before"},
        {MESH "traffic = hotspot({{1,2},{1,1});", "x.cfg:4:11: braces do not close"},
        {MESH "k = ;", "x.cfg:4:5: expected a value, found none"},
        {MESH "routing_function = min_adapt;",
         "x.cfg:4:20: routing_function min_adapt: foamsim's mesh routes by dimension "
         "order; dor is the nearest"},
        {MESH "routing_function = nca;", "the original has no routing function nca_mesh"},
        {MESH "topology = cmesh;", "x.cfg:4:12: topology cmesh: foamsim has no such network"},
        {MESH "topology = messh;", "no such topology; did you mean \"mesh\"?"},
        {MESH "num_vcs = 17;", "num_vcs 17: channels that a link here may have, 1 to 16"},
        {MESH "vc_buf_size = 256;", "1 to 255"},
        {MESH "buffer_policy = shared;", "private is the nearest"},
        {MESH "classes = 2;", "classes 2: packets have one class"},
        {MESH "priority = age;", "priority age: no packet goes before another"},
        {MESH "wait_for_tail_credit = 1;", "wait_for_tail_credit 1: a channel is free here"},
        {MESH "internal_speedup = 2.0;", "--lenient runs it so"},
        {MESH "speculative = 1;", "--lenient runs it so"},
        {MESH "noq = 1;", "noq 1"},
        {MESH "sim_type = batch;", "workload.source closed"},
        {MESH "packet_size = {1,5};", "{{1,5}}"},
        {MESH "injection_rate = 0.6; packet_size = 2; injection_rate_uses_flits = 1; injection_rate = 2.5;",
         "at most 2 flits"},
        {MESH "injection_rate = 1.5;", "injection_rate 1.5: a node makes at most one packet a cycle"},
        {MESH "traffic = hotspot({3,5},{1,1});",
         "traffic hotspot({3,5},{1,1}): the original reads node 3 alone"},
        {MESH "traffic = hotspot({{16}});", "expected nodes, 0 ... 15"},
        {MESH "traffic = taper64;", "foamsim has no such pattern"},
        {MESH "traffic = unifrom;", "no such pattern; did you mean \"uniform\"?"},
        {MESH "k = 3; traffic = bitcomp;", "expected a power of two of nodes, found 9"},
        {MESH "k = 2; n = 3; traffic = transpose;", "expected an even power of two of nodes, found 8"},
        {MESH "max_samples = 3;", "max_samples 3"},
        {MESH "vc_alloc_delay = 2;", "cycles with which the original runs, 1 to 1"},
        {EXACT "topology = anynet; routing_function = min;", "network_file"},
        {EXACT "topology = flatfly; n = 2; c = 2; routing_function = ran_min;", "c = xr x yr"},
        {EXACT "topology = flatfly; k = 1024; n = 2; c = 64; x = 1024; y = 1024; xr = 8; yr = 8; "
               "routing_function = ran_min; traffic = shuffle;",
         "traffic shuffle: is a permutation with more than 4,194,304 lines"},
        {MESH "traffic = tornado({1,999999999999999999,1});", "moves every digit of a node's number"},
        {MESH "internal_speedup = -nan;", "x.cfg:4:20: internal_speedup: expected a number, found \"-nan\""},
        {MESH "burst_r1 = 0x1;", "x.cfg:4:12: burst_r1: expected a number"},
        {MESH "injection_rate = {0.1x};", "a node makes at most one packet a cycle"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reading r = read_with(cases[i].text, "");
        if (r.err.status != FS_INPUT || strstr(r.err.text, cases[i].words) == NULL)
            fail_msg("%s: expected \"%s\", found \"%s\"", cases[i].text, cases[i].words, r.err.text);
    }
}

/* A file's name stands in the experiment as a text of YAML, whatever its letters. */
TEST(names_of_files_are_quoted) {
    static const char text[] = MESH "traffic = shuffle;";
    reading r = reading_begin();
    scratch_put("it's a \"net\".cfg", text, strlen(text));
    assert_int_equal(reading_tell(&r, &fs_format_booksim, "it's a \"net\".cfg"), FS_OK);
    assert_non_null(strstr(r.told.yaml, "  permutation: 'it''s a \"net\"-goals.csv'\n"));
    assert_string_equal(r.told.file[0].name, "it's a \"net\"-goals.csv");
}

/* The first refusal by place, and how many more. */
TEST(the_first_refusal_says_how_many_more) {
    reading r = read_with(MESH, "noq = 1; classes = 3;\npriority = age;");
    fs_error first = {.status = FS_OK};
    assert_fails(fs_notes_refuse(&r.notes, false, false, &first), FS_INPUT, &first, "x.cfg:4:7: noq 1");
    assert_non_null(strstr(first.text, "(2 more cannot be had: --all lists them)"));
    assert_null(strstr(first.text, "priority"));
    assert_non_null(strstr(r.err.text, "x.cfg:5:12: priority age"));
}

TEST(what_is_near_runs_unless_strict) {
    static const char near[] =
        "routing_delay = 1; input_speedup = 2;\nwait_for_tail_credit = 1; packet_size = 20;";
    reading r = read_with(MESH, near);
    assert_int_equal(r.err.status, FS_OK);
    assert_non_null(strstr(r.told.yaml, "link: 2 cycles"));
    assert_non_null(strstr(r.told.yaml, "near: 'input_speedup 2: an input port"));
    const fs_note *n = reading_note(&r, FS_NOTE_NEAR, "input_speedup 2");
    assert_non_null(n);
    assert_int_equal(n->line, 4);
    assert_non_null(reading_note(&r, FS_NOTE_NEAR, "wait_for_tail_credit 1"));
    assert_non_null(reading_note(&r, FS_NOTE_NEAR, "routing_delay 1"));
    r.asked.strict = true;
    assert_int_equal(reading_tell(&r, &fs_format_booksim, "x.cfg"), FS_INPUT);
    r = read_with(MESH, "");
    r.asked.strict = true;
    assert_int_equal(reading_tell(&r, &fs_format_booksim, "x.cfg"), FS_OK);
    r = read_with(MESH, "speculative = 1;");
    r.asked.lenient = true;
    assert_int_equal(reading_tell(&r, &fs_format_booksim, "x.cfg"), FS_OK);
    assert_non_null(reading_note(&r, FS_NOTE_NEAR, "speculative 1"));
}

/* What a file leaves out has the original's defaults, which differ from foamsim's routers. */
TEST(defaults_are_the_originals) {
    reading r = read_with("", "topology = mesh; routing_function = dor;");
    assert_int_equal(r.err.status, FS_OK);
    assert_non_null(strstr(r.told.yaml, "size: [8, 8]"));
    assert_non_null(strstr(r.told.yaml, "vcs: 16"));
    assert_non_null(strstr(r.told.yaml, "link: 2 cycles")); /* routing_delay 1 */
    assert_non_null(reading_note(&r, FS_NOTE_NEAR, "vc_allocator islip (its default)"));
}

/* ---- graphs ---- */

static reading read_graph(const char *net) {
    scratch_put("x.net", net, strlen(net));
    return read_with(EXACT, "topology = anynet; network_file = x.net; routing_function = min;");
}

TEST(graphs_keep_the_originals_ways) {
    reading r = read_graph("router 0 router 1 2 router 2\nrouter 0 node 0\nnode 1 router 1\n"
                           "router 1 router 3 2 node 2\nrouter 2 router 3 3 node 3\nrouter 3 node 4\n");
    assert_int_equal(r.err.status, FS_OK);
    assert_int_equal(r.told.files, 1);
    const char *graph = r.told.file[0].text;
    assert_non_null(strstr(graph, "{ from: 0, to: 1, latency: 2 cycles, one_way: true }"));
    assert_non_null(
        strstr(graph, "{ from: 1, to: 0, latency: 1 cycles, one_way: true }")); /* not written: 1 */
    /* To router 3 both ways take 4 cycles: by router 1, which is looked at first (2 and 2), not by 2 (1 and 3)? Router 2 is
     * nearer and looked at first, so that its way is found first and stays. */
    assert_non_null(strstr(graph, "- { to: [3, 4], via: 2 }"));
    r = read_graph("router 0 node 0 node 1 5 router 1\nrouter 1 node 2\n");
    assert_non_null(strstr(r.told.file[0].text, "{ routers: 0, latency: 5 cycles }"));
    assert_non_null(reading_note(&r, FS_NOTE_NEAR, "node 1 with a latency"));
}

/* Ways of thousands of routers take a while. */
TEST(ways_are_interrupted) {
    static const char net[] = "router 0 node 0 router 1\n",
                      text[] = EXACT "topology = anynet; network_file = x.net; routing_function = min;";
    scratch_put("x.net", net, strlen(net));
    scratch_put("x.cfg", text, strlen(text));
    assert_true(
        reading_is_interrupted(&fs_format_booksim, "x.cfg", "x.net: interrupted at the ways from router 0"));
}

TEST(wrong_graphs_are_refused_at_their_place) {
    static const struct {
        const char *net, *words;
    } cases[] = {
        {"router 0 node 0\nrouter 1 node 0 router 0\n",
         "x.net:2:15: node 0: expected one router, found 1 beside 0"},
        {"router 0 node 0 router 1\n", ""},
        {"router 0 node 0\nrouter 1 node 1\n", "no links lead from router 0 to all others"},
        {"router 0 node 1\n", "expected nodes 0 to 1 without gaps, found no node 0"},
        {"router 0 node 0 router 2\n", "found no router 1"},
        {"router 0 nod 0\n", "x.net:1:10: expected router or node, found \"nod\""},
        {"switch 0 node 0\n", "x.net:1:1: expected a line that begins with router or node"},
        {"router 0 node\n",
         "x.net:1:14: node: expected a whole number, 0 to 4095, found the end of the line"},
        {"router 0 node 0 router 0\n", "expected a link to another router"},
        {"node 0 node 1\n", "x.net:1:8: expected router, found \"node\""},
        {"\n\n", "expected nodes, found none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reading r = read_graph(cases[i].net);
        if (cases[i].words[0] == '\0' ? r.err.status != FS_OK : strstr(r.err.text, cases[i].words) == NULL)
            fail_msg("%s: expected \"%s\", found \"%s\"", cases[i].net, cases[i].words, r.err.text);
    }
}

TEST(the_first_statement_tells_a_configuration) {
    static const struct {
        const char *head;
        bool is;
    } cases[] = {{"k = 8;", true},        {"// a mesh\n\n topology=mesh;", true},
                 {"name: x\n", false},    {"# k = 8\n", false},
                 {"[1]", false},          {"", false},
                 {"// a comment", false}, {"8 = k;", false},
                 {"k == 8;", false},      {"title = \"x\"\n", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(fs_format_booksim.is((const uint8_t *)cases[i].head, strlen(cases[i].head)),
                         cases[i].is);
}

RUN_TESTS(scratch_enter, scratch_leave)
