/* Texts of other people's files on the terminal: no control character of theirs gets there, in words, errors,
 * tables or bars. */
#include "sim/host/voice.h"
#include "tests/support/cli.h"
#include "tests/support/foreign/foreign_case.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/test.h"

/* The text reached the terminal, and nothing in it would move, colour, rename or ring. */
static void is_plain(const char *what, const char *text, const char *part) {
    for (const char *c = text; *c != '\0'; c++)
        if (((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f ||
            ((unsigned char)*c == 0xc2 && (unsigned char)c[1] < 0xa0))
            fail_msg("%s: the character %d: %s", what, (unsigned char)*c, text);
    if (strstr(text, part) == NULL)
        fail_msg("%s: expected \"%s\" in it: %s", what, part, text);
}

TEST(all_bytes) {
    char text[260] = "", *found = NULL;
    for (int c = 1; c < 256; c++)
        text[c - 1] = (char)c;
    FILE *out = fopen("bytes", "w");
    assert_non_null(out);
    fs_put_plain(text, out);
    fs_put_plain("\xc2\x9b"
                 "31m \xc2\xa0\xc3\xa4\xe2\x82\xac",
                 out);
    assert_int_equal(fclose(out), 0);
    found = file_text("bytes");
    assert_int_equal(strlen(found), 255 + 4 + 1 + 2 + 2 + 3);
    for (int c = 1; c < 256; c++) {
        const bool control = (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
        assert_int_equal((unsigned char)found[c - 1], control ? '?' : c);
    }
    assert_string_equal(found + 255, "?31m \xc2\xa0\xc3\xa4\xe2\x82\xac");
}

TEST(errors) {
    cli_write("bad.yaml", "base: x.yaml\nmachine: \"\\e]0;mine\\a\\e[2J\"\n");
    cli_result r = cli("config", "check", "bad.yaml", NULL);
    assert_int_equal(r.status, 2);
    is_plain("an error", r.err, "]0;mine?");
}

TEST(tables) {
    cli_write("s.yaml", "name: s\nbase: x.yaml\naxes:\n"
                        "  - points:\n      - { name: \"\\e]0;mine\\a\", set: { machine.clock: 1 GHz } }\n"
                        "      - { name: b, set: { machine.clock: 1.33 GHz } }\n");
    cli_result r = cli("sweep", "s.yaml", "--store", "none.db", "--dry-run", NULL);
    assert_int_equal(r.status, 0);
    is_plain("a sweep that is only planned", r.out, "?]0;mine?");
    cli_must("sweep", "s.yaml", "-q", "--store", "s.db", NULL);
    static const char *const questions[] = {"table", "best", "points"};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        r = cli("query", "s.db", questions[i], NULL);
        assert_int_equal(r.status, 0);
        is_plain(questions[i], r.out, "?]0;mine?");
    }
    r = cli("query", "s.db", "table", "--json", NULL); /* for programs: the text itself, in JSON's words */
    assert_non_null(strstr(r.out, "\\u001B]0;mine\\u0007"));
}

TEST(comparisons) {
    cli_must("run", "x.yaml", "-q", "--out", "one", NULL);
    foreign_copy("one", "two");
    foreign_unseal("two");
    foreign_change("two/parameters.csv", ",quadtree,", ",\033]0;mine\007,");
    cli_result r = cli("compare", "one", "two", NULL);
    assert_int_equal(r.status, 0);
    is_plain("a comparison", r.out, "?]0;mine?");
}

/* Numbers as people read them: of a run of more than ten seconds no power of ten. */
TEST(lines) {
    cli_write("slow.yaml", "machine: { base: gc200-small, clock: 1 MHz }\n"
                           "scene: { kind: mesh, builtin: spheres }\n"
                           "workload: { kind: pathtrace, width: 48, height: 40, samples: 200, "
                           "rays_per_worker: 1, sampling: { drawn: 2 } }\n");
    const cli_result r = cli("run", "slow.yaml", "--out", "slow", NULL);
    assert_int_equal(r.status, 0);
    is_plain("the line of a run", r.err, " s a frame, 15,");
    assert_null(strstr(r.err, "e+0"));
}

RUN_TESTS(cli_enter_experiment, cli_leave)
