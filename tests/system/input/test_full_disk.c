/* What is written beside a run folder on a disk that is full: recordings, cached scenes and references,
 * pages. Writing fails in the middle, at many places; it is told with the file's name, nothing half-written
 * stays, and what stood under the name before stands there still. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <sys/stat.h>

enum { MOST = 24 };

static int begin(void **state) {
    if (cli_enter_experiment(state) != 0)
        return 1;
    cli_must("run", "x.yaml", "--quiet", "--out", "whole", NULL);
    return 0;
}

static uint64_t size_of(const char *path) {
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return (uint64_t)about.st_size;
}

/* No name with `partial` in it, at any depth. */
static void assert_nothing_half_written(void) {
    assert_int_equal(system("test -z \"$(find . -name '*partial*')\""), 0);
}

/* Runs `words` with files limited to less than the size of `path`, which the same words write whole before,
 * at first when no such file exists, then when an older one does: status 1, the file named, nothing left, the
 * older one as it was. smallest: what the command's other files need. */
static void fails_and_leaves_nothing(const char *const *words, const char *path, uint64_t smallest) {
    static const char older[] = "what stood here before\n";
    assert_int_equal(cli_words(words, 0).status, 0);
    const uint64_t size = size_of(path), limits[] = {size - 1, smallest + (size - smallest) / 3};
    assert_true(size > smallest);
    assert_int_equal(remove(path), 0);
    for (int i = 0; i < 2; i++) {
        cli_result r = cli_words(words, limits[i]);
        if (r.status != 1 || strstr(r.err, path) == NULL)
            fail_msg("%s, limit %d of %d: exit status %d, signal %d\n%s", path, (int)limits[i], (int)size,
                     r.status, r.signal, r.err);
        assert_nothing_half_written();
        if (i == 0) {
            assert_false(scratch_there(path));
            cli_write(path, older);
        }
    }
    size_t bytes;
    char *text = file_read(path, &bytes);
    assert_string_equal(text, older);
}

TEST(recordings) {
    const char *const itinerary[MOST] = {"run",   "x.yaml", "--quiet",  "--force",
                                         "--out", "a",      "--record", "x.rays"};
    fails_and_leaves_nothing(itinerary, "x.rays", 120000);
    const char *const activity[MOST] = {"run",   "x.yaml", "--quiet",           "--force",
                                        "--out", "b",      "--record-activity", "x.activity"};
    fails_and_leaves_nothing(activity, "x.activity", 98000);
    assert_int_equal(cli_words(itinerary, 0).status, 0);
    assert_int_equal(cli_words(activity, 0).status, 0);
    cli_must("run", "x.yaml", "--quiet", "--out", "replayed", "--replay", "x.rays", NULL);
    assert_same_run("whole", "replayed", SAME_SETTINGS);
    cli_must("run", "x.yaml", "--quiet", "--out", "priced", "--replay", "x.activity", NULL);
    assert_same_run("whole", "priced", SAME_SETTINGS);
}

TEST(pages) {
    cli_must("run", "x.yaml", "--quiet", "--out", "other", "--set", "workload.batching.per_batch=1", NULL);
    const char *const report[MOST] = {"report", "whole", "-o", "page.html"};
    fails_and_leaves_nothing(report, "page.html", 200000);
    const char *const compare[MOST] = {"compare", "whole", "other", "-o", "both.html"};
    fails_and_leaves_nothing(compare, "both.html", 200000);
}

/* A cache is a help: the run is whole without it, nothing half-written is taken for an entry, and the next
 * run fills it. */
TEST(caches) {
    static const uint64_t limits[] = {110000, 200000, 400000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const char *const words[MOST] = {"run",   "x.yaml", "--quiet", "--force",
                                         "--out", "tight",  "--cache", "tight-cache"};
        cli_result r = cli_words(words, limits[i]);
        if (r.status != 0 && r.status != 1)
            fail_msg("limit %d: exit status %d, signal %d\n%s", (int)limits[i], r.status, r.signal, r.err);
        assert_nothing_half_written();
        if (r.status == 0)
            assert_same_run("whole", "tight", SAME_SETTINGS);
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "tight", "--cache", "tight-cache", NULL);
        assert_same_run("whole", "tight", SAME_SETTINGS);
        assert_int_equal(system("test \"$(find tight-cache -type f | wc -l)\" -ge 2 && rm -r tight-cache"),
                         0);
    }
}

RUN_TESTS(begin, cli_leave)
