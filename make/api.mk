# The library for C (api/foamsim.h): what it takes of the simulator is inside, under no name that others see.
API_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard api/*.c)))
API := $(BUILD)/api/libfoamsim.a
API_LIBS := -ljansson -lnettle -lyaml -lm

$(API): $(API_OBJECTS) $(BUILD)/libfoamsim.a
	$(call say,AR,$@)
	@mkdir -p $(@D)
	$(Q)ld -r $(API_OBJECTS) $(BUILD)/libfoamsim.a -o $(@D)/foamsim.o
	$(Q)objcopy --wildcard --keep-global-symbol='foamsim_*' $(@D)/foamsim.o
	$(Q)rm -f $@ && ar rcsD $@ $(@D)/foamsim.o

.PHONY: api
api: $(API)

# The test of the library takes it from there; all else of the simulator that it may need comes behind it.
$(BUILD)/tests/system/install/test_library: $(API)
