/* Sheets: text never turns into markup, base64 and numbers are right, a page is whole and the same bits each time, and the other
 * writers say the same. */
#include "reports/page/page_file.h"
#include "reports/plot/plot.h"
#include "reports/sheet/sheet.h"
#include "sim/base/arith.h"
#include "sim/base/numbers.h"
#include "sim/results/results.h"
#include "sim/yaml/paths.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <unistd.h>

#include <png.h>

TEST(escapes) {
    char out[128];
    assert_int_equal(fs_page_escape("a<b> & \"c\" 'd'", out),
                     strlen("a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;"));
    assert_string_equal(out, "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    assert_int_equal(fs_page_escape("", out), 0);
}

TEST(addresses) {
    fs_arena *arena = test_arena();
    assert_string_equal(fs_page_address(arena, "runs/a b#1%?.html"), "runs/a%20b%231%25%3F.html");
    assert_string_equal(fs_path_without(arena, "runs/a.db", ".db"), "runs/a");
    assert_string_equal(fs_path_without(arena, "runs/a.db", ".html"), "runs/a.db");
    assert_string_equal(fs_path_without(arena, ".db", ".db"), ".db"); /* nothing would be left */
}

/* The test vectors of RFC 4648, section 10. */
TEST(base64) {
    static const char *const pair[][2] = {{"", ""},
                                          {"f", "Zg=="},
                                          {"fo", "Zm8="},
                                          {"foo", "Zm9v"},
                                          {"foob", "Zm9vYg=="},
                                          {"fooba", "Zm9vYmE="},
                                          {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        char out[16];
        assert_int_equal(fs_page_base64(pair[i][0], strlen(pair[i][0]), out), strlen(pair[i][1]));
        assert_string_equal(out, pair[i][1]);
    }
    char out[8];
    fs_page_base64("\xfb\xff\xfe", 3, out);
    assert_string_equal(out, "+//+");
}

TEST(numbers) {
    assert_string_equal(fs_number_grouped(0), "0");
    assert_string_equal(fs_number_grouped(-0.4), "0");
    assert_string_equal(fs_number_grouped(999), "999");
    assert_string_equal(fs_number_grouped(1000), "1,000");
    assert_string_equal(fs_number_grouped(-1234567), "-1,234,567");
    assert_string_equal(fs_number_short(0.012345, 3), "0.0123");
    assert_string_equal(fs_number_short(0.5, 3), "0.5");
    assert_string_equal(fs_number_short(1234567, 3), "1,234,567");
    assert_string_equal(fs_number_short(0, 3), "0");
    assert_string_equal(fs_number_short(100, 2), "100");
    assert_string_equal(fs_number_bytes(638976), "624 KiB");
    assert_string_equal(fs_number_bytes(12), "12 B");
    assert_string_equal(fs_number_seconds(0.6014), "601 ms");
    assert_string_equal(fs_number_seconds(0), "0 s");
    assert_string_equal(fs_number_joules(0.1236), "124 mJ");
    assert_string_equal(fs_number_joules(7950), "7.95 kJ");
    assert_string_equal(fs_number_joules(0), "0 J");
    assert_string_equal(fs_number_watts(298.4), "298 W");
    assert_string_equal(fs_number_in(0.60088, "s", 4), "600.9 ms");
    assert_string_equal(fs_number_in(0.9996, "s", 3), "1 s");
    assert_string_equal(fs_number_in(12345, "cycles", 3), "12,345");
    assert_string_equal(fs_number_in(12345.6, "cycles", 3), "12,346");
    assert_string_equal(fs_number_in((double)NAN, "s", 3), FS_NO_NUMBER);
    assert_string_equal(fs_number_with(784.52, "mm2"), "784.5 mm2");
    assert_string_equal(fs_number_with(12.34, "%"), "12.3 %");
    assert_string_equal(fs_number_with(0.0042, "s"), "4.2 ms");
    assert_string_equal(fs_number_with(7, ""), "7");
    assert_string_equal(fs_number_percent(0.0744), "7.4 %");
    assert_string_equal(fs_number_percent(0.1234), "12.3 %");
    assert_string_equal(fs_number_share(0.0004), "under 0.1 %");
    assert_string_equal(fs_number_change(-0.00037), "-0.037 %");
    assert_string_equal(fs_number_change(362.212), "+36,221 %");
    assert_string_equal(fs_number_change(0), "=");
    assert_string_equal(fs_number_change(-0.0744), "-7.4 %");
}

static bool know(void *self, const char *name, fs_number_value *out) {
    (void)self;
    *out = (fs_number_value){.number = strcmp(name, "share") == 0  ? 0.0004
                                       : strcmp(name, "rate") == 0 ? 1234567
                                       : strcmp(name, "one") == 0  ? 1
                                       : strcmp(name, "zero") == 0 ? 0
                                                                   : (double)NAN,
                             .text = strcmp(name, "@word") == 0 ? "tile" : NULL,
                             .unit = ""};
    return strcmp(name, "missing") != 0;
}

/* Values by their forms, and clauses: said where all their values are known, or where the value before `?` is one. */
TEST(texts_with_values) {
    static const struct {
        const char *text, *filled;
    } cases[] = {
        {"a {share|share}, {share|most}, {share|%}", "a under 0.1 %, less than 0.1 %, 0.04 %"},
        {"{zero|most} and {one|most}", "nothing and at most 1 %"},
        {"{rate|3e-6} M, {rate|whole}, {rate|.0}, {rate|B}", "1.23 M, 1,234,567, 1234567, 1.18 MiB"},
        {"{one|ray is/rays are} {zero|ray is/rays are}", "ray is rays are"},
        {"{@word}[, {nan}][, {missing}][, {one}].", "tile, 1."},
        {"[{nan}|else] [one?yes|no] [zero?yes|no][zero?yes] [nan?yes|no] [@word?yes]", "else yes no no yes"},
        {"[one?a[zero?b|c[{nan}]]d|e]f", "acdf"},
        {"{nan}", NULL},
        {"a | b ] c", "a | b ] c"},
        {NULL, NULL},
    };
    fs_arena *arena = test_arena();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *filled = fs_number_fill(arena, cases[i].text, know, NULL);
        if (cases[i].filled == NULL)
            assert_null(filled);
        else
            assert_string_equal(filled, cases[i].filled);
    }
}

static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
        count++;
    return count;
}

