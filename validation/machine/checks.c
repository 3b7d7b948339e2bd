/* The kinds of machine that have checks. */
#include "validation/machine/checks.h"

const fs_machine_checks *const fs_machine_check_kinds[] = {&fs_machine_checks_ipu, &fs_machine_checks_fpga,
                                                           NULL};

double fs_measured_error(const fs_machine_check *check) {
    if (check->simulated < check->published_low)
        return check->simulated / check->published_low - 1;
    return check->simulated > check->published_high ? check->simulated / check->published_high - 1 : 0;
}
