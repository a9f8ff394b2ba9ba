# What `cmake --install` puts beside the tools: headers, one static library per
# room, the runtime's export list that tt-compile links with, and the package
# files of find_package(tt).
include(CMakePackageConfigHelpers)

foreach(root ${PROJECT_SOURCE_DIR}/dialects ${PROJECT_SOURCE_DIR}/include
             ${PROJECT_BINARY_DIR}/dialects ${PROJECT_BINARY_DIR}/include)
  install(DIRECTORY ${root}/tt DESTINATION include
          FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN "*.td"
          PATTERN CMakeFiles EXCLUDE)
endforeach()
install(FILES lib/Runtime/exports.map DESTINATION lib/tt)
install(FILES LICENSE README.md DESTINATION share/doc/tt)

configure_package_config_file(cmake/tt-config.cmake.in
  ${PROJECT_BINARY_DIR}/tt-config.cmake INSTALL_DESTINATION lib/cmake/tt)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tt-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tt-config.cmake
              ${PROJECT_BINARY_DIR}/tt-config-version.cmake
        DESTINATION lib/cmake/tt)
install(EXPORT ttTargets NAMESPACE tt:: DESTINATION lib/cmake/tt)
