# foamsim: `make demo`, `make test`; `make help` lists the rest. V=1 shows the commands.
.DEFAULT_GOAL := all
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif
BUILD ?= build
CC ?= gcc
CXX ?= g++
ifeq ($(origin CC),default)
CC := gcc
endif
OPT ?= -O3
# Threads of tests and tools that wait for others sleep (registry/main.c).
export OMP_WAIT_POLICY ?= passive
WARN := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
# Same bits everywhere: no contraction into fused multiply-adds, no fast-math.
BITS := -ffp-contract=off -fno-fast-math
CPPFLAGS += -I. -D_POSIX_C_SOURCE=200809L
# Names and lines for whoever reads a crash; what a debugger shows of variables takes DEBUG=-g.
DEBUG ?= -g1
# The program and the library that tests share are made of the same objects. No name of theirs is taken from elsewhere.
SHARED := -fPIC -fno-semantic-interposition
CFLAGS_ALL = -std=c17 -pipe $(OPT) $(DEBUG) $(SHARED) $(BITS) $(WARN) -fopenmp $(SANITIZE) -MMD -MP $(CFLAGS)
CXXFLAGS_ALL := -std=c++17 $(OPT) $(DEBUG) $(SHARED) $(BITS) -Wall -Wextra -fopenmp $(SANITIZE) -MMD -MP $(CXXFLAGS)
LDFLAGS_ALL := -fopenmp $(SANITIZE) $(LDFLAGS)
LIBS := -Wl,--as-needed -lassimp -lmetis -lsystemc -lyaml -lpng -ljansson -lnettle -lsqlite3 -lz -lzstd -larchive -lmicrohttpd -lm -lpthread

# Plug-ins (registry/plugin.h) find the functions of the program in it.
PLUGGED := -Wl,--export-dynamic-symbol='fs_*'

ifeq ($(V),1)
Q :=
else
Q := @
endif
say = @printf '  %-7s %s\n' $(1) $(2)

MAIN := registry/main.c
C_SOURCES := $(filter-out $(MAIN) sim/kernel/none.c,$(sort $(shell find sim formats models workloads registry reports validation explore -name '*.c')))
KERNEL := sim/kernel/kernel.cpp
OBJECTS := $(C_SOURCES:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/sim/kernel/kernel.o
MAIN_OBJECT := $(MAIN:%.c=$(BUILD)/obj/%.o)
DELAUNAY := workloads/scene/foam/delaunay/delaunay.cpp
TEST_SOURCES := $(sort $(wildcard tests/*/test_*.c tests/*/*/test_*.c))
TEST_SUPPORT := $(sort $(wildcard tests/support/*.c tests/support/*/*.c))
TEST_PROGRAMS := $(TEST_SOURCES:%.c=$(BUILD)/%)
# One test asks Embree, where it is installed.
EMBREE := $(if $(wildcard /usr/include/embree3/rtcore.h),-lembree3)

include make/deps.mk

.PHONY: all
all: $(BUILD)/foamsim $(BUILD)/foamsim-delaunay

# Recompile when compiler or flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(CPPFLAGS) $(CFLAGS_ALL) / $(CXX) $(CXXFLAGS_ALL) / $(LDFLAGS_ALL)' | cmp -s - $@ || \
	  printf '%s\n' '$(CC) $(CPPFLAGS) $(CFLAGS_ALL) / $(CXX) $(CXXFLAGS_ALL) / $(LDFLAGS_ALL)' > $@
.PHONY: FORCE
FORCE:

$(BUILD)/obj/%.o: %.c $(BUILD)/flags $(DEPS_STAMP)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -c $< -o $@

# What runs once a ray, message, event or point is worth the compiler's third level, which takes twice the time of its first.
HOT := models/% sim/base/% sim/stats/% sim/search/% sim/robust/% workloads/scene/% workloads/image/% workloads/gaussians/% workloads/paths/% \
       $(addprefix workloads/foam/,march/% kernels/% partition/%) $(addprefix workloads/treelets/,walk/% place/% cut/% traffic/% record/%) \
       $(addprefix workloads/hierarchy/,walk/% tree/% rays.c) $(addprefix workloads/pathtrace/,frame/% nif/%) workloads/smallpaint/walk/% \
       workloads/packets/flow.c workloads/traffic/rays.c workloads/traffic/pattern.c
COLD := $(filter-out $(HOT),$(C_SOURCES)) $(filter models/ipu/tables/% %/page.c %stats.c %findings.c %params.c %outputs.c,$(C_SOURCES))
$(COLD:%.c=$(BUILD)/obj/%.o): private OPT := $(OPT:-O3=-O1)
$(BUILD)/obj/sim/kernel/kernel.o: $(KERNEL) $(BUILD)/flags $(DEPS_STAMP)
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(CPPFLAGS) $(CXXFLAGS_ALL) -DSC_INCLUDE_DYNAMIC_PROCESSES -c $< -o $@

$(BUILD)/libfoamsim.a: $(OBJECTS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/foamsim: $(MAIN_OBJECT) $(BUILD)/libfoamsim.a
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS_ALL) $(PLUGGED) $(MAIN_OBJECT) -Wl,--whole-archive $(BUILD)/libfoamsim.a -Wl,--no-whole-archive $(LIBS) -o $@

# CGAL's triangulations are GPL: a program of its own, so that foamsim stays Apache-2.0. OPT and SANITIZE are not its flags: where
# DELAUNAY_OF names the build folder of another make with the same compiler, that one's is taken.
ifdef DELAUNAY_OF
$(BUILD)/foamsim-delaunay: $(DELAUNAY_OF)/foamsim-delaunay
	@mkdir -p $(@D)
	$(Q)cp $< $@
else
$(BUILD)/foamsim-delaunay: $(DELAUNAY) $(DEPS_STAMP)
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O2 -DNDEBUG -DCGAL_NDEBUG -DCGAL_LINKED_WITH_TBB -Wall -Wextra $(CPPFLAGS) $(CXXFLAGS) $(LDFLAGS) -MMD -MP -MF $(BUILD)/delaunay.d $< -ltbb -ltbbmalloc -lgmp -lmpfr -lpthread -o $@
endif

# Tests find the simulator in one library; each holds what it uses of tests/support.
$(BUILD)/tests/libfoamsim.so: $(OBJECTS)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CXX) -shared -Wl,-Bsymbolic-functions $(LDFLAGS_ALL) $^ $(LIBS) -o $@

