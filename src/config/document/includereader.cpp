// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "includereader_p.h"

#include "config/environment/valuevariables_p.h"
#include "jsonfile_p.h"

#include <QFileInfo>

namespace Rekindle {

namespace {

bool isPattern(const QString &text)
{
    return text.contains(u'*') || text.contains(u'?') || text.contains(u'[');
}

// Returns the path for messages, relative to the same folder as the path of the including file.
QString shownPath(const QString &including, const QString &written)
{
    if (QDir::isAbsolutePath(written))
        return QDir::cleanPath(written);
    return QDir::cleanPath(QFileInfo(including).path() + u'/' + written);
}

// The paths that match, as they would be written without a pattern, sorted by name.
QStringList matches(const JsonPlace &place, const QString &written, const QDir &folder)
{
    if (!isPattern(written))
        return QStringList(written);
    const QString parent = written.section(u'/', 0, -2, QString::SectionIncludeTrailingSep);
    if (isPattern(parent)) {
        place.fault(QStringLiteral("expected a pattern in the name of the file only, found one in "
                                   "the folder \"%1\"")
                        .arg(printable(parent)));
        return {};
    }
    QStringList paths;
    const QDir searched(folder.absoluteFilePath(parent));
    for (const QString &name : searched.entryList({written.section(u'/', -1)},
                                                  QDir::Files | QDir::CaseSensitive, QDir::Name))
        paths.append(parent + name);
    return paths;
}

} // namespace

void IncludeReader::read(ConfigurationDocument &main, const QString &path)
{
    m_open.append(QFileInfo(path).canonicalFilePath());
    m_shown.append(main.file);
    readIncludes(main);
}

void IncludeReader::readIncludes(ConfigurationDocument &document)
{
    const std::optional<JsonPlace> include = document.root().member("include");
    if (!include)
        return;
    const ValueVariables variables(document.folder, ValueVariables::Environment());
    for (const JsonPlace &item : include->items().value_or(std::vector<JsonPlace>())) {
        const std::optional<QString> written = variables.textNotEmpty(item);
        if (!written)
            continue;
        for (const QString &path : matches(item, *written, document.folder))
            readFile(document, item, path);
    }
}

void IncludeReader::readFile(ConfigurationDocument &document, const JsonPlace &place,
                             const QString &written)
{
    const QString path = QDir::cleanPath(document.folder.absoluteFilePath(written));
    const QString shown = shownPath(document.file, written);
    const QString canonical = QFileInfo(path).canonicalFilePath();
    if (isRepeated(document, place, canonical, shown))
        return;
    if (m_files.size() >= mostFiles) {
        place.fault(
            QStringLiteral("expected at most %1 included files, found more").arg(mostFiles));
        m_isComplete = false;
        return;
    }
    m_files.append(path);
    Parsed<JsonNode> parsed = readJsonFile(path);
    auto included = std::make_unique<ConfigurationDocument>();
    included->file = shown;
    included->folder = QFileInfo(path).absolutePath();
    included->isIncluded = true;
    for (const Fault &fault : parsed.faults) {
        if (fault.line > 0)
            included->faults.add(fault, {fault.line, fault.column});
        else
            place.fault(fault.toString(printable(shown)));
    }
    m_isComplete = m_isComplete && parsed;
    if (parsed) {
        included->node = std::move(*parsed.value);
        m_open.append(canonical);
        m_shown.append(shown);
        readIncludes(*included);
        m_open.removeLast();
        m_shown.removeLast();
    }
    document.included.push_back(std::move(included));
}

bool IncludeReader::isRepeated(const ConfigurationDocument &document, const JsonPlace &place,
                               const QString &canonical, const QString &shown)
{
    if (canonical.isEmpty())
        return false;
    if (const qsizetype first = m_open.indexOf(canonical); first >= 0) {
        QString cycle;
        for (const QString &each : m_shown.mid(first))
            cycle += printable(each) + QLatin1String(" > ");
        place.fault(QStringLiteral("expected a file that does not include itself, found %1%2")
                        .arg(cycle, printable(shown)));
        m_isComplete = false;
        return true;
    }
    if (const auto first = m_places.constFind(canonical); first != m_places.constEnd()) {
        place.fault(QStringLiteral("expected another file, found %1, which is already included in "
                                   "%2")
                        .arg(printable(shown), *first));
        return true;
    }
    m_places.insert(canonical, document.placeText(place.node().position));
    return false;
}

} // namespace Rekindle
