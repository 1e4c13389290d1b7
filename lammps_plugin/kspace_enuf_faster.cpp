/* kspace_enuf_faster.cpp - the line of the log about settings that would be faster.
 * SPDX-License-Identifier: GPL-2.0-only */
#include "kspace_enuf.h"

#include <error.h>
#include <force.h>
#include <modify.h>
#include <update.h>
#include <utils.h>

#include <cstdio>

using namespace LAMMPS_NS;

namespace enuf
{
namespace
{

/* A smaller gain is not worth a line: predictions err by as much. */
const double LEAST_GAIN = 0.05;

/* The plugin's style that takes the place of a pair style of LAMMPS; NULL: none. */
const char *counterpart(const std::string &pair_style)
{
    const struct {
        const char *theirs, *ours;
    } known[] = {{"coul/long", "coul/enuf"},
                 {"lj/cut/coul/long", "lj/cut/coul/enuf"},
                 {"lj/charmm/coul/long", "lj/charmm/coul/enuf"},
                 {"coul/long/kk", "coul/enuf/kk"},
                 {"lj/cut/coul/long/kk", "lj/cut/coul/enuf/kk"}};
    for (const auto &one : known)
        if (pair_style == one.theirs) return one.ours;
    return nullptr;
}

} // namespace

/* Changes options to what may be faster; returns its name in the input, empty if nothing can be
 * changed. Settings that are wishes stay: deterministic, a grid, gewald. */
std::string KSpaceEnuf::faster_options(enuf_ewald_options *o) const
{
    std::string named;
    auto add = [&](const std::string &name) { named += (named.empty() ? "" : ", ") + name; };
    const bool takes_prolate = modify->get_compute_by_style("^group/group").empty() &&
                               !gewaldflag && !utils::strmatch(update->integrate_style, "^respa");
    if (takes_prolate && splitting_.kind == ENUF_SPLIT_GAUSSIAN) {
        const char *ours = counterpart(force->pair_style);
        if (ours) add(std::string("pair_style ") + ours + " with split prolate");
        if (all_pairs_are_ours()) add("split prolate");
        if (!named.empty()) o->split = ENUF_SPLIT_PROLATE;
    }
    if (keywords_.arithmetic == ENUF_ARITHMETIC_DOUBLE && !keywords_.deterministic) {
        o->arithmetic = ENUF_ARITHMETIC_BY_ACCURACY;
        add("precision auto");
    }
    if (keywords_.window != ENUF_WINDOW_PROLATE) {
        o->window = ENUF_WINDOW_PROLATE;
        add("window prolate");
    }
    return named;
}

/* Collective. Predictions are by the cost model, so that all runs and all numbers of tasks have the
 * same line. They are made once for the same settings, cutoff and accuracy. */
void KSpaceEnuf::find_faster(const enuf_ewald_options &present)
{
    enuf_ewald_options o = present;
    const std::string named = qsqsum == 0 ? "" : faster_options(&o);
    if (advice_.settings == named && advice_.cutoff == splitting_.cutoff &&
        advice_.accuracy == accuracy)
        return;
    advice_ = {named, splitting_.cutoff, accuracy, ""};
    if (named.empty()) return;
    double cell[9], seconds = 0;
    current_cell(cell);
    Evaluator other(world, *sites_);
    // an error, such as too little memory for a second mesh, only leaves out the line
    enuf_status status = other.create(o);
    if (status == ENUF_SUCCESS) status = other.set_system(cell);
    if (status == ENUF_SUCCESS) status = other.tune(keywords_.calibrate == Choice::yes);
    if (status == ENUF_SUCCESS) status = other.predict_seconds(&seconds);
    const double part = seconds / seconds_predicted_;
    if (status != ENUF_SUCCESS || !(part < 1 - LEAST_GAIN)) return;
    char text[64];
    std::snprintf(text, sizeof text, ", kspace part %.2g of this (predicted)", part);
    advice_.line = named + text;
}

} // namespace enuf
