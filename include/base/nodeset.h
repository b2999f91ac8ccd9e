/*
 * nodeset: names of hosts folded as Slurm and ClusterShell write them: node[07-09,12].
 *
 * Names that differ in their last number alone are one set; leading zeros are kept, so that node7 and node07
 * are two hosts.
 */
#ifndef BASE_NODESET_H
#define BASE_NODESET_H

#include "base/buf.h"

/* Append the names, each once, in natural order: sets separated by commas. `names` is put in order. */
void nodeset_fold(struct str *names, size_t count, struct buf *out);

#endif
