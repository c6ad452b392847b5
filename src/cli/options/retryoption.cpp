// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "retryoption_p.h"

#include <CLI/CLI.hpp>

#include <map>

namespace Rekindle {

void addRetryOption(CLI::App &parser, CallRetry &target, const std::string &description)
{
    const std::map<std::string, CallRetry> names{
        {"safe", CallRetry::Safe}, {"always", CallRetry::Always}, {"never", CallRetry::Never}};
    parser
        .add_option_function<std::string>(
            "--retry", [&target, names](const std::string &text) { target = names.at(text); },
            description)
        ->check(CLI::IsMember(names).description(""))
        ->type_name("safe|always|never");
}

} // namespace Rekindle
