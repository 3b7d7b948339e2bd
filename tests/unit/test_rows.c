/* Mappings and lists of a YAML file by rows: each kind of row into each type of member, and every mistake with its
 * place. */
#include "sim/config/yaml.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

typedef enum colour { RED, GREEN } colour;

typedef struct part {
    const char *name;
    uint8_t tiny;
    uint16_t small;
    int64_t bytes;
    float share;
    double exact;
    bool flag, larger;
    colour shade;
    float at[3];
} part;

typedef struct whole {
    const char *title, *note;
    part *parts, *named, one;
    uint32_t part_count, named_count;
    const char *const *words;
    size_t word_count;
    uint32_t *numbers, number_count;
    const fs_node *free;
    size_t length;         /* of the text that a reader of the test's takes */
    int64_t left, of_both; /* left: stays where its key is absent */
} whole;

static bool read_length(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    ++*(int *)self;
    *(size_t *)member = node->kind == FS_NODE_SCALAR ? strlen(node->text) : 0;
    return *(size_t *)member > 0 ||
           fs_yaml_wrong(yaml, node, "expected a length, found %s", fs_yaml_found(yaml, node));
}

static bool check_part(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)self;
    const part *p = item;
    return p->tiny != 13 || fs_yaml_wrong(yaml, fs_tree_get(node, "tiny"), "thirteen of %s", p->name);
}

#define FS_ROWS_OF part
static const char *const colours[] = {"red", "green", NULL}, *const ways[] = {"smaller", "larger", NULL};
static const fs_yaml_row part_rows[] = {
    FS_YAML_NAME(name),
    FS_YAML_INT("tiny", tiny, NONE, 1, 255, NULL),
    FS_YAML_INT("small", small, NONE, 0, 65535, "7"),
    FS_YAML_INT("bytes", bytes, BYTES, 0, 1e12, "2 KiB"),
    FS_YAML_REAL("share", share, NONE, 0, 1, "0.25"),
    FS_YAML_REAL("exact", exact, SECONDS, 0, 10, "1 ms"),
    FS_YAML_BOOL("flag", flag, "true"),
    FS_YAML_WORD("better", larger, ways, "smaller"),
    FS_YAML_WORD("shade", shade, colours, "red"),
    FS_YAML_VEC3("at", at, -1, 1, FS_YAML_MAY),
};
static const fs_yaml_shape shape_of_part = FS_YAML_SHAPE(part_rows, sizeof(part), check_part);
#undef FS_ROWS_OF

enum { PLAIN = 1, RICH };
#define FS_ROWS_OF whole
static const fs_yaml_row rows[] = {
    FS_YAML_TEXT("title", title, NULL),
    FS_YAML_TEXT("note", note, "none given"),
    FS_YAML_LIST("parts", parts, part_count, &shape_of_part, NULL, .item = "part", .least = 1),
    FS_YAML_MAP("named", named, named_count, &shape_of_part, FS_YAML_MAY, .item = "part", .least = 1,
                .most = 2),
    FS_YAML_PART("one", one, &shape_of_part, FS_YAML_MAY),
    FS_YAML_LIST("words", words, word_count, &fs_yaml_texts, FS_YAML_MAY),
    FS_YAML_RANGES("numbers", numbers, number_count, 9, FS_YAML_MAY, .of = RICH),
    FS_YAML_NODE("free", free, FS_YAML_MAY),
    FS_YAML_READ("length", length, read_length, FS_YAML_MAY),
    FS_YAML_INT("left", left, NONE, 0, 100, FS_YAML_MAY),
    FS_YAML_INT("of_both", of_both, NONE, 0, 100, "1", .of = PLAIN),
    FS_YAML_INT("of_both", of_both, NONE, 0, 100, "2", .of = RICH),
    FS_YAML_KEY("elsewhere", FS_YAML_MAY),
};
static const fs_yaml_shape shape = FS_YAML_SHAPE(rows, sizeof(whole));

