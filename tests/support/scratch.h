/* A temporary folder for a test that writes files: cmocka's set-up enters it, its tear-down removes it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

int scratch_enter(void **state); /* a new folder becomes the current one; 0 when it worked */
int scratch_leave(void **state); /* back to the folder before */

/* Write a file: a text, bytes. */
void scratch_write(const char *path, const char *text);
void scratch_put(const char *path, const void *data, size_t bytes);
bool scratch_there(const char *path); /* a file, folder or link of that name exists */
