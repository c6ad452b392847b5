// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandtree_p.h"

#include <rekindle/version.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

namespace Rekindle {

namespace {

std::string escaped(std::string_view text)
{
    std::string result;
    for (const char each : text) {
        if (each == '\\')
            result += "\\e";
        else if (each == '-')
            result += "\\-";
        else
            result += each;
    }
    return result;
}

// A line that begins with a period or an apostrophe would be a request.
std::string lineOf(std::string_view text)
{
    const bool isRequest = !text.empty() && (text.front() == '.' || text.front() == '\'');
    return (isRequest ? "\\&" : "") + escaped(text) + '\n';
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string upperCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char each) { return static_cast<char>(std::toupper(each)); });
    return text;
}

// An empty line begins a paragraph; lines with an indentation are shown as they are.
std::string paragraphs(const std::vector<std::string> &lines)
{
    std::string text;
    bool isLiteral = false;
    const auto setLiteral = [&](bool literal) {
        if (literal != isLiteral)
            text += literal ? ".PP\n.nf\n" : ".fi\n";
        isLiteral = literal;
    };
    for (const std::string &line : lines) {
        if (line.empty() && !isLiteral && !text.empty()) {
            text += ".PP\n";
        } else if (!line.empty()) {
            setLiteral(line.front() == ' ');
            text += lineOf(line);
        }
    }
    setLiteral(false);
    return text;
}

/// The parts of the text after the options.
struct Footer
{
    std::vector<std::string> description{};
    std::vector<std::string> examples{};
    std::vector<std::string> exitCodes{};
};

Footer split(const std::string &text)
{
    Footer footer;
    std::vector<std::string> *part = &footer.description;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line == "Examples:")
            part = &footer.examples;
        else if (line == "Exit codes:")
            part = &footer.exitCodes;
        else if (part == &footer.examples && !line.empty() && line.front() != ' ')
            footer.description.push_back(line); // text after the examples
        else
            part->push_back(line);
    }
    while (!footer.description.empty() && footer.description.back().empty())
        footer.description.pop_back();
    return footer;
}

std::string entryText(const OptionEntry &option)
{
    std::string heading;
    for (const std::string &name : option.names) {
        heading += heading.empty() ? "" : ", ";
        heading += option.isPositional ? italic(name) : bold(name);
    }
    if (!option.isPositional && !option.value.empty())
        heading += ' ' + italic(option.value);
    return ".TP\n" + heading + '\n' + lineOf(option.description);
}

std::string entriesOf(const CommandEntry &command)
{
    std::string text;
    std::string group;
    for (const bool isPositional : {true, false}) {
        for (const OptionEntry &option : command.options) {
            if (option.isPositional != isPositional || option.group.empty())
                continue;
            const std::string heading = isPositional ? "Arguments" : option.group;
            if (heading != group)
                text += ".SH " + escaped(upperCase(heading)) + '\n';
            group = heading;
            text += entryText(option);
        }
    }
    return text;
}

// "  64  usage"; a line with a larger indentation continues the previous one.
std::string exitCodesText(const std::vector<std::string> &lines)
{
    std::string text;
    for (const std::string &line : lines) {
        const std::size_t start = line.find_first_not_of(' ');
        if (start == std::string::npos)
            continue;
        const std::size_t end = line.find(' ', start);
        constexpr std::size_t indentation = 2;
        if (start > indentation || end == std::string::npos)
            text += lineOf(line.substr(start));
        else
            text += ".TP\n" + bold(line.substr(start, end - start)) + '\n'
                + lineOf(line.substr(line.find_first_not_of(' ', end)));
    }
    return text;
}

std::string seeAlso(const CommandEntry &command)
{
    std::string text;
    const auto add = [&text](const std::string &page) {
        text += (text.empty() ? "" : ",\n") + (".BR " + escaped(page)) + " (1)";
    };
    if (command.words.find(' ') != std::string::npos)
        add("rekindle");
    for (const CommandEntry &below : command.commands)
        add(manPageName(below));
    return text + '\n';
}

} // namespace

std::string manPageName(const CommandEntry &command)
{
    std::string name = command.words;
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

std::string manPage(const CommandEntry &command)
{
    const std::string name = manPageName(command);
    std::string summary = command.summary;
    if (!summary.empty() && summary.back() == '.')
        summary.pop_back();
    const Footer footer = split(command.footer);
    std::string text = ".TH " + escaped(upperCase(name))
        + " 1 \"\" \"rekindle " REKINDLE_VERSION_STR "\" \"Rekindle\"\n"
          ".SH NAME\n"
        + escaped(name) + " \\- " + escaped(summary) + "\n.SH SYNOPSIS\n" + lineOf(command.usage);
    if (!footer.description.empty())
        text += ".SH DESCRIPTION\n" + paragraphs(footer.description);
    text += entriesOf(command);
    if (!command.commands.empty()) {
        text += ".SH COMMANDS\n";
        for (const CommandEntry &below : command.commands)
            text += ".TP\n" + bold(below.name()) + '\n' + lineOf(below.summary);
    }
    if (!footer.examples.empty())
        text += ".SH EXAMPLES\n" + paragraphs(footer.examples);
    if (!footer.exitCodes.empty())
        text += ".SH EXIT STATUS\n" + exitCodesText(footer.exitCodes);
    return text + ".SH SEE ALSO\n" + seeAlso(command);
}

} // namespace Rekindle