/* A chart of `values`, whose panel takes them twice. */
static void add_chart(fs_sheet *s, const char *id, const fs_values *values) {
    fs_chart *chart = fs_sheet_chart(s, id, "Held & sent", "A \"caption\".");
    fs_panel *panel = fs_chart_panel(s, chart, NULL);
    for (int i = 0; i < 2; i++) {
        fs_chart_series *one = fs_panel_series(s, panel, FS_DRAW_STEPS, "held", "rays");
        one->x = fs_values_steps(s, 0, 1, 40);
        one->y = values;
    }
}

static fs_sheet *sheet_of_all(void) {
    static int64_t held[40], same[40];
    fs_sheet *s = fs_sheet_create("<script>alert(1)</script>");
    for (int i = 0; i < 40; i++)
        held[i] = same[i] = i == 7 ? -1 : 3 * i;
    fs_sheet_section(s, "one", "One & only", NULL);
    fs_sheet_say(s, "%s: %d %zu %.2f %5ld%%", "</p><b>", -3, (size_t)7, 1.5, 12L);
    fs_rows *t = fs_sheet_table(s, NULL, "name", "#bytes [KiB]|a \"hint\"", NULL);
    fs_rows_add(t);
    fs_cell(t, "<i>,");
    fs_cell_bar(t, "3", 3, 2, "role-1");
    fs_rows_add(t);
    fs_cell_say(t, "<b>%s</b>", "a | b");
    fs_cell_number(t, "", (double)NAN);
    add_chart(s, "first", fs_values_whole(s, held, 40, 1));
    add_chart(s, "second", fs_values_whole(s, same, 40, 1));
    fs_sheet_headline(s, "<b>3 ms</b> a frame");
    fs_sheet_section(s, "two", "Two", "a \"table\"");
    fs_sheet_list(s, true, "findings");
    fs_sheet_item(s, "f", "<b>one</b> & %s", "<two>");
    fs_sheet_item(s, NULL, "three");
    fs_sheet_end(s);
    fs_sheet_json(s, "json", json_pack("{s:s}", "a", "</script>"));
    return s;
}

TEST(whole_page) {
    char path[64], *text[2];
    fs_error err = {0};
    for (int i = 0; i < 2; i++) {
        fs_sheet *s = sheet_of_all();
        snprintf(path, sizeof path, "made/deep/page-%d.html", i);
        assert_int_equal(fs_sheet_write(s, path, &err), FS_OK);
        fs_sheet_free(s);
        text[i] = fs_page_read(path, NULL, &err);
        assert_non_null(text[i]);
    }
    assert_string_equal(text[0], text[1]);
    static const char *const there[] = {
        "<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>",
        "<p>&lt;/p&gt;&lt;b&gt;: -3 7 1.50    12%</p>",
        "<td>&lt;i&gt;,</td>",
        "title=\"a &quot;hint&quot;\"",
        "width:100.00%",
        "\\u003c/script>",
        "<a href=\"#one\">One &amp; only</a>",
        "<p class=\"name\">&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<h1>&lt;b&gt;3 ms",
        ("<details class=\"fold\"><summary>\n<h2 id=\"two-title\">Two</h2>\n"
         "<span class=\"inside\">a &quot;table&quot;</span></summary>"),
        "</details>\n</section>",
        "<li id=\"f\"><b>one</b> & &lt;two&gt;</li>",
        "<h3>Held &amp; sent</h3>",
    };
    for (size_t i = 0; i < FS_COUNT(there); i++)
        assert_says(text[0], there[i]);
    static const char *const gone[] = {"class=&quot;", "{{", "http:"};
    for (size_t i = 0; i < FS_COUNT(gone); i++)
        assert_null(strstr(text[0], gone[i]));
    /* Four series of two charts show the same values, which stand once. */
    assert_int_equal(count_of(text[0], "data-kind="), 1);
    assert_int_equal(count_of(text[0], "\"y\":\"v1\""), 4);
    free(text[0]);
    free(text[1]);
}

