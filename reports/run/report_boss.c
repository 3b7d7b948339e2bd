/* A run on one page. */
#include "reports/boss/boss.h"
#include "reports/run/report_private.h"

static const char *plain_value(fs_arena *arena, const char *value) {
    char *plain = fs_arena_strdup(arena, value + (value[0] == '"'));
    plain[strcspn(plain, "\"")] = '\0';
    return plain;
}

/* What it is: the settings that place it, then what was changed. */
static void add_settings(fs_boss *b, fs_arena *arena, fs_folder *run, const fs_page_plan *plan,
                         const fs_setting *settings, size_t count) {
    for (size_t i = 0; i < plan->setting_count; i++) {
        const char *value =
            plan->settings[i].key == NULL ? NULL : fs_folder_setting(run, plan->settings[i].key);
        if (value != NULL)
            fs_boss_add(b->what, &b->what_count,
                        (fs_boss_row){plan->settings[i].label, plain_value(arena, value), NULL});
    }
    for (size_t i = 0; i < count; i++)
        if (settings[i].changed)
            fs_boss_add(b->what, &b->what_count,
                        (fs_boss_row){fs_arena_printf(arena, "%s.%s", settings[i].section, settings[i].key),
                                      plain_value(arena, settings[i].value), NULL});
}

/* How sure: what its numbers rest on. */
static void say_sure(fs_boss *b, fs_arena *arena, fs_folder *run, const fs_page_plan *plan,
                     const fs_setting *settings, size_t count) {
    size_t known = 0, assumed = 0, yours = 0;
    const fs_figure *complete = fs_folder_figure(run, FS_STAT_COMPLETE);
    if (complete != NULL && complete->value == 0)
        fs_boss_say(b, plan->warning == NULL ? "The run did not come to its end."
                                             : fs_fill(arena, run, plan->warning, NULL, NULL));
    for (size_t i = 0; i < count; i++) {
        const char letter = settings[i].confidence[0];
        known += letter == 'P' || letter == 'M' || letter == 'R' || letter == 'I';
        assumed += letter == 'A';
        yours += letter == 'Y';
    }
    if (known + assumed + yours > 0)
        fs_boss_say(b,
                    fs_arena_printf(
                        arena,
                        "Of the numbers behind it %zu are published, measured or derived from such, %zu are "
                        "assumed, %zu are yours without a source.",
                        known, assumed, yours));
    fs_boss_say(b, "Ranges beside a figure take all prices of energy and area to their ends at once.");
    fs_boss_say(b, "What would help: a bound is the most that any change of that kind can save, an estimate "
                   "moves work by a rule, simulated was run.");
}

fs_status fs_report_boss(const fs_registry *registry, const char *dir, const char *file, fs_error *err) {
    enum { OTHERS = 5 };
    static const fs_page_plan none = {.workload = ""};
    fs_folder *run = fs_folder_open(dir, registry->figures, err);
    const fs_page_plan *plan = run == NULL ? NULL : fs_folder_page(run, err);
    size_t count = 0;
    const fs_setting *settings = run == NULL ? NULL : fs_folder_settings(run, &count, err);
    fs_arena *arena = fs_arena_create();
    fs_what_if what[OTHERS];
    fs_boss b = {.build = "This design", .second = "What would make it better"};
    plan = plan == NULL ? &none : plan;
    if (err->status == FS_OK) {
        b.name = fs_folder_name(run);
        b.verdict = fs_folder_verdict(arena, run, plan, err);
        b.verdict = b.verdict == NULL ? b.name : b.verdict;
        add_settings(&b, arena, run, plan, settings, count);
        fs_boss_costs(&b, arena, run, plan, NULL);
        const size_t others = fs_what_ifs(arena, run, plan, what, OTHERS, err);
        for (size_t i = 0; i < others; i++)
            fs_boss_add(b.other, &b.other_count,
                        (fs_boss_row){what[i].said, fs_what_if_saves(arena, &what[i]), what[i].kind});
        say_sure(&b, arena, run, plan, settings, count);
    }
    fs_status status = err->status == FS_OK ? fs_boss_write(&b, file, err) : err->status;
    fs_arena_free(arena);
    fs_folder_close(run);
    return status;
}
