# make dragon: a mesh of 871,414 triangles into scenes/, over the network, with its source, licence and digest.
# make demo: a full frame on the simulated chip, and its report. DEMO=DIR puts the run folder elsewhere.
DEMO ?= demo

.PHONY: demo dragon
dragon:
	@tools/fetch-dragon
demo: all
	@$(BUILD)/foamsim run configs/experiments/demo.yaml --out $(DEMO) --force
	@$(BUILD)/foamsim report $(DEMO)
	@tools/describe-run $(DEMO)
