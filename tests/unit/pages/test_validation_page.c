/* The page and the document of a validation: whole, self-contained, the same bits again; the figures on them
 * are those that they were given; what is missing is said and never shown as a number. */
#include "reports/page/page_file.h"
#include "sim/base/alloc.h"
#include "sim/host/file.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/pages/validation_case.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "validation/cases/words.h"
#include "validation/page/page.h"
#include "validation/results/verdict.h"

#include <unistd.h>

/* The page of a validation in `folder`; free(). */
static char *page_of(const fs_validation *v, const char *folder) {
    fs_error err = {0};
    char path[256];
    assert_ok(fs_validation_page(v, folder, &err), &err);
    snprintf(path, sizeof path, "%s/validation.html", folder);
    return file_text(path);
}

TEST_IN(whole_page, scratch_enter, scratch_leave) {
    static const char *const sections[] = {"verdict", "published", "tables",     "sensitivity", "pace",
                                           "scenes",  "maps",      "behaviours", "machine",     "figures",
                                           "held",    "decisions", "origin",     NULL};
    fs_arena *arena = test_arena();
    const validation_case_spec spec = {.bicycles = 6, .gardens = 2};
    const fs_validation *v = validation_case(arena, &spec);
    char *page = page_of(v, "a"), *again = page_of(v, "b");
    need_sections(page, sections);
    assert_string_equal(page, again);
    assert_true(strlen(page) < 5000000);
    need_no_network(page);
    need(page, "id=\"table-6-errors\"");
    need(page, "&lt;any&gt; stand-in"); /* text is no markup */
}

/* Each claim's published value, median and error stand in the table, with all their digits to sort by. */
TEST_IN(figures_are_those_given, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    const validation_case_spec spec = {.bicycles = 3, .gardens = 1};
    const fs_validation *v = validation_case(arena, &spec);
    char *page = page_of(v, "a");
    const char *table = strstr(page, "id=\"all-figures\"");
    assert_non_null(table);
    size_t claims = 0;
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t j = 0; j < v->cases[i].claim_count; j++) {
            const fs_claim *c = &v->cases[i].claims[j];
            const double value[] = {c->published, c->median, c->error};
            const char *row = strstr(table, c->name);
            claims++;
            if (c->use == FS_USE_BEHAVIOUR)
                continue;
            if (row == NULL) {
                fail_msg("no row of %s", c->name);
                return;
            }
            const char *end = strstr(row, "\n<tr>");
            for (size_t k = 0; k < 3; k++) {
                char words[64];
                snprintf(words, sizeof words, "data-value=\"%.17g\"", value[k]);
                const char *cell = strstr(row, words);
                if (cell == NULL || (end != NULL && cell > end))
                    fail_msg("%s: no %s in its row", c->name, words);
            }
            need(row, fs_words_range(arena, c->low, c->high));
        }
    const char *body = strstr(table, "<tbody>"), *ends = strstr(table, "</tbody>");
    assert_true(body != NULL && ends != NULL);
    size_t rows = 0;
    for (const char *at = body; (at = strstr(at, "<tr>")) != NULL && at < ends; at++)
        rows++;
    assert_int_equal(rows, claims);
    need(page,
         "The average error of predicted times, iterations and times of an iteration is 8.7 % (aim: 7 %, "
         "missed), and 2 of 40 figures failed, each counted as 100 %; without a model it is 12.8 % on the "
         "same figures: the model wins.");
    need(page,
         "30 of 38 published values lie in the range that holds four fifths of the draws, of 40 predicted "
         "figures.");
    need(page, "<b>30 / 38</b>");
    need(page, "are off by 14.3 %, all others by 6.1 %");
    need(page, "1 of 2 behaviours that the paper describes are seen; not: saturation drops samples");
    need(page, "<b>4 / 4</b>");
    need(page,
         "Table by table, each predicted with the draws weighted by how well they give the others (a "
         "discrepancy of 10 %), they are off by 7.5 %, the baseline fitted on the same tables by 14.8 %: the "
         "model wins; 86.2 % of the published values lie in the range that holds four fifths: table-3 5 %; "
         "table-5 9 %.");
    need(page, " of them); 60 draws, in which fewest runs failed, are kept.");
    need(page, "machine.exchange.copies");
    need(page, ">merged or serial</td>");
}

TEST_IN(missing_figures, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    const validation_case_spec spec = {.bicycles = 4, .gardens = 1, .holes = true};
    const fs_validation *v = validation_case(arena, &spec);
    char *page = page_of(v, "a");
    need(page, "6 figures have no simulated value: time, 1 rows");
    assert_int_equal(count(page, "title=\"the frame never completes\">missing</td>"), 6);
    need(page, "Missing: 3 figures (the frame never completes).");
    need(page, "(1 of 4 stand-ins failed)");
    assert_int_equal(count(page, ">nan"), 0);
    assert_int_equal(count(page, "nan %"), 0);
}

