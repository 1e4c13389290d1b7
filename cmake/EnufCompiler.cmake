# Flags of every target of ours: enuf_flags (warnings are errors) and enuf_kernel_flags (inner loops on
# CPUs: fused multiply-add where there is one, no traps).
set(checked OFF) # another compiler's new warning must not stop somebody who only wants to build
if((CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION MATCHES "^12\\.")
    OR (CMAKE_C_COMPILER_ID STREQUAL "Clang" AND CMAKE_C_COMPILER_VERSION MATCHES "^14\\."))
  set(checked ON)
endif()
option(ENUF_WERROR "Warnings are errors (default: with the compilers this is checked with)" ${checked})
set(ENUF_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")

add_library(enuf_flags INTERFACE)
target_compile_options(enuf_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  -fno-math-errno
  $<$<COMPILE_LANGUAGE:C>:-fno-semantic-interposition>) # calls of exported functions inline too
if(ENUF_WERROR)
  target_compile_options(enuf_flags INTERFACE -Werror)
endif()
if(ENUF_SANITIZE)
  target_compile_options(enuf_flags INTERFACE -fsanitize=${ENUF_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(enuf_flags INTERFACE -fsanitize=${ENUF_SANITIZE})
endif()
option(ENUF_FUZZ "Build the fuzz targets (clang)" OFF)
if(ENUF_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "ENUF_FUZZ=ON needs clang (apt-get install clang): the compiler here is "
      "${CMAKE_C_COMPILER}. `make fuzz` takes clang by itself")
  endif()
  target_compile_options(enuf_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

add_library(enuf_kernel_flags INTERFACE)
target_compile_options(enuf_kernel_flags INTERFACE -O3 -ffp-contract=fast -fno-trapping-math)
if(ENUF_FUZZ) # kernels read no text, and instrumented they take clang many minutes
  target_compile_options(enuf_kernel_flags INTERFACE -fno-sanitize=all)
endif()
if(ENUF_ARCH)
  target_compile_options(enuf_kernel_flags INTERFACE -march=${ENUF_ARCH})
endif()
