#define _GNU_SOURCE /* CLONE_THREAD */
/* Processes: start, look, wait, stop. */
#include "sim/host/process.h"

#include "sim/base/arith.h"
#include "sim/base/host.h"
#include "sim/host/file.h"
#include "sim/host/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { LEAST_NAP = 1000000, MOST_NAP = 20000000 }; /* nanoseconds between two looks */
static const double patience = 2;                  /* seconds from SIGTERM to SIGKILL when time is up */

/* What the new process needs, made before it exists: behind a fork of a program with threads only what a
 * signal handler may call is allowed. */
typedef struct launch {
    const fs_process_plan *plan;
    int in, out, err;
    const char *program;
    char **argv;
    char **environment;
    pid_t parent;
    int report; /* the reason of a failure goes here; closed by a program that starts */
} launch;

static size_t count_of(const char *const *texts) {
    size_t count = 0;
    while (texts != NULL && texts[count] != NULL)
        count++;
    return count;
}

static char **argv_of(const fs_process_plan *plan) {
    size_t count = count_of(plan->words);
    const char **argv = fs_calloc(count + 2, sizeof *argv);
    argv[0] = plan->program == NULL ? "foamsim" : plan->program;
    for (size_t i = 0; i < count; i++)
        argv[i + 1] = plan->words[i];
    return (char **)(uintptr_t)argv; /* exec promises not to write */
}

/* True when the change "NAME=value" or "NAME" is about the variable "NAME=old". */
static bool is_about(const char *change, const char *variable) {
    size_t length = strcspn(change, "=");
    return strncmp(change, variable, length) == 0 && variable[length] == '=';
}

static char **environment_of(const fs_process_plan *plan) {
    size_t changes = count_of(plan->environment), used = 0;
    char **texts = fs_calloc(count_of((const char *const *)environ) + changes + 1, sizeof *texts);
    for (char **at = environ; *at != NULL; at++) {
        bool changed = false;
        for (size_t i = 0; i < changes; i++)
            changed |= is_about(plan->environment[i], *at);
        if (!changed)
            texts[used++] = *at;
    }
    for (size_t i = 0; i < changes; i++)
        if (strchr(plan->environment[i], '=') != NULL)
            texts[used++] = (char *)(uintptr_t)plan->environment[i];
    return texts;
}

/* ---- in the new process ---- */

static bool limit(__rlimit_resource_t resource, double most) {
    struct rlimit was;
    if (most <= 0)
        return true;
    if (getrlimit(resource, &was) != 0)
        return false;
    const rlim_t wanted = (rlim_t)most, allowed = was.rlim_max;
    const rlim_t now = allowed == RLIM_INFINITY || wanted < allowed ? wanted : allowed;
    const struct rlimit limits = {.rlim_cur = now, .rlim_max = allowed};
    return setrlimit(resource, &limits) == 0;
}

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
enum { X32_CALLS = 0x40000000 };
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* From here on neither this process nor what it becomes starts another one; threads are allowed. Where the
 * host has no such filter nothing is forbidden: the filter is the second wall, behind texts that hold no
 * command. */
static void stay_alone(void) {
#if defined(__x86_64__) || defined(__aarch64__)
#define FAIL(reason)          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((reason)&SECCOMP_RET_DATA))
#define UNLESS(code, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (code), 0, (skipped))
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
        FAIL(EPERM),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef SYS_fork
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1), /* the other table of the same architecture */
        FAIL(EPERM),
        UNLESS(SYS_fork, 1),
        FAIL(EPERM),
        UNLESS(SYS_vfork, 1),
        FAIL(EPERM),
#endif
        UNLESS(SYS_clone3, 1), /* its flags cannot be seen; the C library falls back to clone */
        FAIL(ENOSYS),
        UNLESS(SYS_clone, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        FAIL(EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {.len = sizeof rules / sizeof *rules, .filter = rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
#endif
}

static bool connect_to(int descriptor, int null, int target) {
    return dup2(descriptor == 0 ? null : descriptor, target) >= 0;
}

static bool prepare(const launch *l) {
    const fs_process_plan *plan = l->plan;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || !connect_to(l->in, null, 0) || !connect_to(l->out, null, 1) ||
        !connect_to(l->err, null, 2))
        return false;
    if (plan->own_group && setpgid(0, 0) != 0)
        return false;
    if (!plan->outlives) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
            return false;
        if (getppid() != l->parent) /* a parent that is gone already sends no signal */
            _exit(1);
    }
    return limit(RLIMIT_CPU, plan->cpu_seconds) && limit(RLIMIT_AS, plan->memory_bytes) &&
           (plan->folder == NULL || chdir(plan->folder) == 0);
}

