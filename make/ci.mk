# What .ci/run does beyond `make test`; each can be run alone.
SMALL := tests/system/small.yaml

# Programs of the groups that run in one process; the system group runs the command line, which `sanitize` does on its own.
IN_PROCESS := $(filter tests/unit/% tests/component/% tests/property/%,$(TEST_SOURCES:%.c=%))

# ASan and UBSan: the build of the fuzz targets, in whose programs the library is the same. What takes longest there is left out where
# others run the same functions: whole searches (unit/sweep/test_search), itineraries (property/test_frame) and grown
# foams (property/test_growth).
SANITIZED := $(filter-out tests/property/test_search tests/component/test_itinerary tests/component/test_grown_depth,$(IN_PROCESS))
.PHONY: sanitize
sanitize:
	@tools/install-packages $(PACKAGES) clang libomp-dev
	$(Q)$(MAKE) --no-print-directory $(FUZZ_BUILD) \
	  build-fuzz/foamsim build-fuzz/foamsim-delaunay $(SANITIZED:%=build-fuzz/%)
	$(Q)BUILD=build-fuzz TEST_SECONDS=600 $(SANITIZER_OPTIONS) tools/run-tests $(SANITIZED)
	$(Q)$(SANITIZER_OPTIONS) build-fuzz/foamsim run $(SMALL) --quiet --force --no-cache --out build-fuzz/small

# LeakSanitizer is left to valgrind: the OpenMP and SystemC runtimes keep memory for good.
SANITIZER_OPTIONS := ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1

# The other compiler: its warnings over everything, its code under the tests that run in one process but units, which `sanitize`
# runs as compiled by it. `determinism` holds the whole program's bits of both. What is not run is read for its warnings alone.
.PHONY: clang
CLANG_BUILD := BUILD=build-clang CC=clang CXX=clang++ OPT=-O3 DELAUNAY_OF=build-fuzz
CLANG_TESTS := $(filter-out tests/unit/%,$(IN_PROCESS)) $(filter tests/golden/%,$(TEST_SOURCES:%.c=%))
clang:
	@tools/install-packages $(PACKAGES) clang libomp-dev
	$(Q)$(MAKE) --no-print-directory $(FUZZ_BUILD) build-fuzz/foamsim-delaunay
	$(Q)$(MAKE) --no-print-directory $(CLANG_BUILD) all $(CLANG_TESTS:%=build-clang/%)
	$(Q)printf '%s\n' $(filter-out $(CLANG_TESTS:%=%.c),$(TEST_SOURCES)) | \
	  xargs -P $$(nproc) -n 16 clang -fsyntax-only -std=c17 $(CPPFLAGS) $(BITS) $(WARN) -fopenmp
	$(Q)BUILD=build-clang tools/run-tests $(CLANG_TESTS)

.PHONY: valgrind
valgrind: $(BUILD)/foamsim $(BUILD)/foamsim-delaunay
	@tools/install-packages valgrind
	$(Q)OMP_NUM_THREADS=1 valgrind --quiet --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
	  --error-exitcode=9 $(BUILD)/foamsim run $(SMALL) --quiet --force --no-cache --threads 1 --out $(BUILD)/valgrind

# The same run by gcc at -O3 and -O1, clang at -O3, and at -O1 with sanitizers, with one and two threads, each build meshing its own
# scene. The builds of `clang` and `sanitize` are these.
.PHONY: determinism
determinism: all
	@tools/install-packages clang libomp-dev
	$(Q)$(MAKE) --no-print-directory BUILD=build-gcc-o1 CC=gcc CXX=g++ OPT=-O1 DELAUNAY_OF=$(BUILD) all
	$(Q)$(MAKE) --no-print-directory $(FUZZ_BUILD) all
	$(Q)$(MAKE) --no-print-directory $(CLANG_BUILD) all
	$(Q)$(SANITIZER_OPTIONS) tools/check-determinism $(SMALL) $(BUILD) build-gcc-o1 build-clang build-fuzz

.PHONY: drawn
drawn: recordings engines sampled paths
# Recordings of 200 random configurations each, replayed and priced anew, and 400 damaged ones. What one processor does alone runs
# beside the others.
.PHONY: recordings recordings-foams recordings-paths recordings-hostile
recordings: recordings-foams recordings-paths recordings-hostile
recordings-foams: all test-programs
	$(Q)FOAMSIM_RECORDING_CASES=200 TEST_SECONDS=600 BUILD=$(BUILD) tools/run-tests $(FOAM_RECORDINGS)
recordings-hostile: all test-programs
	$(Q)FOAMSIM_HOSTILE_RECORDINGS=400 TEST_SECONDS=600 BUILD=$(BUILD) tools/run-tests $(HOSTILE_RECORDINGS)
recordings-paths: all test-programs
	$(Q)FOAMSIM_RECORDING_CASES=60 TEST_SECONDS=600 BUILD=$(BUILD) tools/run-tests $(PATH_RECORDINGS)

