/* `foamsim report` of run folders that somebody else made: no text in them is run, no link in them followed,
 * no name and no number keeps a report from its end; and reports do not meet. */
#include "sim/base/host.h"
#include "tests/support/cli.h"
#include "tests/support/foreign/foreign_case.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char canary[4200];

static int setup(void **state) {
    char here[4096];
    if (cli_enter(state) != 0 || getcwd(here, sizeof here) == NULL)
        return 1;
    snprintf(canary, sizeof canary, "%s/canary", here);
    if (!have_program("gnuplot"))
        return 0;
    cli_write_experiment("x.yaml");
    cli_must("run", "x.yaml", "-q", "--out", "clean", NULL);
    foreign_copy("clean", "open");
    foreign_unseal("open");
    return 0;
}

static void must_draw(void) {
    if (!have_program("gnuplot"))
        skip();
}

static void no_command_was_run(const char *what) {
    if (scratch_there(canary))
        fail_msg("a command was run: %s", what);
}

/* `text` as a quoted cell. */
static char *cell_of(const char *text) {
    static char cell[9000];
    char *to = cell;
    *to++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"')
            *to++ = '"';
        *to++ = *text;
    }
    strcpy(to, "\"");
    return cell;
}

/* ---- texts ---- */

/* Where a run folder holds a word, and the word. */
static const struct {
    const char *file, *word;
    bool cell;
} places[] = {
    {"evil/tiles.csv", ",tracer,", true},    {"evil/occupancy.csv", ",tracer,", true},
    {"evil/cycles.csv", ",router,", true},   {"evil/iterations.csv", ",tracer,", true},
    {"evil/resolved.yaml", "name: ", false}, {"evil/parameters.csv", ",quadtree,", true},
    {"evil/levels.csv", "all,", true},
};

static void change_place(size_t i, const char *text) {
    char new[9100];
    if (places[i].cell)
        snprintf(new, sizeof new, "%s%s,", places[i].word[0] == ',' ? "," : "", cell_of(text));
    else
        snprintf(new, sizeof new, "name: \"%s\" # ", text);
    foreign_change(places[i].file, places[i].word, new);
}

TEST(no_text_of_a_run_is_run) {
    must_draw();
    size_t texts = 0;
    char **text = foreign_texts(canary, &texts);
    for (size_t t = 0; t < texts; t++) {
        foreign_copy("open", "evil");
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            change_place(i, text[t]);
        cli_result r = cli("report", "evil", "--plots", NULL);
        if (r.status != 0) /* else one place would hide the others */
            fail_msg("%s: status %d, signal %d: %s", text[t], r.status, r.signal, r.err);
        no_command_was_run(text[t]);
        foreign_scripts_are_plain("evil/pictures");
        free(text[t]);
    }
    free(text);
}

