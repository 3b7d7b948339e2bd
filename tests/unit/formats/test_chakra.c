/* Execution traces of Chakra: messages of protocol buffers, what nodes of several ranks wait for, collectives as rings. */
#include "tests/support/foreign/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <unistd.h>

extern const fs_format fs_format_chakra;

enum { LOAD = 2, COMPUTE = 4, SEND, RECEIVE, COLLECTIVE, ALL_REDUCE = 0, ALL_GATHER = 2 };

/* Bytes while they are put together. */
typedef struct bytes {
    uint8_t of[4096];
    size_t size;
} bytes;

static void varint(bytes *b, uint64_t value) {
    for (; value > 0x7f; value >>= 7)
        b->of[b->size++] = (uint8_t)(value | 0x80);
    b->of[b->size++] = (uint8_t)value;
}

static void number(bytes *b, uint32_t field, uint64_t value) {
    varint(b, field << 3);
    varint(b, value);
}

static void inside(bytes *b, uint32_t field, const void *data, size_t size) {
    varint(b, field << 3 | 2);
    varint(b, size);
    memcpy(b->of + b->size, data, size);
    b->size += size;
}

static void attribute(bytes *node, const char *name, uint32_t kind, uint64_t value) {
    bytes a = {.size = 0};
    inside(&a, 1, name, strlen(name));
    number(&a, kind, value);
    inside(node, 10, a.of, a.size);
}

static bytes node(uint64_t id, const char *name, uint32_t kind) {
    bytes n = {.size = 0};
    number(&n, 1, id);
    inside(&n, 2, name, strlen(name));
    number(&n, 3, kind);
    return n;
}

static bytes computation(uint64_t id, uint64_t micros) {
    bytes n = node(id, "work", COMPUTE);
    number(&n, 7, micros);
    return n;
}

static bytes message(uint64_t id, uint32_t kind, uint32_t peer, uint64_t size, uint64_t tag) {
    bytes n = node(id, "message", kind);
    attribute(&n, kind == SEND ? "comm_dst" : "comm_src", 7, peer);
    attribute(&n, "comm_size", 13, size);
    attribute(&n, "comm_tag", 11, tag);
    return n;
}

static bytes collective(uint64_t id, const char *name, uint64_t kind, uint64_t size) {
    bytes n = node(id, name, COLLECTIVE);
    attribute(&n, "comm_type", 9, kind);
    attribute(&n, "comm_size", 9, size);
    return n;
}

static void after(bytes *n, uint64_t id) {
    number(n, 5, id);
}

static void add(bytes *file, const bytes *part) {
    varint(file, part->size);
    memcpy(file->of + file->size, part->of, part->size);
    file->size += part->size;
}

static bytes begin(void) {
    bytes file = {.size = 0}, head = {.size = 0};
    inside(&head, 1, "0.0.4", 5);
    add(&file, &head);
    return file;
}

static void write_rank(const bytes *file, int rank) {
    char path[32];
    snprintf(path, sizeof path, "t.%d.et", rank);
    scratch_put(path, file->of, file->size);
}

