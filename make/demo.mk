# make demo: a full frame on the simulated chip, and its pictures. DEMO=DIR puts the run folder elsewhere.
DEMO ?= demo

.PHONY: demo
demo: all
	@$(BUILD)/foamsim run configs/experiments/demo.yaml --out $(DEMO) --force
	@echo "drawing $(DEMO)/pictures" >&2
	@reports/draw $(DEMO)
	@tools/describe-run $(DEMO)
