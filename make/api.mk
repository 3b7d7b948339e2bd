# The library for C (api/foamsim.h): all of the simulator but its kernel of events (sim/kernel/none.c), under no name that others see.
API_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard api/*.c)) sim/kernel/none.c)
API_SO := libfoamsim.so.0
API := $(BUILD)/api/$(API_SO)

$(API): $(API_OBJECTS) $(BUILD)/libfoamsim.a api/foamsim.map
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,-soname,$(API_SO) -Wl,--version-script=api/foamsim.map $(if $(SANITIZE),,-Wl,-z,defs) $(LDFLAGS_ALL) $(API_OBJECTS) \
	  $(BUILD)/libfoamsim.a $(LIBS) -o $@
	$(Q)ln -sf $(API_SO) $(@D)/libfoamsim.so

.PHONY: api
api: $(API)

# The test of the library takes it from there; all else of the simulator that it may need comes behind it.
$(BUILD)/tests/system/install/test_library: private LDFLAGS_ALL += -Wl,-rpath,'$(abspath $(BUILD))/api'
$(BUILD)/tests/system/install/test_library: $(API)
