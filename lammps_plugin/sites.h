/*
 * sites.h - the charges of this task's atoms: where they are, and where results are added. Charges
 * of LAMMPS' own arrays are in charge_sites.h, those of KOKKOS' views in kokkos/.
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENUF_SITES_H
#define ENUF_SITES_H

#include <pointers.h>

#include <cstddef>
#include <cstdint>

namespace enuf
{

class Sites : protected LAMMPS_NS::Pointers
{
  public:
    explicit Sites(LAMMPS_NS::LAMMPS *lmp) : Pointers(lmp)
    {
    }
    Sites(const Sites &) = delete;
    Sites &operator=(const Sites &) = delete;

    /** Reads what the styles of this run say of the charges. */
    virtual void init() = 0;
    /** Whether charges are at other places than atoms. */
    virtual bool tip4p() const = 0;
    /** Reads positions of atoms instead of sites: before a run hydrogens on other tasks are not
     * known. */
    virtual void collect_atoms() = 0;
    /** Reads the sites of this task's atoms; ends the run if one is not finite. */
    virtual void collect() = 0;
    /** Whether the sites that were read are still those of the atoms. */
    virtual bool is_current() = 0;

    /** Number of sites that were read. */
    virtual std::int64_t n() const = 0;
    /** [n][3] in the memory that the library's object was made for; never NULL. */
    virtual const double *positions() const = 0;
    /** [n] in the memory of positions(); never NULL. */
    virtual const double *charges() const = 0;
    /** The same on the host. */
    virtual const double *charges_on_host() const = 0;
    /** Another number whenever n or a charge has changed. */
    std::int64_t version_of_charges() const
    {
        return version_;
    }

    /** Room for `numbers` results of one kind, ENUF_WANT_..., in the memory of positions(). It
     * stays until it is asked for again. */
    virtual double *room(int kind, std::size_t numbers) = 0;
    /** The results in the room of a kind, for the host to read. */
    virtual const double *on_host(int kind) = 0;

    /** Adds `scale` times the forces in their room, x and y only or all, to those of the atoms. */
    virtual void add_forces(int directions, double scale) = 0;
    /** The same with energies of atoms, and with their virials. */
    virtual void add_atom_energy(double scale, double *eatom) = 0;
    virtual void add_atom_virial(double scale, double **vatom) = 0;

    /** Bytes of all arrays. */
    virtual double memory_usage() const = 0;

  protected:
    void charges_have_changed()
    {
        version_++;
    }
    /** Ends the run if position or charge of this task's atom i is not finite. */
    void refuse_infinite(int i, const double position[3], double charge) const;

  private:
    std::int64_t version_ = 0;
};

} // namespace enuf
#endif
