// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/messages_p.h"
#include "cli/reference/completionscript_p.h"
#include "commandline_p.h"

#include <CLI/CLI.hpp>

#include <string>
#include <utility>

namespace Rekindle {

namespace {

constexpr char completionExamples[] =
    R"(Prints a script that completes commands, options, fixed values, files and the names of agents
of the running host. An installation includes the scripts.

Examples:
  source <(rekindle completion bash)
  rekindle completion zsh > ~/.zfunc/_rekindle
  rekindle completion fish > ~/.config/fish/completions/rekindle.fish

Exit codes:
  0   success
  1   stdout cannot be written
  64  usage
)";

class CompletionCommand final : public Command
{
public:
    explicit CompletionCommand(std::function<CommandEntry()> tree)
        : m_tree(std::move(tree))
    {
    }

    void addOptions(CLI::App &command) override
    {
        command.footer(completionExamples);
        command.add_option("SHELL", m_shell, "The shell")
            ->required()
            ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""))
            ->type_name("bash|zsh|fish");
    }

    int execute(Messages &messages) override
    {
        return print(messages, QByteArray::fromStdString(completionScript(m_tree(), m_shell)));
    }

private:
    const std::function<CommandEntry()> m_tree;
    std::string m_shell;
};

} // namespace

std::unique_ptr<Command> makeCompletionCommand(std::function<CommandEntry()> tree)
{
    return std::make_unique<CompletionCommand>(std::move(tree));
}

} // namespace Rekindle
