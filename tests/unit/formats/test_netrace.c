/* Traces of netrace: packets with what they wait for, parts of a file, and what is wrong with one. */
#include "tests/support/foreign/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

extern const fs_format fs_format_netrace;

enum { READ = 1, ANSWER = 2, WRITE_BACK = 6, HEAD = 72, REGION = 24 };

/* A file while it is put together. */
typedef struct file {
    uint8_t byte[4096];
    size_t size;
} file;

static void put(file *f, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        f->byte[f->size++] = (uint8_t)(value >> 8 * i);
}

static file begin(uint32_t nodes, uint64_t packets, uint32_t regions) {
    file f = {.size = 0};
    const float one = 1;
    put(&f, 0x484A5455, 4);
    memcpy(f.byte + f.size, &one, 4);
    f.size += 4 + 30;
    put(&f, nodes, 2);
    put(&f, 1000, 8);
    put(&f, packets, 8);
    put(&f, 0, 4);
    put(&f, regions, 4);
    put(&f, 0, 8);
    assert_int_equal(f.size, HEAD);
    return f;
}

static void packet(file *f, uint64_t cycle, uint32_t id, int type, int from, int to, int waits, ...) {
    va_list args;
    put(f, cycle, 8);
    put(f, id, 4);
    put(f, 0, 4);
    put(f, (uint64_t)type, 1);
    put(f, (uint64_t)from, 1);
    put(f, (uint64_t)to, 1);
    put(f, 0, 1);
    put(f, (uint64_t)waits, 1);
    va_start(args, waits);
    for (int i = 0; i < waits; i++)
        put(f, va_arg(args, unsigned), 4);
    va_end(args);
}

/* A read, its answer, a write back that waits for both, and another read. */
static file usual(void) {
    file f = begin(4, 4, 0);
    packet(&f, 10, 100, READ, 0, 3, 2, 101u, 102u);
    packet(&f, 40, 101, ANSWER, 3, 0, 1, 102u);
    packet(&f, 45, 102, WRITE_BACK, 0, 3, 0);
    packet(&f, 50, 103, READ, 1, 2, 0);
    return f;
}

TEST(packets_wait_for_those_that_name_them) {
    const file f = usual();
    reading r = reading_begin();
    static reading_tasks t;
    scratch_put("a.tra", f.byte, f.size);
    assert_int_equal(reading_tell(&r, &fs_format_netrace, "a.tra"), FS_OK);
    assert_int_equal(r.told.records, 4);
    assert_non_null(strstr(r.told.yaml, "size: [2, 2]"));
    const fs_note *n = reading_note(&r, FS_NOTE_TAKEN, "4 packets");
    assert_string_equal(n->words, "of 160 B, with 3 dependencies, between 4 nodes");
    reading_take(&r, &fs_format_netrace, "a.tra", &t);
    assert_int_equal(t.count, 4);
    assert_int_equal(t.task[0].after_count, 0);
    assert_int_equal(t.task[0].amount, 8);
    assert_false(t.task[0].answer);
    assert_int_equal(t.task[0].to.x, 3);
    assert_int_equal(t.task[1].after_count, 1);
    assert_int_equal(t.task[1].amount, 72);
    assert_true(t.task[1].answer);
    assert_int_equal(t.task[2].after_count, 2);
    assert_int_equal(t.task[2].after[0] + t.task[2].after[1], 1);
    assert_int_equal(t.task[2].not_before, 45);
    assert_int_equal(t.task[2].gap, 0);
    assert_int_equal(t.task[3].after_count, 0);
}

/* With gaps a packet leaves as long after what it waits for as it was recorded. */
TEST(gaps_are_kept_where_they_are_asked_for) {
    const file f = usual();
    reading r = reading_begin();
    static reading_tasks t;
    scratch_put("a.tra", f.byte, f.size);
    r.asked.gaps = true;
    reading_take(&r, &fs_format_netrace, "a.tra", &t);
    assert_int_equal(t.task[1].gap, 30);
    assert_int_equal(t.task[2].gap, 5); /* of the later of the two */
    assert_int_equal(t.task[3].gap, 0);
}

TEST(parts_of_a_file_wait_for_nothing_outside) {
    const file f = usual();
    reading r = reading_begin();
    static reading_tasks t;
    scratch_put("a.tra", f.byte, f.size);
    r.asked.from = 40;
    r.asked.to = 50;
    reading_take(&r, &fs_format_netrace, "a.tra", &t);
    assert_int_equal(t.count, 2);
    assert_int_equal(t.task[0].not_before, 0);
    assert_int_equal(t.task[0].after_count, 0); /* the read lies before */
    assert_int_equal(t.task[1].after_count, 1);
    r.asked.from = 60;
    r.asked.to = 0;
    assert_int_equal(reading_tell(&r, &fs_format_netrace, "a.tra"), FS_INPUT);
    assert_non_null(strstr(r.err.text, "expected packets, found none in the part that is asked for"));
}

