# make install: the library, its public headers, and what other projects find it with: find_package(enuf)
# and pkg-config. The program is installed where it is made. A component is a package of EnufPackage.cmake.
include(CMakePackageConfigHelpers)

install(TARGETS enuf EXPORT enuf-targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(DIRECTORY src/common/include/enuf nufft/include/enuf ewald/include/enuf
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development FILES_MATCHING PATTERN "*.h")

# find_package(enuf); target_link_libraries(mine PRIVATE enuf::enuf)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/enuf")
install(EXPORT enuf-targets NAMESPACE enuf:: DESTINATION "${package}" COMPONENT development)
if(ENUF_WITH_MPI) # for find_package(enuf COMPONENTS mpi): others need no MPI
  install(TARGETS enuf_mpi EXPORT enuf-mpi-targets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT mpi NAMELINK_COMPONENT development
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
  install(DIRECTORY ewald/mpi/include/enuf
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development FILES_MATCHING PATTERN "*.h")
  install(EXPORT enuf-mpi-targets NAMESPACE enuf:: DESTINATION "${package}" COMPONENT development)
endif()
configure_package_config_file(cmake/enuf-config.cmake.in "${PROJECT_BINARY_DIR}/enuf-config.cmake"
  INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/enuf-config-version.cmake"
  COMPATIBILITY SameMinorVersion) # until 1.0 a minor version may change interfaces
install(FILES "${PROJECT_BINARY_DIR}/enuf-config.cmake"
  "${PROJECT_BINARY_DIR}/enuf-config-version.cmake" DESTINATION "${package}" COMPONENT development)

# pkg-config --cflags --libs enuf; the prefix follows the file, so that the tree may be moved.
file(RELATIVE_PATH ENUF_PREFIX_FROM_PC "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/enuf.pc.in "${PROJECT_BINARY_DIR}/enuf.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/enuf.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
if(ENUF_WITH_MPI)
  configure_file(cmake/enuf-mpi.pc.in "${PROJECT_BINARY_DIR}/enuf-mpi.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/enuf-mpi.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endif()
