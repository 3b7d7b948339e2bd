#include "sim/base/digest.h"
#include "sim/base/progress.h"
#include "sim/cli/commands.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 256, MAX_THREADS = 1024, LINE_BYTES = 1024 };

typedef struct request {
    const char *experiment, *dir, *threads, *cache;
    const char *sets[MAX_SETS];
    size_t set_count;
    bool force, no_cache, quiet, check, help;
} request;

static fs_status parse(int argc, char **argv, request *r, fs_error *err) {
    const fs_option options[] = {
        {.name = "set",
         .letter = 's',
         .value = "A.B=V",
         .doc = "change one parameter; may be repeated",
         .list = r->sets,
         .list_count = &r->set_count,
         .list_max = MAX_SETS},
        {.name = "out",
         .letter = 'o',
         .value = "DIR",
         .doc = "folder of the results (runs/NAME)",
         .text = &r->dir},
        {.name = "force", .letter = 'f', .doc = "replace an existing run folder", .flag = &r->force},
        {.name = "threads",
         .letter = 't',
         .value = "N",
         .doc = "host threads (all cores)",
         .text = &r->threads},
        {.name = "cache",
         .value = "DIR",
         .doc = "folder of cached scenes ($XDG_CACHE_HOME/foamsim)",
         .text = &r->cache},
        {.name = "no-cache", .doc = "read and write no cached scenes", .flag = &r->no_cache},
        {.name = "quiet", .letter = 'q', .doc = "no progress and no words", .flag = &r->quiet},
        {.name = "check",
         .letter = 'c',
         .doc = "stop before the run: does the experiment fit the machine?",
         .flag = &r->check},
    };
    int args = 0;
    fs_status status =
        fs_options_parse("run EXPERIMENT.yaml [options]\n"
                         "Runs an experiment and prints the name of the folder with its results.",
                         options, sizeof options / sizeof options[0], argc, argv, 1, 1, &args, &r->help, err);
    if (status == FS_OK && !r->help)
        r->experiment = argv[0];
    return status;
}

static fs_status host_options(const request *r, fs_host_options *host, fs_error *err) {
    int64_t threads = omp_get_max_threads();
    if (r->threads != NULL && fs_option_int("threads", r->threads, 1, MAX_THREADS, &threads, err))
        return FS_INPUT;
    omp_set_num_threads((int)threads);
    *host = (fs_host_options){.threads = (int)threads, .check_only = r->check};
    if (!r->no_cache)
        host->cache_dir = r->cache != NULL ? r->cache : fs_default_cache_dir();
    fs_say_quiet(r->quiet);
    return FS_OK;
}

static const fs_workload *find_workload(const char *kind) {
    for (const fs_workload *const *w = fs_registry_workloads; *w != NULL; w++)
        if (strcmp((*w)->kind, kind) == 0) {
            FS_ASSERT((*w)->abi == FS_ABI, "workload %s was built for another foamsim", kind);
            return *w;
        }
    fs_panic(__FILE__, __LINE__, "the registry has parameters but no workload of kind \"%s\"", kind);
}

/* The folder of the results: --out, or runs/NAME. */
static const char *folder_of(const request *r, const fs_config *config, fs_arena *arena, fs_error *err) {
    if (r->dir != NULL)
        return r->dir;
    const char *name = fs_config_name(config);
    if (name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL)
        return fs_arena_printf(arena, "runs/%s", name);
    fs_fail(err, FS_INPUT, "%s: the name \"%s\" is no name for a folder: give one with --out", r->experiment,
            name);
    return NULL;
}

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

/* What the results were made from and with, at the head of manifest.json. */
static void note_origin(const fs_config *config, fs_results *results) {
    char *text = NULL, hex[FS_DIGEST_HEX], model[16];
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    FS_ASSERT(memory != NULL, "the host has no memory left");
    fs_config_write_canonical(config, memory);
    FS_ASSERT(fclose(memory) == 0, "the host has no memory left");
    fs_digest_memory(text, size, hex);
    free(text);
    snprintf(model, sizeof model, "%d", FS_MODEL_VERSION);
    fs_results_note(results, "foamsim", FS_VERSION);
    fs_results_note(results, "model_version", model);
    fs_results_note(results, "config_sha256", hex);
}

static fs_status run_into(const char *dir, bool force, const fs_config *config, const fs_workload *workload,
                          const fs_host_options *host, fs_error *err) {
    fs_results *results = fs_results_open(dir, force, err);
    if (results == NULL)
        return err->status;
    fs_catch_signals();
    char line[LINE_BYTES] = "";
    fs_status status = workload->run(config, host, results, line, sizeof line, err);
    if (status == FS_OK && fs_interrupted())
        status = fs_fail(err, FS_RUN, "interrupted");
    if (status == FS_OK)
        status = write_resolved(config, results, err);
    if (status == FS_OK)
        status = write_parameters(config, results, err);
    if (status) {
        fs_results_discard(results);
        return status;
    }
    note_origin(config, results);
    status = fs_results_commit(results, err);
    if (status)
        return status;
    if (line[0] != '\0')
        fs_say("%s", line);
    printf("%s\n", dir);
    return FS_OK;
}

static fs_status run_experiment(const request *r, fs_arena *arena, fs_error *err) {
    fs_host_options host;
    if (host_options(r, &host, err))
        return FS_INPUT;
    const fs_config *config =
        fs_config_load(arena, r->experiment, fs_registry_sections, fs_registry_section_count, r->sets,
                       r->set_count, fs_configs_dir(), err);
    if (config == NULL)
        return err->status;
    const fs_workload *workload = find_workload(fs_config_kind(config, "workload"));
    if (r->check) {
        char line[LINE_BYTES] = "";
        fs_status status = workload->run(config, &host, NULL, line, sizeof line, err);
        if (status == FS_OK && line[0] != '\0')
            fs_say("%s", line);
        return status;
    }
    const char *dir = folder_of(r, config, arena, err);
    return dir == NULL ? FS_INPUT : run_into(dir, r->force, config, workload, &host, err);
}

static fs_status run(int argc, char **argv, fs_error *err) {
    request r = {0};
    fs_status status = parse(argc, argv, &r, err);
    if (status || r.help)
        return status;
    fs_arena *arena = fs_arena_create();
    status = run_experiment(&r, arena, err);
    fs_arena_free(arena);
    return status;
}

const fs_command fs_command_run = {"run", "run an experiment and write its results", run};