TEST(regions_begin_where_they_say) {
    file f = begin(4, 3, 2);
    put(&f, 0, 8);
    put(&f, 30, 8);
    put(&f, 1, 8);
    put(&f, 21 + 4, 8); /* behind the first packet */
    put(&f, 100, 8);
    put(&f, 2, 8);
    packet(&f, 10, 1, READ, 0, 3, 1, 2u);
    packet(&f, 40, 2, ANSWER, 3, 0, 0);
    packet(&f, 50, 3, READ, 1, 2, 1, 77u); /* beyond the region: not missed */
    reading r = reading_begin();
    static reading_tasks t;
    scratch_put("a.tra", f.byte, f.size);
    r.asked.region = 1;
    reading_take(&r, &fs_format_netrace, "a.tra", &t);
    assert_int_equal(t.count, 2);
    assert_int_equal(t.task[0].not_before, 10); /* 40, less the 30 of the first region */
    assert_int_equal(t.task[0].after_count, 0);
    r.asked.region = 2;
    assert_int_equal(reading_tell(&r, &fs_format_netrace, "a.tra"), FS_INPUT);
    assert_non_null(strstr(r.err.text, "region: expected one of its 2, from 0, found 2"));
}

static void refuse(const file *f, const char *words) {
    reading r = reading_begin();
    scratch_put("a.tra", f->byte, f->size);
    reading_tell(&r, &fs_format_netrace, "a.tra");
    if (r.err.status != FS_INPUT || strstr(r.err.text, words) == NULL)
        fail_msg("expected \"%s\", found \"%s\"", words, r.err.text);
}

TEST(what_is_wrong_is_refused_at_its_record) {
    file f = usual();
    f.byte[0] = 0x56;
    refuse(&f, "a.tra: magic (byte 0): expected 0x484A5455, found 0x484A5456");
    f = usual();
    f.byte[7] = 0x40;
    refuse(&f, "version (byte 4): expected 1");
    f = usual();
    f.size -= 7;
    refuse(&f, "packet 3 (byte 147): bytes missing at the end of the file: 7");
    f = usual();
    f.size = HEAD - 3;
    refuse(&f, "head (byte 0): expected 72 bytes, found 69");
    f = usual();
    packet(&f, 60, 104, 9, 0, 1, 0);
    refuse(&f, "packet 4 (byte 168): type: expected 1 to 6, 13 to 16, 25 or 27 to 30, found 9");
    f = usual();
    packet(&f, 60, 104, READ, 0, 4, 0);
    refuse(&f, "destination: expected a node, 0 ... 3, found 4");
    f = usual();
    packet(&f, 60, 102, READ, 0, 1, 0);
    refuse(&f, "id: expected one of its own, found for the second time 102");
    f = usual();
    packet(&f, 49, 104, READ, 0, 1, 0);
    refuse(&f, "cycle: expected at least 50, that of the packet before, found 49");
    f = usual();
    packet(&f, 60, 104, READ, 0, 1, 1, 999u);
    refuse(&f, "packet 4 (byte 168): waited for by packet 999, which the file does not have");
    f = usual();
    packet(&f, 60, 104, READ, 0, 1, 1, 100u);
    refuse(&f, "expected packets that stand behind it to wait for it, found packet 100");
    f = begin(4, 0, 0);
    refuse(&f, "expected packets, found none");
    f = begin(4, 0, 101);
    refuse(&f, "regions (byte 60): expected at most 100, found 101");
    f = begin(0, 0, 0);
    refuse(&f, "nodes (byte 38)");
}

TEST(a_count_that_differs_is_said) {
    file f = usual();
    packet(&f, 60, 104, READ, 0, 1, 0);
    reading r = reading_begin();
    scratch_put("a.tra", f.byte, f.size);
    assert_int_equal(reading_tell(&r, &fs_format_netrace, "a.tra"), FS_OK);
    assert_string_equal(reading_note(&r, FS_NOTE_IGNORED, "4 packets counted by its head")->words,
                        "it has 5");
}

/* What is packed and holds nothing is not damaged: the reader says what it lacks. */
TEST(an_empty_packed_file_is_read) {
    static const uint8_t empty[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    reading r = reading_begin();
    scratch_put("e.gz", empty, sizeof empty);
    assert_int_equal(reading_tell(&r, &fs_format_netrace, "e.gz"), FS_INPUT);
    assert_string_equal(r.err.text, "e.gz: magic (byte 0): expected 0x484A5455, found 0x00000000");
}

/* Ctrl-C ends a long reading. */
TEST(a_reading_is_interrupted) {
    const file f = usual();
    scratch_put("i.tra", f.byte, f.size);
    assert_true(reading_is_interrupted(&fs_format_netrace, "i.tra", "i.tra: interrupted in packet 0"));
}

RUN_TESTS(scratch_enter, scratch_leave)
