# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# `cpack` in the build folder writes the Debian packages of this build, which must have shared libraries
# and the prefix /usr: the preset `shared`. scripts/package does both.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Rekindle founders")
set(REKINDLE_PACKAGE_CONTACT "The Rekindle founders <founders@rekindle.invalid>"
    CACHE STRING "Maintainer of the Debian packages: name and address")
set(CPACK_PACKAGE_CONTACT ${REKINDLE_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/stage.cmake)

set(CPACK_COMPONENTS_ALL Runtime Gui Widgets Quick Observer Development Command Plugins Documentation)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# Empty, so that each package has its own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(same_version "(= ${PROJECT_VERSION})")
set(about "Rekindle restarts programs and objects of an application by policy when
they fail, with growing delays, restart limits and a circuit breaker for
each of them.")

set(CPACK_DEBIAN_REKINDLE_PACKAGE_NAME rekindle)
set(CPACK_DEBIAN_REKINDLE_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_REKINDLE_PACKAGE_DEPENDS "librekindle${rekindle_abi} ${same_version}, libqt6sql6-sqlite")
set(CPACK_DEBIAN_REKINDLE_PACKAGE_RECOMMENDS "rekindle-evaluators ${same_version}, python3, python3-yaml")
set(CPACK_DEBIAN_REKINDLE_PACKAGE_SUGGESTS nodejs)
set(CPACK_DEBIAN_REKINDLE_DESCRIPTION "supervisor that restarts programs and MCP servers by policy
${about}
.
This package contains the command, its man pages and documentation,
completion for bash, zsh and fish, and units for systemd.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME librekindle${rekindle_abi})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS libqt6sql6-sqlite)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "supervision of agents in Qt 6 applications - shared libraries
${about}
.
This package contains the shared libraries and the guard, which kills the
agents of a host that was killed.")

set(CPACK_DEBIAN_GUI_PACKAGE_NAME librekindle-gui${rekindle_abi})
set(CPACK_DEBIAN_GUI_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_GUI_PACKAGE_DEPENDS "librekindle${rekindle_abi} ${same_version}")
set(CPACK_DEBIAN_GUI_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_GUI_DESCRIPTION "supervision of agents in Qt 6 applications - drawing
${about}
.
This package contains the shared library that draws what widgets and items
show.")

set(CPACK_DEBIAN_WIDGETS_PACKAGE_NAME librekindle-widgets${rekindle_abi})
set(CPACK_DEBIAN_WIDGETS_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_WIDGETS_PACKAGE_DEPENDS "librekindle-gui${rekindle_abi} ${same_version}")
set(CPACK_DEBIAN_WIDGETS_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_WIDGETS_DESCRIPTION "supervision of agents in Qt 6 applications - widgets
${about}
.
This package contains the shared library with widgets for applications
with a window.")

set(CPACK_DEBIAN_QUICK_PACKAGE_NAME qml6-module-rekindle)
set(CPACK_DEBIAN_QUICK_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_QUICK_PACKAGE_DEPENDS "librekindle-gui${rekindle_abi} ${same_version}, \
qml6-module-qtqml-workerscript, qml6-module-qtquick, qml6-module-qtquick-controls, qml6-module-qtquick-templates, \
qml6-module-qtquick-window")
set(CPACK_DEBIAN_QUICK_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_QUICK_DESCRIPTION "supervision of agents in Qt 6 applications - QML module
${about}
.
This package contains the QML module Rekindle and its shared library.")

set(CPACK_DEBIAN_OBSERVER_PACKAGE_NAME rekindle-observer)
set(CPACK_DEBIAN_OBSERVER_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_OBSERVER_PACKAGE_DEPENDS "librekindle-widgets${rekindle_abi} ${same_version}")
set(CPACK_DEBIAN_OBSERVER_PACKAGE_SUGGESTS openssh-client)
set(CPACK_DEBIAN_OBSERVER_DESCRIPTION "supervision of agents in Qt 6 applications - window for operators
${about}
.
This package contains a program that shows the agents of running hosts: states
over time, decisions, events and output.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME librekindle-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "librekindle${rekindle_abi} ${same_version}, \
librekindle-gui${rekindle_abi} ${same_version}, librekindle-widgets${rekindle_abi} ${same_version}, \
qml6-module-rekindle ${same_version}, qt6-base-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "supervision of agents in Qt 6 applications - development files
${about}
.
This package contains the headers, the CMake package and the pkg-config
files.")

set(CPACK_DEBIAN_PLUGINS_PACKAGE_NAME rekindle-evaluators)
set(CPACK_DEBIAN_PLUGINS_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PLUGINS_PACKAGE_ENHANCES rekindle)
set(CPACK_DEBIAN_PLUGINS_DESCRIPTION "custom evaluators of restarts for rekindle
${about}
.
This package contains plug-ins that decide on restarts: crash-fingerprint,
leaky-bucket and quiet-hours.")

include(CPack)
cpack_add_component(Command GROUP rekindle)
cpack_add_component(Documentation GROUP rekindle)
