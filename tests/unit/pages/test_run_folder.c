/* The reader of run folders against folders of known content, whole and damaged. Each test works in a
 * temporary folder of its own. */
#include "registry/registry.h"
#include "reports/read/run_folder.h"
#include "sim/results/results.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <png.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 5, HEIGHT = 3, TILES = 4, ITERATIONS = 6 };

static fs_error err;

static void put_table(fs_results *r, const char *name, const char *const *columns, const char *const *units,
                      size_t count, const char *text) {
    FILE *file = fs_results_create(r, name, columns, units, count, &err);
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fs_results_close(r, file, &err), FS_OK);
}

static void put_json(fs_results *r, const char *name, const char *text) {
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_int_equal(fs_results_json(r, name, root, &err), FS_OK);
    json_decref(root);
}

static const char *const word_columns[] = {"word", "whole", "real"}, *const word_units[] = {"", "rays", "s"};
static const char *const stat_columns[] = {"name", "unit", "value", "description"};
static const char *const no_units[4] = {"", "", "", ""};

/* A folder "run" with one of everything. */
static void write_run(const char *dir) {
    err = (fs_error){0};
    fs_results *r = fs_results_open(dir, true, &err);
    assert_non_null(r);
    fs_results_note(r, "config_sha256", "abc");
    put_table(r, "words.csv", word_columns, word_units, 3,
              "plain,-9223372036854775808,0.5\n"
              "\"a \"\"quoted\"\", word\",9223372036854775807,null\n"
              "\"\",0,-1.25e-3\n");
    put_table(r, "stats.csv", stat_columns, no_units, 4,
              "device.cycles,cycles,12,\"time, all of it\"\ndevice.seconds,s,0.25,the same\n");
    put_json(
        r, "summary.json",
        "{\"device\": {\"cycles\": 12, \"seconds\": 0.25, \"period\": null}, \"complete\": true, \"note\": "
        "\"so\", \"list\": [3, 4.5]}");
    put_json(r, "findings.json",
             "{\"findings\": [{\"key\": \"pace\", \"text\": \"Tracers.\", \"figures\": {\"share\": 0.5}},"
             "{\"key\": \"none\", \"text\": \"Nothing else.\"}]}");
    FILE *file = fs_results_create(r, "resolved.yaml", NULL, NULL, 0, &err);
    fputs("# words\nname: \"a \\\"b\\\" c\"   # here\noverlay:\n  kind: quadtree # default\n"
          "  widths: [1, 1, 2]\n  inner:\n    depth: 3 cycles\n",
          file);
    assert_int_equal(fs_results_close(r, file, &err), FS_OK);
    uint8_t rgb[HEIGHT * WIDTH * 3];
    uint16_t grey[HEIGHT * WIDTH];
    for (size_t i = 0; i < sizeof rgb; i++)
        rgb[i] = (uint8_t)(5 * i);
    for (size_t i = 0; i < HEIGHT * WIDTH; i++)
        grey[i] = (uint16_t)(4001 * i + 3);
    assert_int_equal(fs_results_png(r, "image.png", FS_PICTURE_RGB(rgb, WIDTH, HEIGHT), &err), FS_OK);
    assert_int_equal(fs_results_png(r, "depth.png", FS_PICTURE_GREY(grey, WIDTH, HEIGHT), &err), FS_OK);
    assert_int_equal(fs_results_commit(r, &err), FS_OK);
}

static fs_folder *open_run(const char *dir) {
    err = (fs_error){0};
    fs_folder *run = fs_folder_open(dir, fs_registry_stats, &err);
    assert_got(run, &err);
    return run;
}

