# make docs: the generated references; tests/golden/test_docs fails while they are stale.
.PHONY: docs validate-docs
docs: $(BUILD)/foamsim $(BUILD)/tests/golden/test_docs
	$(Q)FOAMSIM_UPDATE=1 FOAMSIM=$(BUILD)/foamsim $(BUILD)/tests/golden/test_docs

# make validate: all published figures against simulated ones, into $(VALIDATION). make validate-subset: two tables on one
# stand-in against the committed result; fails when the mean error grew by more than a percentage point. A change that is
# meant to change it takes $(BUILD)/validation-subset/results.csv as the new one.
.PHONY: validate validate-subset
SUBSET ?= --cases table-3-bicycle,table-5-bicycle --standins start-bicycle-1
EXPECTED := configs/validation/expected-subset.csv
validate: all
	$(Q)$(BUILD)/foamsim validate -o $(VALIDATION)
validate-subset: all
	$(Q)$(BUILD)/foamsim validate --quick --quiet $(SUBSET) -o $(BUILD)/validation-subset --expect $(EXPECTED)

# make validate-docs: docs/validation*.md, their pictures, and README's table of them, from all cases on all stand-ins; minutes
# once the store is full.
VALIDATION ?= $(BUILD)/validation
validate-docs: all
	$(Q)$(BUILD)/foamsim validate -o $(VALIDATION) --docs docs
	$(Q)tools/standing --write

# make gallery: a small page of each system in $(BUILD)/gallery. make site: they and the documents as pages in $(BUILD)/site,
# every link checked.
.PHONY: site gallery
gallery: all
	@tools/install-packages gnuplot-nox
	@tools/gallery $(BUILD)
site: gallery
	@tools/install-packages pandoc python3
	@tools/site $(BUILD)/site $(BUILD)/gallery
