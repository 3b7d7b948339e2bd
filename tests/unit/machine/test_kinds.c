/* A kind said over another: the keys that only the old kind has go, with a word about it; all else stays or
 * is still a mistake. */
#include "tests/support/config_tables.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <unistd.h>

#define CAMERA "workload: { camera: { width: 64 } }\n"

static fs_error err;
static char words[4096]; /* what the last load said */

/* Loads with stderr caught. */
static fs_config *load(fs_arena *arena, const char *const sets[4]) {
    err = (fs_error){0};
    fflush(stderr);
    int real = dup(2), caught = open("words", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(real >= 0 && caught >= 0 && dup2(caught, 2) >= 0);
    fs_config *config = toy_load(arena, sets, &err);
    fflush(stderr);
    dup2(real, 2);
    close(real);
    ssize_t length = pread(caught, words, sizeof words - 1, 0);
    words[length > 0 ? length : 0] = '\0';
    close(caught);
    return config;
}

TEST(set_kind_leaves_out_what_it_has_not) {
    fs_arena *arena = test_arena();
    toy_file("x.yaml", CAMERA "overlay:\n  kind: quadtree\n  fill: 40 %\n");
    const char *const sets[4] = {"overlay.widths=[3]", "overlay.kind=fat_tree"};
    fs_config *config = load(arena, sets);
    assert_non_null(config);
    assert_string_equal(fs_config_kind(config, "overlay"), "fat_tree");
    const toy_fat_tree *f = fs_config_section(config, "overlay");
    assert_int_equal(f->widths.count, 1);
    assert_int_equal(f->widths.item[0], 3);
    assert_string_equal(words,
                        "--set overlay.kind=fat_tree: overlay.kind: fat_tree has no fill (x.yaml:4:3): "
                        "left out\n");
}

TEST(nothing_is_said_when_nothing_goes) {
    fs_arena *arena = test_arena();
    toy_file("x.yaml", CAMERA "overlay: { kind: quadtree }\n");
    const char *const sets[4] = {"overlay.kind=fat_tree"};
    assert_non_null(load(arena, sets));
    assert_string_equal(words, "");
}

/* The same between an experiment and its base, and between a section and its part. */
TEST(a_file_is_over_its_base) {
    fs_arena *arena = test_arena();
    const char *const none[4] = {NULL};
    toy_file("below.yaml", CAMERA "overlay:\n  fill: 40 %\n");
    toy_file("x.yaml", "base: ./below.yaml\noverlay: { kind: fat_tree, widths: [5] }\n");
    fs_config *config = load(arena, none);
    assert_non_null(config);
    assert_int_equal(((const toy_fat_tree *)fs_config_section(config, "overlay"))->widths.item[0], 5);
    assert_non_null(strstr(words, "fill (below.yaml:3:3)"));

    toy_file("configs/overlays/q.yaml", "kind: quadtree\nfill: 20 %\n");
    toy_file("x.yaml", CAMERA "overlay: { base: q, kind: fat_tree }\n");
    assert_non_null(load(arena, none));
    assert_non_null(strstr(words, "fill (configs/overlays/q.yaml:2:1)"));
}

static void assert_mistake(const char *text, const char *const sets[4], const char *sentence) {
    fs_arena *arena = test_arena();
    toy_file("x.yaml", text);
    assert_null(load(arena, sets));
    assert_int_equal(err.status, FS_INPUT);
    assert_says(err.text, sentence);
}

TEST(mistakes_stay_mistakes) {
    const char *const none[4] = {NULL}, *const fat[4] = {"overlay.kind=fat_tree"};
    const char *const both[4] = {"overlay.fill=40 %", "overlay.kind=fat_tree"};
    /* both said in one place */
    assert_mistake(CAMERA "overlay: { kind: fat_tree, fill: 40 % }\n", none,
                   "overlay.fill: unknown key; expected one of widths or dispatch; kind \"quadtree\" has it");
    assert_mistake(CAMERA, both, "--set overlay.fill=40 %: overlay.fill: unknown key");
    /* no kind has it */
    assert_mistake(CAMERA "overlay: { fil: 40 % }\n", fat, "overlay.fil: unknown key");
    /* the base says the kind, the file over it a key of another */
    toy_file("below.yaml", CAMERA "overlay: { kind: fat_tree }\n");
    assert_mistake("base: ./below.yaml\noverlay: { fill: 40 % }\n", none, "overlay.fill: unknown key");
}

RUN_TESTS(toy_enter, toy_leave)
