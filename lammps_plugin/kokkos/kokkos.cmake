# kspace_style enuf/kk, for a LAMMPS whose build folder, LAMMPS_BUILD, was configured with PKG_KOKKOS. No release
# installs the headers of KOKKOS: they come from source tree and build folder. Kokkos' functions are those of liblammps.
# Sets kokkos_sources, and kokkos_objects, which is compiled as that LAMMPS was: by nvcc where Kokkos has CUDA.
#
# SPDX-License-Identifier: GPL-2.0-only
set(kokkos_sources kokkos/no_kokkos.cpp)
set(kokkos_objects "")

# what the build folder was configured with, empty if nothing
function(of_lammps variable name)
  set(value "")
  if(LAMMPS_BUILD)
    file(STRINGS "${LAMMPS_BUILD}/CMakeCache.txt" lines REGEX "^${name}:[A-Z]*=")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[^=]*=" "" value "${line}")
    endforeach()
  endif()
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

of_lammps(has_kokkos PKG_KOKKOS)
if(NOT has_kokkos)
  return()
endif()

of_lammps(shared BUILD_SHARED_LIBS)
if(NOT shared)
  message(FATAL_ERROR "${LAMMPS_BUILD} has KOKKOS in a static LAMMPS, whose plugins do not find Kokkos: configure it \
with -D BUILD_SHARED_LIBS=ON")
endif()

# Kokkos: the copy in LAMMPS' tree, one that its build has fetched, or an installed one
of_lammps(external EXTERNAL_KOKKOS)
of_lammps(fetched DOWNLOAD_KOKKOS)
if(external)
  of_lammps(Kokkos_DIR Kokkos_DIR)
  set(kokkos_includes "${Kokkos_DIR}/../../../include")
elseif(fetched)
  set(kokkos_includes "${LAMMPS_BUILD}/kokkos_build-prefix/include")
else()
  set(kokkos_tree "${LAMMPS_INCLUDE}/../lib/kokkos")
  set(kokkos_includes "${LAMMPS_BUILD}/lib/kokkos" "${kokkos_tree}/core/src" "${kokkos_tree}/containers/src"
    "${kokkos_tree}/algorithms/src" "${kokkos_tree}/simd/src" "${kokkos_tree}/tpls/desul/include"
    "${LAMMPS_BUILD}/lib/kokkos/core/src" "${kokkos_tree}/tpls/mdspan/include")
endif()
find_file(KOKKOS_CONFIG KokkosCore_config.h PATHS ${kokkos_includes} NO_DEFAULT_PATH NO_CACHE)
if(NOT KOKKOS_CONFIG)
  message(FATAL_ERROR "${LAMMPS_BUILD} has KOKKOS, but no KokkosCore_config.h is in ${kokkos_includes}: build that \
LAMMPS first")
endif()
file(STRINGS "${KOKKOS_CONFIG}" kokkos_defines REGEX "^#define KOKKOS_")

# whether Kokkos was configured with a feature
function(kokkos_has variable feature)
  set(${variable} OFF PARENT_SCOPE)
  if(kokkos_defines MATCHES "#define KOKKOS_${feature}([ ;]|$)")
    set(${variable} ON PARENT_SCOPE)
  endif()
endfunction()

foreach(feature HIP SYCL OPENMPTARGET OPENACC HPX THREADS)
  kokkos_has(found ENABLE_${feature})
  if(found)
    message(FATAL_ERROR "the KOKKOS of ${LAMMPS_BUILD} has ${feature}; enuf/kk knows Serial, OpenMP and CUDA")
  endif()
endforeach()
kokkos_has(kokkos_cuda ENABLE_CUDA)
kokkos_has(kokkos_openmp ENABLE_OPENMP)
kokkos_has(kokkos_cxx20 ENABLE_CXX20)
kokkos_has(relocatable ENABLE_CUDA_RELOCATABLE_DEVICE_CODE)
if(relocatable)
  message(FATAL_ERROR "the KOKKOS of ${LAMMPS_BUILD} has relocatable device code, which a plugin cannot join: \
configure it with -D Kokkos_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE=OFF")
endif()
get_directory_property(with_cuda DIRECTORY .. DEFINITION ENUF_WITH_CUDA)
if(kokkos_cuda AND NOT with_cuda)
  message(FATAL_ERROR "the KOKKOS of ${LAMMPS_BUILD} has CUDA: enuf needs its GPU backend beside it (nvcc; not \
CUDA=OFF)")
endif()

set(kokkos_definitions LMP_KOKKOS)
of_lammps(precision KOKKOS_PREC) # since LAMMPS of September 2025
set(precision_DOUBLE DOUBLE_DOUBLE)
set(precision_MIXED SINGLE_DOUBLE)
set(precision_SINGLE SINGLE_SINGLE)
if(precision)
  list(APPEND kokkos_definitions LMP_KOKKOS_${precision_${precision}})
endif()
of_lammps(layout KOKKOS_LAYOUT)
if(layout)
  list(APPEND kokkos_definitions LMP_KOKKOS_LAYOUT_${layout})
endif()

set(kokkos_files kokkos/styles_kokkos.cpp kokkos/kspace_enuf_kokkos.cpp kokkos/sites_kokkos.cpp
  kokkos/pair_enuf_kokkos.cpp)
add_library(enuf_kokkos OBJECT ${kokkos_files})
set(kokkos_standard 17)
if(kokkos_cxx20)
  set(kokkos_standard 20)
endif()
set_target_properties(enuf_kokkos PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
  CXX_STANDARD ${kokkos_standard} CXX_STANDARD_REQUIRED ON)
target_include_directories(enuf_kokkos SYSTEM PRIVATE "${LAMMPS_INCLUDE}" "${LAMMPS_INCLUDE}/KOKKOS" ${kokkos_includes}
  ${MPI_CXX_INCLUDE_DIRS})
target_include_directories(enuf_kokkos PRIVATE ../ewald/mpi/include
  $<TARGET_PROPERTY:enuf,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(enuf_kokkos PRIVATE ${kokkos_definitions})
if(kokkos_cuda)
  enable_language(CUDA)
  set_source_files_properties(${kokkos_files} PROPERTIES LANGUAGE CUDA)
  # KOKKOS_ARCH_HOPPER90
  string(REGEX MATCH "KOKKOS_ARCH_(VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL)([0-9]+)" found "${kokkos_defines}")
  set_target_properties(enuf_kokkos PROPERTIES CUDA_ARCHITECTURES "${CMAKE_MATCH_2}" CUDA_VISIBILITY_PRESET hidden
    CUDA_STANDARD ${kokkos_standard} CUDA_STANDARD_REQUIRED ON)
  target_compile_options(enuf_kokkos PRIVATE --extended-lambda --expt-relaxed-constexpr)
elseif(kokkos_openmp)
  target_compile_options(enuf_kokkos PRIVATE -fopenmp)
endif()
set(kokkos_sources $<TARGET_OBJECTS:enuf_kokkos>)
set(kokkos_objects enuf_kokkos)
