// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "licensecommand_p.h"

#include "exitcode_p.h"

#include <CLI/CLI.hpp>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "A vendor makes a key pair once, keeps the secret half, and compiles the public one into the\n"
    "application; docs/licensing.md has a whole session.\n"
    "\n"
    "Examples:\n"
    "  rekindle license keygen --out vendor\n"
    "  rekindle license issue --key vendor.key --tier Teams --licensee 'ACME Ltd' \\\n"
    "      --audience com.example.writer --for 365d --out acme.license\n"
    "  rekindle license verify acme.license --key vendor.pub --audience com.example.writer\n"
    "\n"
    "Exit codes: 0 fine, 64 usage, 73 a file cannot be created, 78 a licence or key is refused.\n";

class LicenseCommand final : public Command
{
public:
    void addTo(CLI::App &parser) override
    {
        m_parser = parser.add_subcommand("license", "Make keys, issue and verify licence files");
        m_parser->footer(examples);
        m_parser->require_subcommand(1);
        m_commands.push_back(makeLicenseKeygenCommand());
        m_commands.push_back(makeLicenseIssueCommand());
        m_commands.push_back(makeLicenseVerifyCommand());
        for (const std::unique_ptr<Command> &command : m_commands)
            command->addTo(*m_parser);
    }

    int execute(Messages &messages) override
    {
        const auto subcommands = m_parser->get_subcommands({});
        for (std::size_t i = 0; i < subcommands.size(); ++i) {
            if (m_parser->got_subcommand(subcommands[i]))
                return m_commands[i]->execute(messages);
        }
        return ExitCode::usage;
    }

private:
    CLI::App *m_parser = nullptr;
    std::vector<std::unique_ptr<Command>> m_commands;
};

} // namespace

std::unique_ptr<Command> makeLicenseCommand() { return std::make_unique<LicenseCommand>(); }

} // namespace Rekindle
