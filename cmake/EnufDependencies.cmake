# OpenMP, threads, what the programs need, and the libraries of FFTs.
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
if(ENUF_CLI OR ENUF_TESTS)
  pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson)
endif()


# enuf_fftw: FFTW in double and float, with its OpenMP layer; nothing if ENUF_FFTW is OFF
add_library(enuf_fftw INTERFACE)
if(ENUF_FFTW)
  pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3)
  pkg_check_modules(FFTWF REQUIRED IMPORTED_TARGET fftw3f)
  find_library(FFTW_OMP_LIBRARY fftw3_omp REQUIRED)
  find_library(FFTWF_OMP_LIBRARY fftw3f_omp REQUIRED)
  target_link_libraries(enuf_fftw INTERFACE ${FFTW_OMP_LIBRARY} ${FFTWF_OMP_LIBRARY}
    PkgConfig::FFTW PkgConfig::FFTWF)
endif()
