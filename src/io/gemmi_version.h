/*
 * gemmi_version.h - which gemmi reads CIF. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_GEMMI_VERSION_H
#define ENUF_GEMMI_VERSION_H

/** Version of gemmi, e.g. "0.5.7"; NULL where enuf is built without, and enuf_read_cif() says so.
 */
const char *enuf_gemmi_version(void);

#endif
