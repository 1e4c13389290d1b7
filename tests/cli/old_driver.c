/*
 * old_driver.c - libcuda.so.1 of a driver that serves CUDA 11.4 only, as the CUDA runtime sees it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);

int cuInit(unsigned flags)
{
    (void)flags;
    return 0;
}

int cuDriverGetVersion(int *version)
{
    *version = 11040;
    return 0;
}
