# make test: builds everything and runs every test; ends with `N passed, N failed`. TESTS=tests/unit/test_x runs one.
# What takes longest, scenes of a million cells, captured ones, whole pages and every shipped sweep: `make large` runs it, as
# .ci/run does.
LARGE_TESTS := tests/system/test_garden_1m tests/system/test_real_scenes
LARGE_SCRIPTS := tests/system/pages/test_page_sizes.sh tests/component/trust/test_feasible.sh
TEST_SCRIPTS := $(filter-out $(LARGE_SCRIPTS),$(sort $(wildcard tests/*/test_*.sh tests/*/*/test_*.sh)))
TESTS ?= $(filter-out $(LARGE_TESTS),$(TEST_PROGRAMS:$(BUILD)/%=%)) $(TEST_SCRIPTS)

TESTS_BUILT = $(filter $(TEST_PROGRAMS),$(TESTS:%=$(BUILD)/%)) $(if $(filter %.sh,$(TESTS)),manual api $(BUILD)/tests/faults.so $(BUILD)/measure)

# Loaded before a program it lets an allocation fail. The program's sanitizers would come too late for it.
$(BUILD)/tests/faults.so: tests/faults/faults.c $(BUILD)/flags
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -O2 -fPIC -shared $(WARN) $< -o $@

.PHONY: test
# Of TESTS only what is named is built beside the program; of all tests, everything that they may need.
test: all $(if $(filter $(origin TESTS),file),manual api test-programs $(BUILD)/measure,$(TESTS_BUILT))
	@BUILD=$(BUILD) tools/run-tests $(TESTS)

.PHONY: large
large: all $(LARGE_TESTS:%=$(BUILD)/%)
	@BUILD=$(BUILD) TEST_SECONDS=600 tools/run-tests $(LARGE_TESTS) $(LARGE_SCRIPTS)