$(BUILD)/tests/libsupport.a: $(TEST_SUPPORT:%.c=$(BUILD)/obj/%.o)
	$(call say,AR,$@)
	@mkdir -p $(@D)
	$(Q)rm -f $@ && ar rcs $@ $^

# What a test does is quick but for the naive twins in tests/support and those in the groups that draw their cases.
TEST_OBJECTS := $(TEST_SOURCES:%.c=$(BUILD)/obj/%.o) $(patsubst %.c,$(BUILD)/obj/%.o,$(TEST_SUPPORT) $(wildcard tests/support/*/*.c))
$(TEST_OBJECTS): private OPT := -O1
$(filter $(BUILD)/obj/tests/system/% $(BUILD)/obj/tests/golden/%,$(TEST_OBJECTS)): private OPT := -O0

# Two hundred links are quick by gold and where what the library needs itself is not looked at.
TEST_LINKER := $(if $(shell command -v ld.gold),-fuse-ld=gold) -Wl,--allow-shlib-undefined
TEST_LIBS := -Wl,--as-needed -lyaml -lpng -ljansson -lnettle -lsqlite3 -lz -lzstd -lm
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(BUILD)/tests/libsupport.a $(BUILD)/tests/libfoamsim.so
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(if $(SANITIZE),$(CXX),$(CC)) $(LDFLAGS_ALL) $(TEST_LINKER) $^ $(TEST_LIBS) $(EMBREE) -lcmocka -Wl,-rpath,'$(abspath $(BUILD))/tests' -o $@

.PHONY: test-programs
test-programs: $(TEST_PROGRAMS) $(BUILD)/tests/faults.so
.SECONDARY:

include make/test.mk make/api.mk make/demo.mk make/docs.mk make/install.mk make/bench.mk make/ci.mk make/cluster.mk make/fuzz.mk make/help.mk

.PHONY: clean
clean:
	rm -rf $(BUILD)

-include $(API_OBJECTS:.o=.d) $(OBJECTS:.o=.d) $(MAIN_OBJECT:.o=.d) $(BUILD)/delaunay.d $(TEST_SOURCES:%.c=$(BUILD)/obj/%.d) \
         $(TEST_SUPPORT:%.c=$(BUILD)/obj/%.d)