static int clear(void **state) {
    (void)state;
    static const char *const files[] = {"t.0.et", "t.1.et", "t.2.et", "t.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    return 0;
}

/* ---- what becomes of nodes ---- */

TEST_IN(computations_are_cycles_of_a_unit, clear, NULL) {
    bytes f = begin(), a = computation(5, 30), b = computation(2, 10), c = computation(7, 1);
    after(&a, 2);
    attribute(&b, "is_cpu_op", 27, 1);
    bytes packed = {.size = 0};
    varint(&packed, 5);
    varint(&packed, 2);
    inside(&c, 5, packed.of, packed.size);
    add(&f, &a); /* ids need not ascend */
    add(&f, &b);
    add(&f, &c);
    write_rank(&f, 0);
    reading r = reading_begin();
    static reading_tasks t;
    assert_int_equal(reading_tell(&r, &fs_format_chakra, "t.0.et"), FS_OK);
    assert_int_equal(r.told.records, 3);
    reading_take(&r, &fs_format_chakra, "t.0.et", &t);
    assert_int_equal(t.count, 3);
    assert_int_equal(t.task[0].amount, 10000); /* 10 us of 1 GHz */
    assert_int_equal(t.task[0].unit, 2);       /* the host */
    assert_int_equal(t.task[1].amount, 30000);
    assert_int_equal(t.task[1].unit, 1);
    assert_int_equal(t.task[1].after_count, 1);
    assert_int_equal(t.task[2].after_count, 2);
}

TEST_IN(sends_meet_receives_by_tag_and_order, clear, NULL) {
    bytes f = begin(), g = begin();
    const bytes parts[] = {message(0, SEND, 1, 100, 1), message(1, SEND, 1, 200, 2),
                           message(2, SEND, 1, 300, 1)},
                others[] = {message(0, RECEIVE, 0, 200, 2), message(1, RECEIVE, 0, 100, 1),
                            message(2, RECEIVE, 0, 300, 1)};
    for (int i = 0; i < 3; i++) {
        add(&f, &parts[i]);
        add(&g, &others[i]);
    }
    write_rank(&f, 0);
    write_rank(&g, 1);
    reading r = reading_begin();
    static reading_tasks t;
    assert_int_equal(reading_tell(&r, &fs_format_chakra, "t.1.et"), FS_OK); /* any rank names all */
    assert_non_null(strstr(r.told.yaml, "size: [2]"));
    reading_take(&r, &fs_format_chakra, "t.1.et", &t);
    assert_int_equal(t.count, 6);
    for (size_t i = 0; i < t.count; i++) /* a receive waits for the send of its size */
        if (t.task[i].kind == FS_TASK_COMPUTE) {
            static const uint64_t sizes[] = {200, 100, 300};
            static int receive;
            assert_int_equal(t.task[i].after_count, 1);
            assert_int_equal(t.task[t.task[i].after[0]].amount, sizes[receive++]);
        }
}

/* 2 (n - 1) steps of a part, each from a rank to the next one, behind what came in the step before. */
TEST_IN(an_all_reduce_is_a_ring, clear, NULL) {
    for (int rank = 0; rank < 3; rank++) {
        bytes f = begin(), c = computation(0, (uint64_t)rank + 1), a = collective(1, "sum", ALL_REDUCE, 3001),
              b = computation(2, 1);
        after(&a, 0);
        after(&b, 1);
        add(&f, &c);
        add(&f, &a);
        add(&f, &b);
        write_rank(&f, rank);
    }
    reading r = reading_begin();
    static reading_tasks t;
    reading_take(&r, &fs_format_chakra, "t.0.et", &t);
    assert_int_equal(t.count, 3 + 1 + 4 * 3 + 3);
    assert_int_equal(t.task[3].kind, FS_TASK_COMPUTE); /* all ranks are ready */
    assert_int_equal(t.task[3].after_count, 3);
    for (size_t i = 4; i < 16; i++) {
        const fs_task *s = &t.task[i];
        assert_int_equal(s->kind, FS_TASK_SEND);
        assert_int_equal(s->amount, 1001);
        assert_int_equal(s->to.x, (s->place.x + 1) % 3);
        assert_int_equal(s->after_count, 1);
        if (i < 7)
            assert_int_equal(s->after[0], 3);
        else
            assert_int_equal(t.task[s->after[0]].to.x, s->place.x);
    }
    for (size_t i = 16; i < 19; i++) /* over when the last part has come in */
        assert_int_equal(t.task[t.task[i].after[0]].to.x, t.task[i].place.x);
}

TEST_IN(groups_are_read_from_the_file_beside, clear, NULL) {
    static const char groups[] = "{\"pair\": [2, 0]}";
    scratch_put("t.json", groups, strlen(groups));
    for (int rank = 0; rank < 3; rank++) {
        bytes f = begin(), a = collective(0, "gather", ALL_GATHER, 64), c = computation(1, 1),
              name = {.size = 0};
        inside(&name, 1, "pg_name", 7);
        inside(&name, 29, "pair", 4);
        inside(&a, 10, name.of, name.size);
        if (rank != 1)
            add(&f, &a);
        add(&f, &c);
        write_rank(&f, rank);
    }
    reading r = reading_begin();
    static reading_tasks t;
    reading_take(&r, &fs_format_chakra, "t.0.et", &t);
    size_t sends = 0;
    for (size_t i = 0; i < t.count; i++)
        if (t.task[i].kind == FS_TASK_SEND) {
            assert_int_equal(t.task[i].place.x + t.task[i].to.x, 2);
            assert_int_equal(t.task[i].amount, 64); /* a rank's own part */
            sends++;
        }
    assert_int_equal(sends, 2);
}

/* ---- what is wrong ---- */

static void refuse(const char *words) {
    reading r = reading_begin();
    reading_tell(&r, &fs_format_chakra, "t.0.et");
    if (r.err.status != FS_INPUT || strstr(r.err.text, words) == NULL)
        fail_msg("expected \"%s\", found \"%s\"", words, r.err.text);
}

static void refuse_node(bytes n, const char *words) {
    bytes f = begin();
    add(&f, &n);
    write_rank(&f, 0);
    refuse(words);
}

TEST_IN(a_reading_is_interrupted, clear, NULL) {
    bytes f = begin(), n = computation(0, 1);
    add(&f, &n);
    write_rank(&f, 0);
    assert_true(reading_is_interrupted(&fs_format_chakra, "t.0.et", "t.0.et: interrupted at byte "));
}

/* Tags are numbers of 64 bits: 5 and 2^32 + 5 are two of them. */
TEST_IN(a_tag_is_met_by_the_same_alone, clear, NULL) {
    bytes f = begin(), n = message(0, SEND, 1, 64, 5);
    add(&f, &n);
    write_rank(&f, 0);
    f = begin();
    n = message(0, RECEIVE, 0, 64, ((uint64_t)1 << 32) + 5);
    add(&f, &n);
    write_rank(&f, 1);
    refuse("t.0.et: node 0 (byte 9): rank 1 has no receive for it with tag 5");
    unlink("t.1.et");
}

TEST_IN(what_is_wrong_is_refused_at_its_node, clear, NULL) {
    bytes n = computation(0, 1);
    after(&n, 9);
    refuse_node(n, "t.0.et: node 0 (byte 9): data_deps: waits for node 9, which the file does not have");
    n = computation(0, 1);
    after(&n, 0);
    refuse_node(n, "t.0.et: node 0 waits for itself");
    refuse_node(message(0, SEND, 5, 64, 0), "node 0 (byte 9): rank 5 has no file, t.5.et");
    refuse_node(node(3, "load", LOAD), "node 3 (byte 9): type: loads and stores need a memory");
    refuse_node(node(3, "what", 9), "type: expected 1 to 7, found 9");
    refuse_node(node(3, "none", COMPUTE), "duration_micros: expected more than 0, found none");
    n = node(3, "roofline", COMPUTE);
    attribute(&n, "num_ops", 9, 1000);
    refuse_node(n, "num_ops and tensor_size give no time without a rate");
    refuse_node(message(0, SEND, 0, 0, 0), "comm_size: expected 1 to 2^50, found 0");
    n = node(0, "sum", COLLECTIVE);
    attribute(&n, "comm_size", 9, 64);
    refuse_node(n, "comm_type: expected a kind of collective, 0 to 9");
    n = message(0, SEND, 0, 64, 0);
    attribute(&n, "comm_src", 7, 1);
    refuse_node(n, "comm_src: expected its own rank, 0, found 1");
    bytes f = begin(), a = computation(0, 1), b = computation(1, 1);
    after(&a, 1);
    after(&b, 0);
    add(&f, &a);
    add(&f, &b);
    write_rank(&f, 0);
    refuse("t.0.et: nodes 0 and 1 wait for each other");
    f = begin();
    a = computation(4, 1);
    add(&f, &a);
    add(&f, &a);
    write_rank(&f, 0);
    refuse("node 4 (byte 22): id: expected one of its own");
    f.size -= 2;
    write_rank(&f, 0);
    refuse("found its end");
    f = begin();
    write_rank(&f, 0);
    refuse("expected nodes, found none");
}

TEST_IN(ranks_that_do_not_agree_are_refused, clear, NULL) {
    bytes f = begin(), g = begin(), n = message(0, SEND, 1, 64, 3), m = message(0, RECEIVE, 0, 64, 4);
    add(&f, &n);
    write_rank(&f, 0);
    add(&g, &m);
    write_rank(&g, 1);
    refuse("rank 1 has no receive for it with tag 3");
    g = begin();
    m = message(0, RECEIVE, 0, 65, 3);
    add(&g, &m);
    write_rank(&g, 1);
    refuse("t.1.et: node 0 (byte 9): comm_size: expected 64, that of its send, found 65");
    f = begin();
    g = begin();
    n = collective(0, "sum", ALL_REDUCE, 64);
    m = collective(0, "sum", ALL_GATHER, 64);
    add(&f, &n);
    add(&g, &m);
    write_rank(&f, 0);
    write_rank(&g, 1);
    refuse("the same collective on every rank is expected, sum (comm_type 0, 64 B) as on rank 0");
    g = begin();
    m = computation(0, 1);
    add(&g, &m);
    write_rank(&g, 1);
    refuse("rank 1 has no such collective, sum");
}

RUN_TESTS(scratch_enter, scratch_leave)
