/* foamsim export: a run's results as files of another tool. */
#include "reports/export/export.h"
#include "sim/base/arith.h"
#include "sim/cli/options.h"
#include "sim/host/file.h"
#include "sim/yaml/tree.h"
#include "sim/yaml/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_RUNS = 4096 };

static const struct form {
    const char *name;
    fs_status (*make)(fs_folder *const *runs, size_t count, fs_export_files *out, fs_error *err);
} forms[] = {{"hotspot", fs_export_hotspot}, {"gem5", fs_export_gem5}, {"booksim", fs_export_booksim}};

void fs_export_add(fs_export_files *files, const char *name, fs_memory *memory) {
    fs_memory_close(memory);
    files->file = fs_arena_grow(files->arena, files->file, files->count, sizeof *files->file);
    files->file[files->count++] =
        (fs_export_file){fs_arena_strdup(files->arena, name), fs_arena_strdup(files->arena, memory->text)};
    free(memory->text);
}

static const struct form *form_of(fs_arena *arena, const char *name, fs_error *err) {
    const char *names[FS_COUNT(forms) + 1] = {NULL};
    for (size_t i = 0; i < FS_COUNT(forms); i++)
        names[i] = forms[i].name;
    const struct form *form = name == NULL ? NULL : FS_FOUND(forms, FS_COUNT(forms), name, name);
    if (form == NULL)
        fs_fail(err, FS_INPUT, "--as: expected %s, found %s%s", fs_listed_words(arena, names, "or"),
                name == NULL ? "nothing" : fs_quoted(arena, name), name == NULL ? "" : FS_MEANT(name, names));
    return form;
}

/* Into a folder, all or none of them. */
static fs_status write_files(const fs_export_files *files, const char *folder, bool force, fs_error *err) {
    struct stat there;
    for (size_t i = 0; i < files->count; i++) {
        const char *path = fs_arena_printf(files->arena, "%s/%s", folder, files->file[i].name);
        if (!force && stat(path, &there) == 0)
            return fs_fail(err, FS_INPUT, "%s exists already: --force replaces it", path);
    }
    for (size_t i = 0; i < files->count; i++) {
        const char *path = fs_arena_printf(files->arena, "%s/%s", folder, files->file[i].name);
        if (fs_file_write(path, files->file[i].text, strlen(files->file[i].text), FS_DURABLE, err))
            return err->status;
        printf("%s\n", path);
    }
    return FS_OK;
}

static fs_status export(const fs_command_line *call, const char *as, const char *folder, bool force,
                        fs_error *err) {
    const size_t count = (size_t)call->argc;
    fs_arena *arena = call->arena;
    const struct form *form = form_of(arena, as, err);
    fs_folder **runs = FS_NEW(arena, fs_folder *, count);
    fs_export_files files = {.arena = arena};
    if (form == NULL)
        return err->status;
    for (size_t i = 0; i < count && err->status == FS_OK; i++)
        runs[i] = fs_folder_open(call->argv[i], call->cli->registry->figures, err);
    if (err->status == FS_OK && form->make(runs, count, &files, err) == FS_OK)
        write_files(&files,
                    folder != NULL ? folder : fs_arena_printf(arena, "%s-%s", fs_folder_label(runs[0]), as),
                    force, err);
    for (size_t i = 0; i < count; i++) {
        fs_folder_own_places(runs[i], err);
        fs_folder_close(runs[i]);
    }
    return err->status;
}

static fs_status run(fs_command_line *call, fs_error *err) {
    const char *folder = NULL, *as = NULL;
    bool force = false;
    const fs_option options[] = {
        FS_OPTION("as", 'a', "FORM", "hotspot, gem5 or booksim", &as),
        FS_OPTION("output", 'o', "FOLDER", "where the files go (RUN-FORM)", &folder),
        FS_FLAG("force", 'f', "replace files of these names", &force),
    };
    if (!fs_options_parse(
            call,
            "export RUN... --as FORM [-o FOLDER]\n"
            "Writes a run's results as files of another tool, and prints their names: hotspot, floorplan and "
            "power over\n"
            "time; gem5, stats.txt with all figures; booksim, load and latency of one run or several as CSV.",
            options, FS_COUNT(options), 1, MOST_RUNS, err))
        return err->status;
    return export(call, as, folder, force, err);
}

const fs_command fs_command_export = {"export", "results as files of HotSpot, gem5 or BookSim", run};