# The traversal engine's three details on a thousand random machines; `make test` tries some dozens.
.PHONY: engines
engines: test-programs
	$(Q)FOAMSIM_ENGINES=1000 TEST_SECONDS=600 BUILD=$(BUILD) tools/run-tests tests/property/test_engine

# Sampled phases of a network against all of them on twelve frames.
.PHONY: sampled
sampled: all $(BUILD)/$(SAMPLED_TEST)
	$(Q)FOAMSIM_SAMPLED_FRAMES=12 TEST_SECONDS=600 BUILD=$(BUILD) tools/run-tests $(SAMPLED_TEST)

# Paths: the tree against all triangles on a million rays, and hits and normals against Embree's; `make test` tries 20,000, and
# Embree where it is there.
.PHONY: paths
paths:
	@tools/install-packages libembree-dev
	$(Q)$(MAKE) --no-print-directory test-programs
	$(Q)FOAMSIM_RAYS=1000000 TEST_SECONDS=600 BUILD=$(BUILD) tools/run-tests tests/property/test_walk tests/component/test_embree

# The pages, opened by a browser, which `make test` leaves out; `make large` opens others.
PAGE_SCRIPTS := $(addprefix tests/system/pages/,test_report_page.sh test_legible.sh test_boss.sh)
.PHONY: page
page: all
	@tools/install-packages chromium
	$(Q)FOAMSIM_PAGES=1 BUILD=$(BUILD) tools/run-tests $(PAGE_SCRIPTS)

C_FILES = $(shell git ls-files '*.c' '*.h')
CXX_FILES = $(shell git ls-files '*.cpp')
SHELL_FILES = $(shell git ls-files | while read -r f; do [ -f "$$f" ] && head -n 1 "$$f" | grep -q '^\#!.*sh' && echo "$$f"; done) \
              $(shell git ls-files '*.sh')

.PHONY: lint lint-format lint-tidy lint-shell lint-words
lint: lint-format lint-tidy lint-shell lint-words lint-unused
lint-packages:
	@tools/install-packages clang-format clang-tidy clang shellcheck libomp-dev
.PHONY: lint-packages
lint-format: lint-packages
	$(call say,FORMAT,)
	$(Q)clang-format --dry-run -Werror $(C_FILES) $(CXX_FILES)
# The analyser follows as many states as find what is to be found; four times as many cost three times the minutes. Of tests it
# follows fewer. Stand-ins of codelets are compiled for other machines alone (tests/component/test_codelets.sh).
TIDY_STATES := --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=
RESERVED := -Wreserved-identifier -Wreserved-macro-identifier
tidy = printf '%s\n' $(1) | xargs -P $$(nproc) -n 4 sh -c \
  'clang-tidy --quiet $(TIDY_STATES)$(2) "$$@" -- -std=c17 $(CPPFLAGS) $(BITS) $(RESERVED) -fopenmp 2>/dev/null' tidy
lint-tidy: lint-packages
	$(call say,TIDY,)
	$(Q)$(call tidy,$(filter-out tests/%,$(filter %.c,$(C_FILES))),60000)
	$(Q)$(call tidy,$(filter-out tests/component/codelets/%,$(filter tests/%.c,$(C_FILES))),15000)
lint-shell: lint-packages
	$(call say,SHELL,)
	$(Q)shellcheck $(sort $(SHELL_FILES))
# Words of unfinished work have no place in what is committed.
lint-words:
	$(call say,WORDS,)
	$(Q)! git grep -nEi '\bTODO\b|\bFIXME\b|\bXXX\b|\bHACK\b|not (yet )?implemented|[^.]placeholder|for now\b|simplified version' -- \
	  '*.c' '*.h' '*.cpp' '*.yaml' '*.gp' '*.sh' tools reports '*.md' ':!make/ci.mk' ':!LICENSE'

.PHONY: lint-unused
lint-unused: all
	$(call say,UNUSED,)
	$(Q)BUILD=$(BUILD) tools/lint-unused

# Calls of the host that fail one by one, signals at moments of every part of each command, and kills. All of them take hours:
# make faults; .ci/run tries a few. strace is needed for the calls.
FAULTS ?= 100000
SIGNALS ?= 1000
KILLS ?= 300
.PHONY: faults
faults: all test-programs
	@tools/install-packages strace
	$(Q)FOAMSIM_FAULTS=$(FAULTS) FOAMSIM_SIGNALS=$(SIGNALS) FOAMSIM_KILLS=$(KILLS) TEST_SECONDS=40000 BUILD=$(BUILD) \
	  tools/run-tests $(FAULT_TESTS)

# A sweep on the disk, killed a hundred times at random moments: the store stays whole and the sweep goes on.
.PHONY: kills
kills: all $(BUILD)/$(KILLED_TEST)
	$(Q)FOAMSIM_KILLS=100 TMPDIR=/tmp BUILD=$(BUILD) TEST_SECONDS=600 tools/run-tests $(KILLED_TEST)
