/* page.json: every workload's plan is complete, comes back as it was written, and what is no plan is refused
 * with its place. */
#include "registry/registry.h"
#include "sim/results/page_plan.h"
#include "sim/workload/workload.h"
#include "tests/support/test.h"

TEST(comes_back) {
    for (size_t i = 0; fs_registry_workloads[i] != NULL; i++) {
        fs_error err = {0};
        fs_arena *arena = test_arena();
        assert_non_null(fs_registry_workloads[i]->page);
        json_t *written = fs_page_plan_json(fs_registry_workloads[i]->page, NULL);
        const fs_page_plan *plan = fs_page_plan_read(written, "page.json", arena, &err);
        assert_non_null(plan);
        assert_string_equal(plan->workload, fs_registry_workloads[i]->kind);
        json_t *again = fs_page_plan_json(plan, NULL);
        assert_true(json_equal(written, again));
        json_decref(again);
        json_decref(written);
    }
}

static bool has_section(const fs_page_plan *plan, const char *settings, const char *id) {
    json_t *root = fs_page_plan_json(plan, settings);
    const json_t *sections = json_object_get(root, "sections");
    bool found = false;
    for (size_t i = 0; i < json_array_size(sections); i++)
        found |= strcmp(json_string_value(json_object_get(json_array_get(sections, i), "id")), id) == 0;
    json_decref(root);
    return found;
}

/* Rows of one rung for several settings: page.json has the one that holds, and all where nothing is known. */
TEST(rungs_go_with_settings) {
    static const fs_plan_rung rungs[] = {
        {.name = "r", .said = "wider ports", .when = "machine.exchange.kind=ports"},
        {.name = "r", .said = "wider links", .when = "machine.chips=1|4 machine.exchange.kind=noc|circuit"},
        FS_PAGE_RUNG("other", "another", NULL, NULL)};
    static const fs_page_plan plan = {.workload = "w", FS_PAGE_LIST(rungs, rung_count, rungs)};
    static const struct {
        const char *settings, *first;
        size_t count;
    } cases[] = {{"machine.exchange.kind: ports\n", "wider ports", 2},
                 {"machine.exchange.kind: noc\nmachine.chips: 4\n", "wider links", 2},
                 {"machine.exchange.kind: noc\nmachine.chips: 2\n", "another", 1},
                 {"machine.exchange.kind: circuit\nmachine.chips: 1\n", "wider links", 2},
                 {"machine.exchange.kind: circuit\n", "another", 1},
                 {NULL, "wider ports", 3}};
    for (size_t i = 0; i < FS_COUNT(cases); i++) {
        json_t *root = fs_page_plan_json(&plan, cases[i].settings);
        const json_t *list = json_object_get(root, "rungs");
        assert_int_equal(json_array_size(list), cases[i].count);
        assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "said")),
                            cases[i].first);
        json_decref(root);
    }
}

