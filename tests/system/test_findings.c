/* What a run's findings.json says: sentences, whose figures follow from its tables. */
#include "tests/support/cli.h"
#include "tests/support/congestion_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void findings_are_sentences(void **state) {
    (void)state;
    for (int f = 0; f <= FOLDERS; f++) {
        json_t *root = run_json(f < FOLDERS ? case_folder[f] : "decoupled", "findings.json");
        const json_t *list = json_object_get(root, "findings");
        assert_true(json_array_size(list) >= 5);
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *item = json_array_get(list, i);
            const char *text = json_string_value(json_object_get(item, "text"));
            assert_true(json_is_string(json_object_get(item, "key")));
            assert_true(json_object_size(json_object_get(item, "figures")) > 0);
            assert_true(text != NULL && strlen(text) > 20 && text[strlen(text) - 1] == '.');
            assert_true(strstr(text, "nan") == NULL && strstr(text, "inf ") == NULL);
        }
        const char *first = json_string_value(json_object_get(json_array_get(list, 0), "key"));
        assert_string_equal(first, f == LOSING ? "loss" : "pace");
        json_decref(root);
    }
}

static double finding_figure(const json_t *root, const char *key, const char *name) {
    const json_t *list = json_object_get(root, "findings");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (strcmp(json_string_value(json_object_get(item, "key")), key) == 0)
            return json_number_value(json_object_get(json_object_get(item, "figures"), name));
    }
    fail_msg("no finding %s", key);
    return NAN;
}

/* Their figures follow from the tables. */
static void findings_are_true(void **state) {
    (void)state;
    for (int f = 0; f < FOLDERS; f++) {
        json_t *root = run_json(case_folder[f], "findings.json");
        struct table t = table_read(case_folder[f], "tiles.csv"),
                     k = table_read(case_folder[f], "iterations.csv"),
                     l = table_read(case_folder[f], "ladder.csv");
        size_t hottest = 0;
        int64_t spare = 0, most_sram = 0, finished = 0, last = 0, cycles = 0;
        for (size_t i = 0; i < t.rows; i++) {
            hottest = table_int(&t, i, "paced") > table_int(&t, hottest, "paced") ? i : hottest;
            spare += strcmp(table_text(&t, i, "role"), "spare") == 0;
            if (strcmp(table_text(&t, i, "role"), "router") == 0)
                most_sram = larger(most_sram, table_int(&t, i, "sram"));
        }
        assert_true(about(finding_figure(root, "pace", "tile"), (double)hottest));
        assert_true(about(finding_figure(root, "pace", "share"),
                          (double)table_int(&t, hottest, "paced") / (double)k.rows));
        assert_true(about(finding_figure(root, "sram", "spare_tiles"), (double)spare));
        assert_true(about(finding_figure(root, "sram", "router_bytes"), (double)most_sram));
        assert_true(about(finding_figure(root, "time", "exchange"),
                          (double)table_sum(&k, "exchange") / run_figure(case_folder[f], "device.cycles")));
        assert_true(
            about(finding_figure(root, "waiting", "spilled"), run_figure(case_folder[f], "rays.spilled")));
        assert_true(about(finding_figure(root, "next", "free_routers_percent"),
                          table_real(&l, rung(&l, "free_routers"), "gain_percent")));
        for (size_t i = 0; i < k.rows && finished < table_sum(&k, "finished"); i++) {
            const bool tail = 100 * finished >= 99 * table_sum(&k, "finished");
            last += tail;
            cycles += tail ? table_int(&k, i, "cycles") : 0;
            finished += table_int(&k, i, "finished");
        }
        if (last > 0) /* else there is nothing to say */
            assert_true(about(finding_figure(root, "drain", "iterations"), (double)last));
        assert_int_equal(last, run_figure(case_folder[f], "parts.last_percent_iterations"));
        assert_int_equal(cycles, run_figure(case_folder[f], "parts.last_percent_cycles"));
        table_free(&t);
        table_free(&k);
        table_free(&l);
        json_decref(root);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_are_sentences),
        cmocka_unit_test(findings_are_true),
    };
    return cmocka_run_group_tests(tests, congestion_begin, cli_leave);
}
