# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT

# extract(<document> <marker> <file>): writes the code block after the line <!-- marker --> to a file.
function(extract document marker file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${document})
    file(READ ${document} text)
    string(FIND "${text}" "<!-- ${marker} -->\n```" start)
    if(start EQUAL -1)
        message(FATAL_ERROR "${document} has no code block after a line <!-- ${marker} -->")
    endif()
    string(SUBSTRING "${text}" ${start} -1 text)
    string(FIND "${text}" "```" start)
    string(SUBSTRING "${text}" ${start} -1 text)
    string(FIND "${text}" "\n" start)
    string(SUBSTRING "${text}" ${start} -1 text)
    string(FIND "${text}" "\n```" end)
    if(end EQUAL -1)
        message(FATAL_ERROR "The block after <!-- ${marker} --> in ${document} does not end")
    endif()
    string(SUBSTRING "${text}" 0 ${end} text)
    file(WRITE ${file} "${text}\n")
endfunction()