static _Noreturn void become(const launch *l) {
    if (prepare(l)) {
        if (l->plan->alone)
            stay_alone();
        environ = l->environment;
        execvp(l->program, l->argv);
    }
    const int reason = errno;
    _exit(write(l->report, &reason, sizeof reason) == sizeof reason ? 127 : 126);
}

/* ---- in this one ---- */

/* 0 when the program runs, else the reason why it does not. */
static int reason_of(int report) {
    int reason = 0;
    ssize_t got;
    do
        got = read(report, &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof reason ? reason : 0;
}

static void reap(pid_t id, int *how) {
    while (waitpid(id, how, 0) < 0 && errno == EINTR) {
    }
}

static int launch_process(fs_process *process, launch *l) {
    int ends[2], how;
    if (pipe(ends) != 0)
        return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    l->report = fcntl(ends[1], F_DUPFD_CLOEXEC, 3); /* out of the way of the three that are connected */
    close(ends[1]);
    fflush(NULL); /* nothing that is buffered may be written twice */
    pid_t id = fork();
    int reason = id < 0 ? errno : 0;
    if (id == 0)
        become(l);
    close(l->report);
    if (id > 0)
        reason = reason_of(ends[0]);
    close(ends[0]);
    if (id > 0 && reason != 0)
        reap(id, &how);
    if (reason == 0)
        process->id = id;
    return reason;
}

fs_status fs_process_start(fs_process *process, const fs_process_plan *plan, fs_error *err) {
    *process = (fs_process){.own_group = plan->own_group, .started = fs_host_wall_seconds()};
    if (plan->heard &&
        ((process->out = fs_file_nameless(err)) == NULL || (process->err = fs_file_nameless(err)) == NULL)) {
        fs_process_close(process);
        return FS_IO;
    }
    launch l = {.plan = plan,
                .in = plan->in,
                .out = plan->heard ? fileno(process->out) : plan->out,
                .err = plan->heard ? fileno(process->err) : plan->err,
                .program = plan->program == NULL ? "/proc/self/exe" : plan->program,
                .argv = argv_of(plan),
                .environment = environment_of(plan),
                .parent = getpid()};
    int reason = launch_process(process, &l);
    free(l.argv);
    free(l.environment);
    if (reason == 0)
        return FS_OK;
    fs_process_close(process);
    return fs_fail(err, FS_RUN, "%s cannot be started: %s",
                   plan->program == NULL ? "this program" : plan->program, strerror(reason));
}

void fs_process_close(fs_process *process) {
    if (process->out != NULL)
        fclose(process->out);
    if (process->err != NULL)
        fclose(process->err);
    process->out = process->err = NULL;
}

static fs_process_end end_of(int how) {
    return (fs_process_end){.status = WIFEXITED(how) ? WEXITSTATUS(how) : -1,
                            .signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0};
}

void fs_process_signal(const fs_process *process, int number) {
    kill(process->own_group ? -process->id : process->id, number);
}

static fs_process_end note_end(fs_process *process, int how) {
    if (process->own_group)
        kill(-process->id, SIGKILL); /* what it may have left behind */
    process->id = 0;
    return end_of(how);
}

bool fs_process_ended(fs_process *process, fs_process_end *end) {
    int how = 0;
    pid_t ended;
    do
        ended = waitpid(process->id, &how, WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == 0)
        return false;
    *end = note_end(process, how);
    return true;
}

/* True when the process ended before it was `seconds` old or, from `since` on, within them. */
static bool ended_within(fs_process *process, double since, double seconds, fs_process_end *end) {
    struct timespec nap = {.tv_nsec = LEAST_NAP};
    while (!fs_process_ended(process, end)) {
        if (fs_host_wall_seconds() - since > seconds)
            return false;
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < MOST_NAP)
            nap.tv_nsec *= 2;
    }
    return true;
}

static fs_process_end wait_without_limit(fs_process *process) {
    int how = 0;
    reap(process->id, &how);
    return note_end(process, how);
}

