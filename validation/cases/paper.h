/* A published work that is simulated: configs/validation/papers/NAME.yaml, and nothing of it in C. Every case
 * names one; what is aimed at, what no source fixes, what its page and document say and show is written there.
 * docs/validation-cases.md explains the file. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/robust/robust.h"
#include "sim/workload/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The paper of a case that names none: so every file from before there were several is still right. */
#define FS_PAPER_DEFAULT "radiant-foam"

/* A statistic that the paper measures over and over: sentences, scatter plots and charts speak of it by name. */
typedef struct fs_paper_figure {
    const char *figure;   /* device.seconds; or a quotient, "device.seconds / device.iterations" */
    const char *name;     /* "times" */
    const char *one;      /* "time of a frame" */
    const char *baseline; /* what knows nothing of the machine: "the constant 1.11 s"; "" */
    const char *rank;     /* the same for the order alone: "columns minus idle / 100"; "" */
    bool priced;          /* prices move it: what parameters do to it is shown */
    bool more; /* more is better: a run that failed has 0; else it takes longer than any that did not */
} fs_paper_figure;

/* What a prior may set. */
typedef struct fs_prior_value {
    const fs_config_over *overs; /* [count] */
    size_t count;
} fs_prior_value;

/* What no source fixes, and how it may lie. The key FS_PRIOR_STANDIN is no setting but which of a case's stand-ins is
 * run. */
#define FS_PRIOR_STANDIN "standin"
typedef struct fs_prior {
    fs_uncertain u;
    const fs_prior_value *values; /* [u.count] of a list: settings of one key, or of several */
    const char *source;           /* where its bounds or values are from */
    const char *const *cases;     /* [case_count] that it is of (fs_case_is_of); none: all */
    const char *const *on;        /* [on_count] the only statistics that it moves; none: any */
    size_t case_count, on_count;
} fs_prior;

/* One part of what a table of the pace shows. */
typedef struct fs_pace_part {
    const char *name;   /* "other tracers" */
    const char *figure; /* pace.tracer */
    const char *less;   /* pace.camera_tile is taken from it; NULL: nothing is */
    const char *colour; /* of the page's style: "tracer"; "": none */
    const char *about;  /* "mean while rays enter"; "" */
} fs_pace_part;

/* What sets the pace of a run, in the terms of the paper's workload; no shares: nothing is said of it. */
typedef struct fs_pace_terms {
    const char *about;                  /* what the shares are of */
    const fs_pace_part *shares, *means; /* [share_count] of iterations, [mean_count] cycles */
    size_t share_count, mean_count;
    const char *hottest, *hottest_share; /* statistics: the tile that was last most often, its share; NULL */
} fs_pace_terms;

/* A map of each pixel's ray, drawn of the stand-ins: a column of hops.csv, and the statistic that is its
 * mean. */
typedef struct fs_paper_map {
    const char *column; /* tracer_visits */
    const char *figure; /* hops.tracer_mean */
    const char *name;   /* "tracer visits" */
} fs_paper_map;

typedef struct fs_paper {
    const char *name, *path; /* "radiant-foam", its file */
    const char *tag;         /* "RF": how sources cite it */
    const char *title, *authors, *where, *link;
    int64_t year;
    const char *heading;  /* of its page and document */
    const char *document; /* "validation": DOCS/validation.md, with pictures in DOCS/validation */
    const char *scenes;   /* what is said over its stand-in scenes */
    const char *maps;     /* what is said over their maps; "" */
    const char
        *saturated;      /* the cases that are counted apart: "lanes saturate (four and five columns)"; "" */
    double aim, stretch; /* mean absolute error of what is held out */
    double order;        /* share of pairs in the published order */
    const char *goal;    /* where the aim comes from; "" */
    const fs_paper_figure *measures; /* [measure_count] */
    size_t measure_count;
    const fs_prior *priors; /* [prior_count] */
    size_t prior_count;
    int64_t draws, seed; /* a Latin hypercube of so many over them */
    const char *const
        *charts; /* [chart_count] pictures that its document shows; none: those of all figures */
    size_t chart_count;
    const char *const *tables; /* [table_count] cases whose figures and readings its document lists */
    const char *const *notes;  /* [note_count] paragraphs after them */
    size_t table_count, note_count;
    const fs_paper_map *pixels; /* [pixel_count] maps; none: the paper shows none */
    size_t pixel_count;
    fs_pace_terms pace;
} fs_paper;

/* Reads one paper's file. FS_INPUT with places, FS_IO. */
fs_status fs_paper_read(fs_arena *arena, const fs_registry *registry, const char *path, fs_paper *out,
                        fs_error *err);

/* "uniform, 20 to 126 cycles", "merged or serial"; and its value at the low or high end, "" for stand-ins. */
const char *fs_prior_text(fs_arena *arena, const fs_prior *prior);
const char *fs_prior_end(fs_arena *arena, const fs_prior *prior, bool high);

/* A mapping of settings, `section.key: value`, after those that are there. */
void fs_case_read_sets(const fs_yaml *yaml, const fs_node *sets, const fs_config_over **overs, size_t *count);

/* The measure of a statistic; NULL: the paper measures it but once. */
const fs_paper_figure *fs_paper_measure(const fs_paper *paper, const char *figure);

/* The first statistic that prices move; the first of all where none is. */
const fs_paper_figure *fs_paper_priced(const fs_paper *paper);

/* "times and iterations": what it measures over and over. */
const char *fs_paper_measures(fs_arena *arena, const fs_paper *paper);

/* "the constant 1.11 s; last batch + 220": what its baselines are called, of values or (`ranks`) of orders. */
const char *fs_paper_baselines(fs_arena *arena, const fs_paper *paper, bool ranks);

/* "Zulkhuu Tuya, ...: Radiant Foam Rendering on a Graph Processor. arXiv, 2026. https://..." */
const char *fs_paper_reference(fs_arena *arena, const fs_paper *paper);
