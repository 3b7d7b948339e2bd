# What the build needs from Debian. As root a missing package is installed; otherwise the one line to run is printed.
PACKAGES := gcc g++ make pkg-config libyaml-dev libsystemc-dev libcgal-dev libtbb-dev libmetis-dev libassimp-dev libpng-dev libjansson-dev \
            nettle-dev libsqlite3-dev zlib1g-dev libzstd-dev libarchive-dev libmicrohttpd-dev libcmocka-dev gnuplot-nox fonts-dejavu-core
DEPS_STAMP := $(BUILD)/packages

$(DEPS_STAMP): make/deps.mk tools/install-packages
	@mkdir -p $(@D)
	@tools/install-packages $(PACKAGES)
	@touch $@
