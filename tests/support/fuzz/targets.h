/* What reads files of other people, each as a function of the bytes of one file: for libFuzzer (tests/fuzz),
 * and for the test that replays what was found once.
 *
 * A target writes the bytes to a file of a scratch folder and reads that as the program does. Whatever it is,
 * the answer is FS_OK, or an error with a sentence; a target that finds something else aborts.
 */
#pragma once

#include "sim/base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_target {
    const char *name;  /* "experiment": its seeds are tests/fuzz/seeds/experiment */
    const char *seeds; /* a folder of configs/ whose files are seeds as well; "" */
    void (*run)(const uint8_t *data, size_t size);
} fuzz_target;

extern const fuzz_target fuzz_targets[];               /* ends with a name of NULL */
const fuzz_target *fuzz_target_find(const char *name); /* NULL: there is none */

/* Absolute path of a file in the scratch folder, which goes when the process ends. Valid for good. */
const char *fuzz_path(const char *file);
/* Writes the bytes there, and gives the path. */
const char *fuzz_file(const char *file, const void *data, size_t size);
/* Removes a folder there, with all that is in it. */
void fuzz_clear(const char *folder);
/* An error has a sentence, and what went well has none. */
void fuzz_check(fs_status status, const fs_error *err);

struct repack;

/* ---- the targets ---- */

/* yaml.c */
void fuzz_experiment(const uint8_t *data, size_t size);
void fuzz_sweep(const uint8_t *data, size_t size);
void fuzz_space(const uint8_t *data, size_t size); /* a sweep's points as well: counted, some resolved */
void fuzz_overlay(const uint8_t *data, size_t size);
void fuzz_case(const uint8_t *data, size_t size);
void fuzz_program(const uint8_t *data, size_t size);
void fuzz_trace(const uint8_t *data, size_t size);
void fuzz_primitives(const uint8_t *data, size_t size); /* a scene of spheres, planes, discs */
/* foreign.c */
void fuzz_stamps(const uint8_t *data, size_t size);    /* a recorded trace, as JSON and as a table */
void fuzz_joints(const uint8_t *data, size_t size);    /* how chips are joined */
void fuzz_transfers(const uint8_t *data, size_t size); /* a workload of tt-npe */
void fuzz_booksim(const uint8_t *data, size_t size);
void fuzz_anynet(const uint8_t *data, size_t size);
void fuzz_netrace(const uint8_t *data, size_t size);
void fuzz_chakra(const uint8_t *data, size_t size);
void fuzz_prices(const uint8_t *data, size_t size);
/* scene.c */
void fuzz_foam(const uint8_t *data, size_t size);    /* a foam's PLY */
void fuzz_cloud(const uint8_t *data, size_t size);   /* a PLY of points or Gaussians */
void fuzz_mesh(const uint8_t *data, size_t size);    /* a GLB, Collada, OBJ or PLY file of triangles */
void fuzz_format(const uint8_t *data, size_t size);  /* the same as far as this program looks itself */
void fuzz_raylist(const uint8_t *data, size_t size); /* a file of rays, a line each */
void fuzz_cameras(const uint8_t *data, size_t size); /* the first byte: which of five files of cameras */
void fuzz_cache(const uint8_t *data, size_t size);   /* an entry of the cache */
void fuzz_entry(const uint8_t *data, size_t size);   /* the arrays of one, with right checks */
/* store.c */
void fuzz_store(const uint8_t *data, size_t size); /* the bytes of the file */
void fuzz_rows(const uint8_t *data, size_t size);  /* cells of its tables, by SQLite */
/* run.c */
void fuzz_table(const uint8_t *data, size_t size);    /* hops.csv of a run folder */
void fuzz_manifest(const uint8_t *data, size_t size); /* its JSON */
void fuzz_page(const uint8_t *data, size_t size);
void fuzz_archive(const uint8_t *data, size_t size); /* a run in one file, before it is packed */
/* report.c */
void fuzz_report(const uint8_t *data, size_t size); /* a run folder in one file, drawn by gnuplot */
/* recording.c, paths.c */
void fuzz_container(const uint8_t *data, size_t size); /* the bytes of the file */
void fuzz_rays(const uint8_t *data, size_t size);      /* changes behind the checksums */
void fuzz_activity(const uint8_t *data, size_t size);
void fuzz_requests(const uint8_t *data, size_t size); /* the same of a hierarchy's rays */
void fuzz_paint(const uint8_t *data, size_t size);    /* of a path tracer's tiles */
/* Writes a recording to `path` with the changes that the data ask for. */
void fuzz_change(const struct repack *from, const char *path, const uint8_t *data, size_t size);
/* paths.c */
void fuzz_paths(const uint8_t *data, size_t size); /* recordings of paths: dealt anew, priced */
