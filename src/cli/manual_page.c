/* manual_page.c - see manual_page.h. SPDX-License-Identifier: BSD-3-Clause */
#include "manual_page.h"

#include "crystals.h"
#include "options.h"

#include <ctype.h>
#include <string.h>

/* Date of the text below and of the tables. The day of the build would change the page with every
 * build. */
#define PAGE_DATE "2026-11-23"

static const char about[] =
    ".SH DESCRIPTION\n"
    "Energy, forces and virial of charges in a periodic cell, by Ewald sums\n"
    "whose reciprocal part goes through non\\-uniform fast Fourier transforms\n"
    "(the ENUF method).\n"
    "One number requests the accuracy.\n"
    "The program predicts the error, and measures it on request.\n"
    ".PP\n"
    "Options stand anywhere after the command, as\n"
    ".BI \\-\\-name\\~ value\n"
    "or\n"
    ".BI \\-\\-name= value\\fR.\n"
    "If an option is given twice, the last value counts;\n"
    ".B \\-\\-\n"
    "ends the options.\n"
    ".PP\n"
    ".BR \"enuf \\-\\-version\" ,\n"
    ".B enuf \\-\\-help\n"
    "and\n"
    ".BI enuf\\~ COMMAND\\~ \\-\\-help\n"
    "print versions and help;\n"
    ".B enuf \\-\\-man\n"
    "writes this page, and\n"
    ".BI enuf\\~\\-\\-completion\\~ SHELL\n"
    "the completion of bash, zsh or fish.\n";

static const char input[] = ".SH INPUT\n"
                            "The format of\n"
                            ".I FILE\n"
                            "is found by name and content, or given by\n"
                            ".BR \\-\\-format ;\n"
                            ".B \\-\n"
                            "is the standard input.\n"
                            "Charges come from the file or from\n"
                            ".BR \\-\\-charge .\n"
                            "Lengths on the command line are in the file\\(aqs units.\n"
                            "A net charge is neutralised by a uniform background, with a warning.\n"
                            ".PP\n"
                            ".I STRUCTURE\n"
                            "is one of";

static const char structures[] = ",\n"
                                 "or another name that\n"
                                 ".B enuf madelung \\-\\-list\n"
                                 "prints, in upper or lower case.\n"
                                 "Lengths are then in d, the length that the constant refers to,\n"
                                 "and energies in e\\(ha2/d.\n"
                                 "A structure has precedence over a file of the same name;\n"
                                 "for the file write\n"
                                 ".IR ./nacl .\n";

static const char rest[] =
    ".SH FILES\n"
    ".TP\n"
    ".IB FILE . PID .0.part\n"
    "An output file while it is written, on file systems without nameless files.\n"
    "It gets its own name when it is complete,\n"
    "and is removed when a signal ends the program.\n"
    ".TP\n"
    ".IR NAME .csv\n"
    "The numbers that\n"
    ".BI \\-\\-plot\\~ NAME .png\n"
    "draws.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n"
    ".B ENUF_ISA\n"
    "Instruction set of the kernels on the CPU: x86-64, x86-64-v3 or x86-64-v4;\n"
    "default: the best one of the processor.\n"
    ".TP\n"
    ".B ENUF_FP64\n"
    "slow or full: the rate of double precision that kernels on the GPU are chosen for;\n"
    "default: that of the GPU, as\n"
    ".B enuf info\n"
    "says.\n"
    ".TP\n"
    ".B OMP_NUM_THREADS\n"
    "Number of threads without\n"
    ".BR \\-\\-threads ;\n"
    "default: all cores.\n"
    ".TP\n"
    ".B OMP_PROC_BIND\\fR, \\fBOMP_PLACES\n"
    "Places where threads run, as OpenMP defines them.\n"
    ".TP\n"
    ".B PATH\n"
    "Where\n"
    ".B \\-\\-plot\n"
    "looks for\n"
    ".BR gnuplot (1).\n"
    "Without it only the numbers are written.\n"
    ".SH \"EXIT STATUS\"\n"
    ".TP\n"
    ".B 0\n"
    "Success, warnings included.\n"
    ".TP\n"
    ".B 1\n"
    "A fault of enuf or of a library below it.\n"
    ".TP\n"
    ".B 2\n"
    "Wrong options, files or values, too little memory, or no GPU.\n"
    "One line on the standard error explains it; no output file is left.\n"
    ".SH EXAMPLES\n"
    ".TP\n"
    ".B enuf madelung fluorite\n"
    "The Madelung constant of fluorite, to 13 digits.\n"
    ".TP\n"
    ".B enuf energy water.data \\-\\-exclude molecule \\-\\-forces forces.xyz\n"
    "Energy of a box of water without the pairs inside molecules; forces into a file.\n"
    ".TP\n"
    ".B enuf energy salt.xyz \\-\\-charge Na=1 \\-\\-charge Cl=\\-1 \\-\\-accuracy 1e\\-8 "
    "\\-\\-json\n"
    "Charges by element, a smaller error, a report for programs.\n"
    ".TP\n"
    ".B enuf energy slab.xyz \\-\\-slab 3 \\-\\-measure\\-error 100\n"
    "A system periodic along a and b only; 100 atoms are compared with exact sums.\n"
    ".TP\n"
    ".B enuf tune water.data \\-\\-accuracy 1e\\-5\n"
    "The parameters that serve, with predicted error and measured time.\n"
    ".TP\n"
    ".B enuf madelung nacl \\-\\-sweep\\-alpha 0.4:2.2:37 \\-\\-plot sweep.png\n"
    "The constant against the splitting parameter, as numbers and as a picture.\n"
    ".TP\n"
    ".B enuf structure\\-factor salt.xyz \\-\\-weights numbers \\-\\-sphere 12:300 \\-\\-plot "
    "powder.svg\n"
    "Means of |S|\\(S2 over shells of wave vectors, as X\\-rays see a powder of point atoms.\n"
    ".SH \"SEE ALSO\"\n"
    ".BR gnuplot (1)\n"
    ".PP\n"
    "docs/cli.md (the keys of\n"
    ".BR \\-\\-json ),\n"
    "docs/conventions.md (signs, units, what accuracy means)\n"
    "and docs/theory.md in the sources;\n"
    "the headers enuf/ewald.h and enuf/nufft.h are the manual of the library.\n";

