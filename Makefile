# ascend-faq: `make help` says what there is.

# What may be set: CC, CFLAGS, LDFLAGS, BUILD (where everything built goes), prefix, DESTDIR, SANITIZE=1, WERROR=1.
# For another architecture: SYSROOT (where its libraries are), and MADE (a BUILD of this machine, with the C sources
# that are made from files: what makes them must run here).
BUILD ?= build
MADE ?= $(BUILD)
prefix ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0

ifeq ($(origin CC),default)
CC := cc
endif

PACKAGES := ncursesw libpcre2-8 yaml-0.1 libutf8proc jansson
WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
CFLAGS ?= -O2 -g
HARDENING := -fstack-protector-strong -D_FORTIFY_SOURCE=2
ifdef SANITIZE
CFLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
HARDENING :=
endif

ifdef WERROR
WARNINGS += -Werror
endif

pkg_config := pkg-config
ifdef SYSROOT
pkg_config := PKG_CONFIG_LIBDIR=$(wildcard $(SYSROOT)/usr/lib/*/pkgconfig) PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) pkg-config
endif
package_cflags := $(shell $(pkg_config) --cflags $(PACKAGES) 2>/dev/null) \
	$(addprefix -isystem ,$(wildcard $(if $(SYSROOT),$(SYSROOT)/usr/include $(SYSROOT)/usr/include/*-linux-gnu)))
core_libs := $(shell $(pkg_config) --libs libpcre2-8 yaml-0.1 libutf8proc jansson 2>/dev/null) -lz -lpthread
all_libs := $(shell $(pkg_config) --libs $(PACKAGES) 2>/dev/null) -lz -lpthread
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -DASCEND_FAQ_VERSION='"$(VERSION)"' -Iinclude $(WARNINGS) $(CFLAGS) $(HARDENING) \
	$(LAYER_CFLAGS) $(CPPFLAGS) $(package_cflags) -MMD -MP

# The system's own Python where there is one: the packages that the tests need are installed for it.
PYTHON := $(if $(wildcard /usr/bin/python3),/usr/bin/python3,python3)

# Short lines; V=1 shows the commands.
quiet := $(if $(V),,@)
tell = $(if $(V),,@printf '  %-4s %s\n' $(1) $(2))

objects = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/$(1)/*.c))
BASE := $(call objects,base)
CORE := $(call objects,core)
PLAT := $(call objects,plat)
UI := $(call objects,ui)
APP := $(call objects,app)
TOOLS := $(call objects,tool)
PACK_FILES := $(shell find content -type f 2>/dev/null)
# A test program is tests/FOLDER/test_NAME.c; other .c files of the folder are linked into all of its tests.
TEST_SOURCES := $(wildcard tests/*/test_*.c)
TEST_PROGRAMS := $(patsubst tests/%.c,$(BUILD)/%,$(TEST_SOURCES))
UNIT_TESTS := $(filter $(BUILD)/unit/%,$(TEST_PROGRAMS))

.PHONY: all
all: $(BUILD)/ascend-faq

# What is made half is not made.
.DELETE_ON_ERROR:

.PHONY: help
help:
	@sed -n 's/^#: //p' Makefile

#: make run              install what is missing, build, open the program
#: make check            the same, then every test
#: make                  build build/ascend-faq
#: make dist             static programs for x86_64 and aarch64, with what a release has, in build/dist
#: make deb rpm          packages, in build/deb and build/rpm
#: make bench            measure it side by side with its peers
#: make docs             renew the generated parts of the README
#: make fuzz             TARGET=diagnose FUZZ_SECONDS=60: look for faults of a parser
#: make format           format the sources
#: make install          DESTDIR= prefix=/usr/local
#: make uninstall        take it away again
#: make clean            remove build/

.PHONY: run
run: packages-run
	@$(MAKE) --no-print-directory all
	@exec $(BUILD)/ascend-faq $(ARGS)

