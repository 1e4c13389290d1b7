# The MPI layer. This version has none; what is found is said, so that nobody takes one process's times
# for those of many.
set_property(CACHE ENUF_MPI PROPERTY STRINGS AUTO ON OFF)

function(enuf_say_absent option part found)
  if(${option} STREQUAL "ON")
    message(WARNING "${option}=ON, but this version of enuf has no ${part} yet (${found}). "
      "It is built without; `enuf info` says what is usable.")
  elseif(NOT ${option} STREQUAL "OFF")
    message(STATUS "No ${part} in this version (${found})")
  endif()
endfunction()

if(NOT ENUF_MPI STREQUAL "OFF")
  find_program(ENUF_MPICC mpicc)
  mark_as_advanced(ENUF_MPICC)
  if(ENUF_MPICC)
    enuf_say_absent(ENUF_MPI "MPI layer" "mpicc is at ${ENUF_MPICC}")
  else()
    enuf_say_absent(ENUF_MPI "MPI layer" "mpicc was not found either")
  endif()
endif()
