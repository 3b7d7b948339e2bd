/* Findings about folders, networks, stores, caches and files that nobody can read or write, each as it was
 * found. docs/security.md has the list; $FOAMSIM names another program to be tried. */
#include "tests/support/cli.h"
#include "tests/support/hostile/shell.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/scratch.h"
#include "tests/support/sweep/store_case.h"

#include "tests/support/test.h"
#include "workloads/scene/foam/scene_file.h"

#include <glob.h>
#include <sys/wait.h>
#include <unistd.h>

static int setup(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    shell_begin();
    cli_write("x.yaml",
              "name: x\nmachine: gc200-small\noverlay: { kind: quadtree }\n"
              "scene: { generate: { kind: garden, cells: 1000, seed: 7 } }\n"
              "workload:\n  kind: foam\n"
              "  camera: { position: [2.1, -2.9, 1.7], look_at: [0.1, 0.2, 0.6], width: 24, height: 18 }\n"
              "  partition: { kind: kd, shards: 64 }\n"
              "  batching: { order: rows, per_batch: 2, idle: 10 }\n");
    cli_write("s.yaml", "name: s\nbase: x.yaml\naxes: [{ key: workload.batching.idle, values: [5, 10] }]\n");
    cli_must("sweep", "s.yaml", "-q", "--store", "clean.db", NULL);
    return 0;
}

/* What the last line said has these words. */
static void said(const char *words) {
    char *text = file_text("said");
    assert_says(text, words);
}

/* ---- F2: folders that the program did not make ---- */

TEST(f2_a_folder_called_partial) {
    shell_must("mkdir mine.partial && echo diary >mine.partial/diary.txt");
    assert_int_equal(shell("\"$PROGRAM\" run x.yaml -q --out mine"), 2);
    shell_must("test \"$(cat mine.partial/diary.txt)\" = diary");
}

TEST(f2_a_run_called_partial) {
    if (shell("\"$PROGRAM\" run x.yaml -q --out keep.partial") == 0) {
        assert_in_range(shell("\"$PROGRAM\" run x.yaml -q --out keep"), 0, 2);
        assert_true(scratch_there("keep.partial/manifest.json"));
        return;
    }
    said("keep.partial");
}

TEST(f2_a_folder_called_old_partial) {
    shell_must("mkdir o.old.partial && echo thesis >o.old.partial/t");
    assert_in_range(shell("\"$PROGRAM\" run x.yaml -q --out o"), 0, 2);
    shell_must("test \"$(cat o.old.partial/t)\" = thesis");
    assert_in_range(shell("\"$PROGRAM\" run x.yaml -q --force --out o"), 0, 2);
    shell_must("test \"$(cat o.old.partial/t)\" = thesis");
}

/* ---- F3: levels ---- */

TEST(f3_levels_beyond_the_books) {
    static const char *const levels[] = {"15", "16", "20", "40", "195"};
    cli_write("net.yaml", "name: net\nbase: x.yaml\noverlay: { kind: file, file: levels.yaml }\n");
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        setenv("LEVEL", levels[i], 1);
        shell_must(
            "sed \"s/level: 3/level: $LEVEL/\" \"$FOAMSIM_DATA/configs/overlays/networks/two-roots-64.yaml\" "
            ">levels.yaml && grep -q \"level: $LEVEL\" levels.yaml");
        const int status = shell("\"$PROGRAM\" run net.yaml -q --out net");
        if (status != 2 || scratch_there("net"))
            fail_msg("level %s: status %d: %s", levels[i], status, file_text("said"));
        said("level");
    }
    setenv("LEVEL", "14", 1);
    shell_must(
        "sed \"s/level: 3/level: $LEVEL/\" \"$FOAMSIM_DATA/configs/overlays/networks/two-roots-64.yaml\" "
        ">levels.yaml && \"$PROGRAM\" run net.yaml -q --out net");
}

/* ---- F9, F10, F12: stores ---- */