# Installs what is missing through the system's package manager; does nothing, and asks nothing, when all is there.
.PHONY: packages-run packages-check packages-bench packages-dist
packages-run packages-check packages-bench packages-dist: packages-%:
	@sh .ci/packages $*

$(BUILD)/ascend-faq: $(BUILD)/app/main.o $(BUILD)/libapp.a $(BUILD)/libui.a $(BUILD)/libplat.a $(BUILD)/libcore.a $(BUILD)/pack.o
	$(call tell,LINK,$@)
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(all_libs)

$(BUILD)/libcore.a: $(BASE) $(CORE)
$(BUILD)/libplat.a: $(PLAT)
$(BUILD)/libui.a: $(UI) $(BUILD)/terminals.o
$(BUILD)/libapp.a: $(filter-out $(BUILD)/app/main.o,$(APP)) $(BUILD)/shell.o $(BUILD)/page.o
$(BUILD)/lib%.a:
	@mkdir -p $(@D)
	@rm -f $@
	$(call tell,AR,$@)
	$(quiet)ar rcs $@ $^

# All but what searches and scans may be made smaller (SMALL=-Os).
FAST := $(BASE) $(addprefix $(BUILD)/core/,clean.o regex.o text.o $(notdir $(filter \
	$(foreach word,scan literal diagnose framing search redact,$(BUILD)/core/$(word)%),$(CORE))))
$(filter-out $(FAST),$(CORE) $(PLAT) $(UI) $(APP)): LAYER_CFLAGS = $(SMALL)
$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	$(call tell,CC,$@)
	$(quiet)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# What a shell is to load is carried by the program.
