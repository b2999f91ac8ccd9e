/* probe: the shipped probes on captured outputs, good and bad. */
#include "test.h"

#include "core/probe.h"
#include "probe_support.h"

#include <stdio.h>
#include <string.h>

static const struct pack *const shipped[] = {&kb_shipped_pack};
static struct kb *kb;

static int load(void **state)
{
	(void)state;
	kb = kb_new(shipped, 1);
	return 0;
}

static int unload(void **state)
{
	(void)state;
	kb_free(kb);
	return 0;
}

static struct probe_result run(struct fake_machine *machine, const char *id)
{
	const struct probe *probe = kb_probe(kb, str_of(id));
	struct probe_result result = {0};
	if (!probe)
		fail_msg("there is no probe %s", id);
	probe_execute(kb, probe, &machine->host, &result);
	/* Whatever was read: no path relative to the current folder, a sentence in both languages. */
	assert_int_equal(machine->relative, 0);
	assert_true(result.detail.in[LANG_ZH].size > 0 && result.detail.in[LANG_EN].size > 0);
	return result;
}

static void has_state(const struct probe_result *result, enum probe_state state)
{
	if (result->state != state)
		fail_msg("state %.*s: %.*s", STR_ARG(probe_state_name(result->state)),
			 STR_ARG(result->detail.in[LANG_EN]));
}

static void has_value(const struct probe_result *result, const char *name, const char *value)
{
	struct str found = probe_result_value(result, str_of(name));
	if (!str_equal(found, str_of(value)))
		fail_msg("%s is \"%.*s\", not \"%s\"", name, STR_ARG(found), value);
}

/* Run one probe and compare its state and one value ("": none). */
static void expect(struct fake_machine *machine, const char *id, enum probe_state state, const char *name,
		   const char *value)
{
	struct probe_result result = run(machine, id);
	has_state(&result, state);
	if (name)
		has_value(&result, name, value);
	probe_result_release(&result);
}

/* ---- NPUs. -------------------------------------------------------------------------------------------- */

static void with_npu_smi(struct fake_machine *machine, const char *fixture)
{
	fake_machine_init(machine);
	fake_which(machine, "npu-smi", "/usr/local/bin/npu-smi");
	fake_command_fixture(machine, "/usr/local/bin/npu-smi info", fixture);
}

