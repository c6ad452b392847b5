# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Installs all parts of BUILD in another folder and moves it to PREFIX, because an installed tree can be
# moved.

set(first ${PREFIX}-before-the-move)
file(REMOVE_RECURSE ${PREFIX} ${first})
foreach(part Runtime Command Plugins Documentation Development)
    if(part STREQUAL "Development" AND EXISTS ${first}/include)
        message(FATAL_ERROR "Only the part Development may contain headers")
    endif()
    execute_process(
        COMMAND ${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${first} --component ${part}
        OUTPUT_QUIET
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(RENAME ${first} ${PREFIX})
