#include "tests/support/foreign/reading.h"
#include "sim/base/arith.h"
#include "sim/host/signals.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

reading reading_begin(void) {
    reading r = {.arena = test_arena(), .asked = {.clock = 1e9, .topology = "", .region = -1}};
    r.notes.arena = r.arena;
    return r;
}

fs_status reading_tell(reading *r, const fs_format *format, const char *path) {
    r->err = (fs_error){.status = FS_OK};
    r->notes.count = 0;
    r->notes.item = NULL;
    const fs_status status = format->tell(r->arena, path, &r->asked, &r->told, &r->notes, &r->err);
    assert_int_equal(status, r->err.status);
    return status != FS_OK ? status : fs_notes_refuse(&r->notes, r->asked.strict, true, &r->err);
}

bool reading_is_interrupted(const fs_format *format, const char *path, const char *words) {
    enum { RIGHT = 7 };
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        reading r = reading_begin();
        fs_catch_signals();
        raise(SIGINT);
        const bool right = reading_tell(&r, format, path) == FS_RUN && fs_begins(r.err.text, words);
        _exit(right ? RIGHT : 0);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == RIGHT;
}

const fs_note *reading_note(const reading *r, fs_note_kind kind, const char *what) {
    for (size_t i = 0; i < r->notes.count; i++)
        if (r->notes.item[i].kind == kind && strncmp(r->notes.item[i].what, what, strlen(what)) == 0)
            return &r->notes.item[i];
    return NULL;
}

void reading_take(reading *r, const fs_format *format, const char *path, reading_tasks *out) {
    fs_task_source source;
    uint64_t before = 0;
    r->err = (fs_error){.status = FS_OK};
    *out = (reading_tasks){.count = 0};
    assert_int_equal(format->tasks(r->arena, path, &r->asked, &source, NULL, &r->err), FS_OK);
    for (fs_task t; source.next(source.self, &t, &r->err);) {
        assert_true(out->count < 256 && out->wait_count + t.after_count <= 1024);
        assert_true(t.not_before >= before);
        before = t.not_before;
        for (size_t i = 0; i < t.after_count; i++) {
            assert_true(t.after[i] < out->count);
            out->waits[out->wait_count + i] = t.after[i];
        }
        t.after = out->waits + out->wait_count;
        out->wait_count += t.after_count;
        out->task[out->count++] = t;
    }
    source.close(source.self);
    assert_string_equal(r->err.text, "");
}
