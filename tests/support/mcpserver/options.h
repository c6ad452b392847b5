// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

/// The options of the sample server; main.cpp describes each.
struct Options
{
    std::string revision = "both";
    std::string version = "2025-11-25"; // newest legacy revision
    std::string logFile;
    int start = 1; // which start this is, with --starts
    int startDelayMs = 0;
    int pageSize = 0;
    long long floodBytes = 0;
    bool answersInitializeWithError = false;
    bool exitsOnEarlyMessage = false;
    bool isNoisy = false;
    bool ignoresEndOfInput = false;
    bool ignoresTerm = false;
    bool closesOutput = false;
    bool hasOnlyTools = false; // exits on requests of other lists
    bool advertisesListChanged = true;
    std::optional<int> exitsInHandshake;
    std::set<std::string> unanswered; // methods
    std::set<std::string> deadly;     // methods
    std::set<std::string> failsOnce;  // methods
    std::set<std::string> without;    // tools
    std::vector<std::string> with;    // more tools, which answer their name
    std::vector<std::string> errorLines;

    /// Returns false if a word is not an option.
    bool read(const std::vector<std::string> &words);
};
