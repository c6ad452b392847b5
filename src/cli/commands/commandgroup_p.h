// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "commandline_p.h"

#include <memory>
#include <vector>

namespace Rekindle {

/// A command with required subcommands: `rekindle license verify`.
class CommandGroup final : public Command
{
public:
    /// The texts are for --help and must be static.
    CommandGroup(const char *name, const char *summary, const char *examples,
                 std::vector<std::unique_ptr<Command>> commands);

    void addTo(CLI::App &parser) override;
    int execute(Messages &messages) override;

private:
    const char *const m_name;
    const char *const m_summary;
    const char *const m_examples;
    const std::vector<std::unique_ptr<Command>> m_commands;
    CLI::App *m_parser = nullptr;
};

} // namespace Rekindle
