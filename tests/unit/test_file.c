/* Files appear whole or not at all, under links and full disks too; folders with their parents. */
#include "sim/host/file.h"

#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many names a folder holds. */
static size_t names_in(const char *folder) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    size_t count = 0;
    for (struct dirent *e; (e = readdir(directory)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void holds(const char *path, const char *expected) {
    char text[256] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

TEST(a_file_is_whole_or_the_old_one) {
    fs_error err = {0};
    assert_int_equal(fs_file_write("a/deep/folder/file", "old", 3, FS_DURABLE, &err), FS_OK);
    holds("a/deep/folder/file", "old");
    fs_aside aside;
    assert_int_equal(fs_aside_open(&aside, "a/deep/folder/file", &err), FS_OK);
    fputs("a new one", aside.file);
    fflush(aside.file);
    holds("a/deep/folder/file", "old");
    assert_int_equal(names_in("a/deep/folder"), 2);
    assert_int_equal(fs_aside_commit(&aside, FS_LIGHT, &err), FS_OK);
    holds("a/deep/folder/file", "a new one");
    assert_int_equal(fs_aside_open(&aside, "a/deep/folder/file", &err), FS_OK);
    fputs("never", aside.file);
    fs_aside_discard(&aside);
    fs_aside_discard(&aside);
    holds("a/deep/folder/file", "a new one");
    assert_int_equal(names_in("a/deep/folder"), 1);
}

TEST(a_file_has_the_rights_of_any_other) {
    fs_error err = {0};
    struct stat made, usual;
    assert_int_equal(fs_file_write("made", "", 0, FS_LIGHT, &err), FS_OK);
    fclose(fopen("usual", "wb"));
    assert_int_equal(stat("made", &made) | stat("usual", &usual), 0);
    assert_int_equal(made.st_mode, usual.st_mode);
}

/* Somebody who guesses the name meanwhile gets nothing written through it. */
TEST(no_link_is_followed) {
    fs_error err = {0};
    char name[64];
    assert_int_equal(mkdir("l", 0777), 0);
    assert_int_equal(fs_file_write("victim", "untouched", 9, FS_LIGHT, &err), FS_OK);
    snprintf(name, sizeof name, "l/file.%ld-0.partial", (long)getpid());
    assert_int_equal(symlink("../victim", name), 0);
    assert_int_equal(fs_file_write("l/file", "mine", 4, FS_LIGHT, &err), FS_OK);
    holds("victim", "untouched");
    holds("l/file", "mine");
    assert_int_equal(names_in("l"), 2); /* the link is somebody's: it stays */
}

TEST(what_fails_is_told_and_nothing_is_left) {
    fs_error none = {0}, above = {0}, folder = {0}, full = {0};
    fs_aside aside;
    assert_int_equal(fs_aside_open(&aside, "no/such/file", &none), FS_IO);
    assert_string_equal(none.text, "no/such/file: cannot write: No such file or directory");
    fs_aside_discard(&aside);
    assert_int_equal(fs_file_write("plain", "", 0, FS_LIGHT, &above), FS_OK);
    assert_int_equal(fs_file_write("plain/file", "", 0, FS_LIGHT, &above), FS_IO);
    assert_string_equal(above.text, "plain: cannot make the folder: a file of that name exists");
    assert_int_equal(mkdir("full", 0777), 0);
    assert_int_equal(fs_aside_open(&aside, "full", &folder), FS_IO);
    if (access("/dev/full", W_OK) != 0)
        return;
    assert_int_equal(fs_aside_open(&aside, "full/file", &full), FS_OK);
    assert_non_null(freopen("/dev/full", "wb", aside.file)); /* the disk is full from here on */
    fputs("text", aside.file);
    assert_int_equal(fs_aside_commit(&aside, FS_DURABLE, &full), FS_IO);
    assert_string_equal(full.text, "full/file: cannot write: No space left on device");
    assert_int_equal(names_in("full"), 0);
}

TEST(a_device_is_written_to_and_not_replaced) {
    fs_error err = {0};
    struct stat about;
    fs_aside aside;
    assert_int_equal(fs_aside_open(&aside, "/dev/null", &err), FS_OK);
    fputs("text", aside.file);
    assert_int_equal(fs_aside_commit(&aside, FS_DURABLE, &err), FS_OK);
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
}

TEST(names_in_a_folder_come_sorted) {
    static const char *const made[] = {"list/b", "list/.hidden", "list/B", "list/a-10", "list/a-9"},
                             *const told[] = {"B", "a-10", "a-9", "b"};
    fs_arena *arena = test_arena();
    assert_int_equal(mkdir("list", 0777), 0);
    assert_null(*fs_dir_names(arena, "list"));
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_int_equal(mkdir(made[i], 0777), 0);
    const char *const *name = fs_dir_names(arena, "list");
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        assert_string_equal(name[i], told[i]);
    assert_null(name[sizeof told / sizeof *told]);
    errno = 0;
    assert_null(fs_dir_names(arena, "nothing"));
    assert_int_equal(errno, ENOENT);
}

TEST(folders_are_made_with_those_above) {
    fs_error err = {0};
    struct stat about;
    assert_int_equal(fs_dir_make("one/two/three", &err), FS_OK);
    assert_int_equal(fs_dir_make("one/two/three", &err), FS_OK);
    assert_int_equal(fs_dir_make("one/two/three/", &err), FS_OK);
    assert_int_equal(fs_dir_make_above("one/four/file", &err), FS_OK);
    assert_int_equal(fs_dir_make_above("file", &err), FS_OK);
    assert_int_equal(stat("one/two/three", &about) | stat("one/four", &about), 0);
    assert_int_not_equal(stat("one/four/file", &about), 0);
}

TEST(a_file_without_a_name_gives_back_what_was_written) {
    fs_error err = {0};
    fs_arena *arena = test_arena();
    FILE *file = fs_file_nameless(&err);
    assert_non_null(file);
    assert_true(fileno(file) > 2);
    fputs("a few words", file);
    fflush(file);
    assert_string_equal(fs_file_text(arena, file, 100), "a few words");
    assert_string_equal(fs_file_text(arena, file, 5), "a few");
    fputs(" more", file); /* reading does not move the place to write */
    fflush(file);
    assert_string_equal(fs_file_text(arena, file, 100), "a few words more");
    fclose(file);
}

RUN_TESTS(scratch_enter, scratch_leave)
