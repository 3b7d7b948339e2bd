/* sbatch, squeue and scancel. */
#include "sim/cluster/private.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 4096, PART_BYTES = 65536 };

/* ---- programs ---- */

/* In the new process; ctrl-C is for this one alone, so that no half submission is left. */
static _Noreturn void become(const char *const *argv, int out, int words) {
    int null = open("/dev/null", O_RDWR);
    (void)setpgid(0, 0);
    (void)setenv("LC_ALL", "C", 1);
    (void)unsetenv("SQUEUE_FORMAT");
    if (null >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(words, 2) >= 0)
        execvp(argv[0], (char *const *)(uintptr_t)argv); /* which promises not to write */
    _exit(127);
}

static const char *take(fs_arena *arena, FILE *file, size_t most) {
    rewind(file);
    char *text = fs_malloc(PART_BYTES);
    size_t used = 0, room = PART_BYTES;
    for (size_t n; (n = fread(text + used, 1, room - used - 1, file)) > 0;) {
        used += n;
        if (used + 1 == room)
            text = fs_realloc(text, room *= 2);
    }
    used = used > most ? most : used;
    while (used > 0 && text[used - 1] == '\n')
        used--;
    text[used] = '\0';
    const char *copy = fs_arena_strdup(arena, text);
    free(text);
    return copy;
}

int fs_slurm_command(fs_arena *arena, const char *const *argv, const char **out, const char **words) {
    FILE *said = tmpfile(), *wrote = tmpfile();
    int how = -1;
    *out = *words = "";
    if (said != NULL && wrote != NULL) {
        fflush(NULL); /* nothing that is buffered may be written twice */
        pid_t process = fork();
        if (process == 0)
            become(argv, fileno(wrote), fileno(said));
        pid_t ended = -1;
        while (process > 0 && (ended = waitpid(process, &how, 0)) < 0 && errno == EINTR) {
        }
        how = ended == process && process > 0 && WIFEXITED(how) ? WEXITSTATUS(how) : -1;
        *out = take(arena, wrote, SIZE_MAX);
        *words = take(arena, said, MOST_WORDS);
    }
    if (said != NULL)
        fclose(said);
    if (wrote != NULL)
        fclose(wrote);
    return how;
}

static bool in_path(const char *name) {
    const char *path = getenv("PATH");
    for (const char *at = path == NULL ? "" : path; *at != '\0';) {
        size_t n = strcspn(at, ":");
        char file[PATH_MAX];
        snprintf(file, sizeof file, "%.*s/%s", (int)n, at, name);
        if (access(file, X_OK) == 0)
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

fs_status fs_slurm_here(fs_error *err) {
    static const char *const needed[] = {"sbatch", "squeue", "scancel"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!in_path(needed[i]))
            return fs_fail(err, FS_INPUT,
                           "--cluster slurm: no %s in PATH: give the command on a host that submits jobs "
                           "(some clusters ask for `module load slurm` first)",
                           needed[i]);
    return FS_OK;
}

/* ---- submitting ---- */

fs_status fs_slurm_submit(fs_arena *arena, const char *script, const char **job, fs_error *err) {
    const char *const argv[] = {"sbatch", "--parsable", script, NULL};
    const char *out, *words;
    int how = fs_slurm_command(arena, argv, &out, &words);
    if (how != 0 || !isdigit((unsigned char)out[0]))
        return fs_fail(err, FS_INPUT, "sbatch does not take %s: %s%s", script,
                       words[0] != '\0' ? words : "it says nothing",
                       strstr(words, "array") != NULL ? "\nsmaller arrays: --array-limit" : "");
    *job = fs_arena_printf(arena, "%.*s", (int)strcspn(out, ";\n"), out); /* number[;cluster] */
    return FS_OK;
}

fs_status fs_slurm_cancel(fs_arena *arena, const fs_cluster_submission *s, fs_error *err) {
    const char *const argv[] = {"scancel", fs_arena_printf(arena, "--name=%s", s->name), NULL};
    const char *out, *words;
    if (fs_slurm_command(arena, argv, &out, &words) != 0)
        return fs_fail(err, FS_RUN, "scancel cannot end job %s: %s", s->job, words);
    return FS_OK;
}

/* ---- looking ---- */

/* The next word of a line, "" at its end. */
static const char *word(fs_arena *arena, const char **line) {
    *line += strspn(*line, " ");
    size_t n = strcspn(*line, " ");
    const char *found = fs_arena_printf(arena, "%.*s", (int)n, *line);
    *line += n;
    return found;
}

/* A number at the beginning of a text, -1 where there is none or more than it. */
static int64_t number(const char *text) {
    char *end = NULL;
    long long n = isdigit((unsigned char)text[0]) ? strtoll(text, &end, 10) : -1;
    return end == NULL || *end != '\0' ? -1 : (int64_t)n;
}

/* One line of squeue: "123_4 PENDING 0 Resources". */
static void note_line(fs_arena *arena, const char *line, size_t count, fs_slurm_task *tasks) {
    const char *id = word(arena, &line), *state = word(arena, &line), *restarts = word(arena, &line);
    const char *reason = word(arena, &line), *underline = strchr(id, '_');
    const int64_t index = underline == NULL ? -1 : number(underline + 1), again = number(restarts);
    if (index < 0 || (uint64_t)index >= count || again < 0)
        return;
    fs_slurm_fate fate = fs_slurm_fate_of(state);
    fs_slurm_task *task = &tasks[index];
    if (task->fate != FS_SLURM_GONE && fs_slurm_live(task->fate) && !fs_slurm_live(fate))
        return; /* an earlier start of a task that is back in the queue */
    *task = (fs_slurm_task){
        .fate = fate, .state = state, .reason = strcmp(reason, "None") == 0 ? "" : reason, .restarts = again};
}

fs_status fs_slurm_look(fs_arena *arena, const fs_cluster_submission *s, fs_slurm_task *tasks,
                        fs_error *err) {
    /* By name: an unknown name is an empty answer, an unknown number an error like any other. */
    const char *const argv[] = {"squeue",
                                "--noheader",
                                "--array",
                                "--states=all",
                                fs_arena_printf(arena, "--name=%s", s->name),
                                "--Format=JobArrayID:64,State:32,RestartCnt:16,Reason:64",
                                NULL};
    const char *out, *words;
    if (fs_slurm_command(arena, argv, &out, &words) != 0)
        return fs_fail(err, FS_RUN, "squeue does not answer: %s", words);
    for (size_t i = 0; i < s->count; i++)
        tasks[i] = (fs_slurm_task){.fate = FS_SLURM_GONE, .state = "", .reason = ""};
    for (const char *at = out; *at != '\0';) {
        size_t n = strcspn(at, "\n");
        note_line(arena, fs_arena_printf(arena, "%.*s", (int)n, at), s->count, tasks);
        at += n + (at[n] == '\n');
    }
    return FS_OK;
}