/* A line that begins with . or ' is a request in man(7). No line here does: all begin with a word.
 * */
static void write_text(const char *text, int length, FILE *out)
{
    for (int i = 0; i < length; ++i) {
        switch (text[i]) {
        case '-':
            fputs("\\-", out);
            break;
        case '\\':
            fputs("\\e", out);
            break;
        case '^':
            fputs("\\(ha", out);
            break;
        case '~':
            fputs("\\(ti", out);
            break;
        case '\'':
            fputs("\\(aq", out);
            break;
        case '`':
            fputs("\\(ga", out);
            break;
        default:
            fputc(text[i], out);
        }
    }
}

static void write_word(const char *text, FILE *out)
{
    write_text(text, (int)strlen(text), out);
}

static void write_command(const cli_command_entry *command, FILE *out)
{
    fprintf(out, ".SS \"%s%s", command->full_name, *command->arguments ? " " : "");
    write_word(command->arguments, out);
    fprintf(out, "\"\n%c", toupper(command->what[0]));
    write_word(command->what + 1, out);
    fprintf(out, ".\n");
}

/* "energy, madelung" */
static void write_names(unsigned set, const cli_command_entry *commands, int n_commands, FILE *out)
{
    const char *comma = "";
    for (int c = 0; c < n_commands; ++c) {
        if (!(commands[c].bit & set)) continue;
        fprintf(out, "%s%s", comma, commands[c].name);
        comma = ", ";
    }
}

static void write_help(const char *text, FILE *out)
{
    for (;;) {
        const int length = (int)strcspn(text, "\n");
        write_text(text, length, out);
        fputc('\n', out);
        if (!text[length]) return;
        text += length + 1;
    }
}

static void write_option(const cli_option *option, const cli_option *heading,
                         const cli_command_entry *commands, int n_commands, FILE *out)
{
    fprintf(out, ".TP\n.B \\-\\-");
    write_word(option->name, out);
    if (option->argument) {
        fprintf(out, "\\~\\fI");
        write_word(option->argument, out);
        fprintf(out, "\\fR");
    }
    if (option->commands != heading->commands) {
        fprintf(out, "\\fR\\ \\ (");
        write_names(option->commands, commands, n_commands, out);
        fputc(')', out);
    }
    fputc('\n', out);
    write_help(option->help, out);
    if (!option->choices) return;
    fprintf(out, ".RS\n");
    for (const cli_choice *choice = option->choices; choice->name; ++choice) {
        fprintf(out, ".TP\n.B ");
        write_word(choice->name, out);
        fputc('\n', out);
        write_word(choice->help, out);
        fputc('\n', out);
    }
    fprintf(out, ".RE\n");
}

static void write_options(const cli_command_entry *commands, int n_commands, FILE *out)
{
    unsigned every = 0;
    for (int c = 0; c < n_commands; ++c) every |= commands[c].bit;
    fprintf(out, ".SH OPTIONS\n"
                 "The commands that take an option are named where it or its group begins.\n");
    const cli_option *heading = NULL, *option = NULL;
    while ((option = cli_options_next(every, option))) {
        if (option->name) {
            write_option(option, heading, commands, n_commands, out);
            continue;
        }
        heading = option;
        fprintf(out, ".SS \"");
        write_word(option->help, out);
        fprintf(out, " (");
        write_names(option->commands, commands, n_commands, out);
        fprintf(out, ")\"\n");
    }
}

void cli_manual_page(const cli_command_entry *commands, int n_commands, FILE *out)
{
    fprintf(out,
            ".\\\" enuf.1 - the manual page of enuf. Written by `enuf \\-\\-man`.\n"
            ".\\\" SPDX-License-Identifier: BSD-3-Clause\n"
            ".TH ENUF 1 %s \"enuf %s\" \"User Commands\"\n"
            ".SH NAME\n"
            "enuf \\- Ewald electrostatics through a non\\-uniform FFT\n"
            ".SH SYNOPSIS\n"
            ".B enuf\n"
            ".I COMMAND\n"
            ".RI [ OPTION\\~ .\\|.\\|.]\n",
            PAGE_DATE, enuf_version());
    fputs(about, out);
    fprintf(out, ".SH COMMANDS\n");
    for (int c = 0; c < n_commands; ++c) write_command(&commands[c], out);
    fputs(input, out);
    for (int c = 0; c < enuf_crystal_count(); ++c) /* lines of six names stay short */
        fprintf(out, "%s%c%s", c ? "," : "", c % 6 ? ' ' : '\n', enuf_crystal_at(c)->name);
    fputs(structures, out);
    write_options(commands, n_commands, out);
    fputs(rest, out);
}
