// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "options.h"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>

namespace {

// Appends a line to the file and returns the number of its lines.
int countIn(const std::string &file)
{
    std::ofstream(file, std::ios::app) << "start\n" << std::flush;
    std::ifstream lines(file);
    int count = 0;
    for (std::string line; std::getline(lines, line);)
        ++count;
    return count;
}

} // namespace

bool Options::read(const std::vector<std::string> &words)
{
    bool counts = true; // whether the options apply to this start
    const std::map<std::string, std::function<void(const std::string &)>> withValue{
        {"--starts", [&](const std::string &file) { start = countIn(file); }},
        {"--from", [&](const std::string &first) { counts = start >= std::atoi(first.c_str()); }},
        {"--until", [&](const std::string &last) { counts = start <= std::atoi(last.c_str()); }},
        {"--revision", [&](const std::string &name) { revision = name; }},
        {"--version", [&](const std::string &name) { version = name; }},
        {"--log", [&](const std::string &file) { logFile = file; }},
        {"--start-delay", [&](const std::string &ms) { startDelayMs = std::atoi(ms.c_str()); }},
        {"--page-size", [&](const std::string &size) { pageSize = std::atoi(size.c_str()); }},
        {"--flood", [&](const std::string &bytes) { floodBytes = std::atoll(bytes.c_str()); }},
        {"--exit-in-handshake",
         [&](const std::string &code) { exitsInHandshake = std::atoi(code.c_str()); }},
        {"--silent", [&](const std::string &method) { unanswered.insert(method); }},
        {"--fail-once", [&](const std::string &method) { failsOnce.insert(method); }},
        {"--exit-on", [&](const std::string &method) { deadly.insert(method); }},
        {"--without", [&](const std::string &tool) { without.insert(tool); }},
        {"--with", [&](const std::string &tool) { with.push_back(tool); }},
        {"--err", [&](const std::string &line) { errorLines.push_back(line); }},
    };
    const std::map<std::string, bool *> switches{
        {"--initialize-error", &answersInitializeWithError},
        {"--exit-on-early", &exitsOnEarlyMessage},
        {"--noise", &isNoisy},
        {"--ignore-eof", &ignoresEndOfInput},
        {"--ignore-term", &ignoresTerm},
        {"--close-out", &closesOutput},
        {"--only-tools", &hasOnlyTools},
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        const bool selects = word == "--from" || word == "--until" || word == "--starts";
        if (const auto found = switches.find(word); found != switches.end()) {
            *found->second = *found->second || counts;
        } else if (word == "--no-list-changed") {
            advertisesListChanged = advertisesListChanged && !counts;
        } else if (const auto option = withValue.find(word); option != withValue.end()) {
            if (++i == words.size())
                return false;
            if (counts || selects)
                option->second(words[i]);
        } else {
            return false;
        }
    }
    if (hasOnlyTools)
        deadly.insert({"prompts/list", "resources/list", "resources/templates/list"});
    return true;
}
