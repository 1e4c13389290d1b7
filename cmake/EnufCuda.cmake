# The GPU backends: ENUF_CUDA AUTO builds them where nvcc, its C++ compiler and cuFFT's header are
# found, ON says what is missing, OFF leaves them out. Sets ENUF_WITH_CUDA.
#
# The CUDA runtime is linked statically and cuFFT loaded when a plan asks for it, so that an enuf with
# GPU support runs on machines that have neither: `enuf info` says what is missing there.
set_property(CACHE ENUF_CUDA PROPERTY STRINGS AUTO ON OFF)
set(ENUF_CUDA_ARCHITECTURES "" CACHE STRING
  "GPU architectures, e.g. 80 (A100) or 90 (H100, H200; newer ones compile its PTX); empty: those of the GPUs here, or \
90 where there are none; all: 80, 86, 89, 90, and 100, 120 from CUDA 12.8 on, for releases")
set(ENUF_WITH_CUDA OFF)
set(ENUF_CUDA_LEAST_VERSION 12.4) # the oldest that it was compiled with: Debian 13 has it

# The architectures that nvcc knows, sm_80 ..., in `known`.
function(enuf_known_gpus known)
  set(nvcc "$ENV{CUDACXX}")
  if(CMAKE_CUDA_COMPILER)
    set(nvcc "${CMAKE_CUDA_COMPILER}")
  endif()
  execute_process(COMMAND "${nvcc}" --list-gpu-code OUTPUT_VARIABLE list ERROR_QUIET)
  set(${known} "${list}" PARENT_SCOPE)
endfunction()

# All GPUs, for releases, and PTX for others.
function(enuf_all_gpus architectures)
  set(found "80-real;86-real;89-real;90")
  enuf_known_gpus(known)
  foreach(architecture 100 120)
    if(known MATCHES "sm_${architecture}[^0-9]")
      list(APPEND found ${architecture}-real)
    endif()
  endforeach()
  set(${architectures} "${found}" PARENT_SCOPE)
endfunction()

