# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Installs all parts of BUILD in another folder and moves it to PREFIX, because an installed tree can be
# moved.

set(first ${PREFIX}-before-the-move)
file(REMOVE_RECURSE ${PREFIX} ${first})
foreach(part Runtime Gui Widgets Quick Command Plugins Documentation Development)
    if(part STREQUAL "Development" AND EXISTS ${first}/include)
        message(FATAL_ERROR "Only the part Development may contain headers")
    endif()
    execute_process(
        COMMAND ${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${first} --component ${part}
        OUTPUT_QUIET
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# Every file with absolute paths has the paths of this installation.
file(GLOB units ${first}/lib/systemd/*/rekindle@.service)
foreach(unit IN LISTS units)
    file(READ ${unit} text)
    string(REGEX MATCHALL "(ExecStart|ExecReload|Documentation)=(file:)?/[^ \n]*" paths "${text}")
    foreach(path IN LISTS paths)
        string(FIND ${path} "/" start)
        string(SUBSTRING ${path} ${start} -1 path)
        string(FIND ${path} "${first}/" position)
        if(NOT position EQUAL 0 OR NOT EXISTS ${path})
            message(FATAL_ERROR "${unit}: expected a file below ${first}, found ${path}")
        endif()
    endforeach()
    list(LENGTH paths count)
    if(NOT count EQUAL 3)
        message(FATAL_ERROR "${unit}: expected 3 paths, found ${count}")
    endif()
endforeach()

# With DESTDIR, the paths are those without it.
set(stage ${PREFIX}-stage)
file(REMOVE_RECURSE ${stage})
execute_process(
    COMMAND ${CMAKE_COMMAND} -E env DESTDIR=${stage}
        ${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix /opt/re --component Command
    OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
file(GLOB staged ${stage}/opt/re/lib/systemd/*/rekindle@.service)
list(LENGTH units expected)
list(LENGTH staged count)
if(NOT count EQUAL expected)
    message(FATAL_ERROR "${stage}: expected ${expected} units, found ${count}")
endif()
foreach(unit IN LISTS staged)
    file(STRINGS ${unit} lines REGEX "=(file:)?/opt/re/(bin/rekindle|share/doc/rekindle)")
    list(LENGTH lines count)
    if(NOT count EQUAL 3)
        message(FATAL_ERROR "${unit}: expected 3 paths below /opt/re, found ${count}")
    endif()
endforeach()
file(REMOVE_RECURSE ${stage})

file(RENAME ${first} ${PREFIX})
