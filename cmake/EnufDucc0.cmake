# DUCC0's FFT (Max Planck Society; its FFT is BSD-3-Clause). ENUF_DUCC0 is the folder of its sources, or `fetch`: the
# build then takes them from PyPI. Sets ENUF_WITH_DUCC0; the target is enuf_ducc0.
set(ENUF_WITH_DUCC0 OFF)

# The command that takes the sources from PyPI into the build folder, while configuring or building
set(ENUF_DUCC0_RELEASE 0.42.0)
set(ENUF_DUCC0_FETCHED "${PROJECT_BINARY_DIR}/ducc0-${ENUF_DUCC0_RELEASE}")
set(ENUF_DUCC0_FETCH "${CMAKE_COMMAND}" "-DSOURCES=${ENUF_DUCC0_FETCHED}" "-DURL=https://files.pythonhosted.org/packages/\
d0/28/e2b293b1744a63dd61465fdefe1b15d1d9bdbf6ff72fca4cb2f629084a14/ducc0-${ENUF_DUCC0_RELEASE}.tar.gz"
  -DSHA256=4e11c59b53a43355b053aebb2a62ee16eebeed026575f7d216cf09d437ce52ef -P "${CMAKE_CURRENT_LIST_DIR}/fetch_ducc0.cmake")

# enuf_ducc0_library(name folder version): the target whose headers are DUCC0's in the folder
function(enuf_ducc0_library name folder version)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE "${folder}/src")
  target_compile_definitions(${name} INTERFACE "ENUF_DUCC0_VERSION=\"${version}\"")
endfunction()

if(NOT ENUF_DUCC0)
  if(NOT ENUF_FFTW)
    message(FATAL_ERROR "ENUF_FFTW=OFF leaves the CPU without FFTs: -DENUF_DUCC0=fetch takes those of DUCC0, "
      "-DENUF_DUCC0=FOLDER those of sources that are here")
  endif()
  return()
endif()

include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  message(FATAL_ERROR "ENUF_DUCC0=${ENUF_DUCC0}, but no C++ compiler was found (apt-get install g++)")
endif()
enable_language(CXX)
set(folder "${ENUF_DUCC0}")
if(ENUF_DUCC0 STREQUAL "fetch")
  execute_process(COMMAND ${ENUF_DUCC0_FETCH} COMMAND_ERROR_IS_FATAL ANY)
  set(folder "${ENUF_DUCC0_FETCHED}")
endif()
foreach(file IN ITEMS src/ducc0/fft/fft1d_impl.h pyproject.toml)
  if(NOT EXISTS "${folder}/${file}")
    message(FATAL_ERROR "ENUF_DUCC0=${ENUF_DUCC0}, but there is no ${folder}/${file}: name the folder of DUCC0's "
      "sources, or `fetch`")
  endif()
endforeach()
file(STRINGS "${folder}/pyproject.toml" version REGEX "^version = " LIMIT_COUNT 1)
string(REGEX REPLACE "[^0-9.]" "" version "${version}")
set(ENUF_WITH_DUCC0 ON)
message(STATUS "FFTs of DUCC0 ${version}: ${folder}")

enuf_ducc0_library(enuf_ducc0 "${folder}" ${version})
