/* Rooms of the source tree and what each may use: the table of test_house. */
#pragma once

/* What each room may use beside itself: rooms with what is below them, with blanks between. A file is in the room
 * with the longest name that it lies under; a file in no room is a breach. Registry and tests may use everything. */
#define BASE  "sim/base sim/host "
#define FILES BASE "sim/yaml sim/config sim/stats sim/results "
#define PARTS                                                                                                \
    "models/chip models/tile models/memory models/matrix models/exchange models/noc models/fabric "          \
    "models/circuit models/sync models/host "
#define RENDER "workloads/optics workloads/scene workloads/image workloads/paths "
#define WORK   FILES "sim/trace sim/workload models "
static const struct {
    const char *room, *may;
} rooms[] = {
    /* the engine: knows no chip, no tile, no ray */
    {"sim/base", ""},
    {"sim/host", "sim/base"},
    {"sim/kernel", "sim/base"},
    {"sim/yaml", BASE},
    {"sim/stats", BASE},
    {"sim/config", BASE "sim/yaml"},
    {"sim/results", BASE "sim/yaml sim/config sim/stats"},
    {"sim/trace", BASE "sim/stats"},
    {"sim/workload", FILES},
    {"sim/store", BASE "sim/stats sim/results"},
    {"sim/search", BASE}, /* neither store nor figure */
    {"sim/sweep", FILES "sim/store sim/workload"},
    {"sim/cluster", FILES "sim/store sim/workload sim/sweep"},
    {"sim/robust", FILES "sim/store sim/workload sim/sweep"},
    {"sim/hunt", FILES "sim/store sim/workload sim/sweep sim/cluster sim/robust sim/search"},
    {"sim/cli", "sim"},
    {"formats", BASE "sim/yaml"}, /* of other tools: know no model */
    /* parts: know no machine; sums and prices of them; machines of parts; who may send to whom on one of tiles */
    {"models/chip", BASE},
    {"models/tile", BASE},
    {"models/host", BASE},
    {"models/memory", BASE "sim/stats"},
    {"models/matrix", BASE},
    {"models/exchange", BASE "sim/config models/chip"},
    {"models/noc", BASE "sim/config sim/yaml"},
    {"models/circuit", BASE "sim/config"},
    {"models/fabric", BASE "sim/config sim/stats models/chip models/circuit models/exchange models/noc"},
    {"models/sync", BASE "models/chip"},
    {"models/part", BASE},
    {"models/link", BASE "sim/config models/part"},
    {"models/dram", BASE},
    {"models/energy", FILES PARTS},
    {"models/ipu", FILES PARTS "sim/kernel sim/trace sim/workload models/energy models/link models/dram"},
    {"models/fpga", FILES "sim/kernel sim/workload models/energy models/part models/link models/dram"},
    {"models/overlay", FILES "models/chip models/ipu"},
    /* what runs: no workload knows another */
    {"workloads/optics", "sim/base"},
    {"workloads/image", BASE}, /* no scene */
    {"workloads/scene",
     BASE "sim/yaml sim/config workloads/optics workloads/image"}, /* neither tree nor walk */
    {"workloads/paths/tree", BASE "workloads/scene"},
    {"workloads/paths/walk",
     FILES "sim/workload models/tile workloads/optics workloads/scene workloads/paths/tree"},
    {"workloads/program", WORK},
    {"workloads/traffic", WORK},
    {"workloads/packets", WORK "sim/cli formats"},
    {"workloads/foam", WORK RENDER "sim/cli"},
    {"workloads/hierarchy", WORK RENDER},
    {"workloads/smallpaint", WORK RENDER},
    {"workloads/pathtrace", WORK RENDER},
    {"workloads/treelets", WORK RENDER},
    {"workloads/gaussians", WORK RENDER},
    /* pages: of folders and stores, and of no workload */
    {"reports/page", FILES},
    {"reports/plot", BASE "sim/yaml reports/page"},
    {"reports/sheet", FILES "reports/page reports/plot"},
    {"reports/read", FILES "sim/workload"},
    {"reports/sections", FILES "sim/workload reports/read reports/sheet"},
    {"reports/boss", FILES "reports/page reports/sheet reports/read"},
    {"reports/study", FILES "sim/store sim/workload reports/page reports/sheet reports/read reports/boss"},
    {"reports/run", FILES "sim/store sim/cli sim/workload reports"},
    {"reports/share", FILES "sim/store sim/cli sim/workload reports/page reports/sheet reports/read"},
    {"reports/export", FILES "sim/cli sim/workload reports/read"},
    {"reports/compare", FILES "sim/cli sim/workload reports/page reports/plot reports/read reports/boss "
                              "reports/sections reports/sheet"},
    {"explore", "sim reports"}, /* its server alone knows HTTP */
    {"api", FILES "sim/workload reports/read registry"},
    /* of models the machine alone, which is checked without a workload */
    {"validation", "sim reports"},
    {"validation/cases", FILES "sim/store sim/workload sim/sweep sim/robust reports/page"},
    {"validation/judge", FILES "sim/store sim/workload sim/sweep sim/robust reports/page validation/cases"},
    {"validation/results", FILES "reports/page reports/sheet validation/cases"},
    {"validation/machine", BASE "sim/config models"},
    {"validation/page", FILES "reports validation/cases validation/machine validation/results"},
    {"registry", "sim formats models workloads reports validation explore"},
    {"tests", "sim formats models workloads reports validation explore registry api"},
};
