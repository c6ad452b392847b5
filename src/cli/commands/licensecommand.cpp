// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandline_p.h"

#include <utility>

namespace Rekindle {

namespace {

constexpr char licenseExamples[] =
    R"(A vendor generates a key pair once, keeps the secret key and compiles the public key into the
application. docs/licensing.md shows the whole procedure.

Examples:
  rekindle license keygen --out vendor
  rekindle license issue --key vendor.key --tier Teams --licensee 'ACME Ltd' \
      --audience com.example.writer --for 365d --out acme.license
  rekindle license verify acme.license --key vendor.pub --audience com.example.writer

Exit codes:
  0   success
  64  usage
  73  a file cannot be created
  78  invalid license or key
)";

} // namespace

std::unique_ptr<Command> makeLicenseCommand()
{
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(makeLicenseKeygenCommand());
    commands.push_back(makeLicenseIssueCommand());
    commands.push_back(makeLicenseVerifyCommand());
    return std::make_unique<CommandGroup>("license",
                                          "Generate keys, issue and verify license files",
                                          licenseExamples, std::move(commands));
}

} // namespace Rekindle