/* A section with a setting is one of runs with that setting: of the whole key and the whole value. */
TEST(sections_go_with_settings) {
    static const fs_plan_section always = {.kind = "files", .id = "files", .title = "Files"},
                                 some = {.kind = "table",
                                         .id = "some",
                                         .title = "Some",
                                         .when = "machine.exchange.kind=noc|circuit"};
    static const fs_plan_section several = {
        .kind = "table", .id = "several", .title = "Several", .when = "machine.chips!=1"};
    static const fs_plan_section *const sections[] = {&some, &always, &several};
    static const fs_page_plan plan = {.workload = "w", FS_PAGE_LIST(sections, section_count, sections)};
    static const struct {
        const char *settings;
        bool has;
    } cases[] = {{"machine.exchange.kind: noc\n", true},
                 {"a: b\nmachine.exchange.kind: noc\nc: d\n", true},
                 {"machine.exchange.kind: circuit\n", true},
                 {"machine.exchange.kind: noc|circuit\n", false},
                 {"machine.exchange.kind: ports\n", false},
                 {"machine.exchange.kind: nocturnal\n", false},
                 {"the.machine.exchange.kind: noc\n", false},
                 {"", false},
                 {NULL, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(has_section(&plan, cases[i].settings, "some"), cases[i].has);
        assert_true(has_section(&plan, cases[i].settings, "files"));
    }
    assert_true(has_section(&plan, "machine.chips: 4\n", "several"));
    assert_true(has_section(&plan, "machine.chips: 16\n", "several"));
    assert_false(has_section(&plan, "machine.chips: 1\n", "several"));
    assert_false(has_section(&plan, "", "several"));
}

static bool has_figure(const fs_stat_table *table, const char *name, size_t length);

/* Figures in braces are figures of the workload. */
static void braces_name_figures(const fs_stat_table *table, const char *text) {
    for (const char *open = text; open != NULL && (open = strchr(open, '{')) != NULL; open++) {
        const char *close = strchr(open, '}');
        assert_non_null(close);
        size_t length = strcspn(open + 1, "|}");
        if (open[1] != '@' && !has_figure(table, open + 1, length))
            fail_msg("%s: there is no figure %.*s", text, (int)length, open + 1);
    }
}

static bool is_one_of(const char *word, const char *const *list) {
    for (; *list != NULL; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static void is_complete(const fs_workload *w) {
    static const char *const kinds[] = {"findings", "summary", "images",       "series", "matrix", "chip",
                                        "pixels",   "counts",  "distribution", "table",  "most",   "figures",
                                        "ladder",   "memory",  "settings",     "files",  "links",  "curve",
                                        NULL};
    const fs_page_plan *plan = w->page;
    for (size_t i = 0; i < plan->card_count; i++) {
        assert_non_null(plan->cards[i].value);
        braces_name_figures(w->stats, plan->cards[i].value);
        braces_name_figures(w->stats, plan->cards[i].more);
        if (plan->cards[i].when != NULL)
            assert_true(has_figure(w->stats, plan->cards[i].when, strlen(plan->cards[i].when)));
    }
    for (size_t i = 0; i < plan->part_count; i++) {
        assert_true(has_figure(w->stats, plan->parts[i].figure, strlen(plan->parts[i].figure)));
        assert_true(has_figure(w->stats, plan->parts[i].cycles, strlen(plan->parts[i].cycles)));
        assert_non_null(plan->parts[i].said);
    }
    for (size_t i = 0; i < plan->reason_count; i++) {
        const fs_plan_reason *r = &plan->reasons[i];
        assert_true(has_figure(w->stats, r->figure, strlen(r->figure)));
        assert_non_null(strstr(r->most, "{where}"));
        assert_true(strstr(r->bound, "{More}") != NULL && strstr(r->bound, "{new}") != NULL);
    }
    for (size_t i = 0; i < plan->rung_count; i++) /* a lever, or what would have to be built */
        assert_true(plan->rungs[i].said != NULL && plan->rungs[i].build != NULL);
    for (size_t i = 0; i < plan->view_count; i++)
        assert_true(has_figure(w->stats, plan->views[i].column, strlen(plan->views[i].column)));
    for (size_t i = 0; i < plan->section_count; i++) {
        const fs_plan_section *s = plan->sections[i];
        assert_non_null(s->title);
        assert_true(is_one_of(s->kind, kinds));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(s->id, plan->sections[k]->id);
        for (size_t p = 0; p < s->panel_count; p++) {
            assert_non_null(s->panels[p].name);
            assert_true(s->file != NULL || s->panels[p].file != NULL || strcmp(s->kind, "figures") == 0 ||
                        strcmp(s->kind, "summary") == 0);
            braces_name_figures(w->stats, s->panels[p].title);
            braces_name_figures(w->stats, s->panels[p].caption);
            for (size_t c = 0; strcmp(s->kind, "figures") == 0 && c < s->panels[p].column_count; c++)
                braces_name_figures(w->stats, s->panels[p].columns[c].column);
        }
    }
}

TEST(plans_are_complete) {
    for (size_t i = 0; fs_registry_workloads[i] != NULL; i++)
        is_complete(fs_registry_workloads[i]);
}

static void refused(const char *text, const char *words) {
    fs_error err = {0};
    fs_arena *arena = test_arena();
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_null(fs_page_plan_read(root, "run/page.json", arena, &err));
    assert_int_equal(err.status, FS_INPUT);
    assert_says(err.text, words);
    json_decref(root);
}

/* A plan of one section with so many panels. */
static void many_panels(size_t count, const char *words) {
    json_t *panels = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(panels, json_pack("{s:s}", "name", "a"));
    json_t *root = json_pack("{s:i, s:[{s:s, s:s, s:s, s:o}]}", "schema", 1, "sections", "kind", "table",
                             "id", "a", "title", "A", "panels", panels);
    char *text = test_keep(json_dumps(root, 0));
    if (words != NULL) {
        refused(text, words);
    } else {
        fs_error err = {0};
        fs_arena *arena = test_arena();
        assert_non_null(fs_page_plan_read(root, "page.json", arena, &err));
    }
    json_decref(root);
}

TEST(names_are_wanted) {
    refused("{\"schema\": 1, \"sections\": [{\"kind\": \"chip\", \"id\": \"a\"}]}", "section 1 has no name");
    refused("{\"schema\": 1, \"views\": [{\"label\": \"a\"}]}", "column 1 has no name");
    refused("{\"schema\": 1, \"parts\": [{\"name\": \"a\"}]}", "part 1 has no name");
    refused("{\"schema\": 1, \"roles\": [{}]}", "role 1 has no name");
    refused("{\"schema\": 1, \"reasons\": [{\"file\": \"a.csv\"}]}", "reason 1 has no name");
    refused("{\"schema\": 1, \"settings\": [{}]}", "setting 1 has no name");
    many_panels(FS_PAGE_PANELS, NULL);
    many_panels(FS_PAGE_PANELS + 1, "more than 64 panels");
}

TEST(what_is_no_plan) {
    refused("{}", "run/page.json: schema: expected 1");
    refused("{\"schema\": 2}", "schema: expected 1");
    refused("[]", "schema");
    refused("{\"schema\": 1, \"cards\": {}}", "cards: expected a list");
    refused("{\"schema\": 1, \"cards\": [{\"label\": 3}]}", "cards[0].label: expected a text");
    refused("{\"schema\": 1, \"sections\": [{\"kind\": \"a\", \"id\": \"b\", \"title\": \"c\"},"
            " {\"kind\": \"a\", \"id\": \"d\", \"title\": \"e\", \"panels\": [7]}]}",
            "sections[1].panels[0]: expected an object");
    refused("{\"schema\": 1, \"views\": [{\"column\": \"a\", \"scale\": \"a\"}]}",
            "views[0].scale: expected a number");
    refused("{\"schema\": 1, \"sections\": [{\"kind\": \"a\", \"id\": \"a/b\"}]}",
            "sections[0].id: expected a name");
    refused("{\"schema\": 1, \"sections\": [{\"kind\": \"a\", \"id\": \"b\", \"title\": \"c\", \"file\": "
            "\"../a\"}]}",
            "sections[0].file: expected a name");
    refused("{\"schema\": 1, \"reasons\": [{\"file\": \"../a\"}]}", "reasons[0].file: expected a name");
    refused("{\"schema\": 1, \"questions\": [1]}", "questions[0]: expected a text");
}

static bool has_figure(const fs_stat_table *table, const char *name, size_t length) {
    const size_t count = fs_stats_count(table);
    for (size_t i = 0; i < count; i++) {
        const fs_stat row = fs_stats_row(table, i);
        if (strncmp(row.name, name, length) == 0 && row.name[length] == '\0')
            return true;
    }
    return false;
}

RUN_TESTS(NULL, NULL)
