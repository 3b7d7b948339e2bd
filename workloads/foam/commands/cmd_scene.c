/* foamsim scene WORD: passes on to the subcommand of the second word, among those of the scene's kind. */
#include "workloads/foam/commands/cmd_scene.h"

#include "sim/base/alloc.h"
#include "sim/cli/cli.h"
#include "sim/yaml/words.h"
#include "workloads/foam/commands/cmd_scene_input.h"
#include "workloads/foam/foam.h"

#include <stdio.h>
#include <string.h>

static const fs_scene_word foam_words[] = {
    {"cameras", "print the cameras of COLMAP or a transforms.json", fs_cmd_scene_cameras},
    {"contact", "draw six views, each with another axis up, and print their cameras", fs_cmd_scene_contact},
    {"generate", "make a synthetic scene", fs_cmd_scene_generate},
    {"import", "make a foam of Gaussians or of a point cloud", fs_cmd_scene_import},
    {"info", "print what a scene is like", fs_cmd_scene_info},
    {"partition", "cut a scene into shards and print their sizes", fs_cmd_scene_partition},
    {"render", "draw the unpartitioned, full-precision picture", fs_cmd_scene_render},
};
const fs_scene_kind fs_scene_kind_foam = {
    .kind = "foam", .words = foam_words, .count = sizeof foam_words / sizeof foam_words[0]};

/* All of them, NULL-terminated, the default first. */
static const fs_scene_kind *const scene_kinds[] = {&fs_scene_kind_foam, NULL};

static void print_help(void) {
    printf("usage: foamsim scene WORD ...\n\n");
    for (const fs_scene_kind *const *kind = scene_kinds; *kind != NULL; kind++) {
        if (kind != scene_kinds)
            printf("\nof scenes of kind %s:\n", (*kind)->kind);
        for (size_t i = 0; i < (*kind)->count; i++)
            printf("  %-10s %s\n", (*kind)->words[i].name, (*kind)->words[i].summary);
    }
    printf("\nfoamsim scene WORD --help tells more.\n");
}

/* The kind of the first argument that is a scene file; the default where none is, or where it is wrong, which
 * the subcommand tells. */
static const fs_scene_kind *kind_of(const fs_registry *registry, int argc, char **argv) {
    fs_arena *arena = fs_arena_create();
    const char *found = NULL;
    for (int i = 2; i < argc && found == NULL; i++)
        found = argv[i][0] == '-' ? NULL : fs_cmd_input_kind(registry, argv[i], arena);
    const fs_scene_kind *const *kind = scene_kinds;
    while (found != NULL && *kind != NULL && strcmp((*kind)->kind, found) != 0)
        kind++;
    fs_arena_free(arena);
    return *kind == NULL ? scene_kinds[0] : *kind;
}

static fs_status run_scene(const fs_cli *cli, int argc, char **argv, fs_error *err) {
    enum { MOST = 32 };
    const char *names[MOST + 1] = {NULL};
    const fs_scene_kind *kind = kind_of(cli->registry, argc, argv);
    fs_arena *arena = fs_arena_create();
    for (size_t i = 0; i < kind->count && i < MOST; i++)
        names[i] = kind->words[i].name;
    fs_status status = FS_OK;
    size_t word = 0;
    while (argc >= 2 && word < kind->count && strcmp(argv[1], kind->words[word].name) != 0)
        word++;
    if (argc < 2)
        status = fs_fail(err, FS_INPUT, "scene: expected one of %s", fs_listed_words(arena, names, "or"));
    else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        print_help();
    else if (word < kind->count)
        status = kind->words[word].run(cli, argc - 1, argv + 1, err);
    else
        status = fs_fail(err, FS_INPUT, "scene: no subcommand \"%s\" of scenes of kind %s%s", argv[1],
                         kind->kind, fs_meant_text(arena, argv[1], names));
    fs_arena_free(arena);
    return status;
}

const fs_command fs_command_scene = {"scene", "generate, import, inspect, cut and draw scenes", run_scene};
