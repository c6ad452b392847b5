// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "systemdunit_p.h"

#include "importbuilder_p.h"
#include "importwords_p.h"

#include <QHash>

#include <array>

namespace Rekindle {

namespace {

double unitSeconds(const QString &unit)
{
    static const QHash<QString, double> units{
        {QStringLiteral(""), 1},          {QStringLiteral("us"), 1e-6},
        {QStringLiteral("usec"), 1e-6},   {QStringLiteral("ms"), 1e-3},
        {QStringLiteral("msec"), 1e-3},   {QStringLiteral("s"), 1},
        {QStringLiteral("sec"), 1},       {QStringLiteral("second"), 1},
        {QStringLiteral("seconds"), 1},   {QStringLiteral("m"), 60},
        {QStringLiteral("min"), 60},      {QStringLiteral("minute"), 60},
        {QStringLiteral("minutes"), 60},  {QStringLiteral("h"), 3600},
        {QStringLiteral("hr"), 3600},     {QStringLiteral("hour"), 3600},
        {QStringLiteral("hours"), 3600},  {QStringLiteral("d"), 86400},
        {QStringLiteral("day"), 86400},   {QStringLiteral("days"), 86400},
        {QStringLiteral("w"), 604800},    {QStringLiteral("week"), 604800},
        {QStringLiteral("weeks"), 604800}};
    return units.value(unit);
}

// What to do instead of settings that are not converted, by the beginning of the key.
struct Advice
{
    const char *prefix;
    const char *text; ///< empty: nothing is lost
};
constexpr std::array advices{
    Advice{"ExecStartPre", "run the command in a script before the program"},
    Advice{"ExecStartPost", "run the command by hand, or in a script"},
    Advice{"ExecStop", "the agent is stopped with SIGTERM; handle it in the program"},
    Advice{"ExecReload", "send the signal by hand"},
    Advice{"ExecCondition", "test the condition in a script before the program"},
    Advice{"After",
           "the agents do not wait for each other; make the program retry, or keep the order in "
           "the unit of `rekindle up`"},
    Advice{"Before",
           "the agents do not wait for each other; keep the order in the unit of `rekindle up`"},
    Advice{"Requires",
           "agents do not depend on each other; keep the dependency in the unit of `rekindle up`"},
    Advice{"Wants",
           "agents do not depend on each other; keep the dependency in the unit of `rekindle up`"},
    Advice{"BindsTo",
           "agents do not depend on each other; keep the dependency in the unit of `rekindle up`"},
    Advice{"PartOf",
           "agents do not depend on each other; keep the dependency in the unit of `rekindle up`"},
    Advice{"SuccessExitStatus", "make the program exit with 0"},
    Advice{"RestartForceExitStatus", R"(set "restartOn" to "always" if the code is 0)"},
    Advice{"SendSIGKILL", R"(SIGKILL follows after "stop.terminate")"},
    Advice{"Description", ""},
    Advice{"Documentation", ""},
    Advice{"NotifyAccess", ""},
    Advice{"SyslogIdentifier", ""},
    Advice{"PIDFile", ""},
};

QString adviceFor(const QString &key)
{
    for (const Advice &advice : advices) {
        if (key.startsWith(QLatin1String(advice.prefix)))
            return QString::fromUtf8(advice.text);
    }
    return QStringLiteral("set it in the unit of `rekindle up` if it is needed");
}

} // namespace

SystemdUnit::SystemdUnit(const IniFile &file, ImportBuilder &builder)
    : m_file(file)
    , m_builder(builder)
{
}

void SystemdUnit::setAgent(const ImportedAgent &agent)
{
    m_agent = agent.name;
    m_line = agent.line;
}

void SystemdUnit::note(int line, const QString &text) { m_builder.note(line, m_agent, text); }

const IniFile::Entry *SystemdUnit::find(const char *key)
{
    m_known.insert(QLatin1String(key));
    const IniFile::Entry *found = nullptr;
    for (const IniFile::Section &section : m_file.sections) {
        if (const IniFile::Entry *const entry = section.find(QLatin1String(key)))
            found = entry;
    }
    return found;
}

QList<IniFile::Entry> SystemdUnit::list(const char *key)
{
    m_known.insert(QLatin1String(key));
    QList<IniFile::Entry> result;
    for (const IniFile::Section &section : m_file.sections) {
        for (const IniFile::Entry &entry : section.entries) {
            if (entry.key == QLatin1String(key) && entry.value.isEmpty())
                result.clear();
            else if (entry.key == QLatin1String(key))
                result.append(entry);
        }
    }
    return result;
}

QString SystemdUnit::value(const char *key, const char *standard)
{
    const IniFile::Entry *const entry = find(key);
    return entry != nullptr && !entry->value.isEmpty() ? entry->value : QString::fromUtf8(standard);
}

int SystemdUnit::line(const char *key)
{
    const IniFile::Entry *const entry = find(key);
    return entry != nullptr ? entry->line : m_line;
}

Duration SystemdUnit::duration(const char *key, Duration standard)
{
    const QString text = value(key);
    if (text.isEmpty())
        return standard;
    if (text == QLatin1String("infinity"))
        return Duration::max();
    const std::optional<Duration> read = durationOf(text, unitSeconds);
    if (!read)
        note(key,
             QStringLiteral("%1: expected a time span, found \"%2\"; using %3")
                 .arg(QLatin1String(key), printable(text), formatDuration(standard)));
    return read.value_or(standard);
}

void SystemdUnit::noteOthers()
{
    for (const IniFile::Section &section : m_file.sections) {
        if (section.name == QLatin1String("Install")
            || section.name.startsWith(QLatin1String("X-")))
            continue;
        for (const IniFile::Entry &entry : section.entries) {
            const QString advice = adviceFor(entry.key);
            if (!m_known.contains(entry.key) && !advice.isEmpty())
                note(entry.line,
                     QStringLiteral("%1 is not converted; %2").arg(printable(entry.key), advice));
        }
    }
}

} // namespace Rekindle
