# OpenMP, threads, what the programs need, and the libraries of FFTs.
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
if(ENUF_CLI OR ENUF_TESTS)
  pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson)
endif()


# enuf_fftw: FFTW in double and float, with its OpenMP layer; nothing if ENUF_FFTW is OFF
add_library(enuf_fftw INTERFACE)
# For a static libenuf: packages and libraries in enuf.pc
set(ENUF_FFT_PACKAGES "")
set(ENUF_FFT_PRIVATE_LIBS "")
if(ENUF_FFTW)
  pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3)
  pkg_check_modules(FFTWF REQUIRED IMPORTED_TARGET fftw3f)
  find_library(FFTW_OMP_LIBRARY fftw3_omp REQUIRED)
  find_library(FFTWF_OMP_LIBRARY fftw3f_omp REQUIRED)
  target_link_libraries(enuf_fftw INTERFACE ${FFTW_OMP_LIBRARY} ${FFTWF_OMP_LIBRARY}
    PkgConfig::FFTW PkgConfig::FFTWF)
  set(ENUF_FFT_PACKAGES "fftw3 fftw3f")
  set(ENUF_FFT_PRIVATE_LIBS "-lfftw3_omp -lfftw3f_omp")
endif()
if(ENUF_WITH_DUCC0)
  string(APPEND ENUF_FFT_PRIVATE_LIBS " -lstdc++")
endif()

# enuf_fft_needs: what the FFTs call; MKL is opened at run time
add_library(enuf_fft_needs INTERFACE)
target_link_libraries(enuf_fft_needs INTERFACE enuf_fftw ${CMAKE_DL_LIBS} $<$<BOOL:${ENUF_WITH_DUCC0}>:stdc++>)
