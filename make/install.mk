# make install: programs, data, pages of the manual below $(DESTDIR)$(PREFIX). make uninstall: what install has listed there.
PREFIX ?= /usr/local
DESTDIR ?=
INSTALL_TO = DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)'

.PHONY: install uninstall
install: all
	@$(INSTALL_TO) tools/install-tree install $(BUILD)
uninstall:
	@$(INSTALL_TO) tools/install-tree uninstall
