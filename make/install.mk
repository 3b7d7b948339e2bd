# make install: programs, data, pages of the manual below $(DESTDIR)$(PREFIX). make uninstall: what install has listed there.
PREFIX ?= /usr/local
DESTDIR ?=
LIBDIR ?=
PYTHONDIR ?=
STRIP ?= -s
INSTALL_TO = DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' PYTHONDIR='$(PYTHONDIR)' STRIP='$(STRIP)'

# Pages of man and the completion for bash, of the program's own tables.
MANUAL := $(BUILD)/manual/foamsim.1
$(MANUAL): $(BUILD)/foamsim
	$(call say,MANUAL,$(@D))
	$(Q)rm -rf $(@D) && mkdir -p $(@D) && FOAMSIM_DATA='$(CURDIR)' $(BUILD)/foamsim manual $(@D)

.PHONY: install uninstall manual
manual: $(MANUAL)
install: all manual api
	@$(INSTALL_TO) tools/install-tree install $(BUILD)
uninstall:
	@$(INSTALL_TO) tools/install-tree uninstall

# make deb: the Debian packages of the last commit in $(BUILD)/deb. make test-install: they are installed, used and purged (root).
.PHONY: deb test-install
deb:
	@tools/install-packages $(PACKAGES) debhelper dh-python dpkg-dev lintian python3
	@tools/build-deb $(BUILD)
test-install: deb
	@tools/test-install $(BUILD)/deb