# The architectures of the GPUs of this machine, in `architectures`; 90, whose PTX newer GPUs compile, if there are none,
# and for GPUs that nvcc does not know.
function(enuf_gpus_here architectures)
  set(found "")
  find_program(ENUF_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(ENUF_NVIDIA_SMI)
  if(ENUF_NVIDIA_SMI)
    execute_process(COMMAND "${ENUF_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE capabilities ERROR_QUIET TIMEOUT 20)
    enuf_known_gpus(known)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${capabilities}")
    foreach(capability IN LISTS capabilities)
      string(REPLACE "." "" architecture "${capability}")
      if(architecture LESS 80) # the backend refuses it
        continue()
      elseif(known MATCHES "sm_${architecture}[^0-9]")
        list(APPEND found ${architecture})
      else()
        list(APPEND found 90)
      endif()
    endforeach()
    list(REMOVE_DUPLICATES found)
  endif()
  if(NOT found)
    set(found 90)
  endif()
  set(${architectures} "${found}" PARENT_SCOPE)
endfunction()

# ENUF_CUDA_MISSING: what is not here and how to get it; empty where all is.
macro(enuf_find_cuda)
  set(ENUF_CUDA_MISSING "")
  find_program(ENUF_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin"
    PATHS /usr/local/cuda/bin)
  mark_as_advanced(ENUF_NVCC)
  if(NOT ENUF_NVCC AND NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    set(ENUF_CUDA_MISSING "nvcc was found neither in PATH nor in $CUDA_HOME/bin nor in \
/usr/local/cuda/bin: install the CUDA toolkit (developer.nvidia.com/cuda-downloads), or name nvcc by \
-DCMAKE_CUDA_COMPILER=")
  else()
    if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
      set(ENV{CUDACXX} "${ENUF_NVCC}") # what check_language() asks
    endif()
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES) # before the language, which would choose one itself
      if(ENUF_CUDA_ARCHITECTURES STREQUAL "all")
        enuf_all_gpus(CMAKE_CUDA_ARCHITECTURES)
      elseif(ENUF_CUDA_ARCHITECTURES STREQUAL "")
        enuf_gpus_here(CMAKE_CUDA_ARCHITECTURES)
      else()
        set(CMAKE_CUDA_ARCHITECTURES "${ENUF_CUDA_ARCHITECTURES}")
      endif()
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    if(NOT CMAKE_CUDA_COMPILER)
      set(ENUF_CUDA_MISSING "nvcc (${ENUF_NVCC}) compiles nothing: it wants a C++ compiler that it \
knows (apt-get install g++, or name one by -DCMAKE_CUDA_HOST_COMPILER=)")
    else()
      if(NOT CUDAToolkit_ROOT) # the compiler's own, where several are installed
        get_filename_component(CUDAToolkit_ROOT "${CMAKE_CUDA_COMPILER}" DIRECTORY)
        get_filename_component(CUDAToolkit_ROOT "${CUDAToolkit_ROOT}" DIRECTORY)
      endif()
      find_package(CUDAToolkit QUIET)
      find_path(ENUF_CUFFT_INCLUDE_DIR cufftXt.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
      mark_as_advanced(ENUF_CUFFT_INCLUDE_DIR)
      if(NOT TARGET CUDA::cudart_static)
        set(ENUF_CUDA_MISSING "the CUDA toolkit of ${CMAKE_CUDA_COMPILER} lacks libcudart_static.a \
(package cuda-cudart-dev)")
      elseif(NOT ENUF_CUFFT_INCLUDE_DIR)
        set(ENUF_CUDA_MISSING "the CUDA toolkit of ${CMAKE_CUDA_COMPILER} lacks cuFFT's headers \
(package libcufft-dev)")
      elseif(CUDAToolkit_VERSION VERSION_LESS ENUF_CUDA_LEAST_VERSION)
        set(ENUF_CUDA_MISSING "the CUDA toolkit of ${CMAKE_CUDA_COMPILER} is version \
${CUDAToolkit_VERSION}: ${ENUF_CUDA_LEAST_VERSION} or newer is needed")
      endif()
    endif()
  endif()
endmacro()

if(NOT ENUF_CUDA STREQUAL "OFF")
  enuf_find_cuda()
  if(NOT ENUF_CUDA_MISSING)
    set(ENUF_WITH_CUDA ON)
  elseif(ENUF_CUDA STREQUAL "ON")
    message(FATAL_ERROR "ENUF_CUDA=ON, but ${ENUF_CUDA_MISSING}")
  else()
    message(STATUS "No GPU backend: ${ENUF_CUDA_MISSING}")
  endif()
endif()
if(NOT ENUF_WITH_CUDA)
  return()
endif()

enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
message(STATUS "GPU backend: CUDA ${CUDAToolkit_VERSION} for architectures "
  "${CMAKE_CUDA_ARCHITECTURES} (-DENUF_CUDA=OFF builds without)")

# Where cuFFT stood when this was built: looked into last when it is loaded.
get_target_property(ENUF_CUDA_LIBRARY_DIR CUDA::cudart_static IMPORTED_LOCATION)
get_filename_component(ENUF_CUDA_LIBRARY_DIR "${ENUF_CUDA_LIBRARY_DIR}" DIRECTORY)

set(ENUF_CUDA_PRIVATE_LIBS # of pkg-config, for a static libenuf
  "-L${ENUF_CUDA_LIBRARY_DIR} -lcudart_static -ldl -lrt -lpthread -lstdc++")

# Flags of the CUDA files; the C files beside them have enuf_flags.
add_library(enuf_cuda_flags INTERFACE)
set(host_flags -Wall,-Wextra,-Wshadow,-fno-gnu-unique)
if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13) # Thrust before catches exceptions
  string(APPEND host_flags ,-fno-exceptions)
endif()
target_compile_options(enuf_cuda_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_flags}>")
if(ENUF_WERROR)
  target_compile_options(enuf_cuda_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>")
endif()

# What C files need to call the CUDA runtime.
add_library(enuf_cuda_runtime INTERFACE)
target_include_directories(enuf_cuda_runtime SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS}
  "${ENUF_CUFFT_INCLUDE_DIR}")
target_link_libraries(enuf_cuda_runtime INTERFACE CUDA::cudart_static)

# enuf_cuda_objects(name KERNELS file.cu... HOST file.c... [INCLUDES folder...] [LINKS target...]
# [REGISTRY property]): the objects of a GPU backend, registered like those of every layer.
function(enuf_cuda_objects name)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "REGISTRY" "INCLUDES;LINKS;KERNELS;HOST")
  if(NOT part_REGISTRY)
    set(part_REGISTRY ENUF_OBJECTS)
  endif()
  add_library(${name}_kernels OBJECT ${part_KERNELS})
  target_link_libraries(${name}_kernels PRIVATE enuf_cuda_flags)
  add_library(${name} OBJECT ${part_HOST})
  target_link_libraries(${name} PRIVATE enuf_flags OpenMP::OpenMP_C)
  foreach(target ${name} ${name}_kernels)
    target_link_libraries(${target} PRIVATE enuf_cuda_runtime ${part_LINKS})
    target_include_directories(${target} PRIVATE ${part_INCLUDES})
    set_property(GLOBAL APPEND PROPERTY ${part_REGISTRY} $<TARGET_OBJECTS:${target}>)
  endforeach()
  string(REPLACE ";" ", " architectures "${CMAKE_CUDA_ARCHITECTURES}")
  target_compile_definitions(${name} PRIVATE "ENUF_CUDA_BUILT_FOR=\"${architectures}\""
    "ENUF_CUDA_LIBRARY_DIR=\"${ENUF_CUDA_LIBRARY_DIR}\"")
endfunction()
