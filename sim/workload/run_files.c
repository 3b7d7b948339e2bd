/* What every run folder holds whatever the workload, and the words that start a run beside this one. */
#include "sim/base/alloc.h"
#include "sim/base/digest.h"
#include "sim/base/version.h"
#include "sim/config/key.h"
#include "sim/host/process.h"
#include "sim/results/page_plan.h"
#include "sim/workload/run_request.h"
#include "sim/workload/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the file alone, as sha256sum gives it; and of what it names, too. A file that can't be read has no digest; the run itself has read
 * it before. */
static const char *digest_alone(void *self, const fs_param *row, const char *path) {
    (void)row;
    fs_error ignored = {0};
    return fs_digest_file(path, self, &ignored) ? NULL : self;
}
static const char *digest_of(void *self, const fs_param *row, const char *path) {
    fs_error ignored = {0};
    return fs_key_digest(row, path, self, &ignored) ? NULL : self;
}

static fs_status write_resolved(const fs_config *config, fs_results *results, fs_error *err) {
    FILE *file = fs_results_create(results, "resolved.yaml", NULL, NULL, 0, err);
    if (file == NULL)
        return FS_IO;
    char hex[FS_DIGEST_HEX];
    fs_config_write_resolved(config, file, digest_alone, hex);
    return fs_results_close(results, file, err);
}

static fs_status write_parameters(const fs_config *config, fs_results *results, fs_error *err) {
    static const char *const units[FS_PARAMETER_COLUMNS] = {"", "", "", "", "", "", "", "", "", "", ""};
    FILE *file =
        fs_results_create(results, "parameters.csv", fs_parameter_columns, units, FS_PARAMETER_COLUMNS, err);
    if (file == NULL)
        return FS_IO;
    fs_config_write_parameters(config, file);
    return fs_results_close(results, file, err);
}

/* ---- work ---- */

/* One of `keys`, with blanks between them, is the line's "section.key", or its beginning up to a dot. */
static bool named(const char *keys, const char *line) {
    const size_t name = strcspn(line, ":");
    for (const char *at = keys; *at != '\0';) {
        const size_t n = strcspn(at, " ");
        if (strncmp(at, line, n) == 0 && (n == name || (n < name && at[n - 1] == '.')))
            return true;
        at += n + strspn(at + n, " ");
    }
    return false;
}

/* The values of the keys in the text of fs_config_write_key, as far as they are few and short: "320 x 240";
 * else their digest. */
static void write_value(const char *text, const char *keys, FILE *out) {
    enum { MOST = 2, LONGEST = 24 };
    char hex[FS_DIGEST_HEX];
    size_t lines = 0, longest = 0;
    fs_memory chosen;
    fs_memory_open(&chosen);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const char *value = line + strcspn(line, ":\n");
        const size_t length = strcspn(value, "\n");
        if (!named(keys, line) || length < 2)
            continue;
        longest = length > longest ? length : longest;
        fprintf(chosen.stream, "%s%.*s", lines++ > 0 ? " x " : "", (int)length - 2, value + 2);
    }
    fs_memory_close(&chosen);
    fs_digest_memory(chosen.text, chosen.bytes, hex);
    const bool plain = lines <= MOST && longest <= LONGEST && strpbrk(chosen.text, ",\"") == NULL;
    fputs(plain ? chosen.text : hex, out);
    free(chosen.text);
}

/* Lines "section.key: value" of all that changes a result. The caller's, free(). */
static char *settings_of(const fs_config *config) {
    char hex[FS_DIGEST_HEX];
    fs_memory memory;
    fs_config_write_key(config, FS_TOUCHES_PRICE, digest_of, hex, fs_memory_open(&memory));
    return fs_memory_close(&memory);
}

/* A named work, and what all of it is: a key of it may have been set. */
static void write_named(const fs_config *config, const char *text, FILE *out) {
    const fs_work_params *work = fs_config_section(config, "work");
    char hex[FS_DIGEST_HEX];
    fs_memory content;
    fs_params_write(&fs_work_table, "", work, fs_memory_open(&content));
    write_value(text, "scene.", content.stream);
    fs_digest_stream(&content, hex);
    fprintf(out, "%s,%s,,\n%s,%s,,\n", FS_WORK_NAME, work->name, FS_WORK_CONTENT, hex);
}

static fs_status write_work(const fs_config *config, const fs_workload *workload, fs_results *results,
                            fs_error *err) {
    static const char *const columns[] = {"what", "value", "figures", "unit"}, *const units[4] = {"", "", "",
                                                                                                  ""};
    if (workload->work_count == 0)
        return FS_OK;
    FILE *file = fs_results_create(results, "work.csv", columns, units, 4, err);
    if (file == NULL)
        return FS_IO;
    char *text = settings_of(config);
    if (fs_config_has(config, "work"))
        write_named(config, text, file);
    for (size_t i = 0; i < workload->work_count; i++) {
        const fs_work_row *row = &workload->work[i];
        fprintf(file, "%s,", row->what);
        if (row->keys != NULL)
            write_value(text, row->keys, file);
        fprintf(file, ",%s,%s\n", row->figures == NULL ? "" : row->figures,
                row->unit == NULL ? "" : row->unit);
    }
    free(text);
    return fs_results_close(results, file, err);
}

fs_status fs_run_write_common(const fs_config *config, const fs_workload *workload, fs_results *results,
                              fs_error *err) {
    if (write_resolved(config, results, err) || write_parameters(config, results, err) ||
        write_work(config, workload, results, err))
        return err->status;
    char *settings = settings_of(config);
    const fs_status status = fs_page_plan_write(workload->page, settings, results, err);
    free(settings);
    return status;
}

void fs_run_note_origin(const fs_config *config, fs_results *results) {
    char hex[FS_DIGEST_HEX], model[16];
    fs_memory memory;
    fs_config_write_canonical(config, fs_memory_open(&memory));
    fs_digest_stream(&memory, hex);
    snprintf(model, sizeof model, "%d", FS_MODEL_VERSION);
    fs_results_note(results, "model_version", model);
    fs_results_note(results, "config_sha256", hex);
}

/* --set of the views section: a child has one view. */
static bool sets_views(const char *set) {
    return strncmp(set, "views", 5) == 0 && (set[5] == '.' || set[5] == '=');
}

const char *const *fs_run_words(const fs_run_request *request, const fs_host_options *host, fs_arena *arena,
                                const char *const *more, size_t more_count, const char *option,
                                const char *dir) {
    const int threads = host->threads / (int)request->jobs;
    fs_process_words w = {.arena = arena};
    fs_process_add(&w, "run", NULL);
    for (size_t i = 0; i < request->set_count; i++)
        if (!sets_views(request->sets[i]))
            fs_process_sets(&w, &request->sets[i], 1);
    fs_process_sets(&w, more, more_count);
    fs_process_add(&w, "--threads", fs_arena_printf(arena, "%d", threads > 0 ? threads : 1),
                   host->cache_dir == NULL ? "--no-cache" : NULL, NULL);
    fs_process_option(&w, "--cache", host->cache_dir);
    fs_process_add(&w, dir == NULL ? "--check" : "--quiet", NULL);
    fs_process_option(&w, "--out", dir);
    if (option != NULL)
        fs_process_add(&w, option, NULL);
    fs_process_add(&w, "--", request->experiment, NULL); /* an experiment may begin with a dash */
    return w.word;
}
