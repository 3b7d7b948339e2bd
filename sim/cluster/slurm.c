/* sbatch, squeue and scancel. */
#include "sim/cluster/private.h"
#include "sim/host/process.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 4096 };

/* ---- programs ---- */

/* Without a character at its end. */
static const char *trimmed(char *text, char end) {
    size_t used = strlen(text);
    while (used > 0 && text[used - 1] == end)
        used--;
    text[used] = '\0';
    return text;
}

/* Runs a program found in PATH and returns what it wrote, stderr into *words; its exit status, -1 for none. */
static int command(fs_arena *arena, const char *const *argv, const char **out, const char **words) {
    static const char *const environment[] = {"LC_ALL=C", "SQUEUE_FORMAT", NULL};
    /* Ctrl-C and an end are for this process alone, so that no half submission is left. */
    const fs_process_plan plan = {.program = argv[0],
                                  .words = argv + 1,
                                  .environment = environment,
                                  .heard = true,
                                  .own_group = true,
                                  .outlives = true};
    fs_process process;
    fs_error failed = {0};
    if (fs_process_start(&process, &plan, &failed)) {
        *out = "";
        *words = fs_arena_strdup(arena, failed.text);
        return -1;
    }
    const fs_process_end end = fs_process_wait(&process, 0);
    *out = trimmed(fs_file_text(arena, process.out, SIZE_MAX), '\n');
    *words = trimmed(fs_file_text(arena, process.err, MOST_WORDS), '\n');
    fs_process_close(&process);
    return end.status;
}

fs_status fs_slurm_here(fs_error *err) {
    static const char *const needed[] = {"sbatch", "squeue", "scancel"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!fs_process_in_path(needed[i]))
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
    int how = command(arena, argv, &out, &words);
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
    if (command(arena, argv, &out, &words) != 0)
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

/* One line of squeue: "123_4 PENDING 0 Resources", where the reason may be of several words. */
static void note_line(fs_arena *arena, const char *line, size_t count, fs_slurm_task *tasks) {
    const char *id = word(arena, &line), *state = word(arena, &line), *restarts = word(arena, &line);
    const char *reason = trimmed(fs_arena_strdup(arena, line + strspn(line, " ")), ' '),
               *underline = strchr(id, '_');
    const int64_t index = underline == NULL ? -1 : number(underline + 1), again = number(restarts);
    if (index < 0 || (uint64_t)index >= count || again < 0)
        return;
    fs_slurm_fate fate = fs_slurm_fate_of(state);
    fs_slurm_task *task = &tasks[index];
    if (task->fate != FS_SLURM_GONE && fs_slurm_live(task->fate) && !fs_slurm_live(fate))
        return; /* an earlier start of a task that is back in the queue */
    *task = (fs_slurm_task){.fate = fate, .restarts = again};
    snprintf(task->state, sizeof task->state, "%s", state);
    snprintf(task->reason, sizeof task->reason, "%s", strcmp(reason, "None") == 0 ? "" : reason);
}

fs_status fs_slurm_look(fs_arena *arena, const fs_cluster_submission *s, fs_slurm_task *tasks,
                        fs_error *err) {
    /* By name: an unknown name is an empty answer, an unknown number an error like any other. */
    const char *const argv[] = {
        "squeue",
        "--noheader",
        "--array",
        "--states=all",
        fs_arena_printf(arena, "--name=%s", s->name),
        "--Format=JobArrayID:64,State:32,RestartCnt:16,Reason:64", /* FS_SLURM_STATE */
        NULL};
    const char *out, *words;
    if (command(arena, argv, &out, &words) != 0)
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
