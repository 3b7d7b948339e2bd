/* foamsim scene WORD: passes on to the subcommand of the second word. */
#include "sim/base/arith.h"
#include "workloads/foam/commands/cmd_scene_input.h"

#include "sim/base/alloc.h"
#include "sim/cli/cli.h"
#include "sim/yaml/words.h"
#include "workloads/foam/foam.h"

#include <stdio.h>
#include <string.h>

const fs_scene_word fs_scene_words[] = {
    {"cameras", "print the cameras of COLMAP or a transforms.json", fs_cmd_scene_cameras},
    {"contact", "draw six views, each with another axis up, and print their cameras", fs_cmd_scene_contact},
    {"generate", "make a synthetic scene", fs_cmd_scene_generate},
    {"import", "make a foam of Gaussians or of a point cloud", fs_cmd_scene_import},
    {"info", "print what a scene is like", fs_cmd_scene_info},
    {"partition", "cut a scene into shards and print their sizes", fs_cmd_scene_partition},
    {"render", "draw the unpartitioned, full-precision picture", fs_cmd_scene_render},
    {NULL, NULL, NULL},
};

static void print_help(void) {
    printf("usage: foamsim scene WORD ...\n\n");
    for (const fs_scene_word *word = fs_scene_words; word->name != NULL; word++)
        printf("  %-10s %s\n", word->name, word->summary);
    printf("\nfoamsim scene WORD --help tells more.\n");
}

static fs_status run_scene(const fs_cli *cli, int argc, char **argv, fs_error *err) {
    const char *names[FS_COUNT(fs_scene_words)];
    size_t word = 0;
    for (size_t i = 0; i < FS_COUNT(names); i++)
        names[i] = fs_scene_words[i].name;
    if (argc < 2) {
        fs_arena *arena = fs_arena_create();
        fs_fail(err, FS_INPUT, "scene: expected one of %s", fs_listed_words(arena, names, "or"));
        fs_arena_free(arena);
        return err->status;
    }
    while (names[word] != NULL && strcmp(argv[1], names[word]) != 0)
        word++;
    if (names[word] != NULL)
        return fs_scene_words[word].run(cli, argc - 1, argv + 1, err);
    if (strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0)
        return fs_fail(err, FS_INPUT, "scene: no subcommand \"%s\"%s", argv[1], FS_MEANT(argv[1], names));
    print_help();
    return FS_OK;
}

const fs_command fs_command_scene = {"scene", "generate, import, inspect, cut and draw scenes", run_scene};
