#include "tests/support/cli.h"

#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 128 };
#define WORDS_OUT ".words.out"
#define WORDS_ERR ".words.err"

static char program[2 * PATH_MAX];

const char *cli_program(void) {
    return program;
}

/* $FOAMSIM, or build/foamsim of the build/tests/... that runs. Absolute: the folder will
 * change. */
static bool find_program(void) {
    const char *named = getenv("FOAMSIM");
    char folder[PATH_MAX];
    if (named != NULL && named[0] == '/') {
        snprintf(program, sizeof program, "%s", named);
    } else if (named != NULL && named[0] != '\0') {
        if (getcwd(folder, sizeof folder) == NULL)
            return false;
        snprintf(program, sizeof program, "%s/%s", folder, named);
    } else {
        ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
        folder[length > 0 ? length : 0] = '\0';
        char *tests = NULL; /* the last folder of that name */
        for (char *at = folder; (at = strstr(at, "/tests/")) != NULL; at++)
            tests = at;
        if (tests != NULL)
            *tests = '\0';
        snprintf(program, sizeof program, "%s/foamsim", folder);
    }
    return access(program, X_OK) == 0;
}

int cli_enter(void **state) {
    char here[PATH_MAX], place[PATH_MAX + 16];
    if (!find_program()) {
        print_error("no foamsim to be tried: `make` builds it; $FOAMSIM names another one\n");
        return 1;
    }
    if (getcwd(here, sizeof here) == NULL)
        return 1;
    snprintf(place, sizeof place, "%s/configs", here);
    if (access(place, R_OK) == 0)
        setenv("FOAMSIM_DATA", here, 1);
    if (scratch_enter(state) != 0 || getcwd(here, sizeof here) == NULL)
        return 1;
    snprintf(place, sizeof place, "%s/cache", here);
    setenv("XDG_CACHE_HOME", place, 1);
    setenv("OMP_WAIT_POLICY", "passive", 1); /* tests share their cores with other tests */
    return 0;
}

int cli_leave(void **state) {
    return scratch_leave(state);
}

/* ---- processes ---- */

static void redirect(const char *path, int to) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(126);
    close(fd);
}

pid_t cli_start(const char *const *words, uint64_t file_limit) {
    char *argv[MAX_WORDS + 2] = {program};
    for (int i = 0; words[i] != NULL; i++) {
        assert_true(i < MAX_WORDS);
        argv[i + 1] = (char *)(uintptr_t)words[i]; /* execv promises not to write */
    }
    unlink(WORDS_ERR); /* what the process before wrote is not this one's (cli_said) */
    pid_t process = fork();
    assert_true(process >= 0);
    if (process > 0)
        return process;
    redirect("/dev/null", 0);
    redirect(WORDS_OUT, 1);
    redirect(WORDS_ERR, 2);
    if (file_limit > 0) {
        struct rlimit limit = {file_limit, file_limit};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(126);
    }
    execv(program, argv);
    _exit(127);
}

static void read_words(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
    text[length] = '\0';
    if (file != NULL)
        fclose(file);
}

bool cli_ended(pid_t process) {
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == process;
}

bool cli_said(const char *words) {
    static char text[1 << 16];
    read_words(WORDS_ERR, text, sizeof text);
    return strstr(text, words) != NULL;
}

cli_result cli_finish(pid_t process) {
    cli_result result = {.status = -1};
    int status = 0;
    assert_int_equal(waitpid(process, &status, 0), process);
    if (WIFEXITED(status))
        result.status = WEXITSTATUS(status);
    else
        result.signal = WTERMSIG(status);
    read_words(WORDS_OUT, result.out, sizeof result.out);
    read_words(WORDS_ERR, result.err, sizeof result.err);
    return result;
}

cli_result cli_words(const char *const *words, uint64_t file_limit) {
    return cli_finish(cli_start(words, file_limit));
}

static void collect(const char *first, va_list more, const char **words) {
    int count = 0;
    for (const char *w = first; w != NULL; w = va_arg(more, const char *)) {
        assert_true(count < MAX_WORDS);
        words[count++] = w;
    }
    words[count] = NULL;
}

cli_result cli(const char *word, ...) {
    const char *words[MAX_WORDS + 1];
    va_list more;
    va_start(more, word);
    collect(word, more, words);
    va_end(more);
    return cli_words(words, 0);
}

/* Another end than the one that was wanted: the command, and what it said. */
static void fail_with(const char *const *words, const cli_result *result, const char *wanted) {
    print_error("foamsim");
    for (int i = 0; words[i] != NULL; i++)
        print_error(" %s", words[i]);
    fail_msg("\nexpected %s, found exit status %d, signal %d\n%s", wanted, result->status, result->signal,
             result->err);
}

void cli_must_words(const char *const *words) {
    const cli_result result = cli_words(words, 0);
    if (result.status != 0)
        fail_with(words, &result, "exit status 0");
}

void cli_must(const char *word, ...) {
    const char *words[MAX_WORDS + 1];
    va_list more;
    va_start(more, word);
    collect(word, more, words);
    va_end(more);
    cli_must_words(words);
}

void cli_refuses(const char *wanted, const char *word, ...) {
    const char *words[MAX_WORDS + 1];
    va_list more;
    va_start(more, word);
    collect(word, more, words);
    va_end(more);
    const cli_result result = cli_words(words, 0);
    if (result.status != 2 || strstr(result.err, wanted) == NULL)
        fail_with(words, &result, wanted);
}

void cli_write(const char *path, const char *text) {
    scratch_write(path, text);
}

void cli_write_experiment(const char *path) {
    cli_write(path,
              "name: system\n"
              "machine: gc200-small\n"
              "overlay: { kind: quadtree }\n"
              "scene: { generate: { kind: garden, cells: 8000, seed: 7 } }\n"
              "workload:\n"
              "  kind: foam\n"
              "  camera: { position: [2.1, -2.9, 1.7], look_at: [0.1, 0.2, 0.6], width: 80, height: 60 }\n"
              "  partition: { kind: kd, shards: 64 }\n"
              "  batching: { order: rows, per_batch: 2, idle: 10 }\n");
}

int cli_enter_experiment(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    cli_write_experiment("x.yaml");
    return 0;
}
