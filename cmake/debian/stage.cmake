# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# cpack runs it when the files of all packages are in folders, one for each group of components, and
# before it packs them. It changes them to what Debian requires.

set(packages
    Runtime "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME}"
    Gui "${CPACK_DEBIAN_GUI_PACKAGE_NAME}"
    Widgets "${CPACK_DEBIAN_WIDGETS_PACKAGE_NAME}"
    Quick "${CPACK_DEBIAN_QUICK_PACKAGE_NAME}"
    Observer "${CPACK_DEBIAN_OBSERVER_PACKAGE_NAME}"
    Development "${CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME}"
    rekindle "${CPACK_DEBIAN_REKINDLE_PACKAGE_NAME}"
    Plugins "${CPACK_DEBIAN_PLUGINS_PACKAGE_NAME}")

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
while(packages)
    list(POP_FRONT packages folder name)
    set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${folder}/usr)
    set(doc ${root}/share/doc/${name})

    file(REMOVE ${doc}/LICENSE)
    file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${doc})
    file(WRITE ${doc}/changelog "rekindle (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * New version; CHANGELOG.md in the package rekindle describes it.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
    set(overrides ${CMAKE_CURRENT_LIST_DIR}/${folder}.lintian-overrides)
    if(EXISTS ${overrides})
        configure_file(${overrides} ${root}/share/lintian/overrides/${name} @ONLY)
    endif()
    # The prefix of this installation is a temporary folder.
    file(GLOB units ${root}/lib/systemd/*/*.service)
    foreach(unit IN LISTS units)
        file(READ ${unit} text)
        string(REPLACE "${root}/" "${CPACK_PACKAGING_INSTALL_PREFIX}/" text "${text}")
        file(WRITE ${unit} "${text}")
    endforeach()
    file(GLOB compressed ${doc}/changelog ${root}/share/man/man1/*.1)
    execute_process(COMMAND gzip -9 -n ${compressed} COMMAND_ERROR_IS_FATAL ANY)

    # The libraries are in a folder of the system, where the linker finds them.
    file(GLOB_RECURSE candidates ${root}/bin/* ${root}/lib/*.so ${root}/lib/*.so.*)
    foreach(file IN LISTS candidates)
        if(NOT IS_SYMLINK ${file})
            file(RPATH_REMOVE FILE ${file})
        endif()
    endforeach()
endwhile()

# dpkg-shlibdeps finds the libraries of this build there.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS)
foreach(library IN ITEMS Runtime/Policy Gui/Gui Widgets/Widgets)
    cmake_path(GET library PARENT_PATH folder)
    cmake_path(GET library FILENAME name)
    file(GLOB libraries ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${folder}/usr/lib/*/libRekindle${name}.so.*)
    list(GET libraries 0 library)
    cmake_path(GET library PARENT_PATH folder)
    list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${folder})
endforeach()
