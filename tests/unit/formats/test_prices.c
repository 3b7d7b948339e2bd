/* Prices of Accelergy: which of a table is which of foamsim's, and what is wrong with a map or a table. */
#include "tests/support/foreign/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

extern const fs_format fs_format_accelergy;

static const char table[] =
    "ERT:\n  version: '0.4'\n  tables:\n"
    "  - name: a.b[0..7].c\n    actions:\n"
    "    - { name: add, arguments: {}, energy: 0.25 }\n"
    "    - { name: read, arguments: { delta: 0 }, energy: 1 }\n"
    "    - { name: read, arguments: { delta: 1 }, energy: 3 }\n"
    "    - { name: bad, arguments: {}, energy: -1 }\n"
    "  - { name: 'x[0..1].y', actions: [] }\n  - { name: 'x[2..3].y', actions: [] }\n",
                  areas[] = "ART:\n  version: '0.3'\n  tables:\n  - { name: 'a.b[0..7].c', area: 500 }\n";

static reading read_map(const char *map) {
    reading r = reading_begin();
    scratch_put("ERT.yaml", table, strlen(table));
    scratch_put("ART.yaml", areas, strlen(areas));
    scratch_put("map.yaml", map, strlen(map));
    reading_tell(&r, &fs_format_accelergy, "ERT.yaml");
    return r;
}

TEST(a_map_makes_a_machine_of_a_table) {
    reading r =
        read_map("energy:\n  energy.int_op: { component: a.b.c, action: add, times: 2 }\n"
                 "  energy.sram_32: { component: 'a.b[0..7].c', action: read, arguments: { delta: 1 } }\n"
                 "area:\n  area.logic: { component: a.b.c }\n");
    assert_int_equal(r.err.status, FS_OK);
    assert_string_equal(r.told.part, "machine");
    assert_non_null(
        strstr(r.told.yaml, "energy:\n  int_op: 0.5 pJ # [A] ERT.yaml:6, a.b[0..7].c add times 2\n"));
    assert_non_null(strstr(r.told.yaml, "  sram_32: 3 pJ # [A] ERT.yaml:8, a.b[0..7].c read\n"));
    assert_non_null(strstr(r.told.yaml, "area:\n  logic: 500 um2 # [A] ART.yaml:4, a.b[0..7].c\n"));
}

/* A name of the table stands in a comment of the machine, and ends there. */
TEST(a_name_stays_in_its_line) {
    static const char evil[] = "ART:\n  tables:\n  - { name: \"a\\nclock: 1 Hz\", area: 500 }\n",
                      map[] = "area:\n  area.logic: { component: \"a\\nclock: 1 Hz\" }\n";
    reading r = reading_begin();
    scratch_put("ART.yaml", evil, strlen(evil));
    scratch_put("map.yaml", map, strlen(map));
    assert_int_equal(reading_tell(&r, &fs_format_accelergy, "ART.yaml"), FS_OK);
    assert_string_equal(r.told.yaml, "area:\n  logic: 500 um2 # [A] ART.yaml:3, a?clock: 1 Hz\n");
}

TEST(what_does_not_fit_is_refused) {
    static const struct {
        const char *map, *words;
    } cases[] = {
        {"energy:\n  energy.int_op: { component: a.b.d, action: add }\n",
         "map.yaml:2:31: component: ERT has no \"a.b.d\"; did you mean \"a.b.c\"?"},
        {"energy:\n  energy.int_op: { component: a.b.c, action: ad }\n",
         "action: a.b[0..7].c has no \"ad\"; did you mean \"add\"?"},
        {"energy:\n  energy.sram_32: { component: a.b.c, action: read }\n",
         "2 of a.b[0..7].c are \"read\"; arguments say which"},
        {"energy:\n  energy.sram_32: { component: a.b.c, action: read, arguments: { delta: 2 } }\n",
         "with these arguments"},
        {"energy:\n  energy.int_op: { component: x.y, action: add }\n",
         "2 of ERT are \"x.y\": name its range, too"},
        {"energy:\n  energy.int_op: { component: a.b.c, action: bad }\n",
         "ERT.yaml:9:43: energy: expected a number of at least 0, found \"-1\""},
        {"energy:\n  energy.int_op: { component: a.b.c, action: add, times: 0 }\n",
         "times: expected a number above 0"},
        {"energy:\n  int_op: { component: a.b.c, action: add }\n", "expected a price, energy.NAME"},
        {"energy:\n  energy.int_op: { component: a.b.c, acton: add }\n", "did you mean \"action\"?"},
        {"prices: {}\n", "expected prices, energy or area, found none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reading r = read_map(cases[i].map);
        if (r.err.status != FS_INPUT || strstr(r.err.text, cases[i].words) == NULL)
            fail_msg("%s: expected \"%s\", found \"%s\"", cases[i].map, cases[i].words, r.err.text);
    }
}

TEST(a_summary_and_no_map_are_refused) {
    static const char summary[] = "ERT_summary: { table_summary: [] }\n",
                      map[] = "energy: { energy.int_op: { component: a } }\n";
    reading r = reading_begin();
    scratch_put("S.yaml", summary, strlen(summary));
    scratch_put("m.yaml", map, strlen(map));
    assert_true(fs_format_accelergy.is((const uint8_t *)summary, strlen(summary)));
    r.asked.map = "m.yaml";
    assert_int_equal(reading_tell(&r, &fs_format_accelergy, "S.yaml"), FS_INPUT);
    assert_non_null(strstr(r.err.text, "ERT_summary: a summary has means alone"));
    r.asked.map = "none.yaml";
    assert_int_equal(reading_tell(&r, &fs_format_accelergy, "S.yaml"), FS_INPUT);
    assert_non_null(strstr(r.err.text, "none.yaml is no file"));
}

RUN_TESTS(scratch_enter, scratch_leave)
