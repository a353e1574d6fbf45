// SPDX-License-Identifier: GPL-2.0-or-later
/* The fluids of all nodes. */
#include "bus.h"

#include <errno.h>
#include <stdlib.h>

int fz_bus_open(struct fz_bus *bus, unsigned int nr_nodes, double bps)
{
	int rc = 0;

	bus->nr_nodes = 0;
	bus->nodes = calloc(nr_nodes, sizeof(*bus->nodes));
	if (!bus->nodes)
		return -ENOMEM;
	while (!rc && bus->nr_nodes < nr_nodes) {
		rc = fz_fluid_open(&bus->nodes[bus->nr_nodes], bps);
		bus->nr_nodes += !rc;
	}
	return rc;
}

void fz_bus_fini(struct fz_bus *bus)
{
	for (unsigned int i = 0; i < bus->nr_nodes; i++)
		fz_fluid_close(bus->nodes[i]);
	free(bus->nodes);
	*bus = (struct fz_bus){ 0 };
}

int fz_bus_class(struct fz_bus *bus, double cap_bps, double cost)
{
	int class = -ENOSPC;

	for (unsigned int i = 0; i < bus->nr_nodes; i++)
		class = fz_fluid_class(bus->nodes[i], cap_bps, cost);
	return class;
}

uint64_t fz_bus_next(const struct fz_bus *bus, unsigned int *node)
{
	uint64_t first_ns = UINT64_MAX;

	*node = 0;
	for (unsigned int i = 0; i < bus->nr_nodes; i++) {
		const uint64_t ns = fz_fluid_next(bus->nodes[i]);

		if (ns >= first_ns)
			continue;
		first_ns = ns;
		*node = i;
	}
	return first_ns;
}

double fz_bus_bytes(const struct fz_bus *bus, uint64_t now_ns)
{
	double bytes = 0;

	for (unsigned int i = 0; i < bus->nr_nodes; i++)
		bytes += fz_fluid_bus_bytes(bus->nodes[i], now_ns);
	return bytes;
}
