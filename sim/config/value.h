/* One value: from a YAML node into a struct's member as its row says, and back to text. */
#pragma once

#include "sim/config/param.h"
#include "sim/yaml/tree.h"

#include <stdio.h>

/* Checks the node and stores it into `params` (the row's struct); sets the row's `given` flag. False: what is
 * wrong goes to the report under `key` ("overlay.widths") and nothing is stored. Text belongs to the arena. */
bool fs_value_bind(fs_report *report, fs_arena *arena, const fs_param *row, const char *key,
                   const fs_node *node, void *params);

/* Stores the row's default; panics when the default breaks the row's own rules. */
void fs_value_default(fs_arena *arena, const fs_param *row, void *params);

/* "a positive integer", "one of full, half": what the row takes, for a message. */
const char *fs_value_expected(fs_arena *arena, const fs_param *row);
/* "1 to 64", "at least 0 B"; "" when there is no limit. */
const char *fs_value_range(fs_arena *arena, const fs_param *row);

/* False for a row without a value: its default is "none" and nobody gave one. */
bool fs_value_present(const fs_param *row, const void *params);
/* Prints the value as YAML in canonical form, "none" where there is none; returns the characters printed (not the bytes). */
int fs_value_write(const fs_param *row, const void *params, FILE *out);

/* A text as a double-quoted YAML scalar; returns the characters printed. */
int fs_config_text_write(const char *text, FILE *out);

/* "geometry", "traffic", "price", "nothing": what changing a parameter invalidates. */
const char *fs_touches_word(fs_touches touches);
