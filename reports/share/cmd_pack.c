/* foamsim pack: a run folder as one file. */
#include "reports/read/run_folder.h"
#include "sim/cli/options.h"
#include "sim/results/archive.h"

#include <stdio.h>
#include <sys/stat.h>

/* What is handed over is whole: the folder is opened as whoever gets it will. */
static fs_status pack(const fs_registry *registry, const char *dir, const char *out, bool force,
                      fs_arena *arena, fs_error *err) {
    struct stat there;
    if (fs_archive_is(dir))
        return fs_fail(err, FS_INPUT, "%s: a run that is packed already", dir);
    fs_folder *run = fs_folder_open(dir, registry->figures, err);
    if (run == NULL)
        return err->status;
    if (out == NULL)
        out = fs_arena_printf(arena, "%s.tar.zst", fs_folder_path(run));
    if (!force && stat(out, &there) == 0)
        fs_fail(err, FS_INPUT, "%s exists already: --force replaces it", out);
    else if (fs_archive_write(fs_folder_path(run), out, err) == FS_OK)
        printf("%s\n", out);
    fs_folder_close(run);
    return err->status;
}

static fs_status run(fs_command_line *call, fs_error *err) {
    const char *out = NULL;
    bool force = false;
    const fs_option options[] = {
        FS_OPTION("output", 'o', "FILE", "the file (RUN.tar.zst)", &out),
        FS_FLAG("force", 'f', "replace a file of that name", &force),
    };
    if (!fs_options_parse(call,
                          "pack RUN [-o RUN.tar.zst]\n"
                          "A run folder as one file to be handed over, without its pictures, and prints its "
                          "name. report and\n"
                          "compare open it where they take a folder; tar --zstd -xf unpacks it.",
                          options, FS_COUNT(options), 1, 1, err))
        return err->status;
    return pack(call->cli->registry, call->argv[0], out, force, call->arena, err);
}

const fs_command fs_command_pack = {"pack", "a run folder as one file that report and compare open", run};
