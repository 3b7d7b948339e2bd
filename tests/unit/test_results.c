/* The run folder: whole or not there, whatever happens. Each test works in a temporary folder of its own. */
#include "sim/base/digest.h"
#include "sim/base/rng.h"
#include "sim/base/version.h"
#include "sim/results/private.h"
#include "sim/results/results.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <errno.h>
#include <png.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* But for the mark of a folder in the making, which a kill right behind the last rename leaves in a whole
 * one. */
static size_t names_in(const char *folder) {
    DIR *d = opendir(folder);
    assert_non_null(d);
    size_t count = 0;
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static const char *const columns[] = {"iteration", "cycles"};
static const char *const units[] = {"", "cycles"};

/* A small run folder whose contents depend on `version`. */
static fs_status write_folder(const char *dir, bool force, int version, int lines, fs_error *err) {
    fs_results *r = fs_results_open(dir, force, err);
    if (r == NULL)
        return err->status;
    FILE *csv = fs_results_create(r, "iterations.csv", columns, units, 2, err);
    if (csv == NULL) {
        fs_results_discard(r);
        return err->status;
    }
    for (int i = 0; i < lines; i++)
        fprintf(csv, "%d,%d\n", i, i * version);
    json_t *root = json_pack("{s:i}", "version", version);
    if (fs_results_close(r, csv, err) || fs_results_json(r, "summary.json", root, err)) {
        json_decref(root);
        fs_results_discard(r);
        return err->status;
    }
    json_decref(root);
    return fs_results_commit(r, err);
}

/* Every file that the manifest lists is there with its size and digest, and nothing else is. */
static void check_whole(const char *dir) {
    char path[4096];
    snprintf(path, sizeof path, "%s/manifest.json", dir);
    json_error_t broken;
    json_t *manifest = json_load_file(path, 0, &broken);
    assert_non_null(manifest);
    json_t *files = json_object_get(manifest, "files");
    size_t listed = json_array_size(files), unlisted = 1;
    for (size_t i = 0; i < listed; i++) {
        json_t *file = json_array_get(files, i);
        snprintf(path, sizeof path, "%s/%s", dir, json_string_value(json_object_get(file, "file")));
        assert_true(scratch_there(path));
        if (json_object_get(file, "sha256") == NULL)
            continue;
        char hex[FS_DIGEST_HEX];
        fs_error err = {0};
        assert_int_equal(fs_digest_file(path, hex, &err), FS_OK);
        assert_string_equal(hex, json_string_value(json_object_get(file, "sha256")));
        struct stat info;
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_size, json_integer_value(json_object_get(file, "bytes")));
    }
    snprintf(path, sizeof path, "%s/host.json", dir);
    unlisted += scratch_there(path);
    assert_int_equal(names_in(dir), listed + unlisted);
    json_decref(manifest);
}

static long long version_of(const char *dir) {
    char path[4096];
    snprintf(path, sizeof path, "%s/summary.json", dir);
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    long long version = json_integer_value(json_object_get(root, "version"));
    json_decref(root);
    return version;
}

static void assert_file_is(const char *path, const char *expected) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char text[8192];
    size_t got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[got] = '\0';
    assert_string_equal(text, expected);
}

