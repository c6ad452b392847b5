// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandtree_p.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

namespace Rekindle {

namespace {

bool isWord(const std::string &text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-';
    });
}

std::string usageOf(const CLI::App &command, const std::string &prefix)
{
    constexpr char label[] = "Usage: ";
    const std::string help = command.help(prefix);
    const std::size_t start = help.find(label) + sizeof label - 1;
    return help.substr(start, help.find('\n', start) - start);
}

OptionEntry entryOf(const CLI::Option &option)
{
    OptionEntry entry;
    entry.isPositional = option.get_positional();
    if (entry.isPositional) {
        entry.names.push_back(option.get_name(true));
    } else {
        for (const std::string &name : option.get_snames())
            entry.names.push_back('-' + name);
        for (const std::string &name : option.get_lnames())
            entry.names.push_back("--" + name);
    }
    if (option.get_items_expected_max() > 0)
        entry.value = option.get_type_name();
    entry.description = option.get_description();
    entry.group = option.get_group();
    return entry;
}

} // namespace

std::vector<std::string> OptionEntry::choices() const
{
    std::vector<std::string> found;
    std::istringstream parts(value);
    for (std::string part; std::getline(parts, part, '|');) {
        if (isWord(part))
            found.push_back(part);
    }
    return found;
}

CommandEntry commandTree(const CLI::App &command, const std::string &prefix)
{
    CommandEntry entry;
    entry.words = prefix.empty() ? command.get_name() : prefix + ' ' + command.get_name();
    entry.summary = command.get_description();
    entry.usage = usageOf(command, prefix);
    entry.footer = command.get_footer();
    for (const CLI::Option *option : command.get_options())
        entry.options.push_back(entryOf(*option));
    for (const CLI::App *below : command.get_subcommands([](const CLI::App *) { return true; }))
        entry.commands.push_back(commandTree(*below, entry.words));
    return entry;
}

} // namespace Rekindle
