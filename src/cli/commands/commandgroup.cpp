// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandgroup_p.h"

#include "cli/output/exitcode_p.h"

#include <CLI/CLI.hpp>

#include <utility>

namespace Rekindle {

CommandGroup::CommandGroup(const char *name, const char *summary, const char *examples,
                           std::vector<std::unique_ptr<Command>> commands)
    : m_name(name)
    , m_summary(summary)
    , m_examples(examples)
    , m_commands(std::move(commands))
{
}

void CommandGroup::addTo(CLI::App &parser)
{
    m_parser = parser.add_subcommand(m_name, m_summary);
    m_parser->footer(m_examples);
    m_parser->require_subcommand(1);
    for (const std::unique_ptr<Command> &command : m_commands)
        command->addTo(*m_parser);
}

int CommandGroup::execute(Messages &messages)
{
    const auto parsers = m_parser->get_subcommands({});
    for (std::size_t i = 0; i < parsers.size(); ++i) {
        if (m_parser->got_subcommand(parsers[i]))
            return m_commands[i]->execute(messages);
    }
    return ExitCode::usage;
}

} // namespace Rekindle
