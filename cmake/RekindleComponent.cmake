# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT

include(GenerateExportHeader)

get_target_property(REKINDLE_MOC Qt6::moc LOCATION)
configure_file(${CMAKE_CURRENT_LIST_DIR}/moc.in ${PROJECT_BINARY_DIR}/moc
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE @ONLY)

# Compile settings of all targets of this project. They are never exported to a consumer.
function(rekindle_compile_settings target)
    set_target_properties(${target} PROPERTIES
        CXX_STANDARD 20
        CXX_STANDARD_REQUIRED ON
        CXX_EXTENSIONS OFF
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON
        POSITION_INDEPENDENT_CODE ON
        AUTOMOC ON
        AUTOMOC_EXECUTABLE ${PROJECT_BINARY_DIR}/moc)
    target_compile_definitions(${target} PRIVATE
        QT_NO_CAST_FROM_ASCII
        QT_NO_CAST_TO_ASCII
        QT_NO_CAST_FROM_BYTEARRAY
        QT_NO_URL_CAST_FROM_STRING
        QT_NO_NARROWING_CONVERSIONS_IN_CONNECT
        QT_NO_KEYWORDS
        QT_NO_FOREACH
        QT_STRICT_ITERATORS
        QT_USE_QSTRINGBUILDER)
    # Qt 6.5 renamed the limit.
    if(Qt6_VERSION VERSION_GREATER_EQUAL 6.5)
        target_compile_definitions(${target} PRIVATE QT_DISABLE_DEPRECATED_UP_TO=0x060400)
    else()
        target_compile_definitions(${target} PRIVATE QT_DISABLE_DEPRECATED_BEFORE=0x060400)
    endif()
    if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
        # Programs are compiled like libraries, so that they can use the same precompiled header.
        target_compile_options(${target} PRIVATE -fPIC -Wall -Wextra -Wpedantic -Wshadow)
        if(REKINDLE_WARNINGS_AS_ERRORS)
            target_compile_options(${target} PRIVATE -Werror)
        endif()
    endif()
    # In a unity build, g++ mistakes the anonymous namespace of a source for one of a header, and a local
    # name may shadow a constant of another source.
    if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    elseif(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        target_compile_options(${target} PRIVATE -Wno-shadow)
    endif()
    # g++ warns about the fences in Qt's headers, which its ThreadSanitizer does not support.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
        target_compile_options(${target} PRIVATE -Wno-tsan)
    endif()
endfunction()

# With CMAKE_UNITY_BUILD, the sources of one folder are compiled together. Call it after the last source
# was added.
function(rekindle_unite_folders target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "[.]cpp$")
    foreach(source IN LISTS sources)
        cmake_path(GET source PARENT_PATH folder)
        if(IS_ABSOLUTE "${folder}")
            cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        endif()
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP "folder_${folder}")
    endforeach()
endfunction()

# The precompiled header of all components. It is a separate target, so that every component can reuse
# it independent of its dependencies.
function(rekindle_precompile_component target)
    if(NOT TARGET rekindle_component_headers)
        file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/componentheaders.cpp CONTENT "")
        add_library(rekindle_component_headers OBJECT EXCLUDE_FROM_ALL
            ${PROJECT_BINARY_DIR}/componentheaders.cpp)
        rekindle_compile_settings(rekindle_component_headers)
        target_link_libraries(rekindle_component_headers PRIVATE Qt6::Core)
        rekindle_precompile(rekindle_component_headers HEADERS
            <QByteArray> <QHash> <QJsonDocument> <QJsonObject> <QList> <QObject> <QPointer> <QString>
            <QStringList> <QUuid> <algorithm> <array> <chrono> <cstdint> <functional> <memory>
            <optional> <string> <utility> <variant> <vector>)
    endif()
    rekindle_precompile(${target} FROM rekindle_component_headers)
endfunction()

