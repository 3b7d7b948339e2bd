/* `foamsim report STORE`: a sweep as one page without a network, the same bits again; its table sorts and
 * filters, its keys show commands, in a browser without a word in its console; a point's run is made again.
 */
#include "registry/registry.h"
#include "reports/study/study_page.h"
#include "tests/support/cli.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/scratch.h"
#include "tests/support/sweep/sweep_case.h"
#include "tests/support/test.h"

static void make_store(const char *path, const char *resolved, size_t idles, size_t open) {
    fs_error err = {0};
    assert_ok(sweep_case_store(path, resolved, idles, open, &err), &err);
}

TEST(page_of_a_store) {
    make_store("a.db", "name: x\n", 1, 0);
    cli_must("report", "a.db", NULL);
    char *page = file_text("a.html");
    static const char *const sections[] = {"summary", "best",   "axes",   "pairs",  "front",
                                           "effects", "points", "failed", "origin", NULL};
    need_sections(page, sections);
    /* The front stands on the first screen, once. */
    const char *front = strstr(page, "<figure id=\"front-0-1\""),
               *best = strstr(page, "<section id=\"best\"");
    assert_true(front != NULL && best != NULL && front < best);
    assert_int_equal(count(page, "<figure id=\"front-0-1\""), 1);
    /* By the formulas of the case: the fat tree with 8 lanes, fp16 and 8 rows a batch is the fastest that
     * fits. */
    need(page, "overlay.kind = fat_tree, overlay.widths = 8, payload = fp16, batching.per_batch = 8");
    need(page, "overlay.kind matters most for time on the device");
    const char *first = strstr(page, "<div class=\"card\"><span>"),
               *points = strstr(page, "<div class=\"card\"><span>points<");
    assert_true(first != NULL && points != NULL && first < points); /* the answer before the counts */
    assert_int_equal(strncmp(first, "<div class=\"card\"><span>best time on the device<", 48), 0);
    need(page, "10 points failed: overlay direct: ");
    need(page, "all have overlay.kind = direct and overlay.widths = 8, and no point with both escapes");
    need(page, "lanes of &lt;tile&gt; 3"); /* text is no markup */
    need(page, "foamsim report a.db --point ");
    assert_true(strlen(page) < 5000000);
    need_no_network(page);
    cli_must("report", "a.db", "--sweep", "overlays", "-o", "again.html", NULL);
    char *again = file_text("again.html");
    assert_string_equal(page, again);
}

/* What a user does, done by a script at the end of the page; what came of it stands in the body. */
static const char driver[] =
    "<script>setTimeout(() => { const box = document.querySelector('.filterable');const rows = () => "
    "Array.from(box.querySelectorAll('tbody tr')).filter((r) => !r.hidden);const said = []; const all = "
    "rows().length;const heads = Array.from(box.querySelectorAll('thead th'));const column = "
    "heads.findIndex((h) => h.textContent.replace(/\\u200b/g, '') === 'time on the device');const values = "
    "() => rows().map((r) => parseFloat(r.cells[column].dataset.value)).filter((v) => "
    "!isNaN(v));heads[column].querySelector('button').click();said.push(values().every((v, i, a) => i === 0 "
    "|| a[i - 1] <= v));heads[column].querySelector('button').click();said.push(values().every((v, i, a) => "
    "i === 0 || a[i - 1] >= v));const select = box.querySelector('select'); select.value = "
    "'mesh';select.dispatchEvent(new Event('input', { bubbles: true })); const mesh = "
    "rows().length;said.push(rows().every((r) => r.cells[0].textContent === 'mesh'));const text = "
    "box.querySelector('input'); text.value = 'infeasible FP32';text.dispatchEvent(new Event('input', { "
    "bubbles: true }));said.push(rows().length > 0 && rows().length < mesh && rows().every((r) => "
    "r.textContent.includes('fp32')));box.querySelector('button[type=reset]').click();setTimeout(() => { "
    "said.push(rows().length === all);rows()[3].querySelector('.pick').click(); const picked = "
    "document.getElementById('picked');said.push(!picked.hidden && "
    "picked.querySelector('code').textContent.includes(rows()[3].querySelector('code').textContent));"
    "document.dispatchEvent(new "
    "KeyboardEvent('keydown', { key: 'Escape' })); said.push(picked.hidden);"
    /* some dot lies under some place of the front's chart */
    "const svg = document.querySelector('#front-0-1 svg'), box = svg.getBoundingClientRect();const tip = "
    "document.getElementById('tip'); let told = false;for (let x = box.left; x < box.right && !told; x += "
    "14) for (let y = box.top; y < box.bottom && !told; y += 6) {svg.dispatchEvent(new "
    "PointerEvent('pointermove', { clientX: x, clientY: y }));told = !tip.hidden && /overlay.kind = .*time "
    "on the device: .* ms.*SRAM of the fullest tile: .* KiB/.test(tip.textContent); "
    "}said.push(told);svg.dispatchEvent(new MouseEvent('click')); "
    "said.push(!picked.hidden);document.body.dataset.driven = `${all} ${mesh} ${said.join(' ')}`; }, 100); "
    "}, 3000);</script>";

