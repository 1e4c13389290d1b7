# Flags of every target of ours: enuf_flags (warnings are errors) and enuf_kernel_flags (the CPU
# kernels: vector instructions of the machine, fused multiply-add, no errno).
option(ENUF_WERROR "Warnings are errors" ON)
set(ENUF_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")

add_library(enuf_flags INTERFACE)
target_compile_options(enuf_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -fno-math-errno)
if(ENUF_WERROR)
  target_compile_options(enuf_flags INTERFACE -Werror)
endif()
if(ENUF_SANITIZE)
  target_compile_options(enuf_flags INTERFACE -fsanitize=${ENUF_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(enuf_flags INTERFACE -fsanitize=${ENUF_SANITIZE})
endif()

add_library(enuf_kernel_flags INTERFACE)
target_compile_options(enuf_kernel_flags INTERFACE -O3 -ffp-contract=fast -fno-trapping-math)
if(ENUF_ARCH)
  target_compile_options(enuf_kernel_flags INTERFACE -march=${ENUF_ARCH})
endif()