/* Reads the text as a file; how often the reader of `length` was called, or the error. */
static fs_status read_as(fs_arena *arena, const char *text, uint32_t kind, whole *out, int *called,
                         fs_error *err) {
    FILE *file = fopen("w.yaml", "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    const fs_yaml *yaml = fs_yaml_open(arena, "w.yaml");
    *out = (whole){.left = 42};
    *called = 0;
    assert_non_null(yaml->root);
    const bool good = fs_yaml_fill_as(yaml, yaml->root, &shape, kind, called, out);
    assert_int_equal(good, fs_yaml_good(yaml));
    return fs_yaml_finish(yaml, err);
}

TEST(members_are_filled) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    whole w;
    int called;
    assert_int_equal(
        read_as(arena,
                "title: t\n"
                "parts: [{ tiny: 255, small: 65535, bytes: 3 B, share: 0.5, exact: 2 s, flag: false,\n"
                "          better: larger, shade: green, at: [1, 0.5, -1] }, { tiny: 1 }]\n"
                "named: { a: { tiny: 2 }, b: { tiny: 3 } }\n"
                "one: { tiny: 4 }\n"
                "words: [x, y z]\nnumbers: [1-3, 9]\nfree: { any: [thing] }\nlength: four\nelsewhere: 1\n",
                RICH, &w, &called, &err),
        FS_OK);
    const part *p = w.parts;
    assert_string_equal(w.title, "t");
    assert_string_equal(w.note, "none given");
    assert_true(w.part_count == 2 && p->tiny == 255 && p->small == 65535 && p->bytes == 3 &&
                (double)p->share == 0.5);
    assert_true(p->exact == 2 && !p->flag && p->larger && p->shade == GREEN);
    assert_true((double)p->at[0] == 1 && (double)p->at[1] == 0.5 && (double)p->at[2] == -1);
    assert_true(p[1].tiny == 1 && p[1].small == 7 && p[1].bytes == 2048 && (double)p[1].share == 0.25);
    assert_true(p[1].exact == 1e-3 && p[1].flag && !p[1].larger && p[1].shade == RED && !(p[1].at[0] > 0));
    assert_true(w.named_count == 2 && w.named[0].tiny == 2 && w.named[1].tiny == 3 && w.one.tiny == 4);
    assert_string_equal(w.named[0].name, "a");
    assert_string_equal(w.named[1].name, "b");
    assert_int_equal(w.word_count, 2);
    assert_string_equal(w.words[1], "y z");
    assert_true(w.number_count == 4 && w.numbers[0] == 1 && w.numbers[3] == 9);
    assert_true(w.free->kind == FS_NODE_MAPPING && w.length == 4 && called == 1);
    assert_true(w.left == 42 && w.of_both == 2);
    assert_int_equal(read_as(arena, "title: t\nparts: [{ tiny: 1 }]\nleft: 5\n", PLAIN, &w, &called, &err),
                     FS_OK);
    assert_true(w.left == 5 && w.of_both == 1 && w.words == NULL && called == 0);
}

TEST(mistakes_have_their_place) {
#define HEAD "title: t\nparts: [{ tiny: 1 }]\n"
    static const struct {
        const char *text, *expected[3];
    } cases[] = {
        {"title: t\n", {"w.yaml:1:1: parts: missing"}},
        {"title: ''\nparts: [{}]\n",
         {"w.yaml:1:8: title: expected a text, found \"\"", "w.yaml:2:9: parts[0].tiny: missing"}},
        {"title: t\nparts: []\n", {"w.yaml:2:8: parts: expected at least one part, found an empty list"}},
        {"title: t\nparts: 5\n", {"w.yaml:2:8: parts: expected a list, found \"5\""}},
        {"title: t\nparts: [{ tiny: 256 }, { tiny: 1, tinny: 2 }, 7]\n",
         {"w.yaml:2:17: parts[0].tiny: expected an integer from 1 to 255, found \"256\"",
          "w.yaml:2:35: parts[1].tinny: unknown key; expected one of tiny, small,",
          "w.yaml:2:47: parts[2]: expected a mapping with tiny, small,"}},
        {HEAD "named: { a: { tiny: 0 }, b: { tiny: 1 }, c: { tiny: 1 } }\n",
         {"w.yaml:3:8: named: expected 1 to 2 parts, found 3",
          "w.yaml:3:21: named.a.tiny: expected an integer from 1 to 255, found \"0\""}},
        {HEAD "named: [1]\n", {"w.yaml:3:8: named: expected a mapping, found a list of 1"}},
        {HEAD "one: { tiny: 13 }\nnamed: { a: { tiny: 13, small: -1 } }\n",
         {"w.yaml:3:14: one.tiny: thirteen of",
          "w.yaml:4:32: named.a.small: expected an integer from 0 to 65535"}},
        {HEAD "words: [a, [b]]\n", {"w.yaml:3:12: words[1]: expected a text, found a list of 1"}},
        {HEAD "numbers: 1-10\n",
         {"w.yaml:3:1: numbers: unknown key; expected one of title,"}}, /* of the other kind */
        {HEAD "length: []\n", {"w.yaml:3:9: length: expected a length, found a list of 0"}},
        {HEAD "one: { tiny: 1, bytes: 5, share: 2, at: [1, 2], shade: blue }\n",
         {"one.bytes: expected a quantity in B", "one.share: expected a number from 0 to 1, found \"2\"",
          "one.at: expected three numbers [x, y, z], found a list of 2"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fs_arena *arena = test_arena();
        fs_error err = {0};
        whole w;
        int called;
        assert_int_equal(read_as(arena, cases[i].text, PLAIN, &w, &called, &err), FS_INPUT);
        for (size_t k = 0; k < 3 && cases[i].expected[k] != NULL; k++)
            assert_says(err.text, cases[i].expected[k]);
    }
}

/* A rule between rows is looked at where these are right: it may trust them. */
TEST(a_rule_waits_for_its_rows) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    whole w;
    int called;
    assert_fails(read_as(arena, HEAD "one: { tiny: 13, small: x }\n", PLAIN, &w, &called, &err), FS_INPUT,
                 &err, "one.small: expected a non-negative integer");
    assert_null(strstr(err.text, "thirteen"));
}

RUN_TESTS(scratch_enter, scratch_leave)