SHELL_FILES := $(wildcard src/app/shell/*)
$(BUILD)/embed: $(BUILD)/tool/embed.o
	$(call tell,LINK,$@)
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^
$(BUILD)/shell.c: $(BUILD)/embed $(SHELL_FILES)
	$(call tell,EMBED,$@)
	$(quiet)$(BUILD)/embed embedded_shell $(SHELL_FILES) > $@
# And so are the style and the script of the page that `export` writes.
PAGE_FILES := $(wildcard src/app/export/*)
$(BUILD)/page.c: $(BUILD)/embed $(PAGE_FILES)
	$(call tell,EMBED,$@)
	$(quiet)$(BUILD)/embed embedded_page $(PAGE_FILES) > $@

# What terminfo says of the commonest terminals. A release (TERMINALS=all) knows each of them.
$(BUILD)/mkterminals: $(BUILD)/tool/mkterminals.o
	$(call tell,LINK,$@)
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(all_libs)
$(BUILD)/terminals.c: $(MADE)/mkterminals
	$(call tell,MAKE,$@)
	$(quiet)$(MADE)/mkterminals $(TERMINALS) > $@

$(addprefix $(BUILD)/,shell.o page.o): $(BUILD)/%.o: $(MADE)/%.c
	$(call tell,CC,$@)
	$(quiet)$(CC) $(ALL_CFLAGS) -c -o $@ $<
$(BUILD)/terminals.o: $(BUILD)/terminals.c
	$(call tell,CC,$@)
	$(quiet)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The shipped pack becomes C source: read and checked at build time, so that starting costs nothing.
$(BUILD)/mkpack: $(BUILD)/tool/mkpack.o $(BUILD)/app/pack_folder.o $(BUILD)/libplat.a $(BUILD)/libcore.a
	$(call tell,LINK,$@)
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(core_libs)
$(BUILD)/pack.c: $(BUILD)/mkpack $(PACK_FILES)
	$(call tell,PACK,$@)
	$(quiet)$(BUILD)/mkpack content $@
$(BUILD)/pack.o: $(MADE)/pack.c
	$(call tell,CC,$@)
	$(quiet)$(CC) $(ALL_CFLAGS) -w -O0 -c -o $@ $<

# The parts of the documents that the program's tables make: `make docs` puts them in place, a test says when they lag.
$(BUILD)/docgen: $(BUILD)/tool/docgen.o $(BUILD)/libapp.a $(BUILD)/libui.a $(BUILD)/libplat.a $(BUILD)/libcore.a $(BUILD)/pack.o
	$(call tell,LINK,$@)
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(all_libs)
$(BUILD)/ascend-faq.1 $(BUILD)/ascend-faq-pack.5: $(BUILD)/%: $(BUILD)/docgen src/app/%.in
	$(call tell,DOC,$@)
	$(quiet)$(BUILD)/docgen manual src/app/$*.in > $@
.PHONY: docs
docs: $(BUILD)/docgen
	$(BUILD)/docgen readme README.md > $(BUILD)/README.md && cp $(BUILD)/README.md README.md

# Tests link the core and the views without ncurses: that they link is the proof that no ncurses is needed there.
.PHONY: unit all-tests tests
unit: $(UNIT_TESTS)
all-tests: $(TEST_PROGRAMS)
tests: all-tests $(BUILD)/docgen
$(BUILD)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(call tell,CC,$@)
	$(quiet)$(CC) $(ALL_CFLAGS) $(TEST_CFLAGS) -I$(dir $<) -c -o $@ $<

define test_folder
$(BUILD)/$(1)/test_%: $(BUILD)/tests/$(1)/test_%.o \
		$(patsubst %.c,$(BUILD)/%.o,$(filter-out tests/$(1)/test_%,$(wildcard tests/$(1)/*.c))) \
		$(BUILD)/libapp.a $(BUILD)/libui.a $(BUILD)/libplat.a $(BUILD)/libcore.a $(BUILD)/pack.o
	@mkdir -p $$(@D)
	$$(call tell,LINK,$$@)
	$$(quiet)$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(core_libs) -lcmocka
endef
$(foreach folder,$(sort $(patsubst tests/%/,%,$(dir $(TEST_SOURCES)))),$(eval $(call test_folder,$(folder))))
.SECONDARY:

# make fuzz TARGET=diagnose FUZZ_SECONDS=60: new inputs go to build/libfuzzer/TARGET, a fault to the current folder.
TARGET ?= diagnose
FUZZ_SECONDS ?= 60
.PHONY: fuzz
fuzz:
	@$(MAKE) --no-print-directory -s BUILD=$(BUILD)/libfuzzer CC=clang \
		CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined" \
		HARDENING= $(BUILD)/libfuzzer/libui.a $(BUILD)/libfuzzer/libplat.a $(BUILD)/libfuzzer/libcore.a $(BUILD)/libfuzzer/pack.o
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=address,undefined,fuzzer -Iinclude -Itests/fuzz -DFUZZ_TARGET=fuzz_$(TARGET) \
		-o $(BUILD)/libfuzzer/$(TARGET)_fuzzer tests/fuzz/*.c $(BUILD)/libfuzzer/libui.a $(BUILD)/libfuzzer/libplat.a \
		$(BUILD)/libfuzzer/libcore.a $(BUILD)/libfuzzer/pack.o $(core_libs)
	@mkdir -p $(BUILD)/libfuzzer/$(TARGET)
	$(BUILD)/libfuzzer/$(TARGET)_fuzzer -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -timeout=20 \
		$(BUILD)/libfuzzer/$(TARGET) tests/fuzz/corpus/$(TARGET)

.PHONY: check
check: packages-check
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) $(PYTHON) tests/run

# Programs of the measurements: tests/bench/NAME_bench.c
BENCH_PROGRAMS := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/*_bench.c))
$(BUILD)/bench/hyperscan_bench: bench_libs := -lhs
.PHONY: bench benches
benches: $(BENCH_PROGRAMS)
$(BUILD)/bench/%: $(BUILD)/tests/bench/%.o $(BUILD)/libui.a $(BUILD)/libplat.a $(BUILD)/libcore.a $(BUILD)/pack.o
	@mkdir -p $(@D)
	$(call tell,LINK,$@)
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(core_libs) $(bench_libs)
bench: packages-bench
	@$(MAKE) --no-print-directory all benches
	@BUILD=$(BUILD) $(PYTHON) tests/bench/run

# Static programs that run alone on any Linux of their architecture. The same sources and packages give the same bytes,
# whoever builds them and wherever: no paths, times or identifiers of the build are in them.
# Not position-independent: the pack is megabytes of pointers, which would be relocated at every start.
ARCHITECTURES := x86_64 aarch64
SOURCE_DATE_EPOCH ?= $(or $(shell git log -1 --format=%ct 2>/dev/null),0)
STATIC_CFLAGS := -O2 -fno-pie -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -ffile-prefix-map=$(CURDIR)=.
STATIC_LDFLAGS := -static -no-pie -s -Wl,--gc-sections -Wl,--build-id=none
static_flags = SMALL=-Os CFLAGS='$(STATIC_CFLAGS)'
DIST := $(BUILD)/dist
distributed = ascend-faq-$(VERSION)-linux-$(1)

# In the build of one architecture, $(BUILD)/static/ARCH; it begins anew when the flags are other ones.
static_make = $(MAKE) --no-print-directory BUILD=$(BUILD)/static/$(1) MADE=$(BUILD) SYSROOT=$(BUILD)/sysroot/$(1) \
	TERMINALS=all CC=$(1)-linux-gnu-gcc $(static_flags)

.PHONY: dist $(ARCHITECTURES:%=dist-%) $(ARCHITECTURES:%=static-%) $(ARCHITECTURES:%=static-tests-%)
dist: packages-dist
	@rm -rf $(DIST) && mkdir -p $(DIST)
	@$(MAKE) --no-print-directory $(ARCHITECTURES:%=dist-%)
	@cd $(DIST) && sha256sum ascend-faq-* > SHA256SUMS && cat SHA256SUMS

$(ARCHITECTURES:%=dist-%): dist-%: static-% $(BUILD)/ascend-faq.1 $(BUILD)/ascend-faq-pack.5 $(BUILD)/completions/ascend-faq
	@sh .ci/tarball $(DIST)/$(call distributed,$*) $(SOURCE_DATE_EPOCH) $(BUILD)/static/$*/ascend-faq $(BUILD)/ascend-faq.1 \
		$(BUILD)/ascend-faq-pack.5 README.md LICENSE $(BUILD)/sysroot/$*/STATIC-LIBRARIES $(BUILD)/completions

# By the names that bash, zsh and fish look for.
$(BUILD)/completions/ascend-faq: $(SHELL_FILES)
	@mkdir -p $(@D)
	@cp src/app/shell/completion.zsh $(@D)/_ascend-faq
	@cp src/app/shell/completion.fish $(@D)/ascend-faq.fish
	@cp src/app/shell/completion.bash $@

$(ARCHITECTURES:%=static-%): static-%: $(BUILD)/sysroot/%/STATIC-LIBRARIES \
		$(BUILD)/mkterminals $(BUILD)/pack.c $(BUILD)/shell.c $(BUILD)/page.c
	@echo "$(static_flags)" | cmp -s - $(BUILD)/static/$*/flags || rm -rf $(BUILD)/static/$*
	@mkdir -p $(BUILD)/static/$* && echo "$(static_flags)" > $(BUILD)/static/$*/flags
	+@$(call static_make,$*) LDFLAGS="$(STATIC_LDFLAGS)" all

# The tests in C, of the very archives that the static program is linked from (cmocka alone is shared).
$(ARCHITECTURES:%=static-tests-%): static-tests-%: static-%
	+@$(call static_make,$*) TEST_CFLAGS=-O1 LDFLAGS=-no-pie all-tests

$(BUILD)/sysroot/%/STATIC-LIBRARIES: .ci/sysroot
	$(call tell,GET,$(@D))
	$(quiet)sh .ci/sysroot $* $(@D)

# Packages: .deb of the static programs, for any Debian of the architecture; an RPM built from the sources as the spec says.
debian_of = $(subst x86_64,amd64,$(subst aarch64,arm64,$(1)))
.PHONY: deb rpm $(ARCHITECTURES:%=deb-%)
deb: $(ARCHITECTURES:%=deb-%)
$(ARCHITECTURES:%=deb-%): deb-%: packages-dist $(BUILD)/sysroot/%/STATIC-LIBRARIES
	@$(MAKE) --no-print-directory all $(BUILD)/mkterminals
	@$(call static_make,$*) LDFLAGS="$(STATIC_LDFLAGS)" all
	@rm -rf $(BUILD)/deb/$* && mkdir -p $(BUILD)/deb
	@$(MAKE) --no-print-directory -s DESTDIR=$(BUILD)/deb/$* prefix=/usr install
	@cp $(BUILD)/static/$*/ascend-faq $(BUILD)/deb/$*/usr/bin/ascend-faq
	$(call tell,DEB,$(BUILD)/deb/ascend-faq_$(VERSION)_$(call debian_of,$*).deb)
	@SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) sh .ci/deb $(BUILD)/deb/ascend-faq_$(VERSION)_$(call debian_of,$*).deb \
		$(BUILD)/deb/$* $(call debian_of,$*) $(VERSION)

