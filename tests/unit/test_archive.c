/* Runs in one file: what is packed comes back byte for byte, the same bits each time; what somebody else made writes nothing
 * outside of the fresh folder, and nothing is left of it. */
#include "sim/host/file.h"
#include "sim/results/archive.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

enum { BLOCK = 512 }; /* of a POSIX archive */

static fs_error err;

static size_t entries(const char *folder) {
    DIR *all = opendir(folder);
    size_t count = 0;
    assert_non_null(all);
    while (readdir(all) != NULL)
        count++;
    closedir(all);
    return count - 2;
}

static fs_scratch scratch;

static fs_status unpack(const char *path, fs_arena *arena, const char **folder) {
    err = (fs_error){.status = FS_OK};
    return fs_archive_unpack(path, arena, &scratch, folder, &err);
}

TEST(what_is_packed_comes_back) {
    enum { LARGE = 300000 };
    static const char deep[] =
        "run/a-folder-with-a-name-of-some-length-0123456789-0123456789/and-another-0123456789-0123456789";
    char *large = malloc(LARGE), name[300];
    assert_non_null(large);
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (char)(i * i >> 7);
    mkdir("run", 0700);
    mkdir("run/pictures", 0700);
    mkdir("run/a-folder-with-a-name-of-some-length-0123456789-0123456789", 0700);
    mkdir(deep, 0700);
    scratch_put("run/none.csv", "", 0);
    scratch_put("run/block.csv", large, BLOCK);
    scratch_put("run/large.bin", large, LARGE);
    scratch_put("run/pictures/report.html", "drawn again", 11);
    snprintf(name, sizeof name, "%s/words.txt", deep);
    scratch_put(name, "deep", 4);
    assert_int_equal(symlink("/etc/passwd", "run/link"), 0);
    err = (fs_error){.status = FS_OK};
    assert_int_equal(fs_archive_write("run/", "one.tar.zst", &err), FS_OK);
    scratch_put("run/none.csv", "", 0); /* at another time */
    assert_int_equal(fs_archive_write("run", "two.tar.zst", &err), FS_OK);
    size_t one, two;
    char *first = file_read("one.tar.zst", &one), *second = file_read("two.tar.zst", &two);
    assert_true(one == two && memcmp(first, second, one) == 0);
    assert_true(fs_archive_is("one.tar.zst") && !fs_archive_is("run") && !fs_archive_is("run/large.bin"));

    fs_arena *arena = test_arena();
    const char *folder;
    if (unpack("one.tar.zst", arena, &folder))
        fail_msg("%s", err.text);
    assert_int_equal(entries(folder), 4); /* neither pictures nor the link */
    size_t bytes;
    char *back = file_read(fs_arena_printf(arena, "%s/large.bin", folder), &bytes);
    assert_true(bytes == LARGE && memcmp(back, large, LARGE) == 0);
    back = file_read(fs_arena_printf(arena, "%s%s/words.txt", folder, deep + 3), &bytes);
    assert_true(bytes == 4 && memcmp(back, "deep", 4) == 0);
    struct stat none;
    assert_int_equal(stat(fs_arena_printf(arena, "%s/none.csv", folder), &none), 0);
    assert_int_equal(none.st_size, 0);
    fs_scratch_remove(&scratch);

    /* Cut off at any byte, or with any byte another: an error, and nothing stays. */
    for (size_t at = 0; at < one; at += 1 + one / 97) {
        scratch_put("cut.tar.zst", first, at);
        assert_int_equal(unpack("cut.tar.zst", arena, &folder), FS_INPUT);
        second[at] = (char)(second[at] ^ 0x10);
        scratch_put("cut.tar.zst", second, one);
        assert_int_not_equal(unpack("cut.tar.zst", arena, &folder), FS_OK);
        assert_true(err.text[0] != '\0');
        second[at] = first[at];
    }
    assert_int_equal(entries("unpacked"), 0);
    free(large);
}

/* A text without its end. */
static void put_letters(char *to, const char *text) {
    while (*text != '\0')
        *to++ = *text++;
}

/* One entry of that kind, as somebody else would make it: the ustar header of IEEE Std 1003.1. */
static void make(const char *name, char kind, const char *size) {
    char tar[4 * BLOCK] = "", packed[8192];
    unsigned sum = 0;
    put_letters(tar, name);
    put_letters(tar + 124, size);
    memset(tar + 148, ' ', 8);
    tar[156] = kind;
    put_letters(tar + 157, "/etc/passwd");
    put_letters(tar + 257, "ustar");
    put_letters(tar + 263, "00");
    for (size_t i = 0; i < BLOCK; i++)
        sum += (unsigned char)tar[i];
    snprintf(tar + 148, 8, "%06o", sum);
    const size_t bytes = ZSTD_compress(packed, sizeof packed, tar, sizeof tar, 1);
    assert_false(ZSTD_isError(bytes));
    scratch_put("evil.tar.zst", packed, bytes);
}

