# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# The golden file is valid, and promtool's linter reports nothing.
execute_process(
    COMMAND ${PROMTOOL} check metrics
    INPUT_FILE ${EXPOSITION}
    OUTPUT_VARIABLE findings ERROR_VARIABLE findings
    RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR NOT findings STREQUAL "")
    message(FATAL_ERROR "promtool check metrics (${status}): ${findings}")
endif()
