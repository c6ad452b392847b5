// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace Rekindle {

/// An option or a positional argument of a command.
struct OptionEntry
{
    std::vector<std::string> names{}; ///< "--tag"; of a positional "AGENT"
    std::string value{};              ///< "TAG", "on|off"; empty for a flag
    std::string description{};
    std::string group{}; ///< its heading in the help
    bool isPositional = false;

    /// The fixed values: those of "on|off", but not of "NAME|FILE".
    [[nodiscard]] std::vector<std::string> choices() const;
};

/// A command with everything that its help says. Man pages and completion are made from it.
struct CommandEntry
{
    std::string words{};   ///< "rekindle tools call"
    std::string summary{}; ///< without a period
    std::string usage{};   ///< "rekindle tools call [OPTIONS] NAME ..."
    std::string footer{};  ///< description, examples and exit codes
    std::vector<OptionEntry> options{};
    std::vector<CommandEntry> commands{};

    /// The last word.
    [[nodiscard]] std::string name() const { return words.substr(words.rfind(' ') + 1); }
};

/// `prefix` has the words before the name of the command.
[[nodiscard]] CommandEntry commandTree(const CLI::App &command, const std::string &prefix = {});

/// The name of the man page of a command in section 1: "rekindle-tools-call".
[[nodiscard]] std::string manPageName(const CommandEntry &command);

/// The page of a command, for man(1).
[[nodiscard]] std::string manPage(const CommandEntry &command);

/// The script that completes command lines in a shell: "bash", "zsh" or "fish". It completes
/// commands, options, fixed values, files, and the names of agents of the running host.
[[nodiscard]] std::string completionScript(const CommandEntry &program, const std::string &shell);

} // namespace Rekindle
