/* Pages: text never turns into markup, base64 and numbers are right, a page is whole and the same bits each
 * time. */
#include "reports/page/page.h"
#include "reports/page/page_file.h"
#include "reports/plot/drawing.h"
#include "sim/base/numbers.h"
#include "sim/results/results.h"
#include "tests/support/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <png.h>

#include <cmocka.h>

static void escapes(void **state) {
    (void)state;
    char out[128];
    assert_int_equal(fs_page_escape("a<b> & \"c\" 'd'", out),
                     strlen("a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;"));
    assert_string_equal(out, "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    assert_int_equal(fs_page_escape("", out), 0);
}

/* The test vectors of RFC 4648, section 10. */
static void base64(void **state) {
    (void)state;
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

static void numbers(void **state) {
    (void)state;
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
static void texts_with_values(void **state) {
    (void)state;
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
    fs_arena *arena = fs_arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *filled = fs_number_fill(arena, cases[i].text, know, NULL);
        if (cases[i].filled == NULL)
            assert_null(filled);
        else
            assert_string_equal(filled, cases[i].filled);
    }
    fs_arena_free(arena);
}

static void whole_page(void **state) {
    (void)state;
    static const fs_page_column columns[] = {{"name", NULL, false, NULL},
                                             {"bytes", "KiB", true, "a \"hint\""}};
    static const uint16_t values[] = {1, 2, 65535};
    char path[2][4096];
    char *text[2];
    fs_error err = {0};
    for (int i = 0; i < 2; i++) {
        fs_page *page = fs_page_create("<script>alert(1)</script>");
        fs_page_section(page, "one", "One & only");
        fs_page_put(page, "<p>%s: %d %zu %.2f %5ld%%</p>", "</p><b>", -3, (size_t)7, 1.5, 12L);
        fs_page_table(page, NULL, columns, 2);
        fs_page_row(page);
        fs_page_cell(page, "<i>");
        fs_page_cell_bar(page, "3", 3, 2, "tracer");
        fs_page_table_end(page);
        fs_page_values(page, "values", FS_PAGE_U16, values, 3);
        fs_page_headline(page, "<b>3 ms</b> a frame");
        fs_page_folded(page, "two", "Two", "a \"table\"");
        fs_page_json(page, "json", 6, json_pack("{s:s}", "a", "</script>"));
        snprintf(path[i], sizeof path[i], "%s/deep/page-%d.html", "made", i);
        assert_int_equal(fs_page_write(page, path[i], &err), FS_OK);
        fs_page_free(page);
        text[i] = fs_page_read(path[i], NULL, &err);
        assert_non_null(text[i]);
    }
    assert_string_equal(text[0], text[1]);
    assert_non_null(strstr(text[0], "<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>"));
    assert_non_null(strstr(text[0], "<p>&lt;/p&gt;&lt;b&gt;: -3 7 1.50    12%</p>"));
    assert_non_null(strstr(text[0], "<td>&lt;i&gt;</td>"));
    assert_non_null(strstr(text[0], "title=\"a &quot;hint&quot;\""));
    assert_non_null(strstr(text[0], "width:100.00%"));
    assert_non_null(strstr(text[0], "\\u003c/script>"));
    assert_non_null(strstr(text[0], "<a href=\"#one\">One &amp; only</a>"));
    assert_non_null(
        strstr(text[0], "<p class=\"name\">&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<h1>&lt;b&gt;3 ms"));
    assert_non_null(strstr(text[0], "<details class=\"fold\"><summary>\n<h2 id=\"two-title\">Two</h2>\n"
                                    "<span class=\"inside\">a &quot;table&quot;</span></summary>"));
    assert_non_null(strstr(text[0], "</details>\n</section>"));
    assert_non_null(strstr(text[0], "class=\"number\""));
    assert_null(strstr(text[0], "class=&quot;"));
    assert_null(strstr(text[0], "{{"));
    assert_null(strstr(text[0], "http:"));
    free(text[0]);
    free(text[1]);
}

static void svg_follows_the_page(void **state) {
    (void)state;
    char svg[] =
        "<?xml version=\"1.0\"?>\n<svg \n width=\"40\" height=\"30\"\n viewBox=\"0 0 40 30\"\n "
        "xmlns=\"http://x\"\n>\n"
        "<title>Gnuplot</title><rect x=\"0\" y=\"0\" width=\"40\" height=\"30\" fill=\"#ffffff\"/>\n"
        "<path stroke='rgb( 34,  34,  34)' d='M1,2'/><path stroke='rgb(  1, 114, 178)'/><g "
        "id=\"gnuplot_plot_1\" "
        "fill=\"black\" font-family=\"DejaVu Sans\"><use xlink:href='#gpDot'/><text>black &amp; blue</text>"
        "<image xlink:href='data:image/png;base64,gpAb#222222'/></g></svg>\n";
    fs_text out = {0};
    fs_error err = {0};
    assert_int_equal(fs_page_svg_inline(&out, svg, "a.svg", "plot-a", "a <plot>", &err), FS_OK);
    assert_string_equal(
        out.text,
        "<div class=\"plot-box\"><svg class=\"plot\" viewBox=\"0 0 40 30\" style=\"--w:40px\" role=\"img\" "
        "id=\"plot-a\" "
        "aria-label=\"a &lt;plot&gt;\"><path stroke='var(--ink)' d='M1,2'/><path stroke='#0172b2'/><g "
        "id=\"plot-a-gnuplot_plot_1\" fill=\"currentColor\"><use href='#plot-a-gpDot'/><text>black &amp; "
        "blue</text><image href='data:image/png;base64,gpAb#222222'/></g></svg>\n</div>\n");
    free(out.text);
    char half[] = "<svg width=\"40\" viewBox=\"0 0 40 30\"><path";
    assert_int_equal(fs_page_svg_inline(&out, half, "half.svg", "h", "", &err), FS_IO);
    assert_non_null(strstr(err.text, "half.svg"));
}

/* What gnuplot writes, in fewer letters: cells of a colour are one path, labels of like attributes one group, a line has its
 * steps; what has another form stays. */
static void svg_in_fewer_letters(void **state) {
    (void)state;
    char *small = fs_page_svg_small(
        "\n<g a=\"b\">\n\t<polygon fill = 'red' points = '1.00,4.04 3.00,4.04 3.00,2.00 1.00,2.00 '/>\n"
        "\t<polygon fill = 'red' points = '5.00,2.00 5.00,4.00 6.00,4.00 6.00,2.00 '/>\n"
        "\t<polygon fill = 'blue' points = '5,2 5,4 6,4 6,2 '/>\n\t<polygon fill = 'blue' points = '0,0 4,1 "
        "9,9 '/>\n</g>\n"
        "<g transform=\"translate(1.00,2.50)\" x=\"y\">\n\t<text>a &lt; b</text>\n</g>\n"
        "<g transform=\"translate(3.00,2.50)\" x=\"y\">\n\t<text>c</text>\n</g>\n"
        "<g transform=\"translate(3,2) rotate(-90)\" x=\"y\"><text>d</text></g>\n"
        "<path stroke='s'  d='M1.00,2.00 L1.00,3.00 L2.06,2.96 \n\t L2.07,2.96 M9.00,9.00 L8.50,9.00  '/>\n"
        "<path stroke='s' d='M1,2 C3,4 5,6 7,8'/></svg>");
    assert_string_equal(
        small,
        "<g a=\"b\"><path fill='red' d='M1,2h2v2h-2zM5,2h1v2h-1z'/><path fill='blue' d='M5,2h1v2h-1z'/>"
        "<path fill='blue' d='M0,0l4 1l5 8z'/></g><g x=\"y\"><text x=\"1.00\" y=\"2.50\">a &lt; b</text>"
        "<text x=\"3.00\" y=\"2.50\">c</text></g>"
        "<g transform=\"translate(3,2) rotate(-90)\" x=\"y\"><text>d</text></g>"
        "<path stroke='s'  d='M1,2v1h1.1M9,9h-.5'/><path stroke='s' d='M1,2 C3,4 5,6 7,8'/></svg>");
    free(small);
}

/* A picture of few colours keeps them; of many, each pixel stays near its own. */
static void png_of_256_colours(void **state) {
    (void)state;
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

static void without_gnuplot(void **state) {
    (void)state;
    fs_error err = {0};
    char *path = getenv("PATH"), *kept = path == NULL ? NULL : strdup(path);
    setenv("PATH", "/nowhere", 1);
    static const char *const name[] = {"phases"};
    fs_drawing *d = fs_drawing_open("pictures", NULL, &err);
    assert_non_null(d);
    assert_int_equal(fs_drawing_run(d, name, 1, FS_PLOT_SVG, NULL, &err), FS_INPUT);
    fs_drawing_close(d, false, &err);
    assert_non_null(strstr(err.text, "gnuplot is not installed"));
    if (kept != NULL)
        setenv("PATH", kept, 1);
    free(kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes),
        cmocka_unit_test(base64),
        cmocka_unit_test(numbers),
        cmocka_unit_test(texts_with_values),
        cmocka_unit_test(whole_page),
        cmocka_unit_test(svg_follows_the_page),
        cmocka_unit_test(svg_in_fewer_letters),
        cmocka_unit_test(png_of_256_colours),
        cmocka_unit_test(without_gnuplot),
    };
    char here[3072]; /* the tests leave this folder */
    if (getcwd(here, sizeof here) == NULL)
        return 1;
    setenv("FOAMSIM_DATA", here, 1);
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
