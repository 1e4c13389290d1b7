# The GPU backends and the MPI layer. This version has neither: a stub stands in the place of the
# GPU backends. What is found is said, so that nobody takes the CPU's times for a GPU's.
set_property(CACHE ENUF_CUDA ENUF_MPI PROPERTY STRINGS AUTO ON OFF)

function(enuf_say_absent option part found)
  if(${option} STREQUAL "ON")
    message(WARNING "${option}=ON, but this version of enuf has no ${part} yet (${found}). "
      "It is built without; `enuf info` says what is usable.")
  elseif(NOT ${option} STREQUAL "OFF")
    message(STATUS "No ${part} in this version (${found})")
  endif()
endfunction()

if(NOT ENUF_CUDA STREQUAL "OFF")
  find_program(ENUF_NVCC nvcc PATHS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)
  mark_as_advanced(ENUF_NVCC)
  if(ENUF_NVCC)
    enuf_say_absent(ENUF_CUDA "GPU backend" "nvcc is at ${ENUF_NVCC}")
  else()
    enuf_say_absent(ENUF_CUDA "GPU backend" "nvcc was not found either")
  endif()
endif()

if(NOT ENUF_MPI STREQUAL "OFF")
  find_program(ENUF_MPICC mpicc)
  mark_as_advanced(ENUF_MPICC)
  if(ENUF_MPICC)
    enuf_say_absent(ENUF_MPI "MPI layer" "mpicc is at ${ENUF_MPICC}")
  else()
    enuf_say_absent(ENUF_MPI "MPI layer" "mpicc was not found either")
  endif()
endif()
