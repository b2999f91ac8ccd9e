/*
 * kb_probe: how the definition of an environment probe looks in the knowledge base (part of kb.h).
 *
 * A probe reads and never changes anything. It finds paths, reads sources, takes values out of what was
 * read, and judges the values. C knows only the general kinds of source below; every fact about Ascend is
 * in content/probes.yaml.
 */
#ifndef CORE_KB_PROBE_H
#define CORE_KB_PROBE_H

#include "base/diag.h"
#include "core/text.h"

/* To be completed by the probe module: see core/probe.h. */
struct probe {
	struct str id;
	struct text title;
	struct str entry; /* what to read when it fails */
	struct location where;
};

#endif