TEST_IN(whole_folder, scratch_enter, scratch_leave) {
    fs_error err = {0};
    fs_results *r = fs_results_open("runs/deep/first/", false, &err);
    assert_non_null(r);
    fs_results_note(r, "config_sha256", "abc");
    FILE *csv = fs_results_create(r, "iterations.csv", columns, units, 2, &err);
    fputs("0,17\n", csv);
    assert_int_equal(fs_results_close(r, csv, &err), FS_OK);
    json_t *root = json_pack("{s:f, s:f, s:i, s:n, s:b, s:[iii], s:[{s:s}], s:{}, s:[]}", "tenth", 0.1,
                             "three", 3.0, "z", 7, "nothing", "yes", 1, "list", 1, 2, 3, "parts", "text",
                             "a\"b\\c\n\x01\xc3\xa4", "empty", "void");
    assert_int_equal(fs_results_json(r, "summary.json", root, &err), FS_OK);
    assert_int_equal(fs_results_json(r, "host.json", root, &err), FS_OK);
    FILE *resolved = fs_results_create(r, "resolved.yaml", NULL, NULL, 0, &err);
    fputs("name: first # default\n", resolved);
    assert_int_equal(fs_results_close(r, resolved, &err), FS_OK);
    FILE *own = fopen(fs_results_path(r, "extra.bin"), "wb"); /* a writer that wants a path */
    fputs("data", own);
    fclose(own);
    assert_false(scratch_there("runs/deep/first"));
    assert_int_equal(fs_results_commit(r, &err), FS_OK);
    assert_false(scratch_there("runs/deep/first.partial"));
    check_whole("runs/deep/first");
    assert_file_is("runs/deep/first/iterations.csv", "iteration,cycles\n0,17\n");
    assert_file_is(
        "runs/deep/first/summary.json",
        "{\n  \"tenth\": 0.1,\n  \"three\": 3.0,\n  \"z\": 7,\n  \"nothing\": null,\n  \"yes\": true,\n"
        "  \"list\": [1, 2, 3],\n  \"parts\": [\n    {\n      \"text\": \"a\\\"b\\\\c\\n\\u0001\xc3\xa4\"\n"
        "    }\n  ],\n  \"empty\": {},\n  \"void\": []\n}\n");
    json_t *back = json_load_file("runs/deep/first/summary.json", 0, NULL);
    assert_true(json_equal(back, root));
    json_decref(back);
    json_decref(root);

    char hex[FS_DIGEST_HEX], expected[8192], sizes[2][FS_DIGEST_HEX];
    assert_int_equal(fs_digest_file("runs/deep/first/iterations.csv", hex, &err), FS_OK);
    assert_int_equal(fs_digest_file("runs/deep/first/summary.json", sizes[0], &err), FS_OK);
    fs_digest_memory("data", 4, sizes[1]);
    struct stat info;
    assert_int_equal(stat("runs/deep/first/summary.json", &info), 0);
    snprintf(expected, sizeof expected,
             "{\n  \"foamsim\": \"" FS_VERSION "\",\n  \"config_sha256\": \"abc\",\n  \"files\": [\n"
             "    {\n      \"file\": \"extra.bin\",\n      \"bytes\": 4,\n      \"sha256\": \"%s\"\n    },\n"
             "    {\n      \"file\": \"iterations.csv\",\n      \"bytes\": 22,\n      \"sha256\": \"%s\",\n"
             "      \"columns\": [\"iteration\", \"cycles\"],\n      \"units\": [\"\", \"cycles\"]\n    },\n"
             "    {\n      \"file\": \"resolved.yaml\"\n    },\n"
             "    {\n      \"file\": \"summary.json\",\n      \"bytes\": %lld,\n      \"sha256\": \"%s\"\n   "
             " }\n  ]\n}\n",
             sizes[1], hex, (long long)info.st_size, sizes[0]);
    assert_file_is("runs/deep/first/manifest.json", expected);
}

/* A run folder inside another stands in the manifest by its own; what is removed before the end is not there. */
TEST_IN(folders_inside, scratch_enter, scratch_leave) {
    fs_error err = {0};
    fs_results *outer = fs_results_open("set", false, &err);
    assert_non_null(outer);
    char inner[2][256];
    snprintf(inner[0], sizeof inner[0], "%s", fs_results_path(outer, "view-0"));
    snprintf(inner[1], sizeof inner[1], "%s", fs_results_path(outer, "rung-0"));
    assert_int_equal(write_folder(inner[0], false, 1, 10, &err), FS_OK);
    assert_int_equal(write_folder(inner[1], false, 2, 10, &err), FS_OK);
    assert_int_equal(mkdir(fs_results_path(outer, "other"), 0777), 0); /* no run folder: not a result */
    assert_int_equal(fs_results_remove(outer, "rung-0", &err), FS_OK);
    assert_int_equal(fs_results_remove(outer, "rung-0", &err), FS_OK); /* it is gone already */
    assert_int_equal(fs_results_commit(outer, &err), FS_OK);
    assert_true(scratch_there("set/view-0/manifest.json"));
    assert_false(scratch_there("set/rung-0"));
    char hex[FS_DIGEST_HEX], expected[1024];
    struct stat info;
    assert_int_equal(fs_digest_file("set/view-0/manifest.json", hex, &err), FS_OK);
    assert_int_equal(stat("set/view-0/manifest.json", &info), 0);
    snprintf(expected, sizeof expected,
             "{\n  \"foamsim\": \"" FS_VERSION
             "\",\n  \"files\": [\n    {\n      \"file\": \"view-0/manifest.json\",\n      \"bytes\": %lld,\n"
             "      \"sha256\": \"%s\"\n    }\n  ]\n}\n",
             (long long)info.st_size, hex);
    assert_file_is("set/manifest.json", expected);
}

