# make fuzz: libFuzzer over every reader of files (tests/support/fuzz), FUZZ minutes each, under ASan and UBSan. What it finds
# lands in build-fuzz/found/TARGET; once mended it belongs into tests/fuzz/cases/TARGET, which `make test` reads again.
FUZZ ?= 5
FUZZ_SECONDS ?= $(shell echo $$(($(FUZZ) * 60)))
FUZZ_TARGETS ?= experiment sweep space overlay case program primitives trace stamps joints transfers booksim anynet netrace chakra prices foam cloud cameras mesh format raylist cache entry store rows table manifest page archive container rays activity requests paint paths report
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(BUILD)/fuzz/%)

# All targets are linked once; each has a name of the program.
$(BUILD)/fuzz/all: tests/fuzz/fuzz.c $(TEST_SUPPORT:%.c=$(BUILD)/obj/%.o) $(BUILD)/libfoamsim.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -std=c17 $(OPT) -g $(SANITIZE) -c $< -o $@.o
	$(Q)$(CXX) $(LDFLAGS_ALL) -fsanitize=fuzzer $@.o $(filter %.o %.a,$^) $(LIBS) -lcmocka -o $@
$(FUZZ_PROGRAMS): $(BUILD)/fuzz/all
	$(Q)ln -sf all $@

.PHONY: fuzz-programs
fuzz-programs: $(FUZZ_PROGRAMS)

.PHONY: fuzz
fuzz:
	@tools/install-packages $(PACKAGES) clang libomp-dev
	$(Q)$(MAKE) --no-print-directory $(FUZZ_BUILD) fuzz-programs
	$(Q)$(SANITIZER_OPTIONS) BUILD=build-fuzz FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz $(FUZZ_TARGETS)
# The end of an empty lane is a null pointer plus 0, which clang alone counts as an overflow.
FUZZ_SANITIZE := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
FUZZ_CC ?= clang
FUZZ_CXX ?= clang++
FUZZ_BUILD = BUILD=build-fuzz CC='$(FUZZ_CC)' CXX='$(FUZZ_CXX)' OPT=-O1 SANITIZE='$(FUZZ_SANITIZE)'

# Hints of each comparison, of which fuzzing learns numbers, make loops three times as slow: readers of files give them, what runs a
# ray or message and tests do not. Edges count everywhere.
UNTRACED := $(filter-out $(COLD) workloads/scene/files/% workloads/scene/mesh/% workloads/scene/primitives/% workloads/scene/foam/scene_%,$(C_SOURCES)) \
            $(TEST_SOURCES) $(filter-out tests/support/fuzz/%,$(TEST_SUPPORT))
ifneq ($(findstring fuzzer,$(SANITIZE)),)
$(UNTRACED:%.c=$(BUILD)/obj/%.o): private override CFLAGS += -fno-sanitize-coverage=trace-cmp
endif
