/* Processes: what they get, how they end, and that none is left. */
#include "sim/host/process.h"

#include "sim/base/alloc.h"
#include "sim/base/host.h"
#include "sim/host/file.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static fs_arena *arena;
static fs_error err;

/* Runs a line of shell to its end. */
static fs_process_end shell(const char *line, fs_process_plan plan, double most, char **out, char **words) {
    const char *const argv[] = {"-c", line, NULL};
    fs_process p;
    plan.program = "sh";
    plan.words = argv;
    plan.heard = true;
    assert_int_equal(fs_process_start(&p, &plan, &err), FS_OK);
    assert_true(p.id > 0);
    fs_process_end end = fs_process_wait(&p, most);
    assert_int_equal(p.id, 0);
    if (out != NULL)
        *out = fs_file_text(arena, p.out, 4096);
    if (words != NULL)
        *words = fs_file_text(arena, p.err, 4096);
    fs_process_close(&p);
    return end;
}

TEST(words_come_back_apart_and_the_status_too) {
    char *out, *words;
    fs_process_end end =
        shell("echo here; echo there >&2; exit 7", (fs_process_plan){.folder = NULL}, 0, &out, &words);
    assert_string_equal(out, "here\n");
    assert_string_equal(words, "there\n");
    assert_int_equal(end.status, 7);
    assert_int_equal(end.signal, 0);
    assert_false(end.out_of_time);
}

TEST(folder_environment_and_empty_input_are_as_planned) {
    char *out;
    setenv("FS_OLD", "old", 1);
    setenv("FS_OLDER", "older", 1);
    setenv("FS_GONE", "gone", 1);
    const char *const changes[] = {"FS_OLD=new", "FS_GONE", "FS_FRESH=1", NULL};
    shell("pwd; echo $FS_OLD $FS_OLDER ${FS_GONE-none} $FS_FRESH; cat",
          (fs_process_plan){.folder = "/usr", .environment = changes}, 10, &out, NULL);
    assert_string_equal(out, "/usr\nnew older none 1\n");
    assert_string_equal(getenv("FS_OLD"), "old");
}

TEST(what_cannot_be_started_is_an_error_with_its_reason) {
    fs_process p;
    fs_process_plan plan = {.program = "/no/such/program", .heard = true};
    fs_error none = {0}, folder = {0};
    assert_int_equal(fs_process_start(&p, &plan, &none), FS_RUN);
    assert_string_equal(none.text, "/no/such/program cannot be started: No such file or directory");
    assert_int_equal(p.id, 0);
    assert_null(p.out);
    plan = (fs_process_plan){.program = "true", .folder = "/no/such/folder"};
    assert_int_equal(fs_process_start(&p, &plan, &folder), FS_RUN);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

TEST(a_process_that_takes_too_long_is_asked_and_then_killed) {
    double begin = fs_host_wall_seconds();
    fs_process_end end = shell("sleep 60", (fs_process_plan){.own_group = true}, 0.2, NULL, NULL);
    assert_true(end.out_of_time);
    assert_int_equal(end.signal, SIGTERM);
    assert_true(fs_host_wall_seconds() - begin < 30); /* half of what it would take */

    const char *const deaf[] = {"-c", "trap '' TERM; echo up; while :; do sleep 0.05; done", NULL};
    fs_process p;
    const fs_process_plan plan = {.program = "sh", .words = deaf, .heard = true, .own_group = true};
    assert_int_equal(fs_process_start(&p, &plan, &err), FS_OK);
    while (strcmp(fs_file_text(arena, p.out, 16), "up\n") != 0)
        test_nap(0.01);
    begin = fs_host_wall_seconds();
    end = fs_process_stop(&p, 0.3);
    assert_int_equal(end.signal, SIGKILL);
    assert_true(fs_host_wall_seconds() - begin >= 0.3);
    fs_process_close(&p);
}

TEST(a_group_ends_with_its_process) {
    char *out;
    shell("sleep 60 & echo $!", (fs_process_plan){.own_group = true}, 10, &out, NULL);
    const pid_t left = (pid_t)strtol(out, NULL, 10);
    assert_true(left > 1);
    for (int i = 0; i < 200 && kill(left, 0) == 0; i++) {
        char path[64], text[256] = "";
        snprintf(path, sizeof path, "/proc/%ld/stat", (long)left);
        FILE *file = fopen(path, "r");
        size_t n = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
        if (file != NULL)
            fclose(file);
        if (n == 0 || strstr(text, ") Z ") != NULL)
            return; /* it has ended, though nobody may have asked how */
        test_nap(0.01);
    }
    assert_int_not_equal(kill(left, 0), 0);
}

TEST(limits_hold) {
    fs_process_end end = shell("while :; do :; done", (fs_process_plan){.cpu_seconds = 1}, 30, NULL, NULL);
    assert_int_equal(end.signal, SIGXCPU);
    assert_false(end.out_of_time);
    char *out;
    shell("ulimit -v", (fs_process_plan){.memory_bytes = 512e6}, 10, &out, NULL);
    assert_string_equal(out, "500000\n");
}

/* A parent that is killed takes its processes along. */
/* What another wrote may not make a program run a command. */
TEST(a_process_that_is_alone_starts_none) {
    char *words, *out;
    const fs_process_plan alone = {.alone = true}, free = {.alone = false};
    const char *line = "echo before; x=$(echo inner); /bin/echo after $x";
    shell(line, free, 10, &out, NULL);
    assert_string_equal(out, "before\nafter inner\n");
    fs_process_end end = shell(line, alone, 10, &out, &words);
    assert_int_not_equal(end.status, 0);
    assert_null(strstr(out, "after"));
    assert_non_null(strstr(words, "fork"));
}

TEST(a_process_ends_with_its_parent) {
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0) {
        const char *const words[] = {"-c", "echo; exec sleep 60", NULL};
        fs_process p;
        close(ends[0]);
        const fs_process_plan plan = {.program = "sh", .words = words, .out = ends[1]};
        if (fs_process_start(&p, &plan, &err))
            _exit(1);
        pause();
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1); /* it runs */
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    alarm(20);
    assert_int_equal(read(ends[0], &byte, 1), 0); /* nobody holds the other end any more */
    alarm(0);
    close(ends[0]);
}

TEST(programs_are_found_in_the_path) {
    assert_true(fs_process_in_path("sh"));
    assert_false(fs_process_in_path("no-such-program-anywhere"));
}

int main(void) {
    arena = fs_arena_create();
    int failed = test_run(NULL, NULL);
    fs_arena_free(arena);
    return failed;
}
