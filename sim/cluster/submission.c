/* A submission's folder: made, read back, closed. */
#include "sim/base/alloc.h"
#include "sim/base/digest.h"
#include "sim/base/version.h"
#include "sim/cluster/private.h"
#include "sim/results/results.h"
#include "sim/yaml/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NUMBER_DIGITS = 4, MOST_SUBMISSIONS = 1000000, NAME_DIGITS = 12 };

bool fs_cluster_has_result(const char *folder, const char *key) {
    return fs_cluster_bytes("%s/results/%s.json", folder, key) >= 0 ||
           fs_cluster_bytes("%s/results/%s.merged", folder, key) >= 0;
}

int64_t fs_cluster_starts(const char *folder, const char *key) {
    const int64_t bytes = fs_cluster_bytes("%s/starts/%s", folder, key);
    return bytes < 0 ? 0 : bytes;
}

/* ---- making ---- */

/* Words of #SBATCH lines and of the shell stand in quotes. */
static fs_status check_word(const char *what, const char *word, fs_error *err) {
    if (word != NULL && strpbrk(word, "\"'\\\n$`") != NULL)
        return fs_fail(
            err, FS_INPUT,
            "%s \"%s\": quotes, backslashes, dollars and line ends cannot be in what goes to Slurm", what,
            word);
    return FS_OK;
}

/* Slurm puts numbers for % in the name of the output. */
static const char *percents(fs_arena *arena, const char *path) {
    char *out = FS_NEW(arena, char, 2 * strlen(path) + 1), *at = out;
    for (; *path != '\0'; path++) {
        *at++ = *path;
        if (*path == '%')
            *at++ = '%';
    }
    return out;
}

static void option_line(FILE *out, const char *name, const char *value) {
    if (value != NULL)
        fprintf(out, "#SBATCH --%s=\"%s\"\n", name, value);
}

static void write_script_text(fs_arena *arena, const fs_cluster_submission *s, const fs_cluster_options *o,
                              const char *program, FILE *out) {
    fprintf(out, "#!/bin/sh\n# Points of a sweep; made by foamsim, which also gives it to sbatch.\n");
    fprintf(out, "#SBATCH --job-name=%s\n#SBATCH --array=0-%zu", s->name, s->count - 1);
    if (o->tasks_at_once > 0)
        fprintf(out, "%%%lld", (long long)o->tasks_at_once);
    fprintf(out,
            "\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%lld\n#SBATCH --requeue\n"
            "#SBATCH --open-mode=append\n#SBATCH --output=\"%s/log/%%a.txt\"\n#SBATCH --chdir=\"%s\"\n",
            (long long)o->cpus, percents(arena, s->folder), s->folder);
    option_line(out, "partition", o->partition);
    option_line(out, "account", o->account);
    option_line(out, "time", o->time);
    option_line(out, "mem", o->memory);
    fprintf(out, "export OMP_NUM_THREADS=%lld OMP_WAIT_POLICY=passive\n", (long long)o->cpus);
    fprintf(out, "exec '%s' sweep-task '%s' \"$SLURM_ARRAY_TASK_ID\"\n", program, s->folder);
}

static fs_status write_script(fs_arena *arena, const fs_cluster_submission *s, const fs_cluster_options *o,
                              fs_error *err) {
    const char *program = fs_path_real(arena, "/proc/self/exe");
    if (program == NULL)
        return fs_fail(err, FS_IO, "/proc/self/exe: cannot be read: %s", strerror(errno));
    if (check_word("the program", program, err))
        return FS_INPUT;
    fs_memory memory;
    write_script_text(arena, s, o, program, fs_memory_open(&memory));
    return fs_file_stream(fs_arena_printf(arena, "%s/array.sh", s->folder), &memory, FS_DURABLE, err);
}

static json_t *chunk_json(const fs_cluster_chunk *chunk) {
    json_t *points = json_array();
    for (size_t i = 0; i < chunk->count; i++) {
        const fs_store_point *w = &chunk->work[i];
        json_array_append_new(points, json_pack("{s:s, s:s, s:s, s:s, s:s}", "key", w->key, "label", w->label,
                                                "geometry_key", w->geometry_key, "traffic_key",
                                                w->traffic_key, "resolved", w->resolved));
    }
    return json_pack("{s:o}", "points", points);
}

static fs_status write_chunks(fs_arena *arena, const fs_cluster_submission *s, fs_error *err) {
    for (size_t i = 0; i < s->count; i++) {
        json_t *root = chunk_json(&s->chunk[i]);
        fs_status status =
            fs_cluster_write_json(fs_arena_printf(arena, "%s/chunk-%zu.json", s->folder, i), root, err);
        json_decref(root);
        if (status)
            return status;
    }
    json_t *head = json_pack("{s:s, s:i, s:I}", "name", s->name, "model_version", FS_MODEL_VERSION, "tasks",
                             (json_int_t)s->count);
    fs_status status =
        fs_cluster_write_json(fs_arena_printf(arena, "%s/submission.json", s->folder), head, err);
    json_decref(head);
    return status;
}

/* A name that no other job has, also where a store is made anew while an old job of it lives. */
static void make_name(fs_cluster_submission *s) {
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    char hex[FS_DIGEST_HEX];
    fs_digest d;
    fs_digest_begin(&d);
    fs_digest_add(&d, s->folder, strlen(s->folder));
    long salt[] = {(long)now.tv_sec, now.tv_nsec, (long)getpid()};
    fs_digest_add(&d, salt, sizeof salt);
    fs_digest_end(&d, hex);
    snprintf(s->name, sizeof s->name, "foamsim-%.*s", NAME_DIGITS, hex);
}

