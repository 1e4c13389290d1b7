/* launcher.c - the executable of the program in the wheel. SPDX-License-Identifier: BSD-3-Clause */
#include "program_main.h"

int main(int argc, char **argv)
{
    return enuf_program_main(argc, argv);
}
