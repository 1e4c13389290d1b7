# The MPI layer: ENUF_MPI AUTO builds it where an MPI is found, ON says what is missing, OFF leaves it
# out. Sets ENUF_WITH_MPI; the target is MPI::MPI_C. -DMPI_C_COMPILER= names one of several.
set_property(CACHE ENUF_MPI PROPERTY STRINGS AUTO ON OFF)
set(ENUF_WITH_MPI OFF)
if(ENUF_MPI STREQUAL "OFF")
  return()
endif()

find_package(MPI QUIET COMPONENTS C)
if(MPI_C_FOUND AND MPI_C_VERSION VERSION_LESS 3.0)
  set(missing "the MPI of ${MPI_C_COMPILER} is of version ${MPI_C_VERSION} of the standard: 3.0 or newer is needed")
elseif(MPI_C_FOUND)
  set(ENUF_WITH_MPI ON)
  message(STATUS "MPI layer: ${MPI_C_COMPILER}, MPI ${MPI_C_VERSION} (-DENUF_MPI=OFF builds without)")
else()
  set(missing "no MPI was found: install one (apt-get install openmpi-bin libopenmpi-dev), or name its \
compiler by -DMPI_C_COMPILER=")
endif()
if(NOT ENUF_WITH_MPI)
  if(ENUF_MPI STREQUAL "ON")
    message(FATAL_ERROR "ENUF_MPI=ON, but ${missing}")
  endif()
  message(STATUS "No MPI layer: ${missing}")
endif()
