/*
 * gemmi_version.h - version of gemmi. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_GEMMI_VERSION_H
#define ENUF_GEMMI_VERSION_H

/** Version of gemmi, e.g. "0.5.7"; NULL in a build without gemmi. */
const char *enuf_gemmi_version(void);

#endif
