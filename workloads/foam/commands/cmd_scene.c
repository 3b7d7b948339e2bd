/* foamsim scene WORD: passes on to the subcommand of the second word. */
#include "sim/base/arith.h"
#include "workloads/foam/commands/cmd_scene_input.h"

#include "sim/cli/cli.h"
#include "sim/yaml/words.h"
#include "workloads/foam/foam.h"

#include <stdio.h>
#include <string.h>

const fs_command fs_scene_words[] = {
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
    for (const fs_command *word = fs_scene_words; word->name != NULL; word++)
        printf("  %-10s %s\n", word->name, word->summary);
    printf("\nfoamsim scene WORD --help tells more.\n");
}

static fs_status run_scene(fs_command_line *call, fs_error *err) {
    const char *names[FS_COUNT(fs_scene_words)];
    size_t word = 0;
    for (size_t i = 0; i < FS_COUNT(names); i++)
        names[i] = fs_scene_words[i].name;
    if (call->argc < 2)
        return fs_fail(err, FS_INPUT, "scene: expected one of %s", fs_listed_words(call->arena, names, "or"));
    const char *asked = call->argv[1];
    while (names[word] != NULL && strcmp(asked, names[word]) != 0)
        word++;
    if (names[word] != NULL)
        return fs_cli_call(call->cli, &fs_scene_words[word], call->argc - 1, call->argv + 1, err);
    if (strcmp(asked, "--help") != 0 && strcmp(asked, "-h") != 0)
        return fs_fail(err, FS_INPUT, "scene: no subcommand \"%s\"%s", asked, FS_MEANT(asked, names));
    print_help();
    return FS_OK;
}

const fs_command fs_command_scene = {"scene", "generate, import, inspect, cut and draw scenes", run_scene};
