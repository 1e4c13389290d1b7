/* false_library.c - what test_shared_library.c loads. SPDX-License-Identifier: BSD-3-Clause */
int enuf_false_seven(void);

int enuf_false_seven(void)
{
    return 7;
}
