# Kernels for CPUs are compiled once for each instruction set, and chosen at run time (src/common/isa.c).
#
# ENUF_KERNEL_SETS: the sets of this build, the best last. ENUF_ARCH names one -march instead: the kernels
# then run on such processors only.
if(ENUF_ARCH)
  set(ENUF_KERNEL_SETS native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(ENUF_KERNEL_SETS x86_64 x86_64_v3 x86_64_v4)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(ENUF_KERNEL_SETS aarch64)
else()
  set(ENUF_KERNEL_SETS native)
endif()
set(ENUF_KERNEL_SETS_LIST "")
foreach(set IN LISTS ENUF_KERNEL_SETS)
  string(TOUPPER "${set}" name)
  string(APPEND ENUF_KERNEL_SETS_LIST " X(${name}, ${set}, __VA_ARGS__)")
  add_library(enuf_kernel_set_${set} INTERFACE)
  target_link_libraries(enuf_kernel_set_${set} INTERFACE enuf_kernel_flags)
  target_compile_definitions(enuf_kernel_set_${set} INTERFACE ENUF_KERNEL_SET=${set})
endforeach()
foreach(set IN ITEMS x86_64_v3 x86_64_v4)
  if(TARGET enuf_kernel_set_${set})
    string(REPLACE "x86_64_v" "-march=x86-64-v" march ${set})
    target_compile_options(enuf_kernel_set_${set} INTERFACE ${march})
  endif()
endforeach()

# enuf_kernel_set(name SET set OBJECTS target... [REGISTRY property]): one object of the objects of these libraries, in
# which only names that end in the set's are global: other sets have functions of the same names. It has no groups, of
# which the linker would keep one for all sets. It is registered in a global property, that of libenuf unless given.
function(enuf_kernel_set name)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "SET;REGISTRY" "OBJECTS")
  if(NOT part_REGISTRY)
    set(part_REGISTRY ENUF_OBJECTS)
  endif()
  list(TRANSFORM part_OBJECTS REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  list(LENGTH ENUF_KERNEL_SETS sets)
  if(sets EQUAL 1)
    set_property(GLOBAL APPEND PROPERTY ${part_REGISTRY} ${objects})
    return()
  endif()
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  add_custom_command(OUTPUT "${object}"
    COMMAND "${CMAKE_C_COMPILER}" -r -nostdlib -Wl,--force-group-allocation -o "${object}" ${objects}
    COMMAND "${CMAKE_OBJCOPY}" --wildcard "--keep-global-symbol=*_${part_SET}" "${object}"
    DEPENDS ${objects} COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name}_object DEPENDS "${object}")
  add_dependencies(${name}_object ${part_OBJECTS}) # the command above knows their files only
  add_library(${name} OBJECT IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_OBJECTS "${object}")
  add_dependencies(${name} ${name}_object)
  set_property(GLOBAL APPEND PROPERTY ${part_REGISTRY} $<TARGET_OBJECTS:${name}>)
endfunction()
