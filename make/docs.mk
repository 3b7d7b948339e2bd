# make docs: the generated references; tests/golden/test_docs fails while they are stale.
.PHONY: docs validate-docs
docs: $(BUILD)/foamsim $(BUILD)/tests/golden/test_docs
	$(Q)FOAMSIM_UPDATE=1 FOAMSIM=$(BUILD)/foamsim $(BUILD)/tests/golden/test_docs

# make validate-docs: docs/validation.md and its pictures, from all cases on all stand-ins; minutes once the store is full.
VALIDATION ?= $(BUILD)/validation
validate-docs: all
	$(Q)$(BUILD)/foamsim validate -o $(VALIDATION) --docs docs
