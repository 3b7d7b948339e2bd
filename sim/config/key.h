/* Keys: which of two configurations' layers are the same (ARCHITECTURE.md, "Three layers").
 *
 * A layer depends on the parameters that touch it or a layer below it: geometry on those that touch the
 * geometry, traffic on those and on what touches the traffic, a result on all but those that touch nothing.
 * Two configurations with equal keys of a layer may share a recording of it; equal result keys are the same
 * point of a sweep.
 */
#pragma once

#include "sim/base/digest.h"
#include "sim/config/config.h"

/* FS_TOUCHES_GEOMETRY, FS_TOUCHES_TRAFFIC, or FS_TOUCHES_PRICE: the key of results. */
typedef fs_touches fs_key_layer;

/* SHA-256 over the text of fs_config_write_key. digest_of (may be NULL) gives the SHA-256 of a file's content
 * as text, valid until its next call, or NULL: then the path itself stands for what it names. */
void fs_config_key(const fs_config *config, fs_key_layer layer, fs_param_digest digest_of, void *self,
                   char hex[FS_DIGEST_HEX]);

/* The SHA-256 of what a row's file holds, and of the files that are read because it names them, in their order: what a digest_of
 * gives for keys. FS_IO: the file cannot be read. */
fs_status fs_key_digest(const fs_param *row, const char *path, char hex[FS_DIGEST_HEX], fs_error *err);

/* The text: "model N", then a line "section.key: value" for each parameter that counts, in the order of the
 * tables, values in canonical form ("none": absent; "sha256 HEX": a file), and "section.kind: KIND" where a
 * kind counts. The name of the experiment, origins and comments do not. */
void fs_config_write_key(const fs_config *config, fs_key_layer layer, fs_param_digest digest_of, void *self,
                         FILE *out);

/* The first line in which two such texts differ, as "section.key is A here, B there" with `here` and `there`
 * words of the caller; "" when they are equal. Arena-owned. */
const char *fs_key_difference(fs_arena *arena, const char *a, const char *here, const char *b,
                              const char *there);
