# make test: builds everything and runs every test; ends with `N passed, N failed`. TESTS=tests/unit/test_x runs one.
# What takes longest: scenes of a million cells, captured ones, whole pages and comparisons, sweeps on a disk, what a host or a stranger
# does to a run (full disks, foreign folders, a cluster) and what stands on the program from outside
# (its library, its reader for Python). `make large` runs it, as .ci/run does.
LARGE_TESTS := tests/system/test_garden_1m tests/system/test_real_scenes tests/system/test_validate tests/system/input/test_written_figures \
               tests/component/test_grown_depth tests/component/test_itinerary tests/system/test_energy_of_all \
               tests/system/install/test_library tests/system/pages/test_store_page \
               $(addprefix tests/system/network/,test_long_packets test_ten_million) \
               tests/system/sweep/test_robust \
               $(addprefix tests/system/hostile/,test_reproductions test_reproductions_drawn test_slow_inputs) \
               $(addprefix tests/system/input/,test_foreign_runs test_full_disk test_interrupted)
LARGE_SCRIPTS := $(addprefix tests/system/install/,test_notebook.sh test_install.sh test_plugin.sh test_pip.sh test_python.sh) \
                 $(addprefix tests/system/pages/,test_share.sh test_page_sizes.sh test_pictures.sh test_compare_page.sh test_documents.sh test_what_if.sh \
                   test_validation_page.sh test_compare_workloads.sh test_compare_command.sh test_compare_work.sh test_compare_builds.sh \
                   test_compare_traffic.sh) \
                 $(addprefix tests/system/explore/,test_explore_page.sh test_explore_runs.sh test_explore.sh) \
                 $(addprefix tests/system/sweep/,test_cluster.sh test_new_study.sh test_search.sh) tests/component/trust/test_feasible.sh \
                 tests/system/network/test_shared_files.sh
# What tries as much as it is given time for has a target of its own, which .ci/run calls: sweeps that are killed, stopped and run anew
# (`make kills`), calls of the host that fail and signals (`faults`), drawn recordings (`recordings`), sampled networks (`sampled`).
KILLED_TEST := tests/system/sweep/test_sweep
FAULT_TESTS := tests/system/input/test_faults.sh tests/system/input/test_signals
FOAM_RECORDINGS := tests/system/sweep/test_recordings tests/system/sweep/test_pricing
PATH_RECORDINGS := tests/system/sweep/test_path_recordings
HOSTILE_RECORDINGS := tests/system/hostile/test_recordings
SAMPLED_TEST := tests/system/network/test_sampled
OWN_TESTS := $(KILLED_TEST) $(FAULT_TESTS) $(filter-out %/test_pricing,$(FOAM_RECORDINGS)) $(PATH_RECORDINGS) $(HOSTILE_RECORDINGS) \
             $(SAMPLED_TEST)
# Groves of millions of triangles (FOAMSIM_GROVE).
GROVE_TESTS := tests/unit/paths/test_grove tests/property/test_treelets_walk tests/property/test_gaussians
# What pages suggest: of small runs, and in `make large` of shipped experiments (FOAMSIM_SUGGESTIONS).
SUGGESTIONS_TEST := tests/system/pages/test_suggestions.sh
TEST_SCRIPTS := $(filter-out $(LARGE_SCRIPTS) $(OWN_TESTS),$(sort $(wildcard tests/*/test_*.sh tests/*/*/test_*.sh)))
TESTS ?= $(filter-out $(LARGE_TESTS) $(OWN_TESTS),$(TEST_PROGRAMS:$(BUILD)/%=%)) $(TEST_SCRIPTS)

TESTS_BUILT = $(filter $(TEST_PROGRAMS),$(TESTS:%=$(BUILD)/%)) $(if $(filter %.sh,$(TESTS)),manual api $(BUILD)/tests/faults.so $(BUILD)/measure)

# Loaded before a program it lets an allocation fail. The program's sanitizers would come too late for it.
$(BUILD)/tests/faults.so: tests/faults/faults.c $(BUILD)/flags
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -O2 -fPIC -shared $(WARN) $< -o $@

.PHONY: test
# Of the test programs only those that are run are built beside the program.
test: all $(TESTS_BUILT)
	@BUILD=$(BUILD) tools/run-tests $(TESTS)

.PHONY: large
large: all manual api $(BUILD)/tests/faults.so $(BUILD)/measure $(LARGE_TESTS:%=$(BUILD)/%) $(BUILD)/tests/unit/noc/test_reference $(GROVE_TESTS:%=$(BUILD)/%)
	@BUILD=$(BUILD) TEST_SECONDS=600 NOC_REFERENCE=large FOAMSIM_GROVE=5 FOAMSIM_SUGGESTIONS=shipped tools/run-tests $(LARGE_TESTS) \
	  tests/unit/noc/test_reference $(GROVE_TESTS) $(LARGE_SCRIPTS) $(SUGGESTIONS_TEST)

# A foam of the published size, grown from captured points, and its depth against the authors': two minutes of two cores, 3.9 GB.
.PHONY: grown
grown: all $(BUILD)/tests/component/test_grown_depth
	@BUILD=$(BUILD) FOAMSIM_GROWN=$(BUILD)/grown TEST_SECONDS=1800 tools/run-tests tests/component/test_grown_depth
