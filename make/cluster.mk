# make test-cluster: a real Slurm of two nodes on this host (root; Debian's packages), a sweep on it, a node that fails.
.PHONY: test-cluster
test-cluster: all
	@BUILD=$(BUILD) tools/test-cluster
