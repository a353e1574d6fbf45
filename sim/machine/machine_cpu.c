// SPDX-License-Identifier: GPL-2.0-or-later
/* The processor, the hypervisor under it and the clocks. */
#include "machine_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "file_lines.h"

/* /proc/stat counts in ticks of USER_HZ, which is 100 everywhere. */
#define USER_TICK_MS 10u

/* Instructions that zero memory or are judged by clearing it, and the TSC. */
static const char *const features[] = {
	"rep_good", "erms",   "fsrm",         "fzrm",        "sse2", "avx2",
	"avx512f",  "clzero", "movdiri",      "movdir64b",   "clwb", "mops",
	"sve",      "zicboz", "constant_tsc", "nonstop_tsc",
};

/* Fields of the first processor in /proc/cpuinfo. */
struct cpuinfo {
	char vendor[16];
	char family[16];
	char model[16];
	char stepping[16];
	char name[96];
	char flags[FZ_LINE_BYTES];
	/* arm64 */
	char implementer[16];
	char variant[16];
	char part[16];
	char revision[16];
};

static bool cpuinfo_take(void *arg, char *line)
{
	struct cpuinfo *info = arg;
	const struct {
		const char *name;
		char *value;
		size_t cap;
	} fields[] = {
		{ "vendor_id", info->vendor, sizeof(info->vendor) },
		{ "cpu family", info->family, sizeof(info->family) },
		{ "model", info->model, sizeof(info->model) },
		{ "stepping", info->stepping, sizeof(info->stepping) },
		{ "model name", info->name, sizeof(info->name) },
		{ "flags", info->flags, sizeof(info->flags) },
		{ "Features", info->flags, sizeof(info->flags) },
		{ "isa", info->flags, sizeof(info->flags) },
		{ "CPU implementer", info->implementer,
		  sizeof(info->implementer) },
		{ "CPU variant", info->variant, sizeof(info->variant) },
		{ "CPU part", info->part, sizeof(info->part) },
		{ "CPU revision", info->revision, sizeof(info->revision) },
	};
	char *colon = strchr(line, ':');
	const char *value;

	if (!colon)
		return line[0] != '\0' || !info->flags[0];
	value = colon + 1 + strspn(colon + 1, " ");
	while (colon > line && (colon[-1] == '\t' || colon[-1] == ' '))
		colon--;
	*colon = '\0';
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strcmp(line, fields[i].name) == 0)
			snprintf(fields[i].value, fields[i].cap, "%s", value);
	}
	return true;
}

/* RISC-V joins its extensions with "_", x86 has that inside its names. */
static bool flags_have(const char *flags, const char *name)
{
	const char *const stops =
		strncmp(flags, "rv", strlen("rv")) == 0 ? " _" : " ";
	const size_t length = strlen(name);

	while (*flags) {
		const size_t part = strcspn(flags, stops);

		if (part == length && strncmp(flags, name, length) == 0)
			return true;
		flags += part;
		flags += strspn(flags, stops);
	}
	return false;
}

static void features_filter(const char *flags, char *text, size_t cap)
{
	size_t used = 0;

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		if (used < cap && flags_have(flags, features[i]))
			used += (size_t)snprintf(text + used, cap - used,
						 "%s%s", used ? " " : "",
						 features[i]);
	}
}

static void uarch_format(const struct cpuinfo *info, char *text, size_t cap)
{
	if (info->family[0])
		snprintf(text, cap, "%s %s/%s/%s", info->vendor, info->family,
			 info->model, info->stepping);
	else if (info->implementer[0])
		snprintf(text, cap, "%s %s/%s/%s", info->implementer,
			 info->part, info->variant, info->revision);
}

static const char *signature_name(const char *id)
{
	static const struct {
		const char *id;
		const char *name;
	} known[] = {
		{ "KVMKVMKVM", "kvm" },       { "Linux KVM Hv", "kvm" },
		{ "Microsoft Hv", "hyperv" }, { "VMwareVMware", "vmware" },
		{ "XenVMMXenVMM", "xen" },    { "bhyve bhyve ", "bhyve" },
		{ "TCGTCGTCGTCG", "tcg" },    { "ACRNACRNACRN", "acrn" },
		{ "VBoxVBoxVBox", "vbox" },   { " lrpepyh  vr", "parallels" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(known[i].id, id) == 0)
			return known[i].name;
	}
	return id;
}

static void hypervisor_read(const struct fz_hooks *hooks,
			    struct fz_machine *machine)
{
	char text[64] = "", id[FZ_HYPERVISOR_ID_BYTES] = "";

	if (fz_read_text(hooks, "/sys/hypervisor/type", text, sizeof(text)) <=
	    0) {
		hooks->hypervisor_id(hooks->state, id);
		snprintf(text, sizeof(text), "%s", signature_name(id));
	}
	/* arm64 guests have it in the device tree: "linux,kvm" */
	if (text[0] == '\0' &&
	    fz_read_text(hooks, "/proc/device-tree/hypervisor/compatible", text,
			 sizeof(text)) > 0 &&
	    strcmp(text, "linux,kvm") == 0)
		strcpy(text, "kvm");
	snprintf(machine->hypervisor, sizeof(machine->hypervisor), "%.31s",
		 text);
	if (text[0])
		machine->virtualised = true;
}

static bool stat_take(void *arg, char *line)
{
	uint64_t *steal_ms = arg;
	uint64_t steal;

	if (sscanf(line, "cpu %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &steal) ==
	    1)
		*steal_ms = steal * USER_TICK_MS;
	return false; /* the sum of all CPUs is the first line */
}

static void word_read(const struct fz_hooks *hooks, const char *path,
		      char *text, size_t cap)
{
	if (fz_read_text(hooks, path, text, cap) < 0)
		text[0] = '\0';
}

void fz_machine_read_cpu(const struct fz_hooks *hooks,
			 struct fz_machine *machine)
{
	struct cpuinfo info = { 0 };

	fz_file_lines(hooks, "/proc/cpuinfo", cpuinfo_take, &info);
	snprintf(machine->cpu, sizeof(machine->cpu), "%s", info.name);
	uarch_format(&info, machine->uarch, sizeof(machine->uarch));
	features_filter(info.flags, machine->features,
			sizeof(machine->features));
	machine->virtualised = flags_have(info.flags, "hypervisor");
	hypervisor_read(hooks, machine);
	word_read(hooks,
		  "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
		  machine->governor, sizeof(machine->governor));
	word_read(hooks,
		  "/sys/devices/system/clocksource/clocksource0/"
		  "current_clocksource",
		  machine->clocksource, sizeof(machine->clocksource));
#if defined(__x86_64__)
	strcpy(machine->clock, "tsc");
#elif defined(__aarch64__)
	strcpy(machine->clock, "cntvct");
#else
	strcpy(machine->clock, "clock_gettime");
#endif
	machine->steal_ms = UINT64_MAX;
	fz_file_lines(hooks, "/proc/stat", stat_take, &machine->steal_ms);
}