/* Every question is answered with that status and word. */
static void every_question_ends(int status, const char *word) {
    static const char *const questions[] = {"query s.db best", "query s.db export", "report s.db"};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        char line[128];
        snprintf(line, sizeof line, "\"$PROGRAM\" %s", questions[i]);
        const int found = shell(line);
        if (found != status)
            fail_msg("%s: status %d: %s", questions[i], found, file_text("said"));
        said(word);
    }
}

TEST(f9_a_negative_schema) {
    static const char *const numbers[] = {"-1", "-100000", "-2147483648"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char sql[64];
        shell_must("cp clean.db s.db");
        snprintf(sql, sizeof sql, "PRAGMA user_version = %s", numbers[i]);
        store_sql("s.db", sql);
        every_question_ends(1, "schema");
    }
}

TEST(f10_rows_that_do_not_fit) {
    static const char *const changes[] = {"DELETE FROM members", "DELETE FROM axes",
                                          "PRAGMA user_version = 0"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        shell_must("cp clean.db s.db");
        store_sql("s.db", changes[i]);
        shell("\"$PROGRAM\" query s.db table");
        said("is damaged");
        assert_in_range(shell("\"$PROGRAM\" report s.db"), 1, 2);
        said("is damaged");
    }
}

TEST(f12_a_store_that_cannot_be_written) {
    shell_must("mkdir theirs && cp clean.db theirs/s.db && chmod a+rx . theirs && chmod a+r theirs/s.db && "
               "chmod a-w theirs theirs/s.db");
    const pid_t other = fork();
    if (other == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(3);
        execl(cli_program(), "foamsim", "query", "theirs/s.db", "best", (char *)NULL);
        _exit(4);
    }
    int how = 1;
    assert_int_equal(waitpid(other, &how, 0), other);
    shell_must("chmod u+w theirs theirs/s.db");
    assert_int_equal(how, 0);
}

/* ---- F16: entries of a cache ---- */

typedef void change_foam(fs_foam *foam);

static void far_neighbour(fs_foam *foam) {
    foam->adjacency[foam->faces / 2] = 4000000000u;
}

static void far_end(fs_foam *foam) {
    foam->adjacency_end[foam->sites / 2] = 1u << 30;
}

static void its_own_neighbour(fs_foam *foam) {
    foam->adjacency[fs_foam_begin(foam, foam->sites / 2)] = foam->sites / 2;
}

/* The entry is not believed: the scene is made anew, and the run is what it was. */
TEST(f16_entries_of_a_cache) {
    static change_foam *const changes[] = {far_neighbour, far_end, its_own_neighbour};
    shell_must("\"$PROGRAM\" run x.yaml -q --cache shared --out first");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        glob_t found;
        fs_foam foam;
        fs_error err = {0};
        assert_int_equal(glob("shared/scenes/*.foam", 0, NULL, &found), 0);
        assert_true(fs_foam_read_cached(found.gl_pathv[0], &foam));
        changes[i](&foam);
        assert_int_equal(fs_foam_write_cached(found.gl_pathv[0], &foam, &err), FS_OK);
        fs_foam_free(&foam);
        globfree(&found);
        shell_must("find shared -type f ! -name '*.foam' -delete; \"$PROGRAM\" run x.yaml -q --force --cache "
                   "shared --out again && cmp first/stats.csv again/stats.csv");
        assert_int_equal(glob("shared/scenes/*.foam", 0, NULL, &found), 0);
        if (!fs_foam_read_cached(found.gl_pathv[0], &foam))
            fail_msg("change %zu: the entry was believed, and is there still", i);
        fs_foam_free(&foam);
        globfree(&found);
    }
}

/* ---- the small ones ---- */

/* Nor is a mesher run that somebody left in a folder above the program's. */
TEST(a_mesher_of_somebody_else_is_not_run) {
    if (geteuid() != 0)
        skip();
    shell_must("mkdir -p above/bin && cp \"$PROGRAM\" above/bin/ && printf '#!/bin/sh\\ntouch pwned\\n' "
               ">above/foamsim-delaunay && chmod 755 above/foamsim-delaunay && chown 65534 "
               "above/foamsim-delaunay");
    assert_int_equal(shell("above/bin/foamsim run x.yaml -q --no-cache --out meshed"), 1);
    said("foamsim-delaunay is not in");
    assert_false(scratch_there("pwned"));
}

