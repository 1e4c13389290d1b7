# gemmi (CIF) and the C++ compiler that it takes: the target enuf_gemmi where both are found. Only the
# program needs them. gemmi's headers are enough; versions that bring a library have it linked.
set_property(CACHE ENUF_GEMMI PROPERTY STRINGS AUTO ON OFF)
if(NOT ENUF_CLI OR ENUF_GEMMI STREQUAL "OFF")
  return()
endif()

include(CheckLanguage)
check_language(CXX)
find_path(GEMMI_INCLUDE_DIR gemmi/cif.hpp)
find_path(PEGTL_INCLUDE_DIR tao/pegtl.hpp)
find_library(GEMMI_LIBRARY gemmi_cpp)
mark_as_advanced(GEMMI_INCLUDE_DIR PEGTL_INCLUDE_DIR GEMMI_LIBRARY)
if(CMAKE_CXX_COMPILER AND GEMMI_INCLUDE_DIR)
  enable_language(CXX)
  include(CheckCXXSourceCompiles)
  set(CMAKE_CXX_STANDARD 17)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_REQUIRED_INCLUDES "${GEMMI_INCLUDE_DIR}")
  if(PEGTL_INCLUDE_DIR) # gemmi from its own source brings PEGTL with it
    list(APPEND CMAKE_REQUIRED_INCLUDES "${PEGTL_INCLUDE_DIR}")
  endif()
  if(GEMMI_LIBRARY)
    set(CMAKE_REQUIRED_LIBRARIES "${GEMMI_LIBRARY}")
  endif()
  check_cxx_source_compiles([[
    #include <gemmi/cif.hpp>
    #include <gemmi/small.hpp>
    int main() {
      gemmi::cif::Document document = gemmi::cif::read_string("data_a _b c");
      return document.blocks.empty() || !gemmi::find_spacegroup_by_name("P 1");
    }]] ENUF_GEMMI_WORKS)
  if(ENUF_GEMMI_WORKS)
    add_library(enuf_gemmi INTERFACE)
    target_include_directories(enuf_gemmi SYSTEM INTERFACE ${CMAKE_REQUIRED_INCLUDES})
    target_link_libraries(enuf_gemmi INTERFACE ${CMAKE_REQUIRED_LIBRARIES})
  endif()
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

if(NOT TARGET enuf_gemmi)
  if(ENUF_GEMMI STREQUAL "ON")
    message(FATAL_ERROR "ENUF_GEMMI=ON, but gemmi and a C++17 compiler were not found: "
      "apt-get install g++ gemmi-dev tao-pegtl-dev")
  endif()
  message(STATUS "No gemmi: enuf reads no CIF (apt-get install gemmi-dev tao-pegtl-dev)")
endif()
