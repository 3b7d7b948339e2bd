/* The sentences of findings.json, each with its figures; left out where it would have nothing to say. */
#include "workloads/traffic/outputs.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT = 512 };

/* Appends a finding; its figures follow by `figure`. */
static json_t *begin(json_t *list, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static json_t *begin(json_t *list, const char *key, const char *format, ...) {
    char text[TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    json_t *finding = json_object(), *figures = json_object();
    json_object_set_new(finding, "key", json_string(key));
    json_object_set_new(finding, "text", json_string(text));
    json_object_set_new(finding, "figures", figures);
    json_array_append_new(list, finding);
    return figures;
}

static void figure(json_t *figures, const char *name, double value) {
    json_object_set_new(figures, name, json_real(value));
}

static void find_throughput(const fs_traffic_figures *f, uint32_t tracers, json_t *list) {
    const double kept_up = 0.97; /* of what is offered, noise apart */
    json_t *o;
    if (f->accepted >= kept_up * f->offered)
        o = begin(
            list, "throughput",
            "Each of %u tracers offers %.3g rays a kilocycle and gets them through: %.0f %% of the %.3g "
            "that the busiest port and tile allow by the routes.",
            tracers, f->offered, 100 * f->bound_share, f->bound);
    else
        o = begin(
            list, "throughput",
            "The network is full: each of %u tracers offers %.3g rays a kilocycle and gets %.3g through, "
            "%.0f %% of the %.3g that the busiest port and tile allow by the routes.",
            tracers, f->offered, f->accepted, 100 * f->bound_share, f->bound);
    figure(o, "offered", f->offered);
    figure(o, "accepted", f->accepted);
    figure(o, "bound", f->bound);
}

static void find_port(const fs_traffic_figures *f, json_t *list) {
    json_t *o = begin(list, "port",
                      "The busiest port is the %s port of tile %llu, a %s of level %llu: it moves words in "
                      "%.0f %% of the exchange; by the routes the busiest port takes %.4g rays when every "
                      "tracer sends one.",
                      f->port_side, (unsigned long long)f->port_tile, f->port_role,
                      (unsigned long long)f->port_level, 100 * f->port_share, f->port_rays);
    figure(o, "tile", (double)f->port_tile);
    figure(o, "share", f->port_share);
    figure(o, "rays", f->port_rays);
}

static void find_latency(const fs_traffic_figures *f, json_t *list) {
    if (f->measured_delivered == 0)
        return;
    json_t *o =
        begin(list, "latency",
              "A ray takes %.0f cycles (99 %% of them %llu at most), %.2g times what it takes alone on "
              "the chip (%.0f), over %.1f lanes; an iteration takes %.0f.",
              f->latency_mean, (unsigned long long)f->latency_p99, f->latency_mean / f->latency_zero,
              f->latency_zero, f->hops_mean, f->cycles_mean);
    figure(o, "mean", f->latency_mean);
    figure(o, "p99", (double)f->latency_p99);
    figure(o, "zero_load", f->latency_zero);
}

static void find_waiting(const fs_traffic_figures *f, json_t *list) {
    if (f->waiting_peak == 0)
        return;
    json_t *o = begin(list, "waiting",
                      "Lanes without room leave %.0f rays waiting in an iteration, and up to %llu before one "
                      "lane: with more slots latency and throughput would be those of the ports.",
                      f->waiting_mean, (unsigned long long)f->waiting_peak);
    figure(o, "mean", f->waiting_mean);
    figure(o, "peak", (double)f->waiting_peak);
}

fs_status fs_traffic_findings_write(const fs_traffic_outputs *o, fs_results *results, fs_error *err) {
    json_t *root = json_object(), *list = json_array();
    find_throughput(o->figures, o->overlay->tracers, list);
    find_port(o->figures, list);
    find_latency(o->figures, list);
    find_waiting(o->figures, list);
    json_object_set_new(root, "findings", list);
    fs_status status = fs_results_json(results, "findings.json", root, err);
    json_decref(root);
    return status;
}
