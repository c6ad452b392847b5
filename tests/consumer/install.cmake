# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Installs BUILD in another folder and moves it to PREFIX, because an installed tree can be moved.

set(first ${PREFIX}-before-the-move)
file(REMOVE_RECURSE ${PREFIX} ${first})
execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${first}
    OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${first} ${PREFIX})