/* One stand-in, no sensitivities, paces, behaviours or statistics; and nothing at all. */
TEST_IN(little_is_known, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    const validation_case_spec spec = {.bicycles = 1, .bare = true};
    const fs_validation *v = validation_case(arena, &spec);
    char *page = page_of(v, "a");
    need(page, "Nothing was drawn");
    need(page, "No case says what set its pace");
    need(page, "No behaviour was asked for");
    need(page, "No stand-in has a run");
    const double none = (double)NAN;
    const fs_scores nothing = {.mean_error = none,
                               .mean_error_plain = none,
                               .mean_error_saturated = none,
                               .order = none,
                               .baseline_error = none,
                               .baseline_order = none};
    const fs_validation empty = {.paper = validation_case_paper(arena), .arena = arena, .scores = nothing};
    page = page_of(&empty, "b");
    need(page, "there is no error to report");
    need(page, "There is no stand-in");
    assert_int_equal(count(page, "nan"), 0);
}

/* The document: verdict, scores, and the paper's charts, which are small; those that it showed before are
 * gone, and no other file. */
TEST_IN(document, scratch_enter, scratch_leave) {
    if (!have_program("gnuplot"))
        skip();
    fs_arena *arena = test_arena();
    fs_error err = {0};
    const validation_case_spec spec = {.bicycles = 3, .gardens = 1, .holes = true};
    fs_validation *v = validation_case(arena, &spec);
    static const char *const charts[] = {"published-times", "table-5-seconds", "not-drawn", "table-6-errors"};
    fs_paper paper = *v->paper;
    paper.charts = charts;
    paper.chart_count = 4;
    v->paper = &paper;
    static const char before[] = "![a](validation/gone.png)", *const files[] = {"gone.png", "kept.png",
                                                                                "kept.txt"};
    assert_int_equal(fs_file_write("docs/validation.md", before, sizeof before - 1, FS_LIGHT, &err), FS_OK);
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "docs/validation/%s", files[i]);
        assert_int_equal(fs_file_write(path, "x", 1, FS_LIGHT, &err), FS_OK);
    }
    assert_ok(fs_validation_document(v, "a", "docs", &err), &err);
    assert_false(scratch_there("docs/validation/gone.png"));
    assert_true(scratch_there("docs/validation/kept.png") && scratch_there("docs/validation/kept.txt"));
    char *text = file_text("docs/validation.md");
    size_t pictures = 0, all = 0;
    for (const char *at = text; (at = strstr(at, "](validation/")) != NULL; at++) {
        char path[128];
        size_t bytes = 0;
        snprintf(path, sizeof path, "docs/%.*s", (int)strcspn(at + 2, ")"), at + 2);
        char *picture = fs_page_read(path, &bytes, &err);
        assert_non_null(picture);
        assert_memory_equal(picture, "\x89PNG", 4);
        assert_in_range(bytes, 1000, 60000);
        free(picture);
        pictures++;
        all += bytes;
    }
    assert_int_equal(pictures, 3);
    assert_true(all < 150000);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(count(text, charts[i]), i == 2 ? 0 : 1);
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_in_range(lines, 20, 150); /* the rest is the page */
    need(text, "# Radiant Foam on a graph processor, predicted and measured against\n");
    need(text, "Zulkhuu Tuya, Ignacio Alzugaray, Nicholas Fry, Andrew J. Davison: Radiant Foam Rendering");
    need(text, "https://arxiv.org/abs/2601.04382");
    need(text, "| 8.7 % | aim 7 %, stretch 5 % |");
    assert_int_equal(count(text, "nan"), 0);
}

TEST(verdicts) {
    fs_arena *arena = test_arena();
    const validation_case_spec spec = {.bicycles = 2};
    fs_validation *v = validation_case(arena, &spec);
    size_t sentences = 0;
    v->scores.mean_error = 0.07;
    need(fs_validation_verdict(v, arena, &sentences)[0], "(aim: 7 %, reached; stretch: 5 %, missed)");
    v->scores.mean_error = 0.0701;
    need(fs_validation_verdict(v, arena, &sentences)[0], "(aim: 7 %, missed)");
    v->scores.mean_error = 0.05;
    need(fs_validation_verdict(v, arena, &sentences)[0], "(stretch: 5 %, reached)");
    v->scores.baseline_error = 0.04;
    need(fs_validation_verdict(v, arena, &sentences)[0], "4 % on the same figures: the baseline wins.");
    assert_string_equal(fs_words_share(arena, FS_PAIR_DIFFERENCE), "2 %"); /* docs/validation-cases.md */
    char apart[96];                                                        /* judged by it, and said */
    snprintf(apart, sizeof apart, "differ by more than %s in the paper, 88 %% come out",
             fs_words_share(arena, FS_PAIR_DIFFERENCE));
    bool said = false;
    const char *const *all = fs_validation_verdict(v, arena, &sentences);
    for (size_t i = 0; i < sentences; i++)
        said = said || strstr(all[i], apart) != NULL;
    assert_true(said);
    v->cases[0].claims[1].reached = false;
    v->structure_exact = 3;
    const char *const *sentence = fs_validation_verdict(v, arena, &sentences);
    bool named = false;
    for (size_t i = 0; i < sentences; i++)
        named = named || strcmp(sentence[i], "3 of 4 structural figures are exact; not: routers.") == 0;
    assert_true(named);
}

