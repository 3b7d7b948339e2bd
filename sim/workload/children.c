#include "sim/cli/children.h"

#include "sim/base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 8192, LOOK_NANOSECONDS = 5000000 };

typedef struct worker {
    pid_t process; /* 0: none */
    size_t child;
    FILE *words; /* its stderr, without a name */
} worker;

typedef struct crew {
    fs_children *children;
    fs_arena *arena;
    worker *worker; /* [jobs] */
    size_t next;    /* child to start */
    size_t failed;  /* the first that failed; SIZE_MAX: none */
    bool stopping;
} crew;

static char **argv_of(fs_arena *arena, const fs_child *child) {
    static char name[] = "foamsim";
    size_t count = 0;
    while (child->words[count] != NULL)
        count++;
    char **argv = FS_NEW(arena, char *, count + 2);
    argv[0] = name;
    for (size_t i = 0; i < count; i++)
        argv[i + 1] = (char *)(uintptr_t)child->words[i]; /* execv promises not to write */
    return argv;
}

/* In the new process, whose threads are gone: only what a signal handler may call. Never returns. */
static _Noreturn void become(char **argv, int words, pid_t parent) {
    static const char sorry[] = "foamsim: the program cannot be started again\n";
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(words, 2) < 0)
        _exit(1);
    /* A parent that is gone already sends no signal. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(1);
    execv("/proc/self/exe", argv);
    if (write(2, sorry, sizeof sorry - 1) < 0)
        _exit(1);
    _exit(1);
}

static fs_status start(crew *c, worker *w, fs_error *err) {
    w->words = tmpfile();
    if (w->words == NULL)
        return fs_fail(err, FS_IO, "a temporary file cannot be made: %s", strerror(errno));
    fflush(NULL); /* nothing that is buffered may be written twice */
    char **argv = argv_of(c->arena, &c->children->child[c->next]);
    pid_t parent = getpid(), process = fork();
    if (process < 0) {
        fclose(w->words);
        return fs_fail(err, FS_RUN, "a process cannot be started: %s", strerror(errno));
    }
    if (process == 0)
        become(argv, fileno(w->words), parent);
    w->process = process;
    w->child = c->next++;
    return FS_OK;
}

static const char *said(crew *c, FILE *words) {
    char *text = FS_NEW(c->arena, char, MOST_WORDS + 1);
    rewind(words);
    size_t length = fread(text, 1, MOST_WORDS, words);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    text[length] = '\0';
    fclose(words);
    return text;
}

static void note_end(crew *c, worker *w, int how) {
    fs_child *child = &c->children->child[w->child];
    child->words_said = said(c, w->words);
    w->process = 0;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0) {
        child->status = FS_OK;
        if (c->children->ended != NULL && !c->stopping)
            c->children->ended(c->children->self, w->child);
        return;
    }
    child->status = WIFEXITED(how) && WEXITSTATUS(how) == fs_exit_status(FS_INPUT) ? FS_INPUT : FS_RUN;
    if (WIFSIGNALED(how) && !c->stopping)
        child->words_said = fs_arena_printf(c->arena, "%s%sthe run was ended by signal %d", child->words_said,
                                            child->words_said[0] == '\0' ? "" : "\n", WTERMSIG(how));
    if (c->failed == SIZE_MAX && !c->stopping)
        c->failed = w->child;
}

/* Looks at each worker; returns how many are still busy. */
static int look(crew *c, bool wait) {
    int busy = 0;
    for (int i = 0; i < c->children->jobs; i++) {
        worker *w = &c->worker[i];
        int how = 0;
        if (w->process == 0)
            continue;
        pid_t ended;
        do
            ended = waitpid(w->process, &how, wait ? 0 : WNOHANG);
        while (ended < 0 && errno == EINTR);
        if (ended == 0)
            busy++;
        else
            note_end(c, w, how);
    }
    return busy;
}

static void stop_all(crew *c) {
    c->stopping = true;
    for (int i = 0; i < c->children->jobs; i++)
        if (c->worker[i].process != 0)
            kill(c->worker[i].process, SIGTERM);
    look(c, true);
}

/* Each line of what the child said, without the program's name, behind its label. */
static fs_status pass_on(const fs_child *child, fs_error *err) {
    static const char name[] = "foamsim: ";
    const char *at = child->words_said;
    if (*at == '\0')
        return fs_fail(err, child->status, "%s: the run failed without a word", child->label);
    while (*at != '\0') {
        if (strncmp(at, name, sizeof name - 1) == 0)
            at += sizeof name - 1;
        size_t length = strcspn(at, "\n");
        fs_fail_also(err, child->status, "%s: %.*s", child->label, (int)length, at);
        at += length + (at[length] == '\n');
    }
    return child->status;
}

static fs_status work(crew *c, fs_error *err) {
    const struct timespec nap = {.tv_nsec = LOOK_NANOSECONDS};
    for (;;) {
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted");
        int busy = look(c, false);
        if (c->failed != SIZE_MAX && !c->children->keep_going)
            return pass_on(&c->children->child[c->failed], err);
        for (int i = 0; i < c->children->jobs && c->next < c->children->count; i++)
            if (c->worker[i].process == 0) {
                if (start(c, &c->worker[i], err))
                    return err->status;
                busy++;
            }
        if (busy == 0)
            return FS_OK;
        nanosleep(&nap, NULL);
    }
}

fs_status fs_children_run(fs_children *children, fs_arena *arena, fs_error *err) {
    crew c = {.children = children, .arena = arena, .failed = SIZE_MAX};
    c.worker = FS_NEW(arena, worker, (size_t)children->jobs);
    fs_status status = work(&c, err);
    if (status)
        stop_all(&c);
    return status;
}