# rekindle_add_component(<Name> [INTERNAL] SOURCES ... [CLASSES ...] [HEADERS ...]
#                        [PUBLIC_LINK ...] [PRIVATE_LINK ...] [RUNTIME <name>])
#
# One folder, one target, one package component: library Rekindle<Name>, alias Rekindle::<Name>,
# headers under include/rekindle/<name>/, an export header, and for each class a forward header
# <Rekindle/Class>. CLASSES are the public class names, and names for headers of functions; the header is
# the lower-case name. HEADERS are the other public headers. The installed package finds the dependencies
# of the component: Rekindle and Qt components, modules of pkg-config (PkgConfig::<module>, created by
# pkg_check_modules(<module> ... <module>)), and for static libraries other packages
# (`prometheus-cpp` for `prometheus-cpp::core`), but no header-only libraries.
#
# RUNTIME is the install component of the shared library, if it is not installed with those of the other
# components, because it has a dependency that most hosts do not need.
#
# An INTERNAL component is a building block of other components: a static library in every build,
# without an export header, and no component that find_package() accepts. Other components link it
# with PRIVATE_LINK. A package of static libraries contains its archive, because the archives of
# other components refer to it; a shared library contains its code. Its public headers (HEADERS) are
# installed, because public headers of other components include them: they must need no code of the
# library. Other components include its remaining headers as "<name>/<header>.h".
function(rekindle_add_component name)
    cmake_parse_arguments(ARG "INTERNAL" "RUNTIME" "SOURCES;CLASSES;HEADERS;PUBLIC_LINK;PRIVATE_LINK" ${ARGN})
    if(NOT ARG_RUNTIME)
        set(ARG_RUNTIME Runtime)
    endif()
    string(TOLOWER ${name} folder)
    string(TOUPPER ${name} upper)
    set(target Rekindle${name})

    set(headers "")
    set(forward_headers "")
    foreach(class IN LISTS ARG_CLASSES)
        string(TOLOWER ${class} file)
        list(APPEND headers ${PROJECT_SOURCE_DIR}/include/rekindle/${folder}/${file}.h)
        set(forward ${PROJECT_BINARY_DIR}/include/Rekindle/${class})
        set(REKINDLE_FORWARDED "rekindle/${folder}/${file}.h")
        configure_file(${PROJECT_SOURCE_DIR}/cmake/ForwardHeader.in ${forward} @ONLY)
        list(APPEND forward_headers ${forward})
    endforeach()
    foreach(file IN LISTS ARG_HEADERS)
        list(APPEND headers ${PROJECT_SOURCE_DIR}/include/rekindle/${folder}/${file})
    endforeach()
    # Otherwise it is missing only in the package.
    file(GLOB public_headers ${PROJECT_SOURCE_DIR}/include/rekindle/${folder}/*.h)
    list(REMOVE_ITEM public_headers ${headers})
    if(public_headers)
        message(FATAL_ERROR "not in CLASSES or HEADERS of ${name}: ${public_headers}")
    endif()

    if(ARG_INTERNAL)
        add_library(${target} STATIC ${ARG_SOURCES} ${headers})
    else()
        add_library(${target} ${ARG_SOURCES} ${headers})
        set(export_header ${PROJECT_BINARY_DIR}/include/rekindle/${folder}/export.h)
        generate_export_header(${target}
            BASE_NAME REKINDLE_${upper}
            EXPORT_FILE_NAME ${export_header})
        list(APPEND headers ${export_header})
    endif()
    # all_verify_interface_header_sets (`.ci/run all`) compiles each header by itself.
    target_sources(${target}
        PUBLIC FILE_SET HEADERS
            BASE_DIRS ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
            FILES ${headers}
        PUBLIC FILE_SET forward_headers TYPE HEADERS
            BASE_DIRS ${PROJECT_BINARY_DIR}/include
            FILES ${forward_headers})
    set_target_properties(${target} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
    add_library(Rekindle::${name} ALIAS ${target})
    rekindle_compile_settings(${target})
    rekindle_precompile_component(${target})
    rekindle_unite_folders(${target})
    set_target_properties(${target} PROPERTIES
        EXPORT_NAME ${name}
        VERSION ${PROJECT_VERSION}
        SOVERSION ${rekindle_abi})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)

    set(needs "")
    set(qt_needs "")
    set(module_needs "")
    set(package_needs "")
    target_link_libraries(${target} PUBLIC ${ARG_PUBLIC_LINK})
    foreach(library IN LISTS ARG_PRIVATE_LINK)
        if(library MATCHES "^(nlohmann_json|CLI11)::")
            # Header-only: otherwise the consumer of a static library would need them.
            target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${library}>)
        else()
            target_link_libraries(${target} PRIVATE ${library})
        endif()
    endforeach()
    foreach(library IN LISTS ARG_PUBLIC_LINK ARG_PRIVATE_LINK)
        if(library MATCHES "^Rekindle::(.+)$")
            get_property(below GLOBAL PROPERTY REKINDLE_${CMAKE_MATCH_1}_NEEDS)
            list(APPEND needs ${below} ${CMAKE_MATCH_1})
        elseif(library MATCHES "^Qt6::(.+)$")
            list(APPEND qt_needs ${CMAKE_MATCH_1})
        elseif(library MATCHES "^PkgConfig::(.+)$" AND NOT BUILD_SHARED_LIBS)
            # Shared libraries contain the dependency.
            list(APPEND module_needs ${CMAKE_MATCH_1})
        elseif(library MATCHES "^([^:]+)::" AND NOT BUILD_SHARED_LIBS
                AND NOT library MATCHES "^(nlohmann_json|CLI11|PkgConfig)::")
            string(REGEX REPLACE "::.*" "" package ${library})
            list(APPEND package_needs ${package})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES needs)
    set_property(GLOBAL PROPERTY REKINDLE_${name}_NEEDS ${needs})
    set_property(GLOBAL PROPERTY REKINDLE_${name}_QT_NEEDS ${qt_needs})
    set_property(GLOBAL PROPERTY REKINDLE_${name}_MODULE_NEEDS ${module_needs})
    set_property(GLOBAL PROPERTY REKINDLE_${name}_PACKAGE_NEEDS ${package_needs})

    set(artifacts
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${ARG_RUNTIME} NAMELINK_COMPONENT Development
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${ARG_RUNTIME})
    set(header_sets
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development
        FILE_SET forward_headers DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development)
    if(ARG_INTERNAL)
        set_property(GLOBAL APPEND PROPERTY REKINDLE_INTERNAL_COMPONENTS ${name})
        if(NOT BUILD_SHARED_LIBS)
            install(TARGETS ${target} EXPORT Rekindle${name}Targets ${artifacts} ${header_sets})
        else()
            install(FILES ${headers}
                DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rekindle/${folder} COMPONENT Development)
        endif()
        return()
    endif()
    set_property(GLOBAL APPEND PROPERTY REKINDLE_BUILT_COMPONENTS ${name})
    if(NOT BUILD_SHARED_LIBS)
        target_compile_definitions(${target} PUBLIC REKINDLE_${upper}_STATIC_DEFINE)
    endif()
    install(TARGETS ${target} EXPORT Rekindle${name}Targets ${artifacts} ${header_sets})
endfunction()
