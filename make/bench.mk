# make bench: what simulating costs on this host. make bench-full: what a scene of the published size does (EXPERIMENT=FILE).
# It ends with neural path tracing (tools/bench-paths), with what robust sweeps cost (tools/bench-robust) and with what a change of a
# control of `foamsim explore` does (tools/bench-explore).
# make bench-against COMMIT=...: the same beside another commit, pair by pair.
# make bench-search: how many points a search needs where others look at more.
# make detail-full: the demo's whole frame at both levels of detail.
.PHONY: bench bench-full bench-against detail-full bench-search
bench: all $(BUILD)/measure $(BUILD)/bandwidth $(BUILD)/tests/system/sweep/test_pricing $(BUILD)/tests/property/test_walk
	@BUILD=$(BUILD) tools/bench
	@BUILD=$(BUILD) tools/bench-paths
	@BUILD=$(BUILD) tools/bench-robust
	@BUILD=$(BUILD) tools/bench-networks
	@BUILD=$(BUILD) tools/bench-explore
bench-full: all $(BUILD)/measure
	@BUILD=$(BUILD) tools/bench-full
bench-against: all $(BUILD)/measure
	@BUILD=$(BUILD) tools/bench-against $(COMMIT)
bench-search: $(BUILD)/tests/property/test_search
	@$<
detail-full: all
	@BUILD=$(BUILD) tools/check-detail configs/experiments/demo.yaml

$(BUILD)/measure $(BUILD)/bandwidth: $(BUILD)/%: tools/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) $< -o $@