/* What else is written of a sheet: numbers in full where a program reads them, texts without marks. */
TEST(other_writers) {
    fs_sheet *s = fs_sheet_create("sheet");
    static const fs_rows_column columns[] = {{.name = "name"},
                                             {.name = "time", .unit = "ms", .number = true}};
    fs_rows *t = fs_sheet_table_of(s, NULL, columns, FS_COUNT(columns));
    fs_rows_add(t);
    fs_cell_say(t, "<b>%s</b>", "a, b & \xc3\xa9");
    fs_cell_number(t, "0.33", 1.0 / 3);
    fs_rows_group(t, "%s", "others");
    fs_rows_add(t);
    fs_cell(t, "<none>");
    fs_cell_number(t, "", (double)NAN);
    char *csv = NULL, *print = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&csv, &bytes);
    fs_rows_csv(t, out);
    fclose(out);
    assert_string_equal(csv, "name,time\n\"a, b & \xc3\xa9\",0.3333333333333333\n<none>,\n");
    out = open_memstream(&print, &bytes);
    fs_rows_print(t, 0, out);
    fs_sheet_wrap(out, "- ", "a sentence");
    fclose(out);
    assert_string_equal(
        print, "name      time, ms\na, b & \xc3\xa9      0.33\nothers\n<none>           \xe2\x80\x93\n"
               "- a sentence\n");
    fs_sheet_free(s);
    free(csv);
    free(print);
}

TEST(as_markdown) {
    fs_sheet *s = sheet_of_all();
    char *text = fs_sheet_as_markdown(s, "images");
    static const char *const there[] = {"# \\<b\\>3 ms\\</b\\> a frame\n",
                                        "## Two\n",
                                        "1. **one** & ",
                                        "\n2. three\n",
                                        "| name | bytes, KiB |\n| --- | ---: |\n",
                                        "| **a \\| b** | \xe2\x80\x93 |",
                                        "](images/first.png)"};
    for (size_t i = 0; i < FS_COUNT(there); i++)
        assert_says(text, there[i]);
    free(text);
    fs_sheet_free(s);
}

/* A picture of few colours keeps them; of many, each pixel stays near its own. */
TEST(png_of_256_colours) {
    enum { SIDE = 64 };
    static uint8_t rgb[2][SIDE * SIDE * 3], back[SIDE * SIDE * 3];
    fs_error err = {0};
    for (size_t i = 0; i < sizeof rgb[0]; i++) {
        rgb[0][i] = (uint8_t)(i / 3 % 5 * 40 + i % 3);
        rgb[1][i] = (uint8_t)(i % 3 == 2 ? i / 3 / SIDE * 2 : i / 3 % SIDE * 4);
    }
    for (size_t k = 0; k < 2; k++) {
        png_image in = {.version = PNG_IMAGE_VERSION};
        assert_int_equal(fs_png_write_alone("many.png", FS_PICTURE_RGB(rgb[k], SIDE, SIDE), &err), FS_OK);
        assert_int_equal(fs_page_shrink_png("many.png", "few.png", &err), FS_OK);
        assert_true(png_image_begin_read_from_file(&in, "few.png"));
        assert_true((in.format & PNG_FORMAT_FLAG_COLORMAP) != 0 && in.colormap_entries <= 256);
        in.format = PNG_FORMAT_RGB;
        assert_true(png_image_finish_read(&in, NULL, back, 0, NULL));
        for (size_t i = 0; i < sizeof back; i++)
            assert_in_range(back[i] - rgb[k][i] + 256, 256 - 28 * (int)k, 256 + 28 * (int)k);
    }
    assert_int_equal(fs_page_shrink_png("nowhere.png", "few.png", &err), FS_IO);
}

static fs_status nothing_is_written(void *self, const char *folder, fs_error *err) {
    (void)self, (void)folder, (void)err;
    fail_msg("something is drawn without gnuplot");
    return FS_OK;
}

TEST(without_gnuplot) {
    fs_error err = {0};
    char *path = getenv("PATH"), *kept = path == NULL ? NULL : strdup(path);
    setenv("PATH", "/nowhere", 1);
    assert_fails(fs_plot_once("pictures", "phases", nothing_is_written, NULL, &err), FS_INPUT, &err,
                 "gnuplot is not installed");
    if (kept != NULL)
        setenv("PATH", kept, 1);
    free(kept);
}

int main(void) {
    char here[3072]; /* the tests leave this folder */
    if (getcwd(here, sizeof here) == NULL)
        return 1;
    setenv("FOAMSIM_DATA", here, 1);
    return test_run(scratch_enter, scratch_leave);
}