TEST_IN(existing_folder, scratch_enter, scratch_leave) {
    fs_error err = {0};
    assert_int_equal(write_folder("run", false, 1, 10, &err), FS_OK);
    assert_fails(write_folder("run", false, 2, 10, &err), FS_INPUT, &err, "run exists already");
    assert_non_null(strstr(err.text, "--force"));
    assert_int_equal(version_of("run"), 1);
    err = (fs_error){0};
    assert_int_equal(write_folder("run", true, 3, 10, &err), FS_OK);
    assert_int_equal(version_of("run"), 3);
    check_whole("run");
    assert_int_equal(names_in("."), 1);

    /* what foamsim did not write it does not remove */
    assert_int_equal(mkdir("mine", 0777), 0);
    assert_int_equal(write_folder("mine", true, 1, 10, &err), FS_OK); /* empty */
    assert_int_equal(mkdir("letters", 0777) | mkdir("letters/love", 0777), 0);
    assert_fails(write_folder("letters", true, 1, 10, &err), FS_INPUT, &err, "not a run folder");
    assert_true(scratch_there("letters/love"));
    err = (fs_error){0};
    fclose(fopen("file", "w"));
    assert_int_equal(write_folder("file", true, 1, 10, &err), FS_INPUT);
    static const char *const bad[] = {"", "/", ".", "..", "run/.."};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        err = (fs_error){0};
        assert_int_equal(write_folder(bad[i], true, 1, 10, &err), FS_INPUT);
    }
}

TEST_IN(discarded, scratch_enter, scratch_leave) {
    fs_error err = {0};
    fs_results *r = fs_results_open("run", false, &err);
    FILE *csv = fs_results_create(r, "a.csv", columns, units, 2, &err);
    fputs("1,2\n", csv); /* still open */
    fs_results_discard(r);
    assert_int_equal(names_in("."), 0);
    fs_results_discard(NULL);
}

TEST_IN(two_writers, scratch_enter, scratch_leave) {
    fs_error err = {0};
    fs_results *r = fs_results_open("run", false, &err);
    assert_non_null(r);
    assert_null(fs_results_open("run", false, &err));
    assert_fails(err.status, FS_INPUT, &err, "another run");
    err = (fs_error){0};
    assert_int_equal(fs_results_commit(r, &err), FS_OK);
    check_whole("run");
}

/* What killed runs leave: a partial folder is taken over, a folder put aside comes back. */
TEST_IN(leftovers, scratch_enter, scratch_leave) {
    fs_error err = {0};
    assert_int_equal(mkdir("run.partial", 0777) | mkdir("run.partial/pictures", 0777), 0);
    fclose(fopen("run.partial/pictures/old", "w"));
    fclose(fopen("run.partial/.foamsim-partial", "w"));
    assert_int_equal(symlink("/", "run.partial/root"), 0);
    assert_int_equal(write_folder("run", false, 1, 10, &err), FS_OK);
    check_whole("run");
    fclose(fopen("run/.foamsim-partial", "w"));
    assert_int_equal(rename("run", "run.old.partial"), 0); /* killed between the two renames */
    assert_int_equal(write_folder("run", false, 2, 10, &err), FS_INPUT);
    assert_int_equal(version_of("run"), 1);
    assert_int_equal(names_in("."), 1);
    err = (fs_error){0};
    assert_int_equal(mkdir("run.old.partial", 0777), 0); /* killed while removing */
    fclose(fopen("run.old.partial/.foamsim-partial", "w"));
    fclose(fopen("run.old.partial/tiles.csv", "w"));
    assert_int_equal(write_folder("run", true, 2, 10, &err), FS_OK);
    assert_int_equal(version_of("run"), 2);
    assert_int_equal(names_in("."), 1);
}

