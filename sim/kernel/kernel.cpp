/* The one file that sees SystemC.
 *
 * Each process is an SC_METHOD with one event. SystemC runs the methods of a delta cycle in an order of its
 * own, so a method only notes that its process is due and asks for the dispatcher, which runs in the next
 * delta cycle, sorts the due processes by id and calls their C functions. Two delta cycles make one round.
 */
extern "C" {
#define _Noreturn [[noreturn]] /* C's word in the shared headers */
#include "sim/kernel/kernel.h"
#include "sim/base/alloc.h"
#undef _Noreturn
}

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <exception>
#include <new>
#include <string>
#include <systemc>
#include <unordered_set>
#include <vector>

namespace {

struct process {
    fs_process_fn fn;
    void *self;
    sc_core::sc_event due;
};

bool created = false; /* SystemC has one simulation context for the life of the process */

} // namespace

struct fs_kernel {
    std::deque<process> processes; /* a deque, as events cannot move */
    std::unordered_set<std::string> names;
    std::vector<fs_process_id> ready; /* due in this round, in SystemC's order; room for all is reserved */
    std::vector<fs_process_id> round; /* the ones now called, sorted */
    sc_core::sc_event dispatch;
    uint64_t activations = 0;
    bool running = false;
    bool started = false;
    bool failed = false;
    std::string failure; /* text of the first exception, told by fs_kernel_run */

    void fail(const char *text) {
        if (!failed)
            failure = text;
        failed = true;
        if (running)
            sc_core::sc_pause();
    }

    void mark(fs_process_id id) {
        if (ready.empty())
            dispatch.notify(sc_core::SC_ZERO_TIME);
        ready.push_back(id);
    }

    void run_round() {
        round.swap(ready);
        std::sort(round.begin(), round.end());
        for (fs_process_id id : round) {
            process &p = processes[id];
            p.fn(p.self);
        }
        activations += round.size();
        round.clear();
    }
};

namespace {

/* Runs `body`; what it throws becomes the kernel's failure. SystemC's own unwinding of a killed process has
 * to pass. */
template <typename Body> void guarded(fs_kernel *kernel, Body body) {
    try {
        body();
    } catch (const sc_core::sc_unwind_exception &) {
        throw;
    } catch (const std::exception &e) {
        kernel->fail(e.what());
    } catch (...) {
        kernel->fail("unknown exception");
    }
}

void spawn_method(const char *name, sc_core::sc_event &event, void (*body)(fs_kernel *, fs_process_id),
                  fs_kernel *kernel, fs_process_id id) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&event);
    sc_core::sc_spawn([=] { guarded(kernel, [=] { body(kernel, id); }); }, name, &options);
}

/* SystemC speaks through its report handler: information is noise here, and a warning (a clash of names, a
 * misuse) is a defect of this file, so it throws like an error. */
void quiet_reports() {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
}

} // namespace

extern "C" {

/* libsystemc's main() wants it; foamsim's own main() is linked instead and never calls it. */
int sc_main(int, char **) {
    return 1;
}

fs_kernel *fs_kernel_create(fs_error *err) {
    if (created) {
        fs_fail(err, FS_RUN, "one simulation to a process: this process already had a kernel");
        return nullptr;
    }
    created = true;
    fs_kernel *kernel = nullptr;
    try {
        quiet_reports();
        kernel = new fs_kernel;
        spawn_method(
            "dispatcher", kernel->dispatch, [](fs_kernel *k, fs_process_id) { k->run_round(); }, kernel, 0);
        return kernel;
    } catch (const std::exception &e) {
        fs_fail(err, FS_RUN, "SystemC: %s", e.what());
    } catch (...) {
        fs_fail(err, FS_RUN, "SystemC: unknown exception");
    }
    return nullptr; /* what SystemC may still refer to stays allocated */
}

void fs_kernel_free(fs_kernel *kernel) {
    delete kernel; /* its methods stay with SystemC, which never runs again: fs_kernel_create refuses */
}

fs_process_id fs_kernel_process(fs_kernel *kernel, const char *name, fs_process_fn fn, void *self) {
    FS_ASSERT(!kernel->started, "process %s is registered after the start of the run", name);
    FS_ASSERT(name[0] != '\0' && fn != nullptr, "a process has a name and a function");
    const char *failure = nullptr;
    try {
        FS_ASSERT(kernel->names.insert(name).second, "two processes are called %s", name);
        fs_process_id id = (fs_process_id)kernel->processes.size();
        process &p = kernel->processes.emplace_back();
        p.fn = fn;
        p.self = self;
        kernel->ready.reserve(id + 1);
        kernel->round.reserve(id + 1);
        /* SystemC does not take every text for a name; ours are checked above, its only need be unique */
        spawn_method(("process_" + std::to_string(id)).c_str(), p.due,
                     [](fs_kernel *k, fs_process_id own) { k->mark(own); }, kernel, id);
        return id;
    } catch (const std::bad_alloc &) {
        fs_no_memory();
    } catch (const std::exception &e) {
        failure = e.what();
        FS_ASSERT(false, "process %s: %s", name, failure);
    } catch (...) {
        FS_ASSERT(false, "process %s: unknown exception", name);
    }
}

void fs_kernel_wake(fs_kernel *kernel, fs_process_id process, uint64_t delay) {
    FS_ASSERT(process < kernel->processes.size(), "process %u is unknown", process);
    FS_ASSERT(delay < UINT64_MAX - fs_kernel_now(kernel), "a delay of %llu cycles is beyond the end of time",
              (unsigned long long)delay);
    guarded(kernel, [=] { kernel->processes[process].due.notify(sc_core::sc_time::from_value(delay)); });
}

fs_status fs_kernel_run(fs_kernel *kernel, fs_error *err) {
    kernel->started = true;
    kernel->running = true;
    guarded(kernel, [] {
        if (sc_core::sc_pending_activity())
            sc_core::sc_start();
    });
    kernel->running = false;
    return kernel->failed ? fs_fail(err, FS_RUN, "SystemC: %s", kernel->failure.c_str()) : FS_OK;
}

void fs_kernel_stop(fs_kernel *kernel) {
    FS_ASSERT(kernel->running, "fs_kernel_stop is for processes");
    guarded(kernel, [] { sc_core::sc_pause(); });
}

uint64_t fs_kernel_now(const fs_kernel *) {
    return sc_core::sc_time_stamp().value();
}

uint64_t fs_kernel_activations(const fs_kernel *kernel) {
    return kernel->activations;
}
}
