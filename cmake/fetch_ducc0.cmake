# Takes sources from the URL, an archive with this SHA256, to the folder SOURCES, once. For cmake -P.
if(NOT EXISTS "${SOURCES}/pyproject.toml")
  file(DOWNLOAD "${URL}" "${SOURCES}.tar.gz" EXPECTED_HASH SHA256=${SHA256})
  get_filename_component(folder "${SOURCES}" DIRECTORY)
  file(ARCHIVE_EXTRACT INPUT "${SOURCES}.tar.gz" DESTINATION "${folder}")
endif()
