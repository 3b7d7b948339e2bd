/* Sections that look alike whatever runs. */
#include "sim/results/page_plan.h"

const fs_plan_section fs_page_findings = {.kind = "findings", .id = "findings", .title = "Findings"};
const fs_plan_section fs_page_summary = {
    .kind = "summary", .id = "summary", .title = "Summary", .findings = "time"};
const fs_plan_section fs_page_settings = {
    .kind = "settings", .id = "configuration", .title = "Configuration"};
const fs_plan_section fs_page_files = {.kind = "files", .id = "files", .title = "Files"};
const fs_plan_section fs_page_ladder = {
    .kind = "ladder", .id = "ladder", .title = "What if", .file = "ladder.csv", .findings = "next"};
const fs_plan_section fs_page_memory = {
    .kind = "memory", .id = "memory", .title = "Memory", .file = "memory.csv", .findings = "sram"};
