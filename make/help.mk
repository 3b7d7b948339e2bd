.PHONY: help
help:
	@printf '  make %-12s %s\n' \
	  all 'the programs: build/foamsim, build/foamsim-delaunay' \
	  demo 'a full frame on the simulated chip, with its pictures (DEMO=DIR)' \
	  dragon 'fetch the Stanford dragon into scenes/ (11 MB; says from where and its licence)' \
	  test 'build and run the tests (TESTS=tests/unit/test_x for one)' \
	  large 'tests that take longest: large scenes, whole pages, disks, foreign folders' \
	  drawn 'recordings, engines, sampled networks and paths of random cases, by the hundred' \
	  install 'programs, data, manual below PREFIX (/usr/local), DESTDIR in front; uninstall takes them away' \
	  deb 'Debian packages of the last commit in BUILD/deb; test-install tries them (root)' \
	  site 'the documents as a site in BUILD/site' \
	  gallery 'a small page of each system in BUILD/gallery' \
	  grown 'a foam of the published size grown from captured points, its depth against the authors'\'' picture' \
	  docs 'write the generated references anew' \
	  validate 'published figures against simulated ones (VALIDATION=DIR)' \
	  validate-subset 'two tables on one scene against the committed result' \
	  validate-docs 'docs/validation.md anew: published figures against simulated ones' \
	  bench 'what simulating costs on this host' \
	  bench-full 'what a scene of 4.2 million cells costs on this host' \
	  bench-against 'what simulating costs beside another commit (COMMIT=...)' \
	  bench-search 'how many points a search needs, beside other ways of looking' \
	  detail-full 'a whole frame at both levels of detail, compared' \
	  sanitize 'tests under ASan and UBSan' \
	  clang 'build and test with clang' \
	  fuzz 'libFuzzer over every reader of files (FUZZ=minutes each)' \
	  test-cluster 'a sweep on a real Slurm of two nodes on this host (root)' \
	  determinism 'run folders compared across compilers, -O levels and threads' \
	  faults 'calls of the host that fail, signals, kills: all of them take hours (FAULTS, SIGNALS, KILLS)' \
	  valgrind 'a small run under valgrind' \
	  lint 'clang-format, clang-tidy, shellcheck, words' \
	  clean 'remove the build folder (BUILD=DIR)'
