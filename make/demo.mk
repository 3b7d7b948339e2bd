# make demo: a full frame on the simulated chip, and its report. DEMO=DIR puts the run folder elsewhere.
DEMO ?= demo

.PHONY: demo
demo: all
	@$(BUILD)/foamsim run configs/experiments/demo.yaml --out $(DEMO) --force
	@$(BUILD)/foamsim report $(DEMO) --png
	@tools/describe-run $(DEMO)
