# Headers, package config for find_package and pkg-config file. All of it is independent of the machine,
# so it goes under share/.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(mpmd_config_dir "${CMAKE_INSTALL_DATADIR}/cmake/mpmd")

install(TARGETS mpmd EXPORT mpmd_targets COMPONENT mpmd_dev)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/mpmd" DESTINATION include COMPONENT mpmd_dev
        FILES_MATCHING PATTERN "*.hpp")
install(EXPORT mpmd_targets NAMESPACE mpmd:: FILE mpmdTargets.cmake
        DESTINATION "${mpmd_config_dir}" COMPONENT mpmd_dev)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/mpmdConfig.cmake.in" "${PROJECT_BINARY_DIR}/mpmdConfig.cmake"
  INSTALL_DESTINATION "${mpmd_config_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/mpmdConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/mpmdConfig.cmake" "${PROJECT_BINARY_DIR}/mpmdConfigVersion.cmake"
        DESTINATION "${mpmd_config_dir}" COMPONENT mpmd_dev)

configure_file("${PROJECT_SOURCE_DIR}/cmake/mpmd.pc.in" "${PROJECT_BINARY_DIR}/mpmd.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/mpmd.pc"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig" COMPONENT mpmd_dev)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT mpmd_dev)
