// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandline_p.h"

#include <string>

namespace Rekindle {

namespace {

class CompletionCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command.add_option("SHELL", m_shell, "The shell")
            ->required()
            ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""))
            ->type_name("bash|zsh|fish");
    }

    int execute(Messages &messages) override
    {
        return print(messages, QByteArray::fromStdString(completionScript(line().tree(), m_shell)));
    }

private:
    std::string m_shell;
};

} // namespace

const CommandRow completionCommand{
    .name = "completion",
    .summary = "Print a completion script for a shell",
    .help =
        R"(Prints a script that completes commands, options, fixed values, files and the names of agents
of the running host. An installation includes the scripts.

Examples:
  source <(rekindle completion bash)
  rekindle completion zsh > ~/.zfunc/_rekindle
  rekindle completion fish > ~/.config/fish/completions/rekindle.fish
)",
    .make = makeCommand<CompletionCommand>,
};

} // namespace Rekindle