static int highest(fs_arena *arena, const char *folder) {
    int most = 0;
    const char *const *name = fs_dir_names(arena, folder);
    for (; name != NULL && *name != NULL; name++) {
        const long number = strtol(*name, NULL, 10); /* 0 for what is no submission */
        most = number > most && number < MOST_SUBMISSIONS ? (int)number : most;
    }
    return most;
}

fs_status fs_cluster_prepare(fs_arena *arena, const char *store, const fs_cluster_options *options,
                             fs_cluster_submission *s, fs_error *err) {
    const char *folder = fs_cluster_folder(arena, store);
    s->folder = fs_arena_printf(arena, "%s/%0*d", folder, NUMBER_DIGITS, highest(arena, folder) + 1);
    s->job = "";
    make_name(s);
    if (check_word("--partition", options->partition, err) ||
        check_word("--account", options->account, err) || check_word("--time", options->time, err) ||
        check_word("--mem", options->memory, err) || check_word("the store's folder", s->folder, err) ||
        fs_dir_make(folder, err) || fs_dir_make(s->folder, err))
        return err->status;
    static const char *const inner[] = {"results", "starts", "log"};
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++)
        if (fs_dir_make(fs_arena_printf(arena, "%s/%s", s->folder, inner[i]), err))
            return err->status;
    fs_status status = write_script(arena, s, options, err);
    return status ? status : write_chunks(arena, s, err);
}

/* ---- reading back ---- */

fs_status fs_cluster_read_chunk(fs_arena *arena, const char *folder, size_t index, fs_cluster_chunk *chunk,
                                fs_error *err) {
    json_t *root = fs_cluster_read_json(fs_arena_printf(arena, "%s/chunk-%zu.json", folder, index), err);
    if (root == NULL)
        return err->status;
    const json_t *points = json_object_get(root, "points");
    chunk->count = json_array_size(points);
    chunk->work = FS_NEW(arena, fs_store_point, chunk->count + 1);
    for (size_t i = 0; i < chunk->count; i++) {
        const json_t *p = json_array_get(points, i);
        chunk->work[i] =
            (fs_store_point){.key = fs_arena_strdup(arena, fs_json_text(p, "key")),
                             .label = fs_arena_strdup(arena, fs_json_text(p, "label")),
                             .geometry_key = fs_arena_strdup(arena, fs_json_text(p, "geometry_key")),
                             .traffic_key = fs_arena_strdup(arena, fs_json_text(p, "traffic_key")),
                             .resolved = fs_arena_strdup(arena, fs_json_text(p, "resolved"))};
    }
    json_decref(root);
    return FS_OK;
}

static fs_status read_submission(fs_arena *arena, const char *folder, fs_cluster_submission *s,
                                 fs_error *err) {
    *s = (fs_cluster_submission){
        .folder = folder, .job = fs_cluster_last_words(arena, fs_arena_printf(arena, "%s/job", folder))};
    json_t *head = fs_cluster_read_json(fs_arena_printf(arena, "%s/submission.json", folder), err);
    if (head == NULL)
        return err->status;
    snprintf(s->name, sizeof s->name, "%s", fs_json_text(head, "name"));
    s->count = (size_t)json_integer_value(json_object_get(head, "tasks"));
    json_decref(head);
    s->chunk = FS_NEW(arena, fs_cluster_chunk, s->count + 1);
    for (size_t i = 0; i < s->count; i++)
        if (fs_cluster_read_chunk(arena, folder, i, &s->chunk[i], err))
            return err->status;
    return FS_OK;
}

fs_status fs_cluster_open_submissions(fs_arena *arena, const char *store, fs_cluster_submission **submissions,
                                      size_t *count, fs_error *err) {
    const char *folder = fs_cluster_folder(arena, store);
    int most = highest(arena, folder);
    *submissions = FS_NEW(arena, fs_cluster_submission, (size_t)most + 1);
    *count = 0;
    for (int i = 1; i <= most; i++) {
        const char *one = fs_arena_printf(arena, "%s/%0*d", folder, NUMBER_DIGITS, i);
        /* Without its head it never got as far as sbatch. */
        if (fs_cluster_bytes("%s/submission.json", one) < 0 || fs_cluster_bytes("%s/closed", one) >= 0)
            continue;
        if (read_submission(arena, one, &(*submissions)[*count], err))
            return err->status;
        ++*count;
    }
    return FS_OK;
}

/* ---- closing ---- */

static void clear_folder(fs_arena *arena, const char *folder) {
    const char *const *name = fs_dir_names(arena, folder);
    for (; name != NULL && *name != NULL; name++)
        if (!fs_path_ends(*name, ".json"))
            unlink(fs_arena_printf(arena, "%s/%s", folder, *name));
    rmdir(folder); /* stays where a file that is no result was left */
}

/* What tasks that were killed left of their recordings. */
static void clear_work(fs_arena *arena, const char *folder) {
    fs_error ignored = {0};
    const char *const *name = fs_dir_names(arena, folder);
    for (; name != NULL && *name != NULL; name++)
        if (fs_begins(*name, "work-"))
            (void)fs_cluster_remove(fs_arena_printf(arena, "%s/%s", folder, *name), &ignored);
}

fs_status fs_cluster_close(fs_arena *arena, const fs_cluster_submission *s, fs_error *err) {
    fs_status status = fs_file_write(fs_arena_printf(arena, "%s/closed", s->folder), "", 0, FS_DURABLE, err);
    if (status)
        return status;
    clear_folder(arena, fs_arena_printf(arena, "%s/results", s->folder));
    clear_folder(arena, fs_arena_printf(arena, "%s/starts", s->folder));
    clear_work(arena, s->folder);
    for (size_t i = 0; i < s->count; i++)
        unlink(fs_arena_printf(arena, "%s/chunk-%zu.json", s->folder, i));
    return FS_OK;
}
