/* Names that a run folder would take from somebody: nothing in other people's folders changes, and a sentence
 * names them. */
#include "sim/results/results.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static fs_error err;

/* A run folder that holds one file. */
static fs_status write_folder(const char *dir, bool force, int version) {
    err = (fs_error){0};
    fs_results *r = fs_results_open(dir, force, &err);
    if (r == NULL)
        return err.status;
    json_t *root = json_pack("{s:i}", "version", version);
    assert_int_equal(fs_results_json(r, "summary.json", root, &err), FS_OK);
    json_decref(root);
    return fs_results_commit(r, &err);
}

static json_int_t version_of(const char *file) {
    json_t *root = json_load_file(file, 0, NULL);
    assert_non_null(root);
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    json_decref(root);
    return version;
}

static void make(const char *folder, const char *file) {
    FILE *out;
    assert_int_equal(mkdir(folder, 0777), 0);
    if (file == NULL)
        return;
    out = fopen(file, "w");
    assert_non_null(out);
    fclose(out);
}

static void refused(const char *words) {
    assert_int_equal(err.status, FS_INPUT);
    assert_says(err.text, words);
}

TEST_IN(a_partial_folder_of_others, scratch_enter, scratch_leave) {
    make("mine.partial", "mine.partial/diary.txt");
    for (int force = 0; force < 2; force++) {
        write_folder("mine", force, 1);
        refused("mine.partial exists and was not left by a run");
        assert_true(scratch_there("mine.partial/diary.txt") && !scratch_there("mine"));
    }
    make("empty.partial", NULL); /* nothing in it to lose */
    assert_int_equal(write_folder("empty", false, 1), FS_OK);
    assert_false(scratch_there("empty.partial") || scratch_there("empty/.foamsim-partial"));
}

TEST_IN(a_folder_put_aside_of_others, scratch_enter, scratch_leave) {
    make("theirs.old.partial", "theirs.old.partial/thesis");
    assert_int_equal(write_folder("theirs", false, 1), FS_OK); /* does not need the name */
    assert_int_equal(version_of("theirs/summary.json"), 1);
    write_folder("theirs", true, 2);
    refused("theirs.old.partial exists and was not left by a run");
    assert_int_equal(version_of("theirs/summary.json"), 1);
    assert_true(scratch_there("theirs.old.partial/thesis"));
    assert_false(scratch_there("theirs.partial"));
}

TEST_IN(a_link_is_no_folder_in_the_making, scratch_enter, scratch_leave) {
    make("elsewhere", "elsewhere/.foamsim-partial");
    make("elsewhere/deep", "elsewhere/deep/letters");
    assert_int_equal(symlink("elsewhere", "link.partial") | symlink("../elsewhere", "run.old.partial"), 0);
    assert_int_not_equal(write_folder("link", false, 1), FS_OK);
    assert_int_equal(write_folder("run", false, 1), FS_OK);
    assert_int_not_equal(write_folder("run", true, 2), FS_OK);
    assert_int_equal(version_of("run/summary.json"), 1);
    assert_true(scratch_there("elsewhere/deep/letters"));
}

TEST_IN(a_name_that_ends_in_partial, scratch_enter, scratch_leave) {
    write_folder("keep.partial", false, 1);
    refused("keep.partial: a name that ends in .partial");
    write_folder("runs/keep.old.partial/", true, 1);
    refused("a name that ends in .partial");
    assert_false(scratch_there("keep.partial") || scratch_there("keep.partial.partial") ||
                 scratch_there("runs"));
}

/* Programs of all kinds leave a manifest.json: only foamsim's own makes a folder one to be replaced. */
TEST_IN(a_manifest_of_others, scratch_enter, scratch_leave) {
    static const char *const manifests[] = {"",
                                            "{}",
                                            "[]",
                                            "{\"name\": \"web\", \"files\": []}",
                                            "{\"foamsim\": 3, \"files\": []}",
                                            "{\"foamsim\": \"0.1.0\"}"};
    for (size_t i = 0; i < sizeof manifests / sizeof *manifests; i++) {
        char folder[32], file[64];
        snprintf(folder, sizeof folder, "web-%zu", i);
        snprintf(file, sizeof file, "%s/manifest.json", folder);
        make(folder, file);
        FILE *out = fopen(file, "w");
        assert_non_null(out);
        fputs(manifests[i], out);
        fclose(out);
        write_folder(folder, true, 1);
        refused("is not a run folder (its manifest.json is none of foamsim's)");
        assert_true(scratch_there(file));
    }
    make("linked", NULL);
    assert_int_equal(write_folder("run", false, 1), FS_OK);
    assert_int_equal(symlink("../run/manifest.json", "linked/manifest.json"), 0);
    write_folder("linked", true, 2);
    refused("is not a run folder");
    assert_int_equal(write_folder("run", true, 2), FS_OK);
    assert_int_equal(version_of("run/summary.json"), 2);
}

/* A umask under which nobody enters the folders that are made. Root enters all, so another user tries. */
TEST_IN(a_folder_that_nobody_enters, scratch_enter, scratch_leave) {
    assert_int_equal(chmod(".", 0777), 0);
    fflush(NULL);
    pid_t other = fork();
    if (other == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(3);
        umask(0777);
        _exit(write_folder("run", false, 1) == FS_IO && strstr(err.text, "cannot open the folder") != NULL
                  ? 0
                  : 1);
    }
    int how = 1;
    assert_int_equal(waitpid(other, &how, 0), other);
    assert_int_equal(how, 0);
    assert_false(scratch_there("run.partial") || scratch_there("run"));
}

RUN_TESTS(NULL, NULL)
