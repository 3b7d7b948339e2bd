# make test: builds everything and runs every test; ends with `N passed, N failed`. TESTS=tests/unit/test_x runs one.
TEST_SCRIPTS := $(sort $(wildcard tests/*/test_*.sh))
TESTS ?= $(TEST_PROGRAMS:$(BUILD)/%=%) $(TEST_SCRIPTS)

.PHONY: test
test: all test-programs $(BUILD)/measure
	@BUILD=$(BUILD) tools/run-tests $(TESTS)