static void npu_smi_in_all_layouts(void **state)
{
	(void)state;
	static const struct {
		const char *fixture, *count, *name, *chip, *card, *version;
	} cases[] = {
		{"npu-smi-910b.txt", "2", "910B2", "A2", "0", "25.5.0"},
		{"npu-smi-910_93.txt", "2", "Ascend910", "A3", "0", "25.5.0"},
		{"npu-smi-950.txt", "2", "Ascend950PR", "A5", "0", "25.7.rc1.6"},
		{"npu-smi-310p.txt", "2", "310P3", "310P", "4", "23.0.rc2"},
		{"npu-smi-warning.txt", "2", "910B2", "A2", "0", "25.5.0"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fake_machine machine;
		with_npu_smi(&machine, cases[i].fixture);
		struct probe_result result = run(&machine, "npu");
		has_state(&result, PROBE_OK);
		has_value(&result, "NPU_COUNT", cases[i].count);
		has_value(&result, "NPU_NAME", cases[i].name);
		has_value(&result, "CHIP", cases[i].chip);
		has_value(&result, "CARD_ID", cases[i].card);
		has_value(&result, "NPU_SMI_VERSION", cases[i].version);
		probe_result_release(&result);
		fake_machine_release(&machine);
	}
}

static void npu_health_is_told(void **state)
{
	(void)state;
	static const struct {
		const char *fixture;
		enum probe_state state;
		const char *card, *health;
	} cases[] = {
		{"npu-smi-910b.txt", PROBE_OK, "", ""},
		{"npu-smi-910_93.txt", PROBE_OK, "", ""},
		{"npu-smi-950.txt", PROBE_OK, "", ""},
		{"npu-smi-critical.txt", PROBE_FAIL, "1", "Critical"},
		{"npu-smi-310p.txt", PROBE_FAIL, "64", "Warning"},
		{"npu-smi-health-unknown.txt", PROBE_UNKNOWN, "1", "UNKNOWN"},
		{"npu-smi-chinese.txt", PROBE_UNKNOWN, "", ""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fake_machine machine;
		with_npu_smi(&machine, cases[i].fixture);
		struct probe_result result = run(&machine, "npu-health");
		has_state(&result, cases[i].state);
		has_value(&result, "CARD_ID", cases[i].card);
		has_value(&result, "NPU_BAD_HEALTH", cases[i].health);
		assert_true(str_equal(result.entry, cases[i].state == PROBE_FAIL ? STR("3.3") : STR("")));
		probe_result_release(&result);
		fake_machine_release(&machine);
	}
}

static void npu_processes_in_both_layouts(void **state)
{
	(void)state;
	struct fake_machine machine;
	with_npu_smi(&machine, "npu-smi-910b.txt");
	expect(&machine, "npu-processes", PROBE_OK, "NPU_PROCESSES",
	       "NPU 1 python (499214)\nNPU 1 ? (499215)");
	expect(&machine, "npu-processes", PROBE_OK, "NPU_PROCESS_COUNT", "2");
	fake_machine_release(&machine);

	with_npu_smi(&machine, "npu-smi-950.txt");
	expect(&machine, "npu-processes", PROBE_OK, "NPU_PROCESSES", "NPU 1 python3.11 (71234)");
	fake_machine_release(&machine);

	with_npu_smi(&machine, "npu-smi-910_93.txt");
	expect(&machine, "npu-processes", PROBE_OK, "NPU_PROCESSES", "");
	fake_machine_release(&machine);
}

static void npu_smi_that_fails_is_not_no_npu(void **state)
{
	(void)state;
	static const char *const ids[] = {"npu", "npu-health", "npu-processes"};
	static const struct {
		const char *fixture, *words;
		enum probe_end end;
		int number;
	} cases[] = {
		{"npu-smi-8005.txt", "-8005", PROBE_END_STATUS, 187},
		{"npu-smi-loader.txt", "shared library", PROBE_END_STATUS, 127},
		{"npu-smi-chinese.txt", "no NPU could be read", PROBE_END_STATUS, 1},
		{"npu-smi-910b.txt", "timed out", PROBE_END_TIMEOUT, 0},
		{"npu-smi-910b.txt", "killed", PROBE_END_SIGNAL, 11},
		{"npu-smi-910b.txt", "too much output", PROBE_END_TOO_MUCH, 0},
		{"npu-smi-910b.txt", "permission", PROBE_END_DENIED, 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fake_machine machine;
		with_npu_smi(&machine, cases[i].fixture);
		machine.list.items[machine.list.count - 1].end = cases[i].end;
		machine.list.items[machine.list.count - 1].number = cases[i].number;
		for (size_t j = 0; j < sizeof(ids) / sizeof(*ids); j++)
			expect(&machine, ids[j], PROBE_UNKNOWN, NULL, NULL);
		struct probe_result result = run(&machine, "npu");
		if (str_find(result.detail.in[LANG_EN], str_of(cases[i].words)) == STR_NOT_FOUND)
			fail_msg("%.*s", STR_ARG(result.detail.in[LANG_EN]));
		probe_result_release(&result);
		fake_machine_release(&machine);
	}
}

static void without_npu_smi_the_bus_is_looked_at(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	expect(&machine, "npu", PROBE_ABSENT, NULL, NULL);
	expect(&machine, "npu-health", PROBE_ABSENT, NULL, NULL);
	fake_file(&machine, "/sys/bus/pci/devices/0000:c1:00.0/modalias",
		  "pci:v000019E5d0000D802sv000019E5sd00004000bc12sc00i00\n");
	fake_file(&machine, "/sys/bus/pci/devices/0000:00:1f.0/modalias",
		  "pci:v00008086d0000A0C8sv00008086sd00000000bc06sc01i00\n");
	expect(&machine, "npu", PROBE_WARN, "PCI_NPU_COUNT", "1");
	fake_machine_release(&machine);
}

static void driver_and_firmware(void **state)
{
	(void)state;
	struct fake_machine machine;
	with_npu_smi(&machine, "npu-smi-910b.txt");
	fake_fixture(&machine, "/usr/local/Ascend/driver/version.info", "driver-version.info");
	fake_command_fixture(&machine, "/usr/local/bin/npu-smi info -t board -i 0", "npu-smi-board.txt");
	struct probe_result result = run(&machine, "driver");
	has_state(&result, PROBE_OK);
	has_value(&result, "DRIVER_VERSION", "25.0.rc1.1");
	has_value(&result, "FIRMWARE_VERSION", "7.8.0.7.220");
	assert_true(str_find(result.excerpt, STR("1023A0000000")) == STR_NOT_FOUND); /* the serial number */
	probe_result_release(&result);

	fake_command_fixture(&machine, "/usr/local/bin/npu-smi info -t board -i 0",
			     "npu-smi-board-mismatch.txt");
	expect(&machine, "driver", PROBE_FAIL, "DRIVER_COMPATIBILITY", "NOK");
	fake_machine_release(&machine);

	/* Files alone, with a firmware that is too old. */
	fake_machine_init(&machine);
	expect(&machine, "driver", PROBE_ABSENT, NULL, NULL);
	fake_fixture(&machine, "/usr/local/Ascend/driver/version.info", "driver-version.info");
	fake_file(&machine, "/usr/local/Ascend/firmware/version.info", "Version=6.4.12.1\n");
	expect(&machine, "driver", PROBE_FAIL, "FIRMWARE_VERSION", "6.4.12.1");
	fake_file(&machine, "/usr/local/Ascend/firmware/version.info", "Version=7.3.0.1\n");
	expect(&machine, "driver", PROBE_OK, "FIRMWARE_VERSION", "7.3.0.1");
	fake_file(&machine, "/etc/ascend_install.info",
		  "UserName=HwHiAiUser\nDriver_Install_Status=failed\n");
	expect(&machine, "driver", PROBE_WARN, "DRIVER_INSTALL_STATUS", "failed");
	fake_machine_release(&machine);
}

static void device_nodes(void **state)
{
	(void)state;
	static const char *const nodes[] = {"/dev/davinci0", "/dev/davinci1", "/dev/davinci_manager",
					    "/dev/devmm_svm", "/dev/hisi_hdc"};
	struct fake_machine machine;
	fake_machine_init(&machine);
	expect(&machine, "device-nodes", PROBE_ABSENT, NULL, NULL);
	for (size_t i = 0; i < 5; i++) {
		fake_file(&machine, nodes[i], "");
		fake_answer(&machine, PROBE_ASK_STAT, nodes[i], "device 0660 HwHiAiUser HwHiAiUser rw",
			    PROBE_END_OK, 0);
	}
	expect(&machine, "device-nodes", PROBE_OK, "DEVICE_NODE_COUNT", "2");
	fake_answer(&machine, PROBE_ASK_STAT, nodes[1], "device 0660 HwHiAiUser HwHiAiUser --", PROBE_END_OK,
		    0);
	expect(&machine, "device-nodes", PROBE_FAIL, "DEVICE_NODES_DENIED", "/dev/davinci1");
	fake_machine_release(&machine);

	fake_machine_init(&machine);
	fake_file(&machine, "/dev/davinci3", "");
	fake_file(&machine, "/dev/davinci_manager", "");
	expect(&machine, "device-nodes", PROBE_FAIL, "DEVICE_NODES_MISSING", "/dev/devmm_svm\n/dev/hisi_hdc");
	fake_machine_release(&machine);
}

/* ---- CANN. -------------------------------------------------------------------------------------------- */

#define OLD_CANN "/usr/local/Ascend/ascend-toolkit/latest"
#define NEW_CANN "/usr/local/Ascend/cann-9.1.0"

static void with_old_cann(struct fake_machine *machine)
{
	fake_machine_init(machine);
	fake_fixture(machine, OLD_CANN "/aarch64-linux/ascend_toolkit_install.info", "cann-8.1-install.info");
	fake_fixture(machine, OLD_CANN "/version.cfg", "cann-8.1-version.cfg");
	fake_fixture(machine, OLD_CANN "/runtime/version.info", "cann-8.1-runtime-version.info");
	fake_file(machine, "/usr/local/Ascend/ascend-toolkit/set_env.sh", "");
	fake_file(machine, "/usr/local/Ascend/ascend-toolkit/8.1.RC1/runtime/version.info", "");
}

static void with_new_cann(struct fake_machine *machine)
{
	fake_machine_init(machine);
	fake_fixture(machine, NEW_CANN "/aarch64-linux/ascend_toolkit_install.info", "cann-9.1-install.info");
	fake_file(machine, NEW_CANN "/set_env.sh", "");
}

static void cann_in_both_layouts(void **state)
{
	(void)state;
	struct fake_machine machine;
	with_old_cann(&machine);
	struct probe_result result = run(&machine, "cann");
	has_state(&result, PROBE_WARN);
	has_value(&result, "CANN_ROOT", OLD_CANN);
	has_value(&result, "CANN_VERSION", "8.1.RC1");
	has_value(&result, "CANN_INNER_VERSION", "V100R001C21SPC001B238");
	has_value(&result, "CANN_ENV_ROOT", "/usr/local/Ascend/ascend-toolkit");
	assert_true(str_equal(result.entry, STR("1.5")));
	probe_result_release(&result);
	fake_machine_release(&machine);

	with_new_cann(&machine);
	result = run(&machine, "cann");
	has_state(&result, PROBE_OK);
	has_value(&result, "CANN_ROOT", NEW_CANN);
	has_value(&result, "CANN_VERSION", "9.1.0");
	has_value(&result, "CANN_ENV_ROOT", NEW_CANN);
	probe_result_release(&result);

	/* Of several the newest, by version and not by letters; the sourced one before all. */
	fake_file(&machine, "/usr/local/Ascend/cann-10.0.0/aarch64-linux/ascend_toolkit_install.info",
		  "version=10.0.0\narch=aarch64\n");
	expect(&machine, "cann", PROBE_OK, "CANN_VERSION", "10.0.0");
	fake_env(&machine, "ASCEND_HOME_PATH", NEW_CANN);
	expect(&machine, "cann", PROBE_OK, "CANN_VERSION", "9.1.0");
	fake_machine_release(&machine);
}

static void cann_that_is_not_right(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	expect(&machine, "cann", PROBE_ABSENT, "CANN_ROOT", "");
	expect(&machine, "cann-sourced", PROBE_ABSENT, NULL, NULL);

	fake_file(&machine, NEW_CANN "/bin/ccec", "");
	expect(&machine, "cann", PROBE_UNKNOWN, "CANN_ROOT", NEW_CANN);
	fake_file(&machine, NEW_CANN "/x86_64-linux/ascend_toolkit_install.info",
		  "version=9.1.0\narch=x86_64\n");
	expect(&machine, "cann", PROBE_FAIL, "CANN_ARCH", "x86_64");
	fake_machine_release(&machine);

	with_old_cann(&machine);
	fake_fixture(&machine, OLD_CANN "/version.cfg", "cann-mixed-version.cfg");
	expect(&machine, "cann", PROBE_WARN, "CANN_COMPONENT_VERSIONS", "8.1.RC1\n8.0.0");
	fake_machine_release(&machine);

	/* No install info: the version of the runtime, as the market knows it. */
	fake_machine_init(&machine);
	fake_fixture(&machine, OLD_CANN "/runtime/version.info", "cann-8.1-runtime-version.info");
	expect(&machine, "cann", PROBE_WARN, "CANN_VERSION", "8.1.RC1");
	fake_machine_release(&machine);
}

static void an_empty_variable_is_not_this_folder(void **state)
{
	(void)state;
	static const char *const values[] = {"", ".", "relative/path", "~"};
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct fake_machine machine;
		fake_machine_init(&machine);
		fake_env(&machine, "ASCEND_HOME_PATH", values[i]);
		fake_env(&machine, "LLVM_SYSPATH", values[i]);
		fake_env(&machine, "ASCEND_NPU_IR_ROOT", values[i]);
		fake_env(&machine, "PYTHONPATH", values[i]);
		fake_file(&machine, "./aarch64-linux/ascend_toolkit_install.info", "version=6.6.6\n");
		fake_file(&machine, "/aarch64-linux/ascend_toolkit_install.info", "version=6.6.6\n");
		expect(&machine, "cann", PROBE_ABSENT, "CANN_VERSION", "");
		expect(&machine, "llvm-root", PROBE_ABSENT, NULL, NULL);
		expect(&machine, "npuir", PROBE_ABSENT, NULL, NULL);
		expect(&machine, "python", PROBE_FAIL, NULL, NULL);
		fake_machine_release(&machine);
	}
}

static void what_is_sourced_against_what_is_installed(void **state)
{
	(void)state;
	struct fake_machine machine;
	with_new_cann(&machine);
	struct probe_result result = run(&machine, "cann-sourced");
	has_state(&result, PROBE_WARN);
	assert_true(str_equal(result.entry, STR("3.4")));
	probe_result_release(&result);

	fake_env(&machine, "ASCEND_HOME_PATH", NEW_CANN);
	fake_env(&machine, "PATH", NEW_CANN "/bin:/usr/bin");
	fake_env(&machine, "LD_LIBRARY_PATH", NEW_CANN "/lib64:" NEW_CANN "/lib64/plugin");
	expect(&machine, "cann-sourced", PROBE_OK, "CANN_VERSIONS_IN_PATHS", "9.1.0");

	fake_env(&machine, "PYTHONPATH", "/usr/local/Ascend/cann-8.5.0/python/site-packages:");
	fake_file(&machine, "/usr/local/Ascend/cann-8.5.0/runtime/x", "");
	expect(&machine, "cann-sourced", PROBE_WARN, "CANN_VERSIONS_IN_PATHS", "9.1.0\n8.5.0");
	fake_env(&machine, "PYTHONPATH", "");

	fake_env(&machine, "ASCEND_HOME_PATH", "/usr/local/Ascend/cann-7.7.7");
	expect(&machine, "cann-sourced", PROBE_FAIL, "SOURCED_GONE", "/usr/local/Ascend/cann-7.7.7");
	fake_env(&machine, "ASCEND_HOME_PATH", NEW_CANN);

	fake_env(&machine, "LD_LIBRARY_PATH", NEW_CANN "/devlib:" NEW_CANN "/lib64");
	expect(&machine, "cann-sourced", PROBE_WARN, "STUB_LIBRARIES", NEW_CANN "/devlib");
	fake_env(&machine, "LD_LIBRARY_PATH", NEW_CANN "/lib64:" NEW_CANN "/devlib");
	expect(&machine, "cann-sourced", PROBE_OK, "STUB_LIBRARIES", "");
	fake_machine_release(&machine);

	/* `latest` is a folder of links into one version: that is one version, not two. */
	with_old_cann(&machine);
	fake_env(&machine, "ASCEND_HOME_PATH", OLD_CANN);
	fake_env(&machine, "PATH", OLD_CANN "/bin:/usr/local/Ascend/ascend-toolkit/8.1.RC1/bin");
	fake_answer(&machine, PROBE_ASK_RESOLVE, OLD_CANN "/runtime",
		    "/usr/local/Ascend/ascend-toolkit/8.1.RC1/runtime", PROBE_END_OK, 0);
	expect(&machine, "cann-sourced", PROBE_OK, "CANN_VERSIONS_IN_PATHS", "8.1.RC1");
	fake_machine_release(&machine);
}

/* ---- Tools. ------------------------------------------------------------------------------------------- */

static void tools_and_their_versions(void **state)
{
	(void)state;
	static const struct {
		const char *id, *tool, *arguments, *output;
		enum probe_state state;
		const char *name, *value;
	} cases[] = {
		{"lld", "ld.lld", "--version", "Ubuntu LLD 15.0.7 (compatible with GNU linkers)\n", PROBE_OK,
		 "LLD_VERSION", "15.0.7"},
		{"cmake", "cmake", "--version", "cmake version 3.28.3\n\nCMake suite\n", PROBE_OK,
		 "CMAKE_VERSION", "3.28.3"},
		{"cmake", "cmake", "--version", "cmake version 3.22.1\n", PROBE_WARN, "CMAKE_VERSION",
		 "3.22.1"},
		{"cmake", "cmake", "--version", "cmake version 3.9.6\n", PROBE_FAIL, "CMAKE_VERSION",
		 "3.9.6"},
		{"cmake", "cmake", "--version", "\xff\xfe garbage", PROBE_UNKNOWN, "CMAKE_VERSION", ""},
		{"cmake", "cmake", "--version", "", PROBE_UNKNOWN, "CMAKE_VERSION", ""},
		{"ninja", "ninja", "--version", "1.11.1.git.kitware.jobserver-1\n", PROBE_WARN,
		 "NINJA_VERSION", "1.11.1.git.kitware.jobserver"},
		{"ninja", "ninja", "--version", "1.12.1\n", PROBE_OK, "NINJA_VERSION", "1.12.1"},
		{"gcc", "gcc", "-dumpfullversion", "11.4.0\n", PROBE_OK, "GCC_VERSION", "11.4.0"},
		{"gcc", "gcc", "-dumpfullversion", "7.5.0\n", PROBE_WARN, "GCC_VERSION", "7.5.0"},
		{"bishengir-compile", "bishengir-compile", "--version",
		 "bishengir-compile 1.2.0\n  llvm 19.1.7 0123abcd\n", PROBE_OK, "BISHENGIR_COMPILE_VERSION",
		 "1.2.0"},
		{"hivmc", "hivmc", "--version", "hivmc 0.3.0\n", PROBE_OK, "HIVMC_VERSION", "0.3.0"},
		{"hivmc", "hivmc", "--version", "hivmc 0.3.0 (0123abc 2026-05-30)\n", PROBE_OK,
		 "HIVMC_VERSION", "0.3.0"},
		{"hivmc", "hivmc", "--version", "hivmc: error while loading shared libraries: libz.so.1\n",
		 PROBE_WARN, "HIVMC_VERSION", ""},
		{"python", "python3", "--version", "Python 3.11.9\n", PROBE_OK, "PYTHON_VERSION", "3.11.9"},
		{"python", "python3", "--version", "Python 3.10.12\n", PROBE_WARN, "PYTHON_VERSION",
		 "3.10.12"},
		{"python", "python3", "--version", "Python 3.9.2\n", PROBE_FAIL, "PYTHON_VERSION", "3.9.2"},
		{"python", "python3", "--version", "Python 3.13.0rc2\n", PROBE_OK, "PYTHON_VERSION",
		 "3.13.0rc2"},
		{"python", "python3", "--version", "pyenv: python3: command not found\n", PROBE_UNKNOWN,
		 "PYTHON_VERSION", ""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fake_machine machine;
		char path[128], argv[256];
		fake_machine_init(&machine);
		snprintf(path, sizeof(path), "/opt/tools/bin/%s", cases[i].tool);
		snprintf(argv, sizeof(argv), "%s %s", path, cases[i].arguments);
		fake_which(&machine, cases[i].tool, path);
		fake_command(&machine, argv, cases[i].output);
		expect(&machine, cases[i].id, cases[i].state, cases[i].name, cases[i].value);
		fake_machine_release(&machine);
	}
}

static void tools_that_are_missing(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	struct probe_result result = run(&machine, "clang");
	has_state(&result, PROBE_FAIL);
	assert_true(str_equal(result.entry, STR("1.1")));
	probe_result_release(&result);
	fake_file(&machine, "/usr/lib/llvm-9/bin/clang++", "");
	fake_file(&machine, "/usr/lib/llvm-15/bin/clang++", "");
	expect(&machine, "clang", PROBE_FAIL, "CLANGXX_ELSEWHERE", "/usr/lib/llvm-15/bin/clang++");
	expect(&machine, "bishengir-opt", PROBE_ABSENT, NULL, NULL);
	expect(&machine, "hivmc", PROBE_ABSENT, NULL, NULL);
	fake_machine_release(&machine);

	with_old_cann(&machine); /* has neither */
	expect(&machine, "bishengir-opt", PROBE_FAIL, NULL, NULL);
	expect(&machine, "hivmc", PROBE_FAIL, NULL, NULL);
	fake_machine_release(&machine);

	with_new_cann(&machine); /* has them, but nobody sourced it */
	fake_file(&machine, NEW_CANN "/aarch64-linux/bin/bishengir-opt", "");
	fake_file(&machine, NEW_CANN "/aarch64-linux/bin/hivmc", "");
	expect(&machine, "bishengir-opt", PROBE_FAIL, "BISHENGIR_OPT_ELSEWHERE",
	       NEW_CANN "/aarch64-linux/bin/bishengir-opt");
	expect(&machine, "hivmc", PROBE_FAIL, "HIVMC_ELSEWHERE", NEW_CANN "/aarch64-linux/bin/hivmc");
	fake_machine_release(&machine);
}

static void llvm_and_its_parts(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	fake_env(&machine, "LLVM_SYSPATH", "/opt/my llvm [1]");
	fake_file(&machine, "/opt/my llvm [1]/lib/cmake/llvm/LLVMConfig.cmake",
		  "set(LLVM_VERSION_MAJOR 20)\nset(LLVM_PACKAGE_VERSION 20.0.0git)\n");
	expect(&machine, "llvm-root", PROBE_WARN, "LLVM_INSTALL_ROOT", "/opt/my llvm [1]"); /* no MLIR */
	expect(&machine, "llvm-ar", PROBE_FAIL, NULL, NULL);
	fake_file(&machine, "/opt/my llvm [1]/lib/cmake/mlir/MLIRConfig.cmake", "");
	fake_file(&machine, "/opt/my llvm [1]/bin/llvm-ar", "");
	expect(&machine, "llvm-root", PROBE_OK, "LLVM_VERSION", "20.0.0git");
	expect(&machine, "llvm-ar", PROBE_OK, "LLVM_AR", "/opt/my llvm [1]/bin/llvm-ar");
	fake_machine_release(&machine);
}

static void npuir_in_path_and_not(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	fake_file(&machine, "/home/alice/AscendNPU-IR/build/bin/bishengir-opt", "");
	fake_file(&machine, "/home/alice/AscendNPU-IR/build/lib/meta_op.aic.c220.bc", "");
	expect(&machine, "npuir", PROBE_WARN, "ASCEND_NPU_IR_ROOT", "/home/alice/AscendNPU-IR");
	fake_which(&machine, "bishengir-opt", "/home/alice/AscendNPU-IR/build/bin/bishengir-opt");
	expect(&machine, "npuir", PROBE_OK, "ASCEND_NPU_IR_ROOT", "/home/alice/AscendNPU-IR");
	fake_which(&machine, "bishengir-opt", NEW_CANN "/bin/bishengir-opt");
	struct probe_result result = run(&machine, "npuir");
	has_state(&result, PROBE_WARN);
	assert_true(str_equal(result.entry, STR("1.7")));
	probe_result_release(&result);
	fake_machine_release(&machine);
}

/* ---- Python packages. --------------------------------------------------------------------------------- */

#define SITE "/opt/venv/lib/python3.11/site-packages"

static void with_python(struct fake_machine *machine)
{
	fake_machine_init(machine);
	fake_which(machine, "python3", "/opt/venv/bin/python3");
	fake_command(machine, "/opt/venv/bin/python3 --version", "Python 3.11.9\n");
	fake_file(machine, "/opt/venv/pyvenv.cfg", "");
	fake_file(machine, SITE "/pip/__init__.py", "");
}

static void packages_are_read_from_metadata(void **state)
{
	(void)state;
	struct fake_machine machine;
	with_python(&machine);
	expect(&machine, "python", PROBE_OK, "PYTHON_SITE_PACKAGES", SITE);
	expect(&machine, "torch", PROBE_ABSENT, NULL, NULL);
	expect(&machine, "torch-npu", PROBE_ABSENT, NULL, NULL);

	/* torch_npu alone must not be taken for torch, whatever its folder is called. */
	fake_fixture(&machine, SITE "/torch_npu-2.7.1.post2.dist-info/METADATA", "torch_npu-METADATA");
	fake_fixture(&machine, SITE "/torch-npu-2.7.1.post2.dist-info/METADATA", "torch_npu-METADATA");
	expect(&machine, "torch", PROBE_ABSENT, NULL, NULL);
	expect(&machine, "torch-npu", PROBE_FAIL, "TORCH_NPU_VERSION", "2.7.1.post2");

	fake_file(&machine, SITE "/torch-2.7.1+cpu.dist-info/METADATA", "Name: torch\nVersion: 2.7.1+cpu\n");
	expect(&machine, "torch", PROBE_OK, "TORCH_VERSION", "2.7.1+cpu");
	expect(&machine, "torch-npu", PROBE_OK, "TORCH_NPU_CANN", "8.5.0");
	fake_env(&machine, "ASCEND_HOME_PATH", OLD_CANN);
	fake_fixture(&machine, OLD_CANN "/aarch64-linux/ascend_toolkit_install.info",
		     "cann-8.1-install.info");
	expect(&machine, "torch-npu", PROBE_WARN, "TORCH_NPU_CANN", "8.5.0");

	fake_file(&machine, SITE "/torch-2.7.1+cpu.dist-info/METADATA", "Name: torch\nVersion: 2.6.0+cpu\n");
	expect(&machine, "torch-npu", PROBE_FAIL, NULL, NULL);
	fake_file(&machine, SITE "/torch-2.7.1+cpu.dist-info/METADATA",
		  "Name: torch\nVersion: 2.6.0+cu124\n");
	expect(&machine, "torch", PROBE_WARN, NULL, NULL);
	assert_int_equal(machine.commands > 0, true);
	fake_machine_release(&machine);
}

static void an_editable_install_is_found(void **state)
{
	(void)state;
	struct fake_machine machine;
	with_python(&machine);
	fake_file(&machine, SITE "/triton-dist.egg-link", "/home/alice/src/python\n.");
	fake_file(&machine, "/home/alice/src/python/triton_dist.egg-info/PKG-INFO",
		  "Metadata-Version: 2.1\nName: triton_dist\nVersion: 3.4.0\n");
	expect(&machine, "triton-dist", PROBE_OK, "TRITON_DIST_VERSION", "3.4.0");
	fake_machine_release(&machine);
}

static void triton_and_triton_ascend_clash(void **state)
{
	(void)state;
	struct fake_machine machine;
	with_python(&machine);
	expect(&machine, "triton-clash", PROBE_ABSENT, NULL, NULL);
	fake_file(&machine, SITE "/triton_ascend-3.2.0.dist-info/METADATA",
		  "Name: triton-ascend\nVersion: 3.2.0\n");
	fake_file(&machine, SITE "/triton/backends/ascend/compiler.py", "");
	fake_file(&machine, SITE "/triton/backends/ascend/driver.py", "");
	expect(&machine, "triton-clash", PROBE_OK, NULL, NULL);
	expect(&machine, "triton", PROBE_ABSENT, NULL, NULL); /* not the package of that name */
	expect(&machine, "triton-ascend", PROBE_OK, "TRITON_ASCEND_VERSION", "3.2.0");
	fake_file(&machine, SITE "/triton-3.3.1.dist-info/METADATA", "Name: triton\nVersion: 3.3.1\n");
	expect(&machine, "triton-clash", PROBE_WARN, "CLASH_TRITON", "3.3.1");
	fake_machine_release(&machine);

	with_python(&machine);
	fake_file(&machine, SITE "/triton_ascend-3.2.0.dist-info/METADATA",
		  "Name: triton-ascend\nVersion: 3.2.0\n");
	fake_file(&machine, SITE "/triton-3.3.1.dist-info/METADATA", "Name: triton\nVersion: 3.3.1\n");
	fake_file(&machine, SITE "/triton/backends/nvidia/compiler.py", "");
	expect(&machine, "triton-clash", PROBE_FAIL, NULL, NULL);
	expect(&machine, "triton-ascend", PROBE_FAIL, NULL, NULL);
	fake_machine_release(&machine);
}

static void triton_backends_are_complete_or_not(void **state)
{
	(void)state;
	struct fake_machine machine;
	with_python(&machine);
	expect(&machine, "triton-backends", PROBE_ABSENT, NULL, NULL);
	fake_file(&machine, SITE "/triton/backends/__init__.py", "");
	fake_file(&machine, SITE "/triton/backends/__pycache__/x.pyc", "");
	expect(&machine, "triton-backends", PROBE_FAIL, "BACKENDS", "");
	fake_file(&machine, SITE "/triton/backends/ascend/compiler.py", "");
	fake_file(&machine, SITE "/triton/backends/ascend/driver.py", "");
	expect(&machine, "triton-backends", PROBE_OK, "BACKENDS", "ascend");

	/* The half copied folder of 1.3, and the one that is only announced. */
	fake_file(&machine, SITE "/triton/backends/amd/driver.py", "");
	expect(&machine, "triton-backends", PROBE_FAIL, "BACKEND_FILES_MISSING", "amd/compiler.py");
	fake_file(&machine, SITE "/triton/backends/amd/compiler.py", "");
	expect(&machine, "triton-backends", PROBE_OK, "BACKENDS", "amd\nascend");
	fake_file(&machine, SITE "/triton-3.4.0.dist-info/entry_points.txt",
		  "[triton.backends]\namd = triton.backends.amd\nnvidia = triton.backends.nvidia\n");
	struct probe_result result = run(&machine, "triton-backends");
	has_state(&result, PROBE_FAIL);
	has_value(&result, "BACKEND_FILES_MISSING", "nvidia/compiler.py\nnvidia/driver.py");
	assert_true(str_equal(result.entry, STR("1.3")));
	probe_result_release(&result);
	fake_machine_release(&machine);
}

static void conda_and_pip(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	expect(&machine, "conda-channels", PROBE_ABSENT, NULL, NULL);
	expect(&machine, "pip-mirror", PROBE_ABSENT, NULL, NULL);
	fake_fixture(&machine, "/home/alice/.condarc", "condarc");
	expect(&machine, "conda-channels", PROBE_OK, "CONDA_CHANNELS",
	       "conda-forge\nmirror.example.com/anaconda/pkgs/main"); /* no password */
	fake_fixture(&machine, "/home/alice/.condarc", "condarc-broken");
	struct probe_result result = run(&machine, "conda-channels");
	has_state(&result, PROBE_FAIL);
	has_value(&result, "CONDA_BROKEN_CHANNEL", "https://mirrors.tuna.tsinghua.edu.cn/anaconda/pkgs/r");
	assert_true(str_equal(result.entry, STR("1.11")));
	probe_result_release(&result);

	fake_fixture(&machine, "/home/alice/.config/pip/pip.conf", "pip.conf");
	result = run(&machine, "pip-mirror");
	has_state(&result, PROBE_OK);
	has_value(&result, "PIP_MIRROR", "pypi.example.com/simple");
	assert_true(str_find(result.excerpt, STR("hunter2")) == STR_NOT_FOUND);
	probe_result_release(&result);
	fake_machine_release(&machine);
}

/* ---- HCCL, ports, interfaces. ------------------------------------------------------------------------- */

static void hccl_variables_against_their_legal_values(void **state)
{
	(void)state;
	static const struct {
		const char *name, *value;
		bool legal;
	} cases[] = {
		{"HCCL_NPU_SOCKET_PORT_RANGE", "auto", true},
		{"HCCL_NPU_SOCKET_PORT_RANGE", "21000-21063", true},
		{"HCCL_NPU_SOCKET_PORT_RANGE", "21000-21063,22000,23000-23001", true},
		{"HCCL_NPU_SOCKET_PORT_RANGE", "21063-21000", false},
		{"HCCL_NPU_SOCKET_PORT_RANGE", "65000-70000", false},
		{"HCCL_NPU_SOCKET_PORT_RANGE", "0-10", false},
		{"HCCL_NPU_SOCKET_PORT_RANGE", "21000,", false},
		{"HCCL_NPU_SOCKET_PORT_RANGE", "AUTO", false},
		{"HCCL_IF_BASE_PORT", "60000", true},
		{"HCCL_IF_BASE_PORT", "65521", false},
		{"HCCL_IF_BASE_PORT", "1023", false},
		{"HCCL_SOCKET_IFNAME", "^=eth0", true},
		{"HCCL_SOCKET_IFNAME", "eth0,eth1", true},
		{"HCCL_SOCKET_IFNAME", "eth0 eth1", false},
		{"HCCL_IF_IP", "10.0.0.1", true},
		{"HCCL_IF_IP", "fd00::1", true},
		{"HCCL_IF_IP", "node-1", false},
		{"HCCL_SOCKET_FAMILY", "AF_INET6", true},
		{"HCCL_SOCKET_FAMILY", "ipv4", false},
		{"HCCL_CONNECT_TIMEOUT", "120", true},
		{"HCCL_CONNECT_TIMEOUT", "7200", true},
		{"HCCL_CONNECT_TIMEOUT", "60", false},
		{"HCCL_CONNECT_TIMEOUT", "120s", false},
		{"HCCL_EXEC_TIMEOUT", "0", true},
		{"HCCL_EXEC_TIMEOUT", "-1", false},
		{"HCCL_BUFFSIZE", "200", true},
		{"HCCL_BUFFSIZE", "0", false},
		{"HCCL_DETERMINISTIC", "strict", true},
		{"HCCL_DETERMINISTIC", "yes", false},
		{"HCCL_OP_EXPANSION_MODE", "AIV", true},
		{"HCCL_OP_EXPANSION_MODE", "AICPU", false},
		{"HCCL_RDMA_SL", "7", true},
		{"HCCL_RDMA_SL", "8", false},
		{"HCCL_RDMA_RETRY_CNT", "0", false},
		{"HCCL_DFS_CONFIG", "connection_fault_detection_time:20,cluster_heartbeat:on", true},
		{"HCCL_DFS_CONFIG", "connection_fault_detection_time=20", false},
		{"ASCEND_RT_VISIBLE_DEVICES", "0,1,2", true},
		{"ASCEND_RT_VISIBLE_DEVICES", "0, 1", false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fake_machine machine;
		char line[256];
		fake_machine_init(&machine);
		fake_env(&machine, cases[i].name, cases[i].value);
		snprintf(line, sizeof(line), "%s=%s", cases[i].name, cases[i].value);
		expect(&machine, "hccl-variables", cases[i].legal ? PROBE_OK : PROBE_FAIL, "HCCL_ILLEGAL",
		       cases[i].legal ? "" : line);
		expect(&machine, "hccl-variables", cases[i].legal ? PROBE_OK : PROBE_FAIL,
		       "HCCL_VARIABLES_SET", line);
		fake_machine_release(&machine);
	}
}

static void hccl_variables_that_exclude_each_other(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	expect(&machine, "hccl-variables", PROBE_OK, NULL, NULL);
	fake_env(&machine, "HCCL_INTRA_ROCE_ENABLE", "1");
	expect(&machine, "hccl-variables", PROBE_OK, NULL, NULL);
	fake_env(&machine, "HCCL_INTRA_PCIE_ENABLE", "1");
	expect(&machine, "hccl-variables", PROBE_FAIL, NULL, NULL);
	fake_machine_release(&machine);

	fake_machine_init(&machine);
	fake_env(&machine, "HCCL_WHITELIST_DISABLE", "0");
	expect(&machine, "hccl-variables", PROBE_FAIL, NULL, NULL);
	fake_env(&machine, "HCCL_WHITELIST_FILE", "/etc/whitelist.json");
	expect(&machine, "hccl-variables", PROBE_OK, NULL, NULL);
	fake_machine_release(&machine);
}

static void the_npu_port_range(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	expect(&machine, "hccl-port-range", PROBE_ABSENT, NULL, NULL);
	fake_env(&machine, "HCCL_NPU_SOCKET_PORT_RANGE", "auto");
	expect(&machine, "hccl-port-range", PROBE_OK, NULL, NULL);
	fake_machine_release(&machine);
	fake_machine_init(&machine);
	fake_env(&machine, "HCCL_NPU_SOCKET_PORT_RANGE", "800-900");
	expect(&machine, "hccl-port-range", PROBE_WARN, NULL, NULL);
	fake_machine_release(&machine);
	fake_machine_init(&machine);
	fake_env(&machine, "HCCL_NPU_SOCKET_PORT_RANGE", "\x1b[31mred");
	expect(&machine, "hccl-port-range", PROBE_FAIL, NULL, NULL);
	fake_machine_release(&machine);
}

static void ports_and_their_holders(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	fake_answer(&machine, PROBE_ASK_PORTS, "29500-29500", "29500 free\n", PROBE_END_OK, 0);
	expect(&machine, "port-29500", PROBE_OK, "RENDEZVOUS_STATE", "free");
	fake_answer(&machine, PROBE_ASK_PORTS, "29500-29500",
		    "29500 busy 4242 alice 3h12m python train.py --lr 1\n", PROBE_END_OK, 0);
	struct probe_result result = run(&machine, "port-29500");
	has_state(&result, PROBE_WARN);
	has_value(&result, "HOLDER_PID", "4242");
	has_value(&result, "HOLDER_USER", "alice");
	has_value(&result, "HOLDER_COMMAND", "python train.py --lr 1");
	has_value(&result, "OWN_PID", "4242"); /* the machine's user is alice */
	assert_true(str_equal(result.entry, STR("1.2")));
	probe_result_release(&result);
	/* A process of somebody else is told, and never the one to end. */
	fake_answer(&machine, PROBE_ASK_PORTS, "29500-29500", "29500 busy 4243 bob 3h12m python train.py\n",
		    PROBE_END_OK, 0);
	expect(&machine, "port-29500", PROBE_WARN, "HOLDER_PID", "4243");
	expect(&machine, "port-29500", PROBE_WARN, "OWN_PID", "");
	fake_answer(&machine, PROBE_ASK_PORTS, "29500-29500", "29500 busy - bob - -\n", PROBE_END_OK, 0);
	expect(&machine, "port-29500", PROBE_WARN, "HOLDER_USER", "bob");
	fake_answer(&machine, PROBE_ASK_PORTS, "29500-29500", "29500 busy - - - -\n", PROBE_END_OK, 0);
	expect(&machine, "port-29500", PROBE_WARN, "HOLDER_USER", "");
	fake_env(&machine, "MASTER_PORT", "23456");
	fake_answer(&machine, PROBE_ASK_PORTS, "23456-23456", "23456 free\n", PROBE_END_OK, 0);
	expect(&machine, "port-29500", PROBE_OK, "RENDEZVOUS_PORT", "23456");

	fake_answer(&machine, PROBE_ASK_PORTS, "60000-60031",
		    "60000 free\n60001 busy - bob - -\n60002 free\n", PROBE_END_OK, 0);
	expect(&machine, "hccl-host-ports", PROBE_WARN, "HCCL_PORTS_BUSY", "60001");
	fake_env(&machine, "HCCL_IF_BASE_PORT", "50000");
	fake_answer(&machine, PROBE_ASK_PORTS, "50000-50031", "50000 free\n", PROBE_END_OK, 0);
	expect(&machine, "hccl-host-ports", PROBE_OK, "HCCL_PORTS_BUSY", "");

	fake_answer(&machine, PROBE_ASK_FREE_PORTS, "20000-29999", "23417 23480", PROBE_END_OK, 0);
	expect(&machine, "free-port", PROBE_OK, "MASTER_PORT", "23417");
	expect(&machine, "free-port-range", PROBE_OK, "PORT_END", "23480");
	fake_answer(&machine, PROBE_ASK_FREE_PORTS, "20000-29999", "", PROBE_END_MISSING, 0);
	expect(&machine, "free-port", PROBE_FAIL, "MASTER_PORT", "");
	fake_machine_release(&machine);
}

static void the_interface_that_hccl_takes(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	fake_answer(&machine, PROBE_ASK_INTERFACES, " ",
		    "eth0 192.0.2.7 ipv4 up chosen\neth0 fd00::7 ipv6 up -\nlo 127.0.0.1 ipv4 up -\n",
		    PROBE_END_OK, 0);
	struct probe_result result = run(&machine, "interfaces");
	has_state(&result, PROBE_OK);
	has_value(&result, "IFNAME", "eth0");
	has_value(&result, "INTERFACES", "eth0 192.0.2.7\neth0 fd00::7\nlo 127.0.0.1");
	probe_result_release(&result);
	fake_answer(&machine, PROBE_ASK_INTERFACES, " ", "lo 127.0.0.1 ipv4 up chosen\n", PROBE_END_OK, 0);
	expect(&machine, "interfaces", PROBE_WARN, "IFNAME", "lo");
	fake_env(&machine, "HCCL_SOCKET_IFNAME", "ens");
	fake_answer(&machine, PROBE_ASK_INTERFACES, "ens ", "lo 127.0.0.1 ipv4 up -\n", PROBE_END_OK, 0);
	expect(&machine, "interfaces", PROBE_FAIL, "IFNAME", "");
	fake_machine_release(&machine);
}

/* ---- The host. ---------------------------------------------------------------------------------------- */

static void the_host(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	fake_file(&machine, "/proc/meminfo",
		  "MemTotal:       2113658324 kB\nMemAvailable:   1998877665 kB\n");
	expect(&machine, "resources", PROBE_OK, "MEMORY_GB", "2113");
	fake_file(&machine, "/proc/meminfo", "MemTotal:       16113658 kB\nMemAvailable:   2998877 kB\n");
	expect(&machine, "resources", PROBE_WARN, "MEMORY_AVAILABLE_GB", "2");

	fake_answer(&machine, PROBE_ASK_SPACE, "/dev/shm", "64 64", PROBE_END_OK, 0);
	expect(&machine, "shm", PROBE_WARN, "SHM_MIB", "64");
	fake_answer(&machine, PROBE_ASK_SPACE, "/dev/shm", "131072 131000", PROBE_END_OK, 0);
	expect(&machine, "shm", PROBE_OK, "SHM_MIB", "131072");

	fake_answer(&machine, PROBE_ASK_SYSTEM, "limits",
		    "nofile unlimited unlimited\nnproc 100 200\nmemlock 64 64\ncore 0 unlimited\n",
		    PROBE_END_OK, 0);
	expect(&machine, "limits", PROBE_WARN, "LIMIT_PROCESSES", "100");
	fake_answer(
		&machine, PROBE_ASK_SYSTEM, "limits",
		"nofile 1048576 1048576\nnproc unlimited unlimited\nmemlock unlimited unlimited\ncore 0 0\n",
		PROBE_END_OK, 0);
	expect(&machine, "limits", PROBE_OK, "LIMIT_OPEN_FILES", "1048576");

	expect(&machine, "debug-variables", PROBE_OK, NULL, NULL);
	fake_env(&machine, "ASCEND_LAUNCH_BLOCKING", "0");
	fake_env(&machine, "ASCEND_GLOBAL_LOG_LEVEL", "3");
	expect(&machine, "debug-variables", PROBE_OK, NULL, NULL);
	fake_env(&machine, "TASK_QUEUE_ENABLE", "0");
	fake_env(&machine, "TRITON_DEBUG", "1");
	expect(&machine, "debug-variables", PROBE_WARN, "DEBUG_VARIABLES",
	       "TASK_QUEUE_ENABLE=0\nTRITON_DEBUG=1");

	fake_file(&machine, "/usr/lib64/libc.so.6", "");
	expect(&machine, "system-library-dir", PROBE_WARN, "SYSTEM_LIBRARY_DIR", "/usr/lib64");
	fake_file(&machine, "/usr/lib/aarch64-linux-gnu/libc.so", "");
	expect(&machine, "system-library-dir", PROBE_OK, "SYSTEM_LIBRARY_DIR", "/usr/lib/aarch64-linux-gnu");
	fake_machine_release(&machine);
}

static void a_stale_build_is_told_from_a_build(void **state)
{
	(void)state;
	struct fake_machine machine;
	fake_machine_init(&machine);
	expect(&machine, "stale-build", PROBE_OK, NULL, NULL);
	fake_file(&machine, "./build/CMakeCache.txt",
		  "CMAKE_HOME_DIRECTORY:INTERNAL=/home/alice/src\nLLVM_DIR:PATH=/opt/llvm/lib/cmake/llvm\n");
	fake_file(&machine, "/home/alice/src/CMakeLists.txt", "");
	expect(&machine, "stale-build", PROBE_FAIL, "BUILD_GONE", "/opt/llvm/lib/cmake/llvm");
	fake_file(&machine, "/opt/llvm/lib/cmake/llvm/LLVMConfig.cmake", "");
	expect(&machine, "stale-build", PROBE_OK, "BUILD_LLVM", "/opt/llvm/lib/cmake/llvm");
	fake_answer(&machine, PROBE_ASK_SYSTEM, "folder", "/home/alice/copy", PROBE_END_OK, 0);
	expect(&machine, "stale-build", PROBE_WARN, NULL, NULL);
	fake_machine_release(&machine);
}

/* ---- All of them. ------------------------------------------------------------------------------------- */

static void every_probe_has_no_fault(void **state)
{
	(void)state;
	struct diag_list diags = {0};
	for (size_t i = 0; i < kb->probe_count; i++)
		probe_check(kb, kb->probes[i], &diags);
	if (diags.list.count > 0)
		fail_msg("%.*s", STR_ARG(diags.list.items[0].text));
	diag_release(&diags);
}

/* An empty machine, a machine of garbage: always a state and a sentence, never a crash. */
static void every_probe_survives_everything(void **state)
{
	(void)state;
	static const char *const garbage[] = {"",
					      "\n\n\n",
					      "\xff\xfe\x80 \x1b[2J",
					      "| | | |\n|||\n",
					      "错误：设备不可用\n",
					      "-1 -1 -1 -1\n= = =\n"};
	static const enum probe_end ends[] = {PROBE_END_OK,     PROBE_END_STATUS, PROBE_END_TIMEOUT,
					      PROBE_END_DENIED, PROBE_END_SIGNAL, PROBE_END_ERROR};
	static const char *const tools[] = {
		"npu-smi", "clang", "clang++",           "ld.lld",        "cmake", "ninja", "gcc",
		"python3", "hivmc", "bishengir-compile", "bishengir-opt", "conda"};
	for (size_t g = 0; g < 6; g++) {
		struct fake_machine machine;
		fake_machine_init(&machine);
		for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
			static const char *const arguments[] = {"info", "--version", "-dumpfullversion"};
			char path[64], argv[128];
			snprintf(path, sizeof(path), "/t/%s", tools[i]);
			fake_which(&machine, tools[i], path);
			for (size_t a = 0; a < 3; a++) {
				snprintf(argv, sizeof(argv), "%s %s", path, arguments[a]);
				fake_answer(&machine, PROBE_ASK_COMMAND, argv, garbage[g], ends[g], 9);
			}
		}
		fake_file(&machine, "/proc/meminfo", garbage[g]);
		fake_file(&machine, NEW_CANN "/aarch64-linux/ascend_toolkit_install.info", garbage[g]);
		fake_file(&machine, "/usr/local/Ascend/driver/version.info", garbage[g]);
		fake_env(&machine, "LD_LIBRARY_PATH", garbage[g]);
		fake_env(&machine, "HCCL_IF_BASE_PORT", garbage[g]);
		for (size_t i = 0; i < kb->probe_count; i++) {
			struct probe_result result = {0};
			probe_execute(kb, kb->probes[i], &machine.host, &result);
			assert_true(result.detail.in[LANG_ZH].size > 0);
			assert_true(result.detail.in[LANG_EN].size > 0);
			assert_int_not_equal(result.state, PROBE_UNTRUSTED);
			probe_result_release(&result);
		}
		assert_int_equal(machine.relative, 0);
		fake_machine_release(&machine);
	}
}

static void commands_of_an_untrusted_pack_are_not_run(void **state)
{
	(void)state;
	struct fake_machine machine;
	with_npu_smi(&machine, "npu-smi-910b.txt");
	machine.host.no_commands = true;
	expect(&machine, "npu", PROBE_UNTRUSTED, NULL, NULL);
	expect(&machine, "free-port", PROBE_FAIL, NULL, NULL); /* reads only: is run */
	assert_int_equal(machine.commands, 0);
	fake_machine_release(&machine);
}

static void results_survive_the_pipe(void **state)
{
	(void)state;
	struct fake_machine machine;
	with_npu_smi(&machine, "npu-smi-910b.txt");
	struct probe_result result = run(&machine, "npu-processes"), copy = {0};
	result.ms = 1234;
	probe_result_copy(&copy, &result);
	assert_int_equal(copy.state, result.state);
	assert_int_equal(copy.ms, 1234);
	assert_int_equal(copy.value_count, result.value_count);
	assert_true(str_equal(copy.excerpt, result.excerpt));
	has_value(&copy, "NPU_PROCESS_COUNT", "2");

	struct buf bytes = {0};
	probe_result_encode(&result, &bytes);
	for (size_t size = 0; size < bytes.size; size++)
		assert_false(probe_result_decode(str_slice(buf_str(&bytes), 0, size), &copy));
	bytes.data[0] ^= 1;
	assert_false(probe_result_decode(buf_str(&bytes), &copy));
	buf_release(&bytes);
	probe_result_release(&copy);
	probe_result_release(&result);
	fake_machine_release(&machine);
}

static void results_become_facts(void **state)
{
	(void)state;
	struct fake_machine machine;
	struct facts *facts = facts_new();
	with_npu_smi(&machine, "npu-smi-910b.txt");
	const struct probe *probe = kb_probe(kb, STR("npu"));
	struct probe_result result = run(&machine, "npu");
	probe_result_to_facts(probe, &result, facts);
	const struct fact *card = facts_best(facts, STR("CARD_ID"));
	assert_non_null(card);
	assert_true(str_equal(card->value, STR("0")));
	assert_int_equal(card->source, FACT_PROBE);
	assert_true(str_equal(card->origin, STR("npu")));
	assert_true(str_equal(facts_best(facts, STR("NPU_ID"))->value, STR("0"))); /* the first of 0, 1 */

	struct probe_result nothing = {0};
	probe_result_to_facts(probe, &nothing, facts);
	assert_null(facts_best(facts, STR("CARD_ID")));
	facts_free(facts);
	probe_result_release(&result);
	fake_machine_release(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(npu_smi_in_all_layouts),
		cmocka_unit_test(npu_health_is_told),
		cmocka_unit_test(npu_processes_in_both_layouts),
		cmocka_unit_test(npu_smi_that_fails_is_not_no_npu),
		cmocka_unit_test(without_npu_smi_the_bus_is_looked_at),
		cmocka_unit_test(driver_and_firmware),
		cmocka_unit_test(device_nodes),
		cmocka_unit_test(cann_in_both_layouts),
		cmocka_unit_test(cann_that_is_not_right),
		cmocka_unit_test(an_empty_variable_is_not_this_folder),
		cmocka_unit_test(what_is_sourced_against_what_is_installed),
		cmocka_unit_test(tools_and_their_versions),
		cmocka_unit_test(tools_that_are_missing),
		cmocka_unit_test(llvm_and_its_parts),
		cmocka_unit_test(npuir_in_path_and_not),
		cmocka_unit_test(packages_are_read_from_metadata),
		cmocka_unit_test(an_editable_install_is_found),
		cmocka_unit_test(triton_and_triton_ascend_clash),
		cmocka_unit_test(triton_backends_are_complete_or_not),
		cmocka_unit_test(conda_and_pip),
		cmocka_unit_test(hccl_variables_against_their_legal_values),
		cmocka_unit_test(hccl_variables_that_exclude_each_other),
		cmocka_unit_test(the_npu_port_range),
		cmocka_unit_test(ports_and_their_holders),
		cmocka_unit_test(the_interface_that_hccl_takes),
		cmocka_unit_test(the_host),
		cmocka_unit_test(a_stale_build_is_told_from_a_build),
		cmocka_unit_test(every_probe_has_no_fault),
		cmocka_unit_test(every_probe_survives_everything),
		cmocka_unit_test(commands_of_an_untrusted_pack_are_not_run),
		cmocka_unit_test(results_survive_the_pipe),
		cmocka_unit_test(results_become_facts),
	};
	return cmocka_run_group_tests(tests, load, unload);
}