/* A store is not written through a link of somebody else, nor its lock through any; through one's own it is. */
TEST(a_store_is_not_written_through_a_foreign_link) {
    if (geteuid() != 0)
        skip();
    shell_must("mkdir -p world && ln -s ../victim world/s.db && chown -h 65534 world/s.db");
    assert_int_equal(shell("\"$PROGRAM\" sweep s.yaml -q --store world/s.db"), 2);
    said("world/s.db is a link of another user");
    assert_false(scratch_there("victim"));
    shell_must("ln -s ../victim world/t.db.lock");
    assert_int_equal(shell("\"$PROGRAM\" sweep s.yaml -q --store world/t.db"), 1);
    said("world/t.db.lock: cannot be made");
    assert_false(scratch_there("victim"));
    shell_must(
        "ln -s ../mine.db world/u.db && \"$PROGRAM\" sweep s.yaml -q --store world/u.db && test -s mine.db");
}

/* A run that cannot go on leaves nothing in the way of the next. */
TEST(small_a_mask_that_forbids_all) {
    shell_must(
        "mkdir -m 777 theirs-too && cp x.yaml theirs-too && chmod a+r theirs-too/x.yaml && chmod a+rx .");
    /* root writes whatever the mask says */
    setenv("AS", geteuid() == 0 ? "setpriv --reuid 65534 --clear-groups" : "", 1);
    shell("cd theirs-too && umask 777 && $AS \"$PROGRAM\" run x.yaml -q --no-cache --out um");
    shell_must("cd theirs-too && $AS \"$PROGRAM\" run x.yaml -q --no-cache --force --out um");
}

static bool ends_with(const char *line, const char *end) {
    const size_t length = strlen(line), tail = strlen(end);
    return length >= tail && strcmp(line + length - tail, end) == 0;
}

/* A report on a disk that is full at some point says so. The disk is a small one in memory, of a namespace of
 * its own. */
TEST(small_a_full_disk_in_report) {
    static const char *const kilobytes[] = {"500", "700", "800", "1000", "1200"};
    if (!have_program("gnuplot") || shell("unshare --user --map-root-user --mount true") != 0)
        skip();
    shell_must("\"$PROGRAM\" run x.yaml -q --out drawn && mkdir full");
    size_t failed = 0;
    for (size_t i = 0; i < sizeof kilobytes / sizeof *kilobytes; i++) {
        setenv("ROOM", kilobytes[i], 1);
        const int status = shell(
            "unshare --user --map-root-user --mount sh -c 'mount -t tmpfs -o size=\"$ROOM\"k none full && "
            "cp -R drawn full/ && \"$PROGRAM\" report full/drawn'");
        char *text = file_text("said"), *rest = NULL;
        assert_in_range(status, 0, 2);
        assert_true(status == 0 || text[0] != '\0');
        failed += status != 0;
        for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
            if (strstr(line, "no words") != NULL || ends_with(line, "failed: "))
                fail_msg("%s kB: no reason: %s", kilobytes[i], line);
    }
    assert_true(failed > 0);
}

/* Not of the list: what a folder that somebody unpacked calls a machine is none. */
TEST(machines_of_this_folder_are_not_taken) {
    shell_must("mkdir -p alone/bin planted/configs && cp \"$PROGRAM\" alone/bin/ && "
               "cp -R \"$FOAMSIM_DATA/configs/machines\" planted/configs/ && cp x.yaml planted/");
    assert_int_equal(shell("cd planted && env -u FOAMSIM_DATA ../alone/bin/foamsim run x.yaml --check"), 2);
    said("no data: looked for configs/ and reports/ in ");
    shell_must("cp -R \"$FOAMSIM_DATA/configs\" \"$FOAMSIM_DATA/reports\" alone/ && cd planted && "
               "env -u FOAMSIM_DATA ../alone/bin/foamsim run x.yaml --check");
}

RUN_TESTS(setup, cli_leave)
