/* How far a task is, as lines elsewhere than on a terminal: its part at any time, the time left not before a few per cent
 * have shown what a step takes. */
#include "sim/host/progress.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <unistd.h>

/* What is shown of a task of 1,000 steps of which so many took ten seconds; free(). */
static char *shown(uint64_t done) {
    FILE *out = fopen("shown", "w");
    assert_non_null(out);
    const int file = fileno(out), kept = dup(STDERR_FILENO);
    assert_true(kept >= 0);
    dup2(file, STDERR_FILENO);
    fs_progress p;
    fs_progress_begin(&p, "steps", 1000);
    p.started -= 10;
    p.last_shown -= 10;
    fs_progress_update(&p, done);
    fs_progress_end(&p);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    fclose(out);
    return file_text("shown");
}

TEST_IN(no_forecast_comes_before_some_per_cent, scratch_enter, scratch_leave) {
    char *early = shown(10), *late = shown(100);
    assert_true(strncmp(early, "steps:   1 %, ", 14) == 0 && strstr(early, "left") == NULL);
    assert_true(strncmp(late, "steps:  10 %, ", 14) == 0 && strstr(late, ", 90 s left\n") != NULL);
}

RUN_TESTS(NULL, NULL)
