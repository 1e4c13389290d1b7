# The libraries that are installed: libenuf, and libenuf_mpi, which calls libenuf and contains none of it.
#
# A shared one exports what its public headers declare (ENUF_API), under the version ENUF_0.1. libenuf
# exports also what libenuf_mpi calls (ENUF_PRIVATE), under ENUF_PRIVATE_0.1.0_HASH, where HASH is of the
# headers of the layers: the loader refuses a libenuf_mpi whose libenuf has other structures.
# A static one is an archive of one object, whose hidden functions are local: the linker takes all of it or
# nothing, so that -lenuf and -lenuf_mpi may stand in either order.
file(GLOB_RECURSE ENUF_SHARED_HEADERS CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/src/common/*.h" "${PROJECT_SOURCE_DIR}/nufft/*.h" "${PROJECT_SOURCE_DIR}/ewald/*.h")
list(FILTER ENUF_SHARED_HEADERS EXCLUDE REGEX "/ewald/mpi/")

# What the objects call: of those who link objects or a static library.
add_library(enuf_needs INTERFACE)
target_link_libraries(enuf_needs INTERFACE enuf_flags enuf_fft_needs OpenMP::OpenMP_C Threads::Threads m)
if(ENUF_WITH_CUDA)
  target_link_libraries(enuf_needs INTERFACE enuf_cuda_runtime)
endif()

# enuf_archive(name OBJECTS object...): the static library, for those who have to have it beside a shared one too.
function(enuf_archive name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "" "OBJECTS")
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    add_library(${name} STATIC ${library_OBJECTS})
    return()
  endif()
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  add_custom_command(OUTPUT "${object}"
    # without groups and without the names of CUDA's templates: another object may have the same ones
    COMMAND "${CMAKE_C_COMPILER}" -r -nostdlib -Wl,--force-group-allocation -o "${object}" ${library_OBJECTS}
    COMMAND "${CMAKE_OBJCOPY}" --wildcard --keep-global-symbol=enuf_* --localize-hidden "${object}"
    DEPENDS ${library_OBJECTS} COMMAND_EXPAND_LISTS VERBATIM)
  add_library(${name} STATIC "${object}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  string(REGEX REPLACE "\\$<TARGET_OBJECTS:([^>]*)>" "\\1" targets "${library_OBJECTS}")
  add_dependencies(${name} ${targets}) # the command above knows their files only
endfunction()

# enuf_library(name INCLUDES folder... OBJECTS object...): the installed library of that name; `folder` holds
# its public headers.
function(enuf_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "" "INCLUDES;OBJECTS")
  if(BUILD_SHARED_LIBS)
    add_library(${name} SHARED ${library_OBJECTS})
  else()
    enuf_archive(${name} OBJECTS ${library_OBJECTS})
  endif()
  # BUILD_INTERFACE: a static library is installed without naming our targets
  target_link_libraries(${name} PRIVATE "$<BUILD_INTERFACE:enuf_needs>")
  foreach(folder IN LISTS library_INCLUDES)
    target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${folder}>")
  endforeach()
  target_include_directories(${name} PUBLIC "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 1 INSTALL_RPATH "$ORIGIN")
  add_library(enuf::${name} ALIAS ${name})
  if(BUILD_SHARED_LIBS AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    enuf_export_versions(${name} ${library_INCLUDES})
  endif()
endfunction()

# The version script of a shared library, written when a header has changed.
function(enuf_export_versions name)
  set(map "${CMAKE_CURRENT_BINARY_DIR}/${name}.map")
  set(script "${PROJECT_SOURCE_DIR}/cmake/write_version_script.cmake")
  set(public "")
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${folder}/*.h")
    list(APPEND public ${headers})
  endforeach()
  set(private "")
  if(name MATCHES "^enuf(_wheel)?$")
    set(private ${ENUF_SHARED_HEADERS})
  endif()
  add_custom_command(OUTPUT "${map}"
    COMMAND "${CMAKE_COMMAND}" "-DMAP=${map}" "-DVERSION=${PROJECT_VERSION}" "-DPUBLIC=${public}"
      "-DPRIVATE=${private}" -P "${script}"
    DEPENDS ${public} ${private} "${script}" VERBATIM)
  target_sources(${name} PRIVATE "${map}")
  set_target_properties(${name} PROPERTIES LINK_DEPENDS "${map}")
  target_link_options(${name} PRIVATE "LINKER:--version-script=${map}"
    LINKER:-Bsymbolic-functions # its own calls are direct
    LINKER:-z,nodelete) # its threads outlive dlclose()
  if(NOT ENUF_SANITIZE)
    target_link_options(${name} PRIVATE LINKER:--no-undefined) # a forgotten source or ENUF_PRIVATE shows here
  endif()
endfunction()
