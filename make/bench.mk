# make bench: what simulating costs on this host. make detail-full: the demo's whole frame at both levels of detail.
.PHONY: bench detail-full
bench: all
	@BUILD=$(BUILD) tools/bench
detail-full: all
	@BUILD=$(BUILD) tools/check-detail configs/experiments/demo.yaml
