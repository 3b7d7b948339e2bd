# make docs: the generated references; tests/golden/test_docs fails while they are stale.
.PHONY: docs
docs: $(BUILD)/foamsim $(BUILD)/tests/golden/test_docs
	$(Q)FOAMSIM_UPDATE=1 FOAMSIM=$(BUILD)/foamsim $(BUILD)/tests/golden/test_docs