/* /dev/full takes no byte. Large files fail in the middle, small ones at the close. */
TEST_IN(full_disk, scratch_enter, scratch_leave) {
    if (!scratch_there("/dev/full"))
        skip();
    for (long lines = 1; lines <= 100000; lines *= 100000) {
        fs_error err = {0};
        fs_results *r = fs_results_open("run", false, &err);
        assert_int_equal(symlink("/dev/full", fs_results_path(r, "iterations.csv")), 0);
        FILE *csv = fs_results_create(r, "iterations.csv", columns, units, 2, &err);
        for (int i = 0; i < lines; i++)
            fprintf(csv, "%d,%d\n", i, i);
        assert_fails(fs_results_close(r, csv, &err), FS_IO, &err, "run.partial/iterations.csv");
        fs_results_discard(r);
        assert_int_equal(names_in("."), 0);
    }
    static const char *const names[] = {"image.png", "summary.json", "manifest.json"};
    static const uint8_t rgb[3 * 64 * 64];
    for (size_t i = 0; i < 3; i++) {
        fs_error err = {0};
        fs_results *r = fs_results_open("run", false, &err);
        assert_int_equal(symlink("/dev/full", fs_results_path(r, names[i])), 0);
        json_t *root = json_pack("{s:i}", "a", 1);
        fs_status status = i == 0   ? fs_results_png(r, names[i], FS_PICTURE_RGB(rgb, 64, 64), &err)
                           : i == 1 ? fs_results_json(r, names[i], root, &err)
                                    : fs_results_commit(r, &err); /* which discards */
        json_decref(root);
        assert_int_equal(status, FS_IO);
        assert_non_null(strstr(err.text, names[i]));
        if (i < 2)
            fs_results_discard(r);
        assert_int_equal(names_in("."), 0);
    }
}

static int status_of(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A limit that lies inside one of the files, wherever that is, ends in FS_IO and an empty folder. */
TEST_IN(size_limit, scratch_enter, scratch_leave) {
    static const rlim_t limits[] = {0, 1, 100, 4096, 70000, 500000};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            signal(SIGXFSZ, SIG_IGN);
            struct rlimit limit = {limits[i], limits[i]};
            fs_error err = {0};
            _exit(setrlimit(RLIMIT_FSIZE, &limit) != 0 ? 99
                                                       : (int)write_folder("run", false, 1, 100000, &err));
        }
        assert_int_equal(status_of(child), FS_IO);
        assert_int_equal(names_in("."), 0);
    }
}

TEST_IN(unwritable, scratch_enter, scratch_leave) {
    fs_error err = {0};
    fclose(fopen("file", "w"));
    assert_fails(write_folder("file/run", false, 1, 1, &err), FS_IO, &err, "file: ");
    assert_int_equal(mkdir("closed", 0555) | chmod(".", 0755), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0) /* permissions do not bind root */
            _exit(99);
        err = (fs_error){0};
        fs_status status = write_folder("closed/run", false, 1, 1, &err);
        _exit(strstr(err.text, "closed/run.partial: ") != NULL ? (int)status : 98);
    }
    assert_int_equal(status_of(child), FS_IO);
    assert_int_equal(names_in("closed"), 0);
}

/* A child writes one folder again and again, replacing it, and is killed at a random moment. */
TEST_IN(killed, scratch_enter, scratch_leave) {
    uint64_t seed = 5;
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "test/results/kill");
    int seen = 0;
    uint32_t most = 20000000; /* ns until the kill */
    for (int round = 0; round < 150; round++) {
        if (round % 30 == 29 && seen == 0)
            most *= 2; /* a busy host writes no whole folder in that time */
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            for (int version = 1;; version++) {
                fs_error err = {0};
                if (write_folder("run", true, version, 2000, &err))
                    _exit(1);
            }
        }
        struct timespec pause = {.tv_nsec = (long)fs_rng_below(&rng, most)};
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        assert_int_equal(status_of(child), 128 + SIGKILL);
        if (scratch_there("run")) {
            seen++;
            check_whole("run");
        }
    }
    fs_error err = {0};
    assert_int_equal(write_folder("run", true, 77, 10, &err), FS_OK);
    assert_int_equal(version_of("run"), 77);
    assert_int_equal(names_in("."), 1);
    assert_in_range(seen, 1, 150);
}

static void read_png(const char *path, png_uint_32 format, void *pixels, uint32_t width, uint32_t height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_int_not_equal(png_image_begin_read_from_file(&image, path), 0);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    image.format = format;
    assert_int_not_equal(png_image_finish_read(&image, NULL, pixels, 0, NULL), 0);
}

