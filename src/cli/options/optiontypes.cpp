// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "optiontypes_p.h"

#include <CLI/CLI.hpp>

namespace Rekindle {

void addDuration(CLI::App &parser, const std::string &name, std::optional<Duration> &target,
                 const std::string &description)
{
    parser
        .add_option_function<std::string>(
            name,
            [&target, name](const std::string &text) {
                target = durationFromString(QString::fromStdString(text));
                if (!target) {
                    throw CLI::ValidationError(name,
                                               "expected a duration such as 500ms, 5s or 1m, at "
                                               "most 10000d, found \""
                                                   + text + '"');
                }
            },
            description)
        ->type_name("D");
}

void addTimeLimit(CLI::App &parser, const std::string &name, std::optional<Duration> &target,
                  const std::string &description)
{
    addDuration(parser, name, target, description);
    parser.get_option(name)->check(
        [](const std::string &text) {
            const std::optional<Duration> time = durationFromString(QString::fromStdString(text));
            return std::string(time && *time <= Duration{0} ? "expected more than 0, found 0" : "");
        },
        "");
}

void addText(CLI::App &parser, const std::string &name, QString &target,
             const std::string &description, const std::string &typeName)
{
    parser
        .add_option_function<std::string>(
            name,
            [&target, name, typeName](const std::string &text) {
                if (text.empty())
                    throw CLI::ValidationError(name,
                                               "expected " + typeName + ", found an empty value");
                target = QString::fromStdString(text);
            },
            description)
        ->type_name(typeName);
}

} // namespace Rekindle
