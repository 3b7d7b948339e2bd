/* A process of the pool: this program started again, watched, ended. */
#include "sim/base/host.h"
#include "sim/sweep/private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 64, MOST_SAID = 64 << 20, PATIENCE_SECONDS = 5, MOST_FAMILY = 256 };

/* In the new process: only what a signal handler may call. Never returns. */
static _Noreturn void become(char **argv, int out, int words, pid_t parent) {
    static const char sorry[] = "foamsim: the program cannot be started again\n";
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(words, 2) < 0)
        _exit(1);
    setpgid(0, 0);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(1);
    execv("/proc/self/exe", argv);
    if (write(2, sorry, sizeof sorry - 1) < 0)
        _exit(1);
    _exit(1);
}

static FILE *nameless(fs_error *err) {
    FILE *file = tmpfile();
    if (file == NULL)
        fs_fail(err, FS_IO, "a temporary file cannot be made: %s", strerror(errno));
    else
        fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    return file;
}

fs_status fs_sweep_start(fs_sweep_process *process, const char *const *words, fs_error *err) {
    static char name[] = "foamsim";
    char *argv[MOST_WORDS + 2] = {name};
    for (size_t i = 0; words[i] != NULL; i++) {
        FS_ASSERT(i < MOST_WORDS, "too many words for a process");
        argv[i + 1] = (char *)(uintptr_t)words[i]; /* execv promises not to write */
    }
    *process = (fs_sweep_process){.started = fs_host_wall_seconds()};
    process->out = nameless(err);
    process->words = process->out == NULL ? NULL : nameless(err);
    if (process->words == NULL) {
        fs_sweep_close(process);
        return FS_IO;
    }
    fflush(NULL); /* nothing that is buffered may be written twice */
    pid_t parent = getpid(), id = fork();
    if (id == 0)
        become(argv, fileno(process->out), fileno(process->words), parent);
    if (id < 0) {
        fs_sweep_close(process);
        return fs_fail(err, FS_RUN, "a process cannot be started: %s", strerror(errno));
    }
    setpgid(id, id); /* whoever is first */
    process->id = id;
    return FS_OK;
}

bool fs_sweep_ended(fs_sweep_process *process, int *how) {
    pid_t ended;
    do
        ended = waitpid(process->id, how, WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == 0)
        return false;
    kill(-process->id, SIGKILL); /* what it may have left behind */
    process->id = 0;
    return true;
}

void fs_sweep_end(fs_sweep_process *process) {
    const struct timespec nap = {.tv_nsec = 5000000};
    const double begin = fs_host_wall_seconds();
    int how;
    if (process->id == 0)
        return;
    kill(-process->id, SIGTERM);
    while (!fs_sweep_ended(process, &how)) {
        if (fs_host_wall_seconds() - begin > PATIENCE_SECONDS)
            kill(-process->id, SIGKILL);
        nanosleep(&nap, NULL);
    }
}

void fs_sweep_close(fs_sweep_process *process) {
    if (process->out != NULL)
        fclose(process->out);
    if (process->words != NULL)
        fclose(process->words);
    process->out = process->words = NULL;
}

char *fs_sweep_said(fs_arena *arena, FILE *file) {
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    size_t most = size < 0 ? 0 : size > MOST_SAID ? MOST_SAID : (size_t)size;
    char *text = FS_NEW(arena, char, most + 1);
    rewind(file);
    text[fread(text, 1, most, file)] = '\0';
    return text;
}

/* ---- memory ---- */

/* The beginning of a file of /proc; "" when it is gone. */
static void read_proc(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
    text[length] = '\0';
    if (file != NULL)
        fclose(file);
}

static uint64_t resident_of(pid_t process) {
    char path[64], text[128], *second = text;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
    read_proc(path, text, sizeof text);
    strtoull(text, &second, 10); /* all pages, then the resident ones */
    return (uint64_t)strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t fs_sweep_resident(pid_t process) {
    pid_t family[MOST_FAMILY] = {process};
    size_t count = 1;
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += resident_of(family[i]);
        char path[96], text[4096], *at = text, *end = text;
        snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)family[i], (long)family[i]);
        read_proc(path, text, sizeof text);
        for (long child = strtol(at, &end, 10); end != at && count < MOST_FAMILY;
             child = strtol(at, &end, 10)) {
            family[count++] = (pid_t)child;
            at = end;
        }
    }
    return sum;
}
