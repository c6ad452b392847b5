# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# What most sources include, parsed once instead of some 500 times: without a compiler cache a
# build takes less than half of the time. With one it is better without: a precompiled header
# belongs to its folder, so that another clone finds nothing in the cache.

set(precompile ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
    set(precompile OFF)
endif()
option(REKINDLE_PRECOMPILED_HEADERS "Precompile what most sources include" ${precompile})

# rekindle_precompile(<target> HEADERS ... | FROM <target>): both must be compiled with the same
# options, or the compiler refuses it.
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
