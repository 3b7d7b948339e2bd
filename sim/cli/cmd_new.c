/* foamsim new: a commented file to start from. */
#include "sim/base/alloc.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/host/file.h"
#include "sim/host/places.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The template with the study's name and its base put in. */
static char *filled(fs_arena *arena, const char *pattern, const char *name, const char *base) {
    static const char name_mark[] = "@NAME@", base_mark[] = "@BASE@";
    char *out = FS_NEW(arena, char, strlen(pattern) * (1 + strlen(name) + strlen(base)) + 1), *to = out;
    while (*pattern != '\0') {
        const bool named = strncmp(pattern, name_mark, sizeof name_mark - 1) == 0;
        if (named || strncmp(pattern, base_mark, sizeof base_mark - 1) == 0) {
            to = stpcpy(to, named ? name : base);
            pattern += sizeof name_mark - 1;
        } else {
            *to++ = *pattern++;
        }
    }
    *to = '\0';
    return out;
}

static fs_status write_study(const char *name, const char *base, bool force, fs_arena *arena, fs_error *err) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    struct stat there;
    const char *path = fs_arena_printf(arena, "%s.yaml", name);
    if (name[0] == '\0' || name[strspn(name, letters)] != '\0')
        return fs_fail(err, FS_INPUT, "new study: \"%s\": expected a name of letters, digits, - and _", name);
    if (!force && lstat(path, &there) == 0)
        return fs_fail(err, FS_INPUT, "%s exists already: --force replaces it", path);
    const char *pattern =
        fs_file_table(arena, fs_arena_printf(arena, "%s/templates/study.yaml", fs_configs_dir()), err);
    if (pattern == NULL)
        return err->status;
    const char *text = filled(arena, pattern, name, base);
    if (fs_file_write(path, text, strlen(text), FS_LIGHT, err) == FS_OK)
        printf("%s\nnext: foamsim sweep %s --dry-run\n", path, path);
    return err->status;
}

static fs_status run(fs_command_line *call, fs_error *err) {
    const char *base = "first-look";
    bool force = false;
    const fs_option options[] = {
        FS_OPTION("base", 'b', "EXPERIMENT", "what is varied: a file or a name (first-look)", &base),
        FS_FLAG("force", 'f', "replace a file of that name", &force),
    };
    if (!fs_options_parse(
            call,
            "new study NAME [--base EXPERIMENT]\n"
            "Writes NAME.yaml, a sweep with comments to start from, and prints what to type next.",
            options, FS_COUNT(options), 2, 2, err))
        return err->status;
    if (strcmp(call->argv[0], "study") != 0)
        return fs_fail(err, FS_INPUT, "new: expected study, found \"%s\"", call->argv[0]);
    return write_study(call->argv[1], base, force, call->arena, err);
}

const fs_command fs_command_new = {"new", "write a commented study to start from", run};