/* A picture that a full disk cuts off says so: a sweep tells by it that the point did not fail. */
TEST_IN(picture_on_a_full_disk, scratch_enter, scratch_leave) {
    enum { SIDE = 300 };
    static uint8_t rgb[3 * SIDE * SIDE];
    fs_rng rng = fs_rng_stream(4, "test/results/png");
    for (size_t i = 0; i < sizeof rgb; i++)
        rgb[i] = (uint8_t)fs_rng_below(&rng, 256);
    FILE *full = fopen("/dev/full", "wb");
    if (full == NULL)
        skip();
    fs_error err = {0};
    const fs_picture picture = {.width = SIDE, .height = SIDE, .rgb = rgb};
    assert_fails(fs_png_write(full, "full.png", &picture, &err), FS_IO, &err, "full.png");
    assert_non_null(strstr(err.text, strerror(ENOSPC)));
    fclose(full);
}

TEST_IN(pictures, scratch_enter, scratch_leave) {
    enum { W = 37, H = 23 };
    uint8_t rgb[3 * W * H], rgb_back[3 * W * H];
    fs_rng rng = fs_rng_stream(3, "test/results/png");
    for (size_t i = 0; i < sizeof rgb; i++)
        rgb[i] = (uint8_t)fs_rng_below(&rng, 256);
    fs_error err = {0};
    assert_int_equal(fs_png_write_alone("a.png", FS_PICTURE_RGB(rgb, W, H), &err), FS_OK);
    assert_int_equal(fs_png_write_alone("b.png", FS_PICTURE_RGB(rgb, W, H), &err), FS_OK);
    read_png("a.png", PNG_FORMAT_RGB, rgb_back, W, H);
    assert_memory_equal(rgb, rgb_back, sizeof rgb);
    char hex[2][FS_DIGEST_HEX];
    fs_digest_file("a.png", hex[0], &err);
    fs_digest_file("b.png", hex[1], &err);
    assert_string_equal(hex[0], hex[1]);

    uint16_t grey[4] = {0, 1, 0x1234, 65535};
    assert_int_equal(fs_png_write_alone("g.png", FS_PICTURE_GREY(grey, 4, 1), &err), FS_OK);
    FILE *file = fopen("g.png", "rb");
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_read_info(png, info);
    assert_int_equal(png_get_bit_depth(png, info), 16);
    uint8_t row[8];
    png_read_row(png, row, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    for (size_t x = 0; x < 4; x++)
        assert_int_equal(row[2 * x] << 8 | row[2 * x + 1], grey[x]);

    assert_int_equal(fs_png_write_alone("no/such/a.png", FS_PICTURE_RGB(rgb, W, H), &err), FS_IO);
    assert_int_equal(names_in("."), 3);
}

typedef struct figures {
    uint64_t rays, cycles;
    double psnr, mean;
    bool complete;
    const char *payload;
} figures;

TEST_IN(statistics, scratch_enter, scratch_leave) {
    static const fs_stat rows[] = {
        FS_STAT_COUNT("device.cycles", figures, cycles, .unit = "cycles", .doc = ""),
        FS_STAT_COUNT("rays.generated", figures, rays, .unit = "rays", .doc = ""),
        FS_STAT_VALUE("device.deep.mean", figures, mean, .unit = "", .doc = ""),
        FS_STAT_VALUE("image.psnr_db", figures, psnr, .unit = "dB", .doc = ""),
        FS_STAT_FLAG("complete", figures, complete, .doc = ""),
        FS_STAT_WORD("payload", figures, payload, .doc = ""),
    };
    static const fs_stat_table table = FS_STAT_TABLE("figures", rows);
    figures f = {3, UINT64_C(9000000000000000001), (double)__builtin_inff(), 0.25, true, "half"};
    json_t *root = json_object();
    fs_results_stats_json(&table, &f, root);
    json_t *expected = json_pack("{s:{s:I, s:{s:f}}, s:{s:i}, s:{s:n}, s:b, s:s}", "device", "cycles",
                                 (json_int_t)9000000000000000001, "deep", "mean", 0.25, "rays", "generated",
                                 3, "image", "psnr_db", "complete", 1, "payload", "half");
    assert_true(json_equal(root, expected));
    json_decref(expected);
    json_decref(root);
}

RUN_TESTS(NULL, NULL)
