/* main.c - the program enuf. SPDX-License-Identifier: BSD-3-Clause */
#include "commands.h"
#include "completion.h"
#include "error.h"
#include "manual_page.h"
#include "messages.h"
#include "options.h"
#include "ranks.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const cli_command_entry commands[] = {
    {CLI_ENERGY, "energy", "enuf energy", "FILE ...",
     "Coulomb energy, forces and virial of the ions in files, frame by frame", cli_energy},
    {CLI_MADELUNG, "madelung", "enuf madelung", "STRUCTURE|FILE", "Madelung constant of a crystal",
     cli_madelung},
    {CLI_TUNE, "tune", "enuf tune", "FILE",
     "parameters for the ions in a file: error, predicted and measured time", cli_tune},
    {CLI_STRUCTURE_FACTOR, "structure-factor", "enuf structure-factor", "FILE",
     "structure factors of the ions in a file, at wave vectors or over shells",
     cli_structure_factor},
    {CLI_PLAN, "plan", "enuf plan", "--modes N,N,N --points P",
     "the fastest method of a non-uniform FFT for modes, points and a tolerance", cli_plan},
    {CLI_BENCH, "bench", "enuf bench", "",
     "speed of this machine: transforms, FFTs, pairs, whole Ewald sums", cli_bench},
    {CLI_INFO, "info", "enuf info", "", "version, backends, devices, libraries", cli_info},
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static const char about_input[] =
    "FILE: LAMMPS data or dump, extended XYZ (column charge or q), POSCAR, CIF, PDB or GRO;\n"
    "- is standard input. "
    "Lengths are in the file's units.\n";

static const char about_structures[] =
    "STRUCTURE: a name from enuf madelung --list; lengths are then in d, energies in e^2/d.\n";

static void print_help(void)
{
    puts("enuf: Ewald electrostatics through a non-uniform FFT\n\n"
         "Usage: enuf COMMAND [OPTION ...]\n\nCommands");
    for (int c = 0; c < N_COMMANDS; ++c) printf("  %-17s %s\n", commands[c].name, commands[c].what);
    puts("\nenuf COMMAND --help lists its options; enuf --version prints the version.\n"
         "enuf --man writes the manual page, enuf --completion bash|zsh|fish the shell's "
         "completion.\n"
         "Exit status: 0 success; 2 wrong input, explained in one line on stderr; 1 a fault of "
         "enuf.");
}

static void print_command_help(const cli_command_entry *command)
{
    printf("Usage: %s %s%s[OPTION ...]\n\n%c%s.\n", command->full_name, command->arguments,
           *command->arguments ? " " : "", toupper(command->what[0]), command->what + 1);
    if (command->bit == CLI_MADELUNG) printf("%s", about_structures);
    if (strstr(command->arguments, "FILE")) printf("%s", about_input);
    cli_options_help(command->bit, stdout);
}

static cli_exit run(const cli_command_entry *command, int n_words, char **words)
{
    cli_settings settings;
    cli_settings_init(command->bit, &settings);
    settings.name = command->full_name;
    const enuf_status status = cli_options_parse(n_words, words, &settings);
    if (status) return cli_fail(settings.name, status);
    /* other commands run on one rank only */
    const int for_ranks = command->bit == CLI_ENERGY || command->bit == CLI_TUNE;
    if (cli_rank() > 0 && (settings.help || !for_ranks)) return CLI_SUCCESS;
    if (!settings.help) return command->run(&settings);
    print_command_help(command);
    return cli_flush_stdout(settings.name);
}

static cli_exit write_completion(const char *shell)
{
    const enuf_status status = cli_completion(shell, commands, N_COMMANDS, stdout);
    return status ? cli_fail("enuf", status) : cli_flush_stdout("enuf");
}

/*
 * Opens closed standard streams. Otherwise the next opened file would get the number of a closed
 * stream, and a warning would go into this file. stdin is opened for writing, stdout and stderr for
 * reading, so that their use fails as before. Returns whether stdout was open.
 */
static int hold_standard_streams(void)
{
    int stdout_open = 1;
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
        if (fcntl(file, F_GETFD) >= 0) continue;
        if (file == STDOUT_FILENO) stdout_open = 0;
        if (open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) != file)
            _exit(CLI_MENDABLE);
    }
    return stdout_open;
}

static cli_exit run_words(int n_words, char **words)
{
    const char *word = n_words > 1 ? words[1] : "";
    for (int c = 0; c < N_COMMANDS; ++c)
        if (strcmp(word, commands[c].name) == 0) return run(&commands[c], n_words - 2, words + 2);
    if (cli_rank() > 0) return CLI_SUCCESS;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        print_help();
        return cli_flush_stdout("enuf");
    }
    if (strcmp(word, "--version") == 0) {
        printf("enuf %s\n", enuf_version());
        return cli_flush_stdout("enuf");
    }
    if (strcmp(word, "--man") == 0) {
        cli_manual_page(commands, N_COMMANDS, stdout);
        return cli_flush_stdout("enuf");
    }
    if (strcmp(word, "--completion") == 0) return write_completion(n_words > 2 ? words[2] : "");
    const char *what = !*word         ? "no command given"
                       : *word == '-' ? "unknown option "
                                      : "unknown command ";
    enuf_status status = enuf_fail(ENUF_BAD_ARGUMENT, "%s%.60s (see enuf --help)", what, word);
    return cli_fail("enuf", status);
}

int main(int n_words, char **words)
{
    if (!hold_standard_streams())
        return cli_fail("enuf", enuf_fail(ENUF_IO, "standard output is closed"));
    signal(SIGXFSZ, SIG_IGN); /* the write then fails with the reason "file too large" */
    const enuf_status status = cli_ranks_begin();
    const cli_exit code = status ? cli_fail("enuf", status) : run_words(n_words, words);
    cli_ranks_end(); /* waits: a rank that ends early would end rank 0 before it prints */
    return code;
}