TEST(in_a_browser) {
    if (!have_program("chromium"))
        skip();
    make_store("b.db", "name: x\n", 3, 25);
    cli_must("report", "b.db", "-o", "b.html", NULL);
    char *page = file_text("b.html");
    assert_true(strlen(page) < 5000000);
    FILE *driven = fopen("driven.html", "w");
    assert_non_null(driven);
    fwrite(page, 1, strlen(page), driven);
    fputs(driver, driven);
    fclose(driven);
    int status =
        system("chromium --headless --no-sandbox --disable-gpu --user-data-dir=browser "
               "--enable-logging=stderr --virtual-time-budget=20000 --dump-dom \"file://$PWD/driven.html\" "
               ">dom 2>console");
    assert_int_equal(status, 0);
    char *console = file_text("console"), *dom = file_text("dom");
    if (strstr(console, "CONSOLE") != NULL)
        fail_msg("the console says %.300s", strstr(console, "CONSOLE"));
    const char *body = strstr(dom, "<body");
    assert_non_null(body);
    if (strstr(dom, "data-drawn=\"ok\"") == NULL)
        fail_msg("not all is drawn: %.300s", body);
    if (strstr(dom, "data-driven=\"600 120 true true true true true true true true true\"") == NULL)
        fail_msg("the table does not do what it should: %.300s", body);
}

static double at_first(const size_t *at) {
    return 1 + (double)at[0];
}

/* Names too long for their places are cut, and none like another. */
TEST(cut_names_stay_apart) {
    enum { NAMES = 9 };
    if (!have_program("chromium"))
        skip();
    fs_arena *arena = test_arena();
    fs_error err = {0};
    sweep_case_figure *const figures[] = {at_first};
    sweep_case *c = sweep_case_cross(arena, (size_t[]){NAMES, 2}, 2, figures, 1);
    for (size_t p = 0; p < c->sweep.point_count; p++) {
        c->setting[2 * p].value = fs_arena_printf(arena, "fat-tree-with-top-widths-%zu", p / 2);
        c->setting[2 * p].number = (double)NAN;
    }
    assert_ok(fs_study_write_page(fs_study_of(&c->sweep, &fs_registry_all, arena), "n.db", "n.html", 0, &err),
              &err);
    assert_int_equal(
        system("chromium --headless --no-sandbox --disable-gpu --user-data-dir=browser --window-size=900,900 "
               "--virtual-time-budget=10000 --dump-dom \"file://$PWD/n.html\" >dom 2>console"),
        0);
    char *dom = file_text("dom");
    const char *chart = strstr(dom, "<figure id=\"axis-0-0\"");
    assert_non_null(chart);
    char *end = strstr(chart, "</figure>");
    assert_non_null(end);
    *end = '\0';
    assert_null(strstr(chart, ">fat-tree-with-top-widths-0<")); /* they are cut */
    for (size_t i = 0; i < NAMES; i++) {
        const char *name = fs_arena_printf(arena, "-%zu</text>", i);
        assert_says(chart, name);
    }
}

TEST(a_point_again) {
    if (!have_program("gnuplot"))
        skip();
    cli_write_experiment("small.yaml");
    char *yaml = file_text("small.yaml");
    make_store("c.db", yaml, 1, 190);
    cli_must("report", "c.db", NULL); /* few are done */
    char *page = file_text("c.html");
    need(page, "not there yet");
    const char *key = strstr(page, "--point ");
    assert_non_null(key);
    char word[13] = "";
    memcpy(word, key + strlen("--point "), 12);
    cli_must("report", "c.db", "--point", word, "-o", "point.html", NULL);
    page = file_text("point.html");
    need(page, "<section id=\"iterations\"");
    assert_true(scratch_there("point_run/resolved.yaml"));
    assert_false(scratch_there("point_run.yaml"));
    cli_must("report", "c.db", "-p", word, "-o", "point.html", NULL); /* in place of the first */
}

static void refused(const char *words, cli_result result) {
    assert_int_equal(result.status, 2);
    assert_says(result.err, words);
}

TEST(what_cannot_be) {
    make_store("d.db", "name: x\n", 1, 200);
    refused("no sweep \"other\"", cli("report", "d.db", "--sweep", "other", NULL));
    refused("no point whose key begins with \"zzz\"", cli("report", "d.db", "--point", "zzz", NULL));
    refused("is no store", cli("report", "nowhere", "--point", "abc", NULL));
    cli_write("text.db", "not a database at all");
    refused("text.db", cli("report", "text.db", NULL));
    cli_must("report", "d.db", NULL); /* nothing done: words and the table */
    char *page = file_text("d.html");
    need(page, "No point has a figure time on the device yet.");
}

RUN_TESTS(cli_enter, cli_leave)