TEST_IN(test_figures, scratch_enter, scratch_leave) {
    write_run("some/run");
    fs_folder *run = open_run("some/run//");
    assert_string_equal(fs_folder_path(run), "some/run");
    assert_string_equal(fs_folder_label(run), "run");
    assert_string_equal(fs_folder_name(run), "a \"b\" c");
    assert_string_equal(fs_folder_note(run, "config_sha256"), "abc");
    assert_string_equal(fs_folder_note(run, "nothing"), "");
    size_t count = 0;
    const fs_figure *list = fs_folder_figures(run, &count);
    static const char *const names[] = {"device.cycles", "device.seconds", "device.period", "complete",
                                        "note",          "list.0",         "list.1"};
    assert_int_equal(count, 7);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(list[i].name, names[i]);
    assert_true(list[0].whole && list[0].kind == FS_FIGURE_NUMBER && list[0].value == 12);
    assert_string_equal(list[0].unit, "cycles");
    assert_string_equal(list[0].description, "time, all of it");
    assert_true(!list[1].whole && list[1].value == 0.25);
    assert_string_equal(list[1].text, "0.25");
    assert_true(isnan(list[2].value));
    assert_true(list[3].kind == FS_FIGURE_FLAG && list[3].value == 1);
    assert_true(list[4].kind == FS_FIGURE_WORD);
    assert_string_equal(list[4].text, "so");
    assert_true(fs_folder_number(run, "list.1") == 4.5);
    assert_true(isnan(fs_folder_number(run, "device.nothing")));
    assert_int_equal(fs_folder_views(run), 0);
    fs_folder_close(run);
}

TEST_IN(test_tables, scratch_enter, scratch_leave) {
    write_run("run");
    fs_folder *run = open_run("run");
    const fs_csv *t = fs_folder_table(run, "words.csv", &err);
    assert_non_null(t);
    assert_ptr_equal(t, fs_folder_table(run, "words.csv", &err));
    assert_int_equal(fs_csv_rows(t), 3);
    assert_int_equal(fs_csv_columns(t), 3);
    assert_string_equal(fs_csv_column(t, 2), "real");
    assert_string_equal(fs_csv_unit(t, 1), "rays");
    assert_string_equal(fs_csv_text(t, 1, "word"), "a \"quoted\", word");
    assert_string_equal(fs_csv_text(t, 2, "word"), "");
    assert_string_equal(fs_csv_text(t, 0, "nothing"), "");
    const int64_t *whole = fs_csv_ints(t, "whole", &err);
    assert_true(whole[0] == INT64_MIN && whole[1] == INT64_MAX && whole[2] == 0);
    const double *real = fs_csv_reals(t, "real", &err);
    assert_true(real[0] == 0.5 && isnan(real[1]) && real[2] == -1.25e-3);
    assert_true(fs_csv_reals(t, "whole", &err)[2] == 0);
    assert_null(fs_csv_ints(t, "real", &err));
    assert_non_null(strstr(err.text, "run/words.csv:2: real: expected an integer, found \"0.5\""));
    err = (fs_error){0};
    assert_null(fs_csv_reals(t, "word", &err));
    err = (fs_error){0};
    assert_null(fs_csv_words(t, "absent", &err));
    assert_non_null(strstr(err.text, "no column \"absent\""));
    fs_folder_forget(run, "words.csv");
    assert_non_null(fs_folder_table(run, "words.csv", &err));
    err = (fs_error){0};
    assert_null(fs_folder_table(run, "levels.csv", &err));
    assert_int_equal(err.status, FS_INPUT);
    assert_false(fs_folder_has(run, "levels.csv"));
    fs_folder_close(run);
}

/* Without parameters.csv the values of resolved.yaml; with it all that it says. */
TEST_IN(test_settings_and_findings, scratch_enter, scratch_leave) {
    write_run("run");
    fs_folder *run = open_run("run");
    size_t count = 0;
    const fs_setting *s = fs_folder_settings(run, &count, &err);
    assert_non_null(s);
    assert_int_equal(count, 3);
    assert_string_equal(fs_folder_setting(run, "overlay.kind"), "quadtree");
    assert_string_equal(fs_folder_setting(run, "overlay.widths"), "[1, 1, 2]");
    assert_string_equal(fs_folder_setting(run, "overlay.inner.depth"), "3 cycles");
    assert_null(fs_folder_setting(run, "overlay.inner"));
    const fs_read_finding *f = fs_folder_findings(run, &count, &err);
    assert_int_equal(count, 2);
    assert_string_equal(f[0].key, "pace");
    assert_string_equal(f[1].text, "Nothing else.");
    assert_true(f[0].count == 1 && f[0].figures[0].value == 0.5 && f[1].count == 0);
    fs_folder_close(run);

    FILE *file = fopen("run/parameters.csv", "w");
    fputs("section,key,value,unit,default,changed,origin,confidence,source,touches,description\n"
          "run,seed,2,,1,yes,--set,-,,results,\"of all, that is random\"\n",
          file);
    fclose(file);
    run = open_run("run");
    s = fs_folder_settings(run, &count, &err);
    assert_int_equal(count, 1);
    assert_true(s[0].changed);
    assert_string_equal(s[0].standard, "1");
    assert_string_equal(s[0].description, "of all, that is random");
    fs_folder_close(run);

    assert_int_equal(unlink("run/parameters.csv") + unlink("run/findings.json"), 0);
    assert_null(fs_folder_open("run", fs_registry_stats, &err)); /* findings.json is listed */
}

