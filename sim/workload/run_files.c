/* What every run folder holds whatever the workload, and the words that start a run beside this one. */
#include "sim/base/alloc.h"
#include "sim/base/digest.h"
#include "sim/base/version.h"
#include "sim/results/page_plan.h"
#include "sim/workload/run_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *digest_of(void *self, const char *path) {
    char *hex = self;
    fs_error ignored = {0}; /* a file that can't be read has no digest; the run itself has read it before */
    return fs_digest_file(path, hex, &ignored) ? NULL : hex;
}

static fs_status write_resolved(const fs_config *config, fs_results *results, fs_error *err) {
    FILE *file = fs_results_create(results, "resolved.yaml", NULL, NULL, 0, err);
    if (file == NULL)
        return FS_IO;
    char hex[FS_DIGEST_HEX];
    fs_config_write_resolved(config, file, digest_of, hex);
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

fs_status fs_run_write_common(const fs_config *config, const fs_workload *workload, fs_results *results,
                              fs_error *err) {
    if (write_resolved(config, results, err) || write_parameters(config, results, err))
        return err->status;
    return fs_page_plan_write(workload->page, results, err);
}

void fs_run_note_origin(const fs_config *config, fs_results *results) {
    char *text = NULL, hex[FS_DIGEST_HEX], model[16];
    size_t size = 0;
    FILE *memory = fs_memory_open(&text, &size);
    fs_config_write_canonical(config, memory);
    fs_memory_close(memory, &text);
    fs_digest_memory(text, size, hex);
    free(text);
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
    enum { OTHERS = 16 };
    const char **words = FS_NEW(arena, const char *, 2 * (request->set_count + more_count) + OTHERS);
    size_t n = 0;
    words[n++] = "run";
    for (size_t i = 0; i < request->set_count + more_count; i++) {
        const char *set = i < request->set_count ? request->sets[i] : more[i - request->set_count];
        if (i < request->set_count && sets_views(set))
            continue;
        words[n++] = "--set";
        words[n++] = set;
    }
    int threads = host->threads / request->job_count;
    words[n++] = "--threads";
    words[n++] = fs_arena_printf(arena, "%d", threads > 0 ? threads : 1);
    if (host->cache_dir == NULL) {
        words[n++] = "--no-cache";
    } else {
        words[n++] = "--cache";
        words[n++] = host->cache_dir;
    }
    if (dir == NULL) {
        words[n++] = "--check";
    } else {
        words[n++] = "--quiet";
        words[n++] = "--out";
        words[n++] = dir;
    }
    if (option != NULL)
        words[n++] = option;
    words[n++] = "--"; /* an experiment may begin with a dash */
    words[n++] = request->experiment;
    return words;
}
