/* keywords.cpp - reads the style's keywords. SPDX-License-Identifier: GPL-2.0-only */
#include "keywords.h"

#include <error.h>
#include <lammps.h>
#include <utils.h>

#include <string>

using namespace LAMMPS_NS;

namespace enuf
{
namespace
{

struct Arguments {
    LAMMPS *lmp;
    const std::string command;
    int n;
    char **at; /* [n]: keyword, then its values */
};

/* A value that has a name in the library. */
template <class Value>
void name(const Arguments &args, enuf_status (*parse)(const char *, Value *), Value *value)
{
    if (parse(args.at[1], value) != ENUF_SUCCESS)
        args.lmp->error->all(FLERR, "{}: {}: {}", args.command, args.at[0], enuf_last_error());
}

/* A value of this style: one of three names. */
template <class Value> struct Named {
    const char *name;
    Value value;
};

template <class Value>
void one_of(const Arguments &args, const Named<Value> (&known)[3], Value *value)
{
    for (const auto &one : known)
        if (args.at[1] == std::string(one.name)) {
            *value = one.value;
            return;
        }
    args.lmp->error->all(FLERR, "{}: {} is '{}': it has to be {}, {} or {}", args.command,
                         args.at[0], args.at[1], known[0].name, known[1].name, known[2].name);
}

const Named<Choice> choices[] = {
    {"auto", Choice::automatic}, {"yes", Choice::yes}, {"no", Choice::no}};

void read_backend(const Arguments &args, Keywords *k)
{
    name(args, enuf_backend_parse, &k->backend);
}
void read_precision(const Arguments &args, Keywords *k)
{
    const Named<enuf_arithmetic> known[] = {{"auto", ENUF_ARITHMETIC_BY_ACCURACY},
                                            {"double", ENUF_ARITHMETIC_DOUBLE},
                                            {"mixed", ENUF_ARITHMETIC_MIXED}};
    one_of(args, known, &k->arithmetic);
}
void read_split(const Arguments &args, Keywords *k)
{
    name(args, enuf_split_parse, &k->split);
}
void read_window(const Arguments &args, Keywords *k)
{
    name(args, enuf_window_parse, &k->window);
}
void read_grid(const Arguments &args, Keywords *k)
{
    for (int d = 0; d < 3; d++) {
        k->grid[d] = utils::inumeric(FLERR, args.at[1 + d], false, args.lmp);
        if (k->grid[d] < 0)
            args.lmp->error->all(FLERR,
                                 "{}: grid is {}: it has to be more than 0, or 0 0 0 for the "
                                 "one that the accuracy asks for",
                                 args.command, k->grid[d]);
    }
}
void read_deterministic(const Arguments &args, Keywords *k)
{
    k->deterministic = utils::logical(FLERR, args.at[1], false, args.lmp) == 1;
}
void read_calibrate(const Arguments &args, Keywords *k)
{
    one_of(args, choices, &k->calibrate);
}
void read_measure(const Arguments &args, Keywords *k)
{
    k->measure = utils::bnumeric(FLERR, args.at[1], false, args.lmp);
    if (k->measure < 0)
        args.lmp->error->all(FLERR,
                             "{}: measure is {}: it has to be a number of steps, or 0 for "
                             "never",
                             args.command, k->measure);
}
void read_early(const Arguments &args, Keywords *k)
{
    one_of(args, choices, &k->early);
}
void read_gather(const Arguments &args, Keywords *k)
{
    const Named<Gather> known[] = {
        {"auto", Gather::automatic}, {"none", Gather::none}, {"first", Gather::first}};
    one_of(args, known, &k->gather);
}

const struct {
    const char *name;
    int values;
    void (*read)(const Arguments &, Keywords *);
} known[] = {
    {"backend", 1, read_backend},     {"precision", 1, read_precision},
    {"split", 1, read_split},         {"window", 1, read_window},
    {"grid", 3, read_grid},           {"deterministic", 1, read_deterministic},
    {"calibrate", 1, read_calibrate}, {"measure", 1, read_measure},
    {"early", 1, read_early},         {"gather", 1, read_gather},
};

} // namespace

/* The window is the library's default. */
Keywords::Keywords()
{
    enuf_ewald_options defaults;
    enuf_ewald_options_init(&defaults);
    window = defaults.window;
}

int Keywords::read(LAMMPS *lmp, const char *command, int narg, char **args)
{
    const std::string modify = "enuf/", given = args[0];
    const bool prefixed = given.compare(0, modify.size(), modify) == 0;
    const Arguments arguments = {lmp, command, narg, args};
    std::string names;
    for (const auto &keyword : known) {
        names += (names.empty() ? "" : ", ") + std::string(keyword.name);
        if (given != keyword.name && !(prefixed && given.substr(modify.size()) == keyword.name))
            continue;
        if (narg <= keyword.values)
            lmp->error->all(FLERR, "{}: {} needs {} value{}", command, given, keyword.values,
                            keyword.values > 1 ? "s" : "");
        keyword.read(arguments, this);
        return 1 + keyword.values;
    }
    lmp->error->all(FLERR,
                    "{}: unknown keyword '{}': kspace_style enuf takes {}; kspace_modify the "
                    "same after enuf/",
                    command, given, names);
    return 0;
}

} // namespace enuf
