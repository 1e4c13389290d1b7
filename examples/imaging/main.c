/*
 * main.c - imaging: images from radial and spiral samples of k-space, by gridding and by conjugate
 * gradients, on the public interface of the library alone. docs/images.md shows it.
 *
 *     mkdir heart
 *     imaging simulate heart --phantom heart --trajectory golden --frames 8 --coils 8 --reduction 4
 *     imaging reconstruct heart --method cg
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "commands.h"

int main(int n_words, char **words)
{
    static void (*const commands[COMMAND_COUNT])(const settings *) = {
        [COMMAND_SIMULATE] = command_simulate,
        [COMMAND_RECONSTRUCT] = command_reconstruct,
        [COMMAND_TABLE] = command_table,
        [COMMAND_PICTURES] = command_pictures,
    };
    const settings s = settings_read(n_words, words);
    commands[s.command](&s);
    return 0;
}