TEST_IN(test_pictures, scratch_enter, scratch_leave) {
    write_run("run");
    fs_folder *run = open_run("run");
    uint32_t width = 0, height = 0;
    uint8_t *rgb = fs_png_read_rgb("run/image.png", &width, &height, &err);
    assert_true(rgb != NULL && width == WIDTH && height == HEIGHT);
    for (size_t i = 0; i < WIDTH * HEIGHT * 3; i++)
        assert_int_equal(rgb[i], (uint8_t)(5 * i));
    free(rgb);
    uint16_t grey[WIDTH * HEIGHT]; /* 16 bits without a gamma are taken as they are */
    png_image depth = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&depth, "run/depth.png"));
    assert_true(depth.width == WIDTH && depth.height == HEIGHT && depth.format == PNG_FORMAT_LINEAR_Y);
    assert_true(png_image_finish_read(&depth, NULL, grey, 0, NULL));
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(grey[i], (uint16_t)(4001 * i + 3));
    err = (fs_error){0};
    assert_null(fs_png_read_rgb("run/nothing.png", &width, &height, &err));
    assert_int_equal(err.status, FS_INPUT);
    assert_int_equal(truncate("run/image.png", 60), 0);
    err = (fs_error){0};
    assert_null(fs_png_read_rgb("run/image.png", &width, &height, &err));
    assert_non_null(strstr(err.text, "image.png: no PNG"));
    fs_folder_close(run);
}

static void refused(const char *dir, const char *words) {
    err = (fs_error){0};
    fs_folder *run = fs_folder_open(dir, fs_registry_stats, &err);
    if (run != NULL)
        fail_msg("%s was opened", dir);
    assert_int_equal(err.status, FS_INPUT);
    assert_says(err.text, words);
}

TEST_IN(test_no_whole_folder, scratch_enter, scratch_leave) {
    refused("nowhere", "no such run folder");
    assert_int_equal(mkdir("empty", 0777), 0);
    refused("empty", "no manifest.json");
    scratch_write("file", "words");
    refused("file", "found a file");
    write_run("run");
    assert_int_equal(rename("run", "run.partial"), 0);
    refused("run.partial", "interrupted");
    assert_int_equal(rename("run.partial", "kept"), 0); /* nobody takes it over */
    write_run("run");
    assert_int_equal(truncate("run/words.csv", 20), 0);
    refused("run", "words.csv: 20 bytes, but the manifest says");
    assert_int_equal(unlink("run/words.csv"), 0);
    refused("run", "words.csv: the manifest lists it");
    scratch_write("run/manifest.json", "{\"files\": [");
    refused("run", "manifest.json:1:");
    scratch_write("run/manifest.json", "{\"files\": 3}");
    refused("run", "lists no files");
    scratch_write("run/manifest.json", "{\"files\": []}");
    scratch_write("run/summary.json", "{\"device\": }");
    refused("run", "summary.json:1:");
    assert_int_equal(unlink("run/summary.json"), 0);
    refused("run", "no summary.json");
}

static void damaged(fs_folder *run, const char *text, const char *words) {
    scratch_write("run/extra.csv", text);
    fs_folder_forget(run, "extra.csv");
    err = (fs_error){0};
    const fs_csv *t = fs_folder_table(run, "extra.csv", &err);
    if (t != NULL)
        fs_csv_ints(t, "b", &err);
    assert_int_equal(err.status, FS_INPUT);
    assert_says(err.text, words);
}

