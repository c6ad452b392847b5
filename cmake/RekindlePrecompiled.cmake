# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Precompiles the headers that most sources include. Without a compiler cache, a build then takes less
# than half of the time. With a compiler cache they are disabled, because a precompiled header belongs
# to its folder, and another clone could not use the cache.

set(precompile ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
    set(precompile OFF)
endif()
option(REKINDLE_PRECOMPILED_HEADERS "Precompile common headers" ${precompile})

# rekindle_precompile(<target> HEADERS ... | FROM <target>): both targets must have the same compile
# options.
function(rekindle_precompile target)
    cmake_parse_arguments(ARG "" "FROM" "HEADERS" ${ARGN})
    if(NOT REKINDLE_PRECOMPILED_HEADERS)
        return()
    endif()
    if(ARG_FROM)
        target_precompile_headers(${target} REUSE_FROM ${ARG_FROM})
    else()
        target_precompile_headers(${target} PRIVATE ${ARG_HEADERS})
    endif()
endfunction()
