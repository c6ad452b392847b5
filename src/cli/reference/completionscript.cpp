// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandtree_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

// The names of the agents, or nothing without a running host.
constexpr char agentsCommand[] = "rekindle status 2>/dev/null | sed -n '2,$s/ .*//p'";

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

// For the pattern of a case in bash and zsh: the words after "rekindle".
std::string path(const CommandEntry &command)
{
    const std::size_t space = command.words.find(' ');
    return space == std::string::npos ? "" : command.words.substr(space + 1);
}

std::string quoted(std::string text, const std::string &escapedQuote)
{
    for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos;
         at += escapedQuote.size())
        text.replace(at, 1, escapedQuote);
    return '\'' + text + '\'';
}

bool takesAgents(const CommandEntry &command)
{
    const auto has = [&command](bool isPositional, const char *name) {
        return std::any_of(
            command.options.begin(), command.options.end(), [&](const OptionEntry &each) {
                return each.isPositional == isPositional
                    && std::find(each.names.begin(), each.names.end(), name) != each.names.end();
            });
    };
    return has(false, "--host") && (has(true, "AGENT") || has(true, "NAME"));
}

template<typename Visit>
void visitAll(const CommandEntry &command, Visit visit)
{
    visit(command);
    for (const CommandEntry &below : command.commands)
        visitAll(below, visit);
}

// Sets the words that complete: those of one command in a case of the path.
std::string casesOf(const CommandEntry &program)
{
    std::string text;
    visitAll(program, [&text](const CommandEntry &command) {
        std::vector<std::string> options;
        std::vector<std::string> commands;
        std::string values;
        std::string fixed;
        for (const OptionEntry &option : command.options) {
            if (option.isPositional) {
                fixed += (fixed.empty() ? "" : " ") + joined(option.choices());
                continue;
            }
            options.insert(options.end(), option.names.begin(), option.names.end());
            if (option.value.empty())
                continue;
            std::string patterns;
            for (const std::string &name : option.names)
                patterns += (patterns.empty() ? "" : "|") + name;
            values += "            " + patterns + ") choices='" + joined(option.choices())
                + "' isValue=1 ;;\n";
        }
        commands.reserve(command.commands.size());
        for (const CommandEntry &below : command.commands)
            commands.push_back(below.name());
        text += "    '" + path(command) + "')\n        commands='" + joined(commands)
            + "'\n        options='" + joined(options) + "'\n        fixed='" + fixed
            + "'\n        hasAgents=" + (takesAgents(command) ? "1" : "") + '\n';
        if (!values.empty())
            text += "        case $previous in\n" + values + "        esac\n";
        text += "        ;;\n";
    });
    return text;
}

// The words before the cursor are in $1 and so on.
std::string functionOf(const CommandEntry &program)
{
    std::string commands;
    visitAll(program, [&commands](const CommandEntry &command) {
        if (!path(command).empty())
            commands += (commands.empty() ? "" : "|") + quoted(path(command), "");
    });
    return "_rekindle_words() {\n"
           "    local word next command='' previous=''\n"
           "    for word in \"$@\"; do\n"
           "        previous=$word\n"
           "        [[ $word == -- ]] && return 1\n"
           "        next=${command:+$command }$word\n"
           "        case $next in "
        + commands
        + ") command=$next ;; esac\n"
          "    done\n"
          "    commands='' options='' fixed='' choices='' isValue='' hasAgents=''\n"
          "    case $command in\n"
        + casesOf(program)
        + "    esac\n"
          "    return 0\n"
          "}\n";
}

std::string bashScript(const CommandEntry &program)
{
    return "# bash completion for rekindle\n\n" + functionOf(program) + R"sh(
_rekindle() {
    local current=${COMP_WORDS[COMP_CWORD]} commands options fixed choices isValue hasAgents
    COMPREPLY=()
    if ! _rekindle_words "${COMP_WORDS[@]:1:COMP_CWORD-1}"; then
        compopt -o default
        return
    fi
    local IFS=$' \t\n' words
    if [[ $isValue ]]; then
        words=$choices
    elif [[ $current == -* ]]; then
        words=$options
    else
        words="$commands $fixed"
        [[ $hasAgents ]] && words+=" $()sh"
        + agentsCommand + R"sh()"
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    # Files, if nothing else is known.
    if [[ -z ${words// /} ]]; then
        compopt -o default
    fi
}

complete -F _rekindle rekindle
)sh";
}

std::string zshScript(const CommandEntry &program)
{
    return "#compdef rekindle\n\n" + functionOf(program) + R"sh(
_rekindle() {
    local current=$words[CURRENT] commands options fixed choices isValue hasAgents
    local -a found
    if ! _rekindle_words "${(@)words[2,CURRENT-1]}"; then
        _files
        return
    fi
    if [[ -n $isValue ]]; then
        found=(${=choices})
    elif [[ $current == -* ]]; then
        found=(${=options})
    else
        found=(${=commands} ${=fixed})
        [[ -n $hasAgents ]] && found+=(${(f)"$()sh"
        + agentsCommand + R"sh()"})
    fi
    if (( $#found )); then
        compadd -- $found
    else
        _files
    fi
}

if [[ $funcstack[1] == _rekindle ]]; then
    _rekindle "$@"
else
    compdef _rekindle rekindle
fi
)sh";
}

std::string fishText(const std::string &text) { return quoted(text, "\\'"); }

// `begin` has the condition for the command.
std::string fishOption(const std::string &begin, const OptionEntry &option)
{
    const std::string choices = joined(option.choices());
    if (option.isPositional)
        return choices.empty() ? "" : begin + " -f -a " + fishText(choices) + '\n';
    std::string line = begin;
    for (const std::string &name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty())
        line += choices.empty() ? " -r" : " -x -a " + fishText(choices);
    return line + " -d " + fishText(option.description) + '\n';
}

// Each condition names the command that is complete so far.
std::string fishEntries(const CommandEntry &command)
{
    const std::string begin =
        "complete -c rekindle -n \"__rekindle_at " + fishText(path(command)) + "\"";
    std::string entries;
    for (const CommandEntry &below : command.commands)
        entries +=
            begin + " -f -a " + fishText(below.name()) + " -d " + fishText(below.summary) + '\n';
    for (const OptionEntry &option : command.options)
        entries += fishOption(begin, option);
    if (takesAgents(command))
        entries += begin
            + " -f -a \"(rekindle status 2>/dev/null | string match -r '^\\S+' | tail -n +2)\"\n";
    return entries;
}

std::string fishScript(const CommandEntry &program)
{
    std::string commands;
    std::string entries;
    visitAll(program, [&](const CommandEntry &command) {
        if (!path(command).empty())
            commands += ' ' + fishText(path(command));
        entries += fishEntries(command);
    });
    return R"sh(# fish completion for rekindle

# Whether these are the commands in front of the cursor.
function __rekindle_at
    set -l command ''
    for word in (commandline -opc)[2..-1]
        test $word = -- ; and return 1
        set -l next (string trim "$command $word")
        contains -- $next)sh"
        + commands + R"sh(; and set command $next
    end
    test "$command" = "$argv[1]"
end

)sh" + entries;
}

} // namespace

std::string completionScript(const CommandEntry &program, const std::string &shell)
{
    if (shell == "fish")
        return fishScript(program);
    return shell == "zsh" ? zshScript(program) : bashScript(program);
}

} // namespace Rekindle
