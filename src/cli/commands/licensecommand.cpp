// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "licensecommand_p.h"

#include "commandgroup_p.h"

#include <utility>

namespace Rekindle {

namespace {

constexpr char examples[] =
    "A vendor generates a key pair once, keeps the secret key and compiles the public key into "
    "the\n"
    "application. docs/licensing.md shows the whole procedure.\n"
    "\n"
    "Examples:\n"
    "  rekindle license keygen --out vendor\n"
    "  rekindle license issue --key vendor.key --tier Teams --licensee 'ACME Ltd' \\\n"
    "      --audience com.example.writer --for 365d --out acme.license\n"
    "  rekindle license verify acme.license --key vendor.pub --audience com.example.writer\n"
    "\n"
    "Exit codes:\n"
    "  0   success\n"
    "  64  usage\n"
    "  73  a file cannot be created\n"
    "  78  invalid license or key\n";

} // namespace

std::unique_ptr<Command> makeLicenseCommand()
{
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(makeLicenseKeygenCommand());
    commands.push_back(makeLicenseIssueCommand());
    commands.push_back(makeLicenseVerifyCommand());
    return std::make_unique<CommandGroup>(
        "license", "Generate keys, issue and verify license files", examples, std::move(commands));
}

} // namespace Rekindle
