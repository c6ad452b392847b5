// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "inifile_p.h"

#include "importbuilder_p.h"
#include "json/jsonnode.h"

#include <QStringList>

#include <algorithm>

namespace Rekindle {

namespace {

bool isCommentLine(QStringView trimmed)
{
    return trimmed.startsWith(u'#') || trimmed.startsWith(u';');
}

// Without a comment, which follows a blank.
QString withoutInlineComment(const QString &line)
{
    for (qsizetype i = 1; i < line.size(); ++i) {
        if ((line[i] == u';' || line[i] == u'#') && line[i - 1].isSpace())
            return line.left(i);
    }
    return line;
}

struct LogicalLine
{
    QString text;
    int line = 0;
    bool continuesValue = false;
};

QList<LogicalLine> supervisordLines(const QStringList &lines)
{
    QList<LogicalLine> result;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QString trimmed = lines[i].trimmed();
        if (trimmed.isEmpty() || isCommentLine(trimmed))
            continue;
        const QString text = withoutInlineComment(lines[i]);
        result.append({text.trimmed(), int(i) + 1, lines[i].front().isSpace()});
    }
    return result;
}

QList<LogicalLine> systemdLines(const QStringList &lines)
{
    QList<LogicalLine> result;
    bool continues = false;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        QString text = lines[i].trimmed();
        if (isCommentLine(text) || (text.isEmpty() && !continues))
            continue;
        const bool willContinue = text.endsWith(u'\\');
        if (willContinue)
            text.chop(1);
        if (continues)
            result.back().text += u' ' + text;
        else
            result.append({text, int(i) + 1, false});
        continues = willContinue;
    }
    return result;
}

} // namespace

const IniFile::Entry *IniFile::Section::find(const QString &key) const
{
    const auto found = std::find_if(entries.rbegin(), entries.rend(),
                                    [&](const Entry &entry) { return entry.key == key; });
    return found == entries.rend() ? nullptr : &*found;
}

IniFile IniFile::read(const QString &text, Dialect dialect, ImportBuilder &builder)
{
    const bool isSupervisord = dialect == Dialect::Supervisord;
    const QStringList lines = text.split(u'\n');
    IniFile file;
    for (const LogicalLine &line : isSupervisord ? supervisordLines(lines) : systemdLines(lines)) {
        const bool hasSection = !file.sections.isEmpty();
        if (line.continuesValue && hasSection && !file.sections.back().entries.isEmpty()) {
            file.sections.back().entries.back().value += u'\n' + line.text;
            continue;
        }
        if (line.text.startsWith(u'[') && line.text.endsWith(u']')) {
            file.sections.append({line.text.sliced(1).chopped(1).trimmed(), line.line, {}});
            continue;
        }
        qsizetype equals = line.text.indexOf(u'=');
        if (const qsizetype colon = line.text.indexOf(u':'); isSupervisord && colon >= 0)
            equals = equals < 0 ? colon : std::min(equals, colon);
        if (equals <= 0 || !hasSection) {
            builder.fault(
                line.line, 1,
                QStringLiteral("expected %1, found \"%2\"")
                    .arg(hasSection ? QStringLiteral("KEY=VALUE") : QStringLiteral("[SECTION]"),
                         printable(line.text)));
            continue;
        }
        const QString key = line.text.first(equals).trimmed();
        file.sections.back().entries.append({isSupervisord ? key.toLower() : key,
                                             line.text.sliced(equals + 1).trimmed(), line.line});
    }
    return file;
}

} // namespace Rekindle
