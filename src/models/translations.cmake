# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Sets `translations` to a source with the translations of resources/translations as a Qt resource. Without
# lrelease, the resource is empty.

get_target_property(moc Qt6::moc LOCATION)
cmake_path(GET moc PARENT_PATH tools)
find_program(REKINDLE_LRELEASE NAMES lrelease lrelease6 lrelease-qt6 HINTS ${tools} ${tools}/../bin)
mark_as_advanced(REKINDLE_LRELEASE)
set(translations ${CMAKE_CURRENT_BINARY_DIR}/rekindle_translations.cpp)
if(REKINDLE_LRELEASE)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/translations/*.ts)
    set(compiled "")
    set(files "")
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        set(result ${CMAKE_CURRENT_BINARY_DIR}/${name}.qm)
        add_custom_command(OUTPUT ${result}
            COMMAND ${REKINDLE_LRELEASE} -silent ${source} -qm ${result}
            DEPENDS ${source})
        list(APPEND compiled ${result})
        string(APPEND files "<file>${name}.qm</file>")
    endforeach()
    set(list ${CMAKE_CURRENT_BINARY_DIR}/rekindle_translations.qrc)
    file(CONFIGURE OUTPUT ${list}
        CONTENT "<RCC><qresource prefix=\"/rekindle/translations\">${files}</qresource></RCC>\n")
    add_custom_command(OUTPUT ${translations}
        COMMAND Qt6::rcc -name rekindle_translations ${list} -o ${translations}
        DEPENDS ${list} ${compiled})
else()
    message(STATUS "lrelease was not found (Debian: qt6-l10n-tools): the texts of views are only in English")
    file(CONFIGURE OUTPUT ${translations} CONTENT "int qInitResources_rekindle_translations() { return 0; }\n")
endif()
set_source_files_properties(${translations} PROPERTIES SKIP_AUTOGEN ON SKIP_UNITY_BUILD_INCLUSION ON)
