/*
 * mesh_on_device.h - lets callers with arrays on the host use a mesh whose arrays are in device
 * memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TESTS_MPI_MESH_ON_DEVICE_H
#define TESTS_MPI_MESH_ON_DEVICE_H

#include "mpi/mesh/reciprocal.h"

/** `table` with arrays copied to the device and back; one table at a time. */
enuf_reciprocal_table mesh_from_host(const enuf_reciprocal_table *table);

#endif