TEST(what_others_made_goes_nowhere) {
    static const struct {
        const char *name;
        char kind;
        const char *size, *words;
    } cases[] = {{"../out", '0', "1", "outside"},
                 {"/tmp/out", '0', "1", "outside"},
                 {"run/../../out", '0', "1", "outside"},
                 {"run/.out", '0', "1", "outside"},
                 {"run//out", '0', "1", "outside"},
                 {"out", '0', "1", "outside"},
                 {"run/a\tb", '0', "1", "outside"},
                 {"run/link", '2', "0", "neither file nor folder"},
                 {"run/link", '1', "0", "neither file nor folder"},
                 {"run/device", '3', "0", "neither file nor folder"},
                 {"run/pipe", '6', "0", "neither file nor folder"},
                 {"run/large", '0', "777777777777", "16 GiB"},
                 {"run/none", '0', "-1", "Unrecognized"},
                 {"run/cut", '0', "7777", "Truncated"},
                 {"run", '5', "0", "no file"}};
    fs_arena *arena = test_arena();
    const char *folder;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make(cases[i].name, cases[i].kind, cases[i].size);
        assert_int_equal(unpack("evil.tar.zst", arena, &folder), FS_INPUT);
        if (strstr(err.text, cases[i].words) == NULL)
            fail_msg("%s: \"%s\" is not in: %s", cases[i].name, cases[i].words, err.text);
        assert_int_equal(entries("unpacked"), 0);
    }
    assert_false(scratch_there("out"));
    make("run/right", '0', "1"); /* the same way a right one is taken */
    assert_int_equal(unpack("evil.tar.zst", arena, &folder), FS_OK);
    fs_scratch_remove(&scratch);
    assert_int_equal(unpack("absent", arena, &folder), FS_INPUT);

    /* All of it is looked at before a folder is made. */
    const char *place = fs_arena_strdup(arena, getenv("TMPDIR"));
    setenv("TMPDIR", "absent", 1);
    assert_int_equal(unpack("evil.tar.zst", arena, &folder), FS_IO);
    make("run/large", '0', "777777777777");
    assert_int_equal(unpack("evil.tar.zst", arena, &folder), FS_INPUT);
    setenv("TMPDIR", place, 1);
}

/* What a process leaves that is killed while it unpacks and packs. */
static void be_killed(fs_arena *arena) {
    const pid_t child = fork();
    int how = 0;
    if (child == 0) {
        const char *folder;
        fs_aside aside;
        if (unpack("evil.tar.zst", arena, &folder) || fs_aside_open(&aside, "left/p.tar.zst", &err))
            _exit(1);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
}

TEST(the_killed_leave_nothing_for_long) {
    fs_arena *arena = test_arena();
    const char *folder, *other;
    fs_aside aside;
    mkdir("left", 0700);
    mkdir("packed", 0700);
    scratch_put("packed/one.csv", "a\n", 2);
    make("run/right", '0', "1");
    be_killed(arena);
    be_killed(arena);
    scratch_put("left/p.tar.zst.old.partial", "another's", 9);
    assert_int_equal(entries("unpacked"), 1); /* that of the second removed that of the first */
    assert_int_equal(entries("left"), 3);

    assert_int_equal(unpack("evil.tar.zst", arena, &folder), FS_OK);
    assert_int_equal(entries("unpacked"), 1);
    fs_scratch held = scratch;
    assert_int_equal(unpack("evil.tar.zst", arena, &other), FS_OK);
    assert_true(scratch_there(folder)); /* whose process lives */
    fs_scratch_remove(&scratch);
    fs_scratch_remove(&held);
    assert_int_equal(entries("unpacked"), 0);

    assert_int_equal(fs_aside_open(&aside, "left/p.tar.zst", &err), FS_OK);
    assert_int_equal(fs_archive_write("packed", "left/p.tar.zst", &err), FS_OK);
    assert_int_equal(entries("left"), 3); /* itself, the one that is written and another's */
    assert_int_equal(fs_aside_commit(&aside, FS_LIGHT, &err), FS_OK);
}

static int enter(void **state) {
    static char place[4096];
    if (scratch_enter(state) != 0 || mkdir("unpacked", 0700) != 0 || getcwd(place, sizeof place - 16) == NULL)
        return 1;
    strcat(place, "/unpacked");
    return setenv("TMPDIR", place, 1);
}

RUN_TESTS(enter, scratch_leave)