/* What a page says of a paper is the paper's file: goals, what is measured, what is counted apart. */
TEST(words_of_another_paper) {
    fs_arena *arena = test_arena();
    const validation_case_spec spec = {.bicycles = 2};
    fs_validation *v = validation_case(arena, &spec);
    static const fs_paper_figure measures[] = {
        {.figure = "device.seconds", .name = "rates", .one = "rate", .baseline = "", .rank = "ranks"}};
    fs_paper paper = *v->paper;
    paper.aim = 0.1;
    paper.stretch = 0.02;
    paper.order = 0.5;
    paper.saturated = "";
    paper.measures = measures;
    paper.measure_count = 1;
    v->paper = &paper;
    size_t sentences = 0, cards = 0;
    const char *const *sentence = fs_validation_verdict(v, arena, &sentences);
    need(sentence[0], "The average error of predicted rates is 8.7 % (aim: 10 %, reached");
    for (size_t i = 0; i < sentences; i++) {
        assert_null(strstr(sentence[i], "columns) are off"));
        assert_null(strstr(sentence[i], " alone "));
        assert_true(strstr(sentence[i], "wanted:") == NULL || strstr(sentence[i], "wanted: 50 %") != NULL);
    }
    const fs_score *score = fs_validation_scores(v, arena, &cards);
    assert_string_equal(score[0].aim, "aim 10 %, stretch 2 %");
    for (size_t i = 0; i < cards; i++)
        assert_null(strstr(score[i].name, "saturated"));
}

/* A paper without figures of a kind has no card of them. */
TEST_IN(cards_have_numbers, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    const validation_case_spec spec = {.bicycles = 1, .bare = true};
    const validation_case_spec full = {.bicycles = 1};
    static const char card[] = "<span>behaviours seen</span>";
    char *without = page_of(validation_case(arena, &spec), "bare"),
         *with = page_of(validation_case(arena, &full), "full");
    assert_null(strstr(without, card));
    need(with, card);
}

/* Several papers: a row for each, with its scores and the way to its page. */
TEST_IN(overview, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    const validation_case_spec spec = {.bicycles = 1, .bare = true};
    fs_validation both[] = {*validation_case(arena, &spec), *validation_case(arena, &spec)};
    fs_paper other = *both[1].paper;
    other.name = "other-paper";
    other.title = "Another <paper>";
    both[1].paper = &other;
    both[1].scores.mean_error = 0.123;
    fs_error err = {0};
    assert_ok(fs_validations_overview(both, 2, "over", &err), &err);
    char *page = file_text("over/validation.html");
    need(page, "href=\"radiant-foam/validation.html\"");
    need(page, "href=\"other-paper/validation.html\"");
    need(page, "Another &lt;paper&gt;");
    need(page, ">8.7 %</td>");
    need(page, ">12.3 %</td>");
    need(page, ">2 / 40</td>"); /* failed, then the baseline's error and published values in their range */
    need(page, ">12.8 %</td>");
    need(page, ">30 / 38</td>");
}

TEST(numbers) {
    fs_arena *arena = test_arena();
    assert_string_equal(fs_words_share(arena, 0.07), "7 %");
    assert_string_equal(fs_words_share(arena, 0.0874), "8.7 %");
    assert_string_equal(fs_words_share(arena, 0), "0 %");
    assert_string_equal(fs_words_share(arena, (double)NAN), "–");
    assert_string_equal(fs_words_change(arena, -0.0123), "-1.2 %");
    assert_string_equal(fs_words_change(arena, 0.5), "+50 %");
    assert_string_equal(fs_words_change(arena, 12), "+1,200 %");
    assert_string_equal(fs_words_change(arena, 0.0002), "+0.02 %");
    assert_string_equal(fs_words_value(arena, 1.1, "s"), "1.1 s");
    assert_string_equal(fs_words_value(arena, 4199873, "cells"), "4,199,873 cells");
    assert_string_equal(fs_words_value(arena, (double)NAN, "s"), "–");
    assert_string_equal(fs_words_range(arena, 10, 10), "10");
    assert_string_equal(fs_words_path(arena, "/a/configs/b/configs/validation/x.yaml"),
                        "configs/validation/x.yaml");
    assert_string_equal(fs_words_path(arena, "/a/myconfigs/x.yaml"), "x.yaml");
    assert_string_equal(fs_words_count(arena, 1, "stand-in"), "1 stand-in");
}

int main(void) {
    char here[3072]; /* the tests leave this folder */
    if (getcwd(here, sizeof here) == NULL)
        return 1;
    setenv("FOAMSIM_DATA", here, 1);
    return test_run(NULL, NULL);
}
