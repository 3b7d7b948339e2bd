/* foamsim scene WORD: passes on to the subcommand of the second word. */
#include "workloads/foam/cmd_scene.h"

#include "sim/cli/cli.h"
#include "workloads/foam/foam.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *summary;
    fs_status (*run)(int argc, char **argv, fs_error *err);
} words[] = {
    {"generate", "make a synthetic scene", fs_cmd_scene_generate},
    {"import", "make a foam of Gaussians or of a point cloud", fs_cmd_scene_import},
    {"info", "print what a scene is like", fs_cmd_scene_info},
    {"partition", "cut a scene into shards and print their sizes", fs_cmd_scene_partition},
    {"render", "draw the unpartitioned, full-precision picture", fs_cmd_scene_render},
};
enum { WORDS = sizeof words / sizeof words[0] };

static void print_help(void) {
    printf("usage: foamsim scene WORD ...\n\n");
    for (size_t i = 0; i < WORDS; i++)
        printf("  %-10s %s\n", words[i].name, words[i].summary);
    printf("\nfoamsim scene WORD --help tells more.\n");
}

static fs_status run_scene(int argc, char **argv, fs_error *err) {
    const char *names[WORDS + 1] = {NULL};
    for (size_t i = 0; i < WORDS; i++)
        names[i] = words[i].name;
    if (argc < 2)
        return fs_fail(err, FS_INPUT, "scene: expected one of generate, import, info, partition, render");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return FS_OK;
    }
    for (size_t i = 0; i < WORDS; i++)
        if (strcmp(argv[1], words[i].name) == 0)
            return words[i].run(argc - 1, argv + 1, err);
    const char *nearest = fs_nearest_word(argv[1], names);
    return fs_fail(err, FS_INPUT, "scene: no subcommand \"%s\"%s%s%s", argv[1],
                   nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

const fs_command fs_command_scene = {"scene", "generate, import, inspect, cut and draw scenes", run_scene};