# Where the build's packages come from is not asked here (--nodeps): packages-run has seen to them.
rpm: packages-run
	@rm -rf $(BUILD)/rpm && mkdir -p $(BUILD)/rpm/SOURCES
	@git ls-files -z | tar --null -T - --transform 's,^,ascend-faq-$(VERSION)/,' -czf $(BUILD)/rpm/SOURCES/ascend-faq-$(VERSION).tar.gz
	$(call tell,RPM,$(BUILD)/rpm/RPMS)
	@rpmbuild -bb --nodeps --quiet -D "_topdir $(abspath $(BUILD)/rpm)" -D "version_of_program $(VERSION)" .ci/ascend-faq.spec \
		>$(BUILD)/rpm/log 2>&1 || { tail -20 $(BUILD)/rpm/log; exit 1; }

.PHONY: format
format:
	clang-format -i $(shell git ls-files 'src/*.c' 'include/*.h' 'tests/*.c' 'tests/*.h')

.PHONY: install uninstall
share = $(DESTDIR)$(prefix)/share
install: all $(BUILD)/ascend-faq.1 $(BUILD)/ascend-faq-pack.5
	install -D -m 644 $(BUILD)/ascend-faq.1 $(share)/man/man1/ascend-faq.1
	install -D -m 644 $(BUILD)/ascend-faq-pack.5 $(share)/man/man5/ascend-faq-pack.5
	install -D -m 644 src/app/shell/completion.bash $(share)/bash-completion/completions/ascend-faq
	install -D -m 644 src/app/shell/completion.zsh $(share)/zsh/site-functions/_ascend-faq
	install -D -m 644 src/app/shell/completion.fish $(share)/fish/vendor_completions.d/ascend-faq.fish
	install -D -m 755 $(BUILD)/ascend-faq $(DESTDIR)$(prefix)/bin/ascend-faq
	install -D -m 644 LICENSE $(share)/doc/ascend-faq/LICENSE
	install -D -m 644 README.md $(share)/doc/ascend-faq/README.md
uninstall:
	rm -f $(DESTDIR)$(prefix)/bin/ascend-faq $(share)/man/man1/ascend-faq.1 $(share)/man/man5/ascend-faq-pack.5 \
		$(share)/bash-completion/completions/ascend-faq $(share)/zsh/site-functions/_ascend-faq \
		$(share)/fish/vendor_completions.d/ascend-faq.fish
	rm -rf $(share)/doc/ascend-faq

.PHONY: clean
clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' -type f 2>/dev/null)
