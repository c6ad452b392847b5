# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Installs find_package(Rekindle COMPONENTS ...): one exported target set per component.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Rekindle)
get_property(REKINDLE_COMPONENTS GLOBAL PROPERTY REKINDLE_COMPONENTS)
get_property(internal_components GLOBAL PROPERTY REKINDLE_INTERNAL_COMPONENTS)

# Internal components belong to the package of the lowest public one. Shared libraries contain their
# code.
if(NOT BUILD_SHARED_LIBS)
    foreach(component IN LISTS internal_components)
        install(EXPORT Rekindle${component}Targets
            NAMESPACE Rekindle::
            DESTINATION ${package_dir}
            COMPONENT Policy)
    endforeach()
endif()

set(REKINDLE_COMPONENT_NEEDS "")
foreach(component IN LISTS internal_components REKINDLE_COMPONENTS)
    if(component IN_LIST REKINDLE_COMPONENTS)
        install(EXPORT Rekindle${component}Targets
            NAMESPACE Rekindle::
            DESTINATION ${package_dir}
            COMPONENT ${component})
    endif()
    get_property(needs GLOBAL PROPERTY REKINDLE_${component}_NEEDS)
    get_property(qt_needs GLOBAL PROPERTY REKINDLE_${component}_QT_NEEDS)
    get_property(module_needs GLOBAL PROPERTY REKINDLE_${component}_MODULE_NEEDS)
    get_property(package_needs GLOBAL PROPERTY REKINDLE_${component}_PACKAGE_NEEDS)
    string(APPEND REKINDLE_COMPONENT_NEEDS
        "set(_rekindle_${component}_needs \"${needs}\")\n"
        "set(_rekindle_${component}_qt \"${qt_needs}\")\n"
        "set(_rekindle_${component}_modules \"${module_needs}\")\n"
        "set(_rekindle_${component}_packages \"${package_needs}\")\n")
endforeach()

configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/RekindleConfig.cmake.in
    ${PROJECT_BINARY_DIR}/RekindleConfig.cmake
    INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RekindleConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)

# The lowest floor, which every other one needs, carries what all of them share.
install(FILES
    ${PROJECT_BINARY_DIR}/RekindleConfig.cmake
    ${PROJECT_BINARY_DIR}/RekindleConfigVersion.cmake
    DESTINATION ${package_dir} COMPONENT Policy)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/guardlocation.cpp.in
    DESTINATION ${package_dir} COMPONENT Process)
install(FILES ${PROJECT_BINARY_DIR}/include/rekindle/version.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rekindle COMPONENT Policy)
# Not CMAKE_INSTALL_DOCDIR, which is the host's own folder where Rekindle is a part of its build.
set(doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/rekindle)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${doc_dir} COMPONENT Policy)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${doc_dir} COMPONENT Policy
    FILES_MATCHING PATTERN "*.md")
