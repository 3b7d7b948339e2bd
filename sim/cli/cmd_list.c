/* foamsim list: what an experiment can be made of, out of registry and configs/. */
#include "sim/base/arith.h"
#include "sim/cli/options.h"
#include "sim/config/yaml.h"
#include "sim/host/file.h"
#include "sim/yaml/paths.h"
#include "sim/yaml/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct item {
    const char *name, *summary; /* by name, for fs_by_text */
} item;

typedef struct items {
    item *item;
    size_t count;
    fs_arena *arena;
} items;

static void add(items *list, const char *name, const char *summary) {
    list->item = fs_grow(list->item, list->count, sizeof *list->item);
    list->item[list->count++] = (item){name, summary};
}

static void add_folder(items *list, const char *folder) {
    const char *path = fs_arena_printf(list->arena, "%s/%s", fs_configs_dir(), folder);
    const char *const *name = fs_dir_names(list->arena, path);
    for (; name != NULL && *name != NULL; name++) {
        if (!fs_path_ends(*name, ".yaml"))
            continue;
        const char *file = fs_arena_printf(list->arena, "%s/%s", path, *name);
        const char *summary = fs_first_sentence(list->arena, file);
        const char *missing = fs_yaml_missing_file(list->arena, file, "scene");
        if (missing != NULL)
            summary =
                fs_arena_printf(list->arena, "%s [needs %s, which is not part of foamsim: docs/scenes.md]",
                                summary, strrchr(missing, '/') ? strrchr(missing, '/') + 1 : missing);
        add(list, fs_path_stem(list->arena, file), summary);
    }
    if (list->count > 0)
        qsort(list->item, list->count, sizeof *list->item, fs_by_text);
}

static void print_listing(const fs_listing *listing, const char *indent, fs_arena *arena) {
    items list = {.arena = arena};
    const char *name, *summary;
    if (listing->folder != NULL)
        add_folder(&list, listing->folder);
    else
        for (size_t i = 0; (name = listing->row(i, &summary)) != NULL; i++)
            add(&list, name, summary);
    size_t width = 0;
    for (size_t i = 0; i < list.count; i++)
        width = strlen(list.item[i].name) > width ? strlen(list.item[i].name) : width;
    for (size_t i = 0; i < list.count; i++) {
        bool told = list.item[i].summary[0] != '\0';
        printf("%s%-*s%s%s\n", indent, told ? (int)width : 0, list.item[i].name, told ? "  " : "",
               list.item[i].summary);
    }
    free(list.item);
}

static fs_status fail_unknown(const fs_cli *cli, const char *what, fs_arena *arena, fs_error *err) {
    const char **words = FS_NEW(arena, const char *, cli->listing_count + 1);
    const char *all = "";
    for (size_t i = 0; i < cli->listing_count; i++) {
        words[i] = cli->listings[i].what;
        all = fs_arena_append(arena, all, ", ", "%s", words[i]);
    }
    return fs_fail(err, FS_INPUT, "no list of \"%s\"%s\nthere are: %s", what, FS_MEANT(what, words), all);
}

static fs_status list_one(const fs_cli *cli, const char *what, fs_arena *arena, fs_error *err) {
    const fs_listing *listing = FS_FOUND(cli->listings, cli->listing_count, what, what);
    if (listing == NULL)
        return fail_unknown(cli, what, arena, err);
    print_listing(listing, "", arena);
    return FS_OK;
}

static fs_status run(fs_command_line *call, fs_error *err) {
    const fs_cli *cli = call->cli;
    if (!fs_options_parse(call,
                          "list [WHAT]\n"
                          "Names what an experiment can be made of: machines, overlays, scenes, ...",
                          NULL, 0, 0, 1, err))
        return err->status;
    if (call->argc == 1)
        return list_one(cli, call->argv[0], call->arena, err);
    for (size_t i = 0; i < cli->listing_count; i++) {
        printf("%s%s:\n", i > 0 ? "\n" : "", cli->listings[i].what);
        print_listing(&cli->listings[i], "  ", call->arena);
    }
    return FS_OK;
}

const fs_command fs_command_list = {"list", "list machines, overlays, workloads, scenes, ...", run};
