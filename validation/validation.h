/* Published figures against simulated ones: `foamsim validate`. docs/validation.md is its committed result,
 * docs/validation-cases.md explains the files it reads.
 *
 *     cases/    what is compared: papers, stand-ins, cases, claims, scores, and how they are read
 *     judge/    simulates what the cases ask for, as a sweep in a store; fits, judges
 *     results/  the terminal's table, results.json, results.csv, standins.csv; an earlier result expected
 *     page/     the verdict in words, the page (HTML), the document (docs/validation.md), the overview
 *     machine/  the machine alone, against what others measured: a list of checks of each machine kind
 *
 * Arrows: this command -> page, results, machine, judge -> cases.
 */
#pragma once

extern const struct fs_command fs_command_validate;
