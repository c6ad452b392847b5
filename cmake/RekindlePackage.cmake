# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Installs find_package(Rekindle [COMPONENTS ...]), one exported target set per component, and one
# pkg-config file per component. Install components: Runtime (libraries and the guard), Gui, Widgets and Quick (the
# libraries of these components), Development, Command, Plugins, Documentation.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Rekindle)
get_property(built_components GLOBAL PROPERTY REKINDLE_BUILT_COMPONENTS)
get_property(internal_components GLOBAL PROPERTY REKINDLE_INTERNAL_COMPONENTS)

# Shared libraries contain the code of internal components.
set(exported_components ${built_components})
if(NOT BUILD_SHARED_LIBS)
    list(PREPEND exported_components ${internal_components})
endif()
foreach(component IN LISTS exported_components)
    install(EXPORT Rekindle${component}Targets
        NAMESPACE Rekindle::
        DESTINATION ${package_dir}
        COMPONENT Development)
endforeach()

set(component_needs "")
foreach(component IN LISTS internal_components built_components)
    get_property(needs GLOBAL PROPERTY REKINDLE_${component}_NEEDS)
    get_property(qt_needs GLOBAL PROPERTY REKINDLE_${component}_QT_NEEDS)
    get_property(module_needs GLOBAL PROPERTY REKINDLE_${component}_MODULE_NEEDS)
    get_property(package_needs GLOBAL PROPERTY REKINDLE_${component}_PACKAGE_NEEDS)
    string(APPEND component_needs
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
install(FILES
    ${PROJECT_BINARY_DIR}/RekindleConfig.cmake
    ${PROJECT_BINARY_DIR}/RekindleConfigVersion.cmake
    DESTINATION ${package_dir} COMPONENT Development)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/guardlocation.cpp.in
    DESTINATION ${package_dir} COMPONENT Development)
install(FILES ${PROJECT_BINARY_DIR}/include/rekindle/version.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rekindle COMPONENT Development)

# rekindle-<component>.pc. Static libraries pass on what they link; their internal components have
# no file of their own.
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(component IN LISTS built_components)
    get_property(needs GLOBAL PROPERTY REKINDLE_${component}_NEEDS)
    get_property(qt_needs GLOBAL PROPERTY REKINDLE_${component}_QT_NEEDS)
    get_property(module_needs GLOBAL PROPERTY REKINDLE_${component}_MODULE_NEEDS)
    get_property(package_needs GLOBAL PROPERTY REKINDLE_${component}_PACKAGE_NEEDS)
    set(requires Qt6Core)
    set(libraries "")
    # Qt's own pkg-config files lack this flag; without it, a program has its own copy of qApp.
    set(flags -fPIC)
    get_target_property(type Rekindle::${component} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
        set(libraries "-L\${libdir} -lRekindle${component}")
        if(NOT BUILD_SHARED_LIBS)
            string(TOUPPER ${component} upper)
            string(APPEND flags " -DREKINDLE_${upper}_STATIC_DEFINE")
            if(component STREQUAL "Process")
                string(APPEND flags " -DREKINDLE_PROCESS_PKG_CONFIG")
            endif()
            foreach(need IN LISTS needs)
                if(need IN_LIST internal_components)
                    string(APPEND libraries " -lRekindle${need}")
                endif()
            endforeach()
        endif()
    endif()
    foreach(need IN LISTS needs)
        if(need IN_LIST built_components)
            string(TOLOWER ${need} need)
            list(APPEND requires rekindle-${need})
        endif()
    endforeach()
    foreach(need IN LISTS qt_needs)
        list(APPEND requires Qt6${need})
    endforeach()
    list(APPEND requires ${module_needs})
    if("prometheus-cpp" IN_LIST package_needs)
        list(APPEND requires prometheus-cpp-core)
    endif()
    list(REMOVE_DUPLICATES requires)
    list(JOIN requires " " requires)
    string(TOLOWER ${component} name)
    configure_file(cmake/rekindle.pc.in pkgconfig/rekindle-${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/rekindle-${name}.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT Development)
endforeach()

# In the format and at the place that KDebugSettings reads.
install(FILES ${PROJECT_SOURCE_DIR}/resources/rekindle.categories
    DESTINATION ${CMAKE_INSTALL_DATADIR}/qlogging-categories6 COMPONENT Command)

# Not CMAKE_INSTALL_DOCDIR, which is the host's own folder if Rekindle is a part of its build. The places
# relative to each other are as in the source tree, so that links between the pages work.
set(doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/rekindle)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSES/MIT.txt
    DESTINATION ${doc_dir} RENAME LICENSE COMPONENT Documentation)
install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION ${doc_dir} COMPONENT Documentation)
install(FILES benchmarks/README.md benchmarks/results.json
    DESTINATION ${doc_dir}/benchmarks COMPONENT Documentation)
install(DIRECTORY docs DESTINATION ${doc_dir} COMPONENT Documentation
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")
install(DIRECTORY examples DESTINATION ${doc_dir} COMPONENT Documentation USE_SOURCE_PERMISSIONS)