/* page.json says how the run is shown: its texts are texts, its names are words, its lists end. */
TEST(a_plan_of_somebody_else_is_held_to_its_words) {
    must_draw();
    static const char *const names[] = {
        "../x", "a`x`", "", "/etc/passwd", "x y", "a'b", "0123456789012345678901234567890123"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[128];
        foreign_copy("open", "evil");
        snprintf(name, sizeof name, "\"name\": \"%s\"", names[i]);
        foreign_change("evil/page.json", "\"name\": \"chip-busy\"", name);
        cli_result r = cli("report", "evil", "--plots", NULL);
        if (r.status != 2 || strstr(r.err, "expected a name of at most") == NULL)
            fail_msg("%s: status %d: %s", names[i], r.status, r.err);
    }
    static const char *const changes[][2] = {{"\"file\": \"tiles.csv\"", "\"file\": \"../tiles.csv\""},
                                             {"\"id\": ", "\"idea\": "},
                                             {"\"kind\": ", "\"king\": "},
                                             {"\"column\": ", "\"colon\": "},
                                             {"\"column\": \"", "\"column\": \"../"},
                                             {"\"column\": \"", "\"column\": \"`x`"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        foreign_copy("open", "evil");
        foreign_change("evil/page.json", changes[i][0], changes[i][1]);
        assert_int_equal(cli("report", "evil", "--plots", NULL).status, 2);
    }
    foreign_copy("open", "evil");
    foreign_change("evil/page.json", "\"title\": \"", "\"title\": \"`touch canary` $(touch canary) ");
    foreign_change("evil/page.json", "\"caption\": \"",
                   "\"caption\": \"'; system('touch canary') `touch canary` ");
    foreign_change("evil/page.json", "\"unit\": \"", "\"unit\": \"`touch canary` ");
    foreign_change("evil/page.json", "\"label\": \"", "\"label\": \"`touch canary` ");
    cli_must("report", "evil", "--plots", NULL);
    no_command_was_run("page.json");
    foreign_scripts_are_plain("evil/pictures");
}

TEST(a_long_role_is_cut) {
    must_draw();
    char word[2100] = ",";
    memset(word + 1, 'r', 2000);
    strcat(word, ",");
    foreign_copy("open", "evil");
    static const char *const tables[] = {"evil/tiles.csv", "evil/occupancy.csv", "evil/cycles.csv"};
    for (size_t i = 0; i < 3; i++)
        foreign_change(tables[i], ",tracer,", word);
    cli_must("report", "evil", NULL);
}

/* A program that stands alone has no scripts, whatever lies in the folder where somebody stands. */
TEST(scripts_of_this_folder_are_not_run) {
    must_draw();
    char *data = getenv("FOAMSIM_DATA"), command[8400];
    char *before = data == NULL ? NULL : strdup(data);
    unsetenv("FOAMSIM_DATA");
    snprintf(command, sizeof command,
             "mkdir -p alone/bin reports/sheet/page reports/plot && cp '%s' alone/bin/ && for f in "
             "reports/figures reports/draw reports/plot/style.gp reports/sheet/page/page.js; do printf "
             "'#!/bin/sh\ntouch canary\n' >$f && chmod +x $f; done && cp clean/page.json "
             "reports/sheet/page/ && alone/bin/foamsim report clean -o planted.html 2>words",
             cli_program());
    assert_int_not_equal(system(command), 0);
    char *words = file_text("words");
    need(words, "no data: looked for configs/ and reports/ in ");
    need(words, "/alone ");
    no_command_was_run("a planted folder");
    if (before != NULL)
        setenv("FOAMSIM_DATA", before, 1);
    free(before);
}

/* ---- links ---- */

static void victim_is_whole(const char *what) {
    char *text = file_text("victim");
    if (strcmp(text, "precious\n") != 0)
        fail_msg("%s: written through", what);
}

TEST(no_link_is_followed) {
    must_draw();
    static const char *const names[] = {"visits-0-0.dat", "style.gp",    "style.gp.partial", "visits.gp",
                                        "visits.svg",     "report.html", "iterations.csv",   "figures-1"};
    cli_write("victim", "precious\n");
    foreign_copy("open", "evil");
    assert_int_equal(mkdir("evil/pictures", 0777), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[256];
        snprintf(path, sizeof path, "evil/pictures/%s", names[i]);
        assert_int_equal(symlink("../../victim", path), 0);
    }
    cli_must("report", "evil", "--plots", NULL);
    victim_is_whole("a link in pictures");
    struct stat info;
    assert_int_equal(lstat("evil/pictures/visits-0-0.dat", &info), 0);
    assert_true(S_ISREG(info.st_mode));
    foreign_copy("open", "evil");
    assert_int_equal(mkdir("elsewhere", 0777), 0);
    assert_int_equal(symlink("../elsewhere", "evil/pictures"), 0);
    cli_refuses("evil/pictures is a link", "report", "evil", NULL);
    assert_int_equal(rmdir("elsewhere"), 0); /* nothing came into it */
}

TEST(a_manifest_names_files_of_its_run_alone) {
    static const char *const names[] = {"../victim", "/etc/passwd", "a/../../victim", "..",
                                        "view-0/../../victim"};
    cli_write("victim", "precious\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[256];
        foreign_copy("open", "evil");
        snprintf(name, sizeof name, "\"file\": \"%s\"", names[i]);
        foreign_change("evil/manifest.json", "\"file\": \"hops.csv\"", name);
        cli_result r = cli("report", "evil", NULL);
        assert_int_equal(r.status, 2);
        if (strstr(r.err, "no file of a run") == NULL)
            fail_msg("%s: %s", names[i], r.err);
    }
}

/* ---- names ---- */

TEST(a_run_may_have_any_name) {
    must_draw();
    static const char *const names[] = {
        "x=1", "b\\t", "./-n", "a b", "\xc3\xa4\xe2\x82\xac", "`touch canary`", "it's %n \"q\"", "\xff\xfe"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char page[256];
        assert_int_equal(rename("clean", names[i]), 0);
        cli_result r = cli("report", names[i], NULL);
        if (r.status != 0)
            fail_msg("%s: %s", names[i], r.err);
        snprintf(page, sizeof page, "%s/pictures/report.html", names[i]);
        assert_true(scratch_there(page));
        assert_int_equal(rename(names[i], "clean"), 0);
        no_command_was_run(names[i]);
    }
}

/* What is written replaces nothing that is read. */
TEST(what_is_read_is_not_replaced) {
    char *before = file_text("x.yaml"), *summary = file_text("clean/summary.json");
    static const char *const options[] = {"--record", "--record-activity", "--trace"};
    for (size_t i = 0; i < 3; i++) {
        cli_refuses("is read by this run", "run", "x.yaml", "-q", "--out", "other", options[i], "./x.yaml",
                    NULL);
    }
    cli_refuses("is a file of the run", "report", "clean", "-o", "clean/summary.json", NULL);
    char *after = file_text("x.yaml"), *now_summary = file_text("clean/summary.json");
    assert_string_equal(before, after);
    assert_string_equal(summary, now_summary);
}

/* ---- numbers ---- */

/* Drawing takes as long as there are values, and no longer for a large one. */
TEST(large_numbers_end) {
    must_draw();
    static const struct {
        const char *file, *cells; /* the first of them is taken */
    } large[] = {{"evil/hops.csv", "\n0,0,"},
                 {"evil/tiles.csv", "\n0,tracer,0,"},
                 {"evil/iterations.csv", "\n1,"},
                 {"evil/occupancy.csv", "\n1,tracer,0,"},
                 {"evil/distributions.csv", "\nalive,"}};
    static const char *const numbers[] = {"1000000000000"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            char new[128];
            foreign_copy("open", "evil");
            snprintf(new, sizeof new, "%s%s,", large[i].cells, numbers[n]);
            char *text = file_text(large[i].file), old[128];
            const char *at = strstr(text, large[i].cells);
            assert_non_null(at);
            size_t cell = strlen(large[i].cells) + strcspn(at + strlen(large[i].cells), ",\n");
            snprintf(old, sizeof old, "%.*s,", (int)cell, at);
            if (strstr(large[i].file, "distributions") !=
                NULL) { /* the count behind the value ends the line */
                old[strlen(old) - 1] = '\0';
                new[strlen(new) - 1] = '\0';
            }
            foreign_change(large[i].file, old, new);
            double begin = fs_host_wall_seconds();
            cli_result r = cli("report", "evil", NULL);
            if ((r.status != 0 && r.status != 2) || fs_host_wall_seconds() - begin > 20)
                fail_msg("%s: %s: status %d, signal %d, %.0f s: %s", large[i].file, numbers[n], r.status,
                         r.signal, fs_host_wall_seconds() - begin, r.err);
        }
}

/* ---- several reports, and their processes ---- */

TEST(two_reports_of_a_run_both_succeed) {
    must_draw();
    foreign_copy("clean", "both");
    setenv("PROGRAM", cli_program(), 1);
    int how = 1;
    assert_true((how = system("for i in 1 2 3; do \"$PROGRAM\" report both --plots 2>words$i & p=\"$p $!\"; "
                              "done; for i in $p; "
                              "do wait $i || exit 1; done")) >= 0);
    assert_int_equal(how, 0);
    assert_true(scratch_there("both/pictures/report.html") && scratch_there("both/pictures/iterations.svg"));
    DIR *dir = opendir("both");
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        assert_true(strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || e->d_name[0] != '.');
    closedir(dir);
}

TEST(a_killed_report_leaves_no_process) {
    must_draw();
    const char *const words[] = {"report", "killed", "--plots", NULL};
    static const int signals[] = {SIGKILL, SIGTERM, SIGINT};
    foreign_copy("clean", "killed");
    char here[4096], tmp[4200];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(tmp, sizeof tmp, "%s/tmp", here);
    assert_int_equal(mkdir(tmp, 0700), 0);
    setenv("TMPDIR", tmp, 1); /* gnuplot runs in a folder of it */
    int before = foreign_processes();
    for (int i = 0; i < 6; i++) {
        pid_t process = cli_start(words, 0);
        const struct timespec nap = {.tv_nsec = 30000000 + 40000000 * i};
        nanosleep(&nap, NULL);
        kill(process, signals[i % 3]);
        cli_finish(process);
        const struct timespec bit = {.tv_nsec = 10000000};
        for (int k = 0; k < 200 && foreign_processes() > before; k++)
            nanosleep(&bit, NULL);
        assert_int_equal(foreign_processes(), before);
    }
    cli_must("report", "killed", "--plots", NULL); /* and it clears away what they left */
    unsetenv("TMPDIR");
    assert_int_equal(rmdir(tmp), 0);
}

/* A run in a folder that this user may not write to. */
TEST(a_run_of_another_user_is_reported) {
    must_draw();
    foreign_copy("clean", "theirs");
    assert_int_equal(system("rm -rf theirs/pictures"), 0);
    assert_int_equal(system("chmod -R a+rX . && chmod -R a-w theirs && mkdir mine && chmod 0777 mine"), 0);
    pid_t other = fork();
    if (other == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(3);
        execl(cli_program(), "foamsim", "report", "theirs", "-o", "mine/page.html", (char *)NULL);
        _exit(4);
    }
    int how = 1;
    assert_int_equal(waitpid(other, &how, 0), other);
    assert_int_equal(how, 0);
    assert_true(scratch_there("mine/page.html") && !scratch_there("theirs/pictures"));
    assert_int_equal(system("chmod -R u+w theirs"), 0);
}

RUN_TESTS(setup, cli_leave)
