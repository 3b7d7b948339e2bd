/* foamsim config: does a file hold, and what does it say with everything filled in. */
#include "sim/cli/options.h"
#include "sim/host/voice.h"
#include "sim/workload/elaborate.h"
#include "sim/workload/workload.h"
#include "sim/yaml/words.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SETS = 256 };

typedef struct request {
    const fs_registry *registry;
    const char *part; /* NULL: experiments */
    const char *sets[MAX_SETS];
    size_t set_count;
} request;

static const fs_section *find_section(const fs_registry *registry, const char *name, fs_error *err) {
    enum { MOST = 32 };
    const char *names[MOST + 1] = {NULL};
    for (size_t i = 0; i < registry->section_count && i < MOST; i++)
        names[i] = registry->sections[i].name;
    const size_t at = FS_WORD_PLACE(names, registry->section_count, name);
    if (at < registry->section_count)
        return &registry->sections[at];
    return FS_FAIL_NULL(err, FS_INPUT, "--part: no section \"%s\"%s", name, FS_MEANT(name, names));
}

/* What only shows when the experiment is made: a scene that cannot be read, tiles that are too full. */
static void make(const request *r, const char *path, fs_arena *arena, bool *unfinished, fs_error *err) {
    static const double patience = 10; /* seconds */
    fs_elaboration e = {.file = path, .sets = r->sets, .set_count = r->set_count};
    const fs_elaborate_options how = {.jobs = 1, .each = patience, .all = patience};
    if (fs_elaborate(&e, 1, &how, arena, err) == FS_OK && e.error[0] != '\0')
        fs_fail(err, FS_INPUT, "%s", e.error);
    *unfinished = e.unfinished;
}

static fs_status check_file(const request *r, const char *path, bool *unfinished, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    *unfinished = false;
    if (r->part == NULL) {
        if (fs_experiment_load(r->registry, arena, path, r->sets, r->set_count, err) != NULL &&
            strcmp(path, "-") != 0)
            make(r, path, arena, unfinished, err);
    } else {
        const fs_section *section = find_section(r->registry, r->part, err);
        if (section != NULL)
            fs_config_load_section(arena, path, section, r->sets, r->set_count, fs_configs_dir(), NULL, err);
    }
    fs_arena_free(arena);
    return err->status;
}

/* Every file is checked, whatever is wrong with the ones before. */
static fs_status check(const request *r, int count, char **paths, fs_error *err) {
    for (int i = 0; i < count; i++) {
        fs_error one = {.status = FS_OK};
        bool unfinished;
        if (check_file(r, paths[i], &unfinished, &one) == FS_OK)
            fs_say(unfinished ? "%s: nothing is wrong so far; its scene takes long to be made: `foamsim run "
                                "FILE --check` makes it to its end"
                              : "%s: all is well",
                   paths[i]);
        else
            fs_fail_also(err, one.status, "%s", one.text);
    }
    return err->status;
}

static fs_status show(const request *r, int count, char **paths, fs_arena *arena, fs_error *err) {
    if (count != 1)
        return fs_fail(err, FS_INPUT, "config show: expected one FILE, found %d", count);
    if (r->part != NULL)
        return fs_fail(err, FS_INPUT,
                       "config show: --part goes with `config check`; show takes an experiment");
    const fs_config *config = fs_experiment_load(r->registry, arena, paths[0], r->sets, r->set_count, err);
    if (config != NULL)
        fs_config_write_resolved(config, stdout, NULL, NULL);
    return err->status;
}

static const char usage[] =
    "config check|show FILE... [--set KEY=VALUE]...\n"
    "check: read experiment files, make each up to its first iteration, and print every error\n"
    "show:  print an experiment with every parameter filled in, as resolved.yaml holds it";

static fs_status run(fs_command_line *call, fs_error *err) {
    request r = {.registry = call->cli->registry};
    const fs_option options[] = {
        FS_OPTION_LIST("set", 0, "KEY=VALUE", "change one parameter (may be given many times)", r.sets,
                       &r.set_count, MAX_SETS),
        FS_OPTION("part", 0, "SECTION", "check a part (machine, scene, ...) instead of an experiment",
                  &r.part),
    };
    if (!fs_options_parse(call, usage, options, FS_COUNT(options), 2, 1000, err))
        return err->status;
    const char *action = call->argv[0];
    if (strcmp(action, "check") == 0)
        return check(&r, call->argc - 1, call->argv + 1, err);
    if (strcmp(action, "show") == 0)
        return show(&r, call->argc - 1, call->argv + 1, call->arena, err);
    static const char *const actions[] = {"check", "show", NULL};
    return fs_fail(err, FS_INPUT, "config: expected check or show, found \"%s\"%s", action,
                   FS_MEANT(action, actions));
}

const fs_command fs_command_config = {
    "config", "check an experiment file, or show it with every parameter filled in", run};
