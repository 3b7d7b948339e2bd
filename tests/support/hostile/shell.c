#include "tests/support/hostile/shell.h"

#include "tests/support/cli.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SECONDS = 25, LOOKS_A_SECOND = 200 };

void shell_begin(void) {
    setenv("PROGRAM", cli_program(), 1);
}

int shell(const char *line) {
    const struct timespec nap = {.tv_nsec = 1000000000 / LOOKS_A_SECOND};
    int how = 0;
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        setpgid(0, 0);
        execl("/bin/sh", "sh", "-c", "exec >said 2>&1 </dev/null; eval \"$1\"", "sh", line, (char *)NULL);
        _exit(126);
    }
    for (int looks = 0; waitpid(process, &how, WNOHANG) == 0; looks++) {
        if (looks == MOST_SECONDS * LOOKS_A_SECOND) {
            kill(-process, SIGKILL);
            waitpid(process, &how, 0);
            return 124;
        }
        nanosleep(&nap, NULL);
    }
    return WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}

void shell_must(const char *line) {
    const int status = shell(line);
    if (status != 0)
        fail_msg("%s: status %d: %s", line, status, file_text("said"));
}