TEST_IN(test_damaged_tables, scratch_enter, scratch_leave) {
    write_run("run");
    fs_folder *run = open_run("run");
    damaged(run, "", "empty");
    damaged(run, "a,b\n1,2\n3\n", "extra.csv:3: expected 2 cells, found 1");
    damaged(run, "a,b\n1,2\n3,4,5\n", "extra.csv:3: expected 2 cells, found 3");
    damaged(run, "a,b\n1,2\n3,4", "extra.csv:3: the last line does not end");
    damaged(run, "a,b\n1,2\n3,", "cut");
    damaged(run, "a,b\n1,\"2\n", "extra.csv:2: a quoted cell");
    damaged(run, "a,b\n1,\"2\"3\n", "extra.csv:2: a quoted cell");
    damaged(run, "a,b\n1,2\n1,\n", "extra.csv:3: b: expected an integer, found \"\"");
    damaged(run, "a,b\n1,99999999999999999999\n", "expected an integer");
    damaged(run, "a,b\n1,12x\n", "expected an integer");
    damaged(run, "a,c\n1,2\n", "no column \"b\"");
    FILE *file = fopen("run/extra.csv", "w");
    fwrite("a,b\n1,\0\n", 1, 8, file);
    fclose(file);
    err = (fs_error){0};
    fs_folder_forget(run, "extra.csv");
    assert_null(fs_folder_table(run, "extra.csv", &err));
    assert_non_null(strstr(err.text, "byte 0"));
    /* A header alone is a table without rows. */
    scratch_write("run/extra.csv", "a,b\n");
    const fs_csv *t = fs_folder_table(run, "extra.csv", &err);
    assert_true(t != NULL && fs_csv_rows(t) == 0 && fs_csv_columns(t) == 2);
    fs_folder_close(run);
}

/* occupancy.csv of a whole machine: right, and read in well under a second. */
TEST_IN(test_matrix, scratch_enter, scratch_leave) {
    enum { ROWS = 1472, COLUMNS = 1000 };
    write_run("run");
    FILE *file = fopen("run/occupancy.csv", "w");
    fputs("tile,role", file);
    for (int i = 0; i < COLUMNS; i++)
        fprintf(file, ",i%d", i);
    for (int t = 0; t < ROWS; t++) {
        fprintf(file, "\n%d,tracer", t);
        for (int i = 0; i < COLUMNS; i++)
            fprintf(file, ",%d", (t * 7919 + i * 104729) % 5760);
    }
    fputs("\n", file);
    fclose(file);
    clock_t begin = clock();
    fs_folder *run = open_run("run");
    const fs_csv *t = fs_folder_table(run, "occupancy.csv", &err);
    size_t width = 0;
    const int64_t *held = fs_csv_matrix(t, "i0", &width, &err);
    assert_true(held != NULL && width == COLUMNS && fs_csv_rows(t) == ROWS);
    print_message("read 1.5 million cells in %.3f s\n", (double)(clock() - begin) / CLOCKS_PER_SEC);
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < COLUMNS; i++)
            if (held[r * COLUMNS + i] != (r * 7919 + i * 104729) % 5760)
                fail_msg("tile %d, iteration %d: %" PRId64, r, i, held[r * COLUMNS + i]);
    assert_ptr_equal(held, fs_csv_matrix(t, "i0", &width, &err));
    assert_null(fs_csv_matrix(t, "role", &width, &err));
    fs_folder_close(run);
}

TEST_IN(test_views, scratch_enter, scratch_leave) {
    write_run("run");
    write_run("run/view-0");
    write_run("run/view-1");
    fs_folder *run = open_run("run");
    assert_int_equal(fs_folder_views(run), 2);
    fs_folder *view = fs_folder_view(run, 1, &err);
    assert_non_null(view);
    assert_ptr_equal(view, fs_folder_view(run, 1, &err));
    assert_string_equal(fs_folder_label(view), "view-1");
    assert_true(fs_folder_number(view, "device.cycles") == 12);
    assert_int_equal(truncate("run/view-0/words.csv", 3), 0);
    assert_null(fs_folder_view(run, 0, &err));
    assert_non_null(strstr(err.text, "run/view-0/words.csv"));
    fs_folder_close(run);
}

RUN_TESTS(NULL, NULL)
