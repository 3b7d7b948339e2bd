# What .ci/run does beyond `make test`; each can be run alone.
SMALL := tests/system/small.yaml

# Programs of the groups that run in one process; the system group runs the command line, which `sanitize` does on its own.
IN_PROCESS := $(filter tests/unit/% tests/component/% tests/property/%,$(TEST_SOURCES:%.c=%))

.PHONY: sanitize
sanitize:
	@tools/install-packages $(PACKAGES)
	$(Q)$(MAKE) --no-print-directory BUILD=build-asan OPT=-O1 \
	  SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer' \
	  build-asan/foamsim build-asan/foamsim-delaunay $(IN_PROCESS:%=build-asan/%)
	$(Q)BUILD=build-asan TEST_SECONDS=600 $(SANITIZER_OPTIONS) tools/run-tests $(IN_PROCESS)
	$(Q)$(SANITIZER_OPTIONS) build-asan/foamsim run $(SMALL) --quiet --force --no-cache --out build-asan/small

# LeakSanitizer is left to valgrind: the OpenMP and SystemC runtimes keep memory for good.
SANITIZER_OPTIONS := ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1

.PHONY: clang
clang:
	@tools/install-packages clang libomp-dev
	$(Q)$(MAKE) --no-print-directory BUILD=build-clang CC=clang CXX=clang++ test

.PHONY: valgrind
valgrind: $(BUILD)/foamsim $(BUILD)/foamsim-delaunay
	@tools/install-packages valgrind
	$(Q)OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 valgrind --quiet --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
	  --error-exitcode=9 $(BUILD)/foamsim run $(SMALL) --quiet --force --no-cache --threads 1 --out $(BUILD)/valgrind

# The same run by gcc and clang, at -O1 and -O3, with one and two threads, each build meshing its own scene.
.PHONY: determinism
determinism: all
	@tools/install-packages clang libomp-dev
	$(Q)$(MAKE) --no-print-directory BUILD=build-gcc-o1 CC=gcc CXX=g++ OPT=-O1 all
	$(Q)$(MAKE) --no-print-directory BUILD=build-clang CC=clang CXX=clang++ OPT=-O3 all
	$(Q)$(MAKE) --no-print-directory BUILD=build-clang-o1 CC=clang CXX=clang++ OPT=-O1 all
	$(Q)tools/check-determinism $(SMALL) $(BUILD) build-gcc-o1 build-clang build-clang-o1

# Recordings of 200 random configurations each, replayed and priced anew; `make test` tries a few.
.PHONY: recordings
recordings: all test-programs
	$(Q)FOAMSIM_RECORDING_CASES=200 TEST_SECONDS=600 BUILD=$(BUILD) tools/run-tests tests/system/test_recordings \
	  tests/system/test_pricing

# The pages, opened by a browser; `make test` alone skips that where there is none.
.PHONY: page
page: all
	@tools/install-packages chromium
	$(Q)BUILD=$(BUILD) tools/run-tests tests/system/test_report_page.sh tests/system/test_validation_page.sh

C_FILES = $(shell git ls-files '*.c' '*.h')
CXX_FILES = $(shell git ls-files '*.cpp')
SHELL_FILES = $(shell git ls-files | while read -r f; do [ -f "$$f" ] && head -n 1 "$$f" | grep -q '^\#!.*sh' && echo "$$f"; done) \
              $(shell git ls-files '*.sh')

.PHONY: lint lint-format lint-tidy lint-shell lint-words
lint: lint-format lint-tidy lint-shell lint-words
lint-packages:
	@tools/install-packages clang-format clang-tidy clang shellcheck libomp-dev
.PHONY: lint-packages
lint-format: lint-packages
	$(call say,FORMAT,)
	$(Q)clang-format --dry-run -Werror $(C_FILES) $(CXX_FILES)
lint-tidy: lint-packages
	$(call say,TIDY,)
	$(Q)printf '%s\n' $(filter %.c,$(C_FILES)) | xargs -P $$(nproc) -n 8 sh -c \
	  'clang-tidy --quiet "$$@" -- -std=c17 $(CPPFLAGS) $(BITS) -fopenmp 2>/dev/null' tidy
lint-shell: lint-packages
	$(call say,SHELL,)
	$(Q)shellcheck $(sort $(SHELL_FILES))
# Words of unfinished work have no place in what is committed.
lint-words:
	$(call say,WORDS,)
	$(Q)! git grep -nEi '\bTODO\b|\bFIXME\b|\bXXX\b|\bHACK\b|not (yet )?implemented|[^.]placeholder|for now\b|simplified version' -- \
	  '*.c' '*.h' '*.cpp' '*.yaml' '*.gp' '*.sh' tools reports '*.md' ':!make/ci.mk' ':!LICENSE'

# A sweep killed a hundred times at random moments: the store stays whole and the sweep goes on.
.PHONY: kills
kills: all $(BUILD)/tests/system/test_sweep
	$(Q)FOAMSIM_KILLS=100 BUILD=$(BUILD) TEST_SECONDS=600 tools/run-tests tests/system/test_sweep