fs_process_end fs_process_wait(fs_process *process, double most_seconds) {
    fs_process_end end = {0};
    if (process->id == 0)
        return end;
    if (most_seconds <= 0)
        return wait_without_limit(process);
    if (!ended_within(process, process->started, most_seconds, &end)) {
        end = fs_process_stop(process, patience);
        end.out_of_time = true;
    }
    return end;
}

fs_process_end fs_process_stop(fs_process *process, double patience_seconds) {
    fs_process_end end = {0};
    if (process->id == 0)
        return end;
    fs_process_signal(process, SIGTERM);
    if (ended_within(process, fs_host_wall_seconds(), patience_seconds, &end))
        return end;
    fs_process_signal(process, SIGKILL);
    return wait_without_limit(process);
}

const char *fs_process_said(fs_arena *arena, FILE *from, size_t most) {
    static const char name[] = "foamsim: ";
    const char *text = "";
    for (const char *at = fs_file_text(arena, from, most); *at != '\0';) {
        at += fs_begins(at, name) ? sizeof name - 1 : 0;
        const size_t length = strcspn(at, "\n");
        text = fs_arena_append(arena, text, "\n", "%.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
    return text;
}

/* ---- a copy of this one ---- */

static _Noreturn void go_aside(void (*call)(void *self), void *self, pid_t parent) {
    static const int faults[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU};
    sigset_t caught;
    sigfillset(&caught);
    for (size_t i = 0; i < FS_COUNT(faults); i++) {
        signal(faults[i], SIG_DFL);
        sigdelset(&caught, faults[i]);
    }
    sigprocmask(SIG_BLOCK, &caught, NULL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(1);
    call(self);
    _exit(0);
}

fs_status fs_process_aside(const char *what, void (*call)(void *self), void *self, double most_seconds,
                           fs_process_end *end, fs_error *err) {
    const struct timespec nap = {.tv_nsec = 2 * LEAST_NAP};
    const pid_t parent = getpid();
    const double begin = fs_host_wall_seconds();
    bool stopped = false, late = false;
    int how = 0;
    fflush(NULL); /* nothing that is buffered may be written twice */
    const pid_t id = fork();
    if (id == 0)
        go_aside(call, self, parent);
    if (id < 0)
        return fs_fail(err, FS_RUN, "%s: the host has no process left", what);
    for (pid_t ended = 0; ended != id; ended = waitpid(id, &how, WNOHANG)) {
        if (ended < 0 && errno != EINTR)
            return fs_fail(err, FS_RUN, "%s: no process came back", what);
        if (fs_interrupted() && !stopped)
            stopped = kill(id, SIGKILL) == 0;
        else if (most_seconds > 0 && fs_host_wall_seconds() - begin > most_seconds && !late)
            late = kill(id, SIGKILL) == 0; /* it may wait, and compute nothing */
        nanosleep(&nap, NULL);
    }
    *end = end_of(how);
    end->out_of_time = late;
    return stopped ? fs_fail(err, FS_RUN, "interrupted") : FS_OK;
}

/* ---- command lines ---- */

static void add(fs_process_words *w, const char *word) {
    w->word = fs_arena_grow(w->arena, w->word, w->count, sizeof *w->word);
    w->word[w->count++] = word;
    w->word = fs_arena_grow(w->arena, w->word, w->count, sizeof *w->word);
    w->word[w->count] = NULL;
}

void fs_process_add(fs_process_words *words, const char *word, ...) {
    va_list more;
    va_start(more, word);
    for (; word != NULL; word = va_arg(more, const char *))
        add(words, word);
    va_end(more);
}

void fs_process_option(fs_process_words *words, const char *option, const char *value) {
    if (value != NULL)
        fs_process_add(words, option, value, NULL);
}

void fs_process_sets(fs_process_words *words, const char *const *sets, size_t count) {
    for (size_t i = 0; i < count; i++)
        fs_process_option(words, "--set", sets[i]);
}

bool fs_process_in_path(const char *program) {
    const char *path = getenv("PATH");
    for (const char *at = path == NULL ? "" : path; *at != '\0';) {
        size_t length = strcspn(at, ":");
        char file[PATH_MAX];
        snprintf(file, sizeof file, "%.*s/%s", (int)length, at, program);
        if (length > 0 && access(file, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}
