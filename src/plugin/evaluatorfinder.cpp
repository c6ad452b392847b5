// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorfinder_p.h"

#include "elffile_p.h"

#include <rekindle/evaluator/restartevaluator.h>

#include <QDir>
#include <QFileInfo>
#include <QLibrary>
#include <QPluginLoader>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr QLatin1String iid{RekindleRestartEvaluator_iid};
constexpr QLatin1String iidWithoutVersion{"org.rekindle.RestartEvaluator/"};

bool isValidId(const QString &id)
{
    const auto isValid = [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9') || c == u'-';
    };
    return !id.isEmpty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), isValid);
}

// The metadata of a plug-in may be long and may contain control sequences for the terminal.
QString plainText(const QJsonValue &value)
{
    constexpr qsizetype longest = 200;
    QString text = value.toString().left(longest);
    for (QChar &c : text) {
        if (!c.isPrint())
            c = u'?';
    }
    return text;
}

// Another user could replace the code that is loaded.
bool isWorldWritable(const QFileInfo &info)
{
    return info.permissions().testFlag(QFileDevice::WriteOther);
}

QString faultOfPlace(const QFileInfo &file, const QString &folder)
{
    const QString canonical = file.canonicalFilePath();
    if (canonical.isEmpty())
        return QStringLiteral("broken link");
    if (QFileInfo(canonical).absolutePath() != folder)
        return QStringLiteral("link to a file outside its folder");
    if (!QFileInfo(canonical).isFile())
        return QStringLiteral("not a regular file");
    if (isWorldWritable(QFileInfo(canonical)))
        return QStringLiteral("the file is writable by everyone");
    return {};
}

QString faultOfInterface(const QPluginLoader &loader, const QJsonObject &data)
{
    if (data.isEmpty()) {
        const QString error = loader.errorString();
        return QStringLiteral("not a Qt plug-in: ") + error;
    }
    const QString found = data[QLatin1String("IID")].toString();
    if (found == iid)
        return {};
    if (found.startsWith(iidWithoutVersion))
        return QStringLiteral("built for interface %1, expected %2").arg(found, iid);
    return QStringLiteral("the plug-in implements another interface: %1").arg(plainText(found));
}

QString faultOfMetadata(const QJsonObject &metadata, FoundEvaluator &found)
{
    EvaluatorInfo &info = found.info;
    if (metadata.isEmpty())
        return QStringLiteral("no metadata");
    info.version = plainText(metadata[QLatin1String("version")]);
    info.description = plainText(metadata[QLatin1String("description")]);
    info.tier = plainText(metadata[QLatin1String("tier")]);
    const QString id = metadata[QLatin1String("id")].toString();
    if (!isValidId(id))
        return QStringLiteral(
            "invalid id in the metadata; expected 1 to 64 characters of a-z, 0-9 and -");
    info.id = id;
    static const QStringList tiers = {QStringLiteral("Core"), QStringLiteral("WriterPro"),
                                      QStringLiteral("Teams"), QStringLiteral("Enterprise")};
    if (!tiers.contains(info.tier)) {
        return QStringLiteral("unknown tier \"%1\" in the metadata; expected one of %2")
            .arg(info.tier, tiers.join(QLatin1String(", ")));
    }
    const QJsonObject api = metadata[QLatin1String("api")].toObject();
    info.apiFrom = api[QLatin1String("from")].toInt();
    info.apiTo = api[QLatin1String("to")].toInt();
    if (info.apiFrom < 1 || info.apiTo < info.apiFrom)
        return QStringLiteral(
            "missing API range in the metadata, such as {\"from\": 1, \"to\": 1}");
    if (evaluatorApiVersion < info.apiFrom || evaluatorApiVersion > info.apiTo) {
        return QStringLiteral("requires API %1 to %2, this host provides %3")
            .arg(info.apiFrom)
            .arg(info.apiTo)
            .arg(evaluatorApiVersion);
    }
    info.parameterSchema = metadata[QLatin1String("parameters")].toObject();
    QString error;
    const std::optional<ParameterSchema> schema =
        ParameterSchema::read(info.parameterSchema, error);
    if (!schema)
        return QStringLiteral("parameter schema: ") + error;
    found.schema = *schema;
    return {};
}

FoundEvaluator inspect(const QFileInfo &file, const QString &folder)
{
    FoundEvaluator found;
    found.info.file = file.absoluteFilePath();
    found.info.reason = faultOfPlace(file, folder);
    if (!found.info.reason.isEmpty())
        return found;
    found.info.file = file.canonicalFilePath();
    // Reads the file without loading its code.
    const QPluginLoader loader(found.info.file);
    const QJsonObject data = loader.metaData();
    found.info.reason = faultOfInterface(loader, data);
    if (found.info.reason.isEmpty() && isTruncated(found.info.file))
        found.info.reason = QStringLiteral("the file is truncated");
    if (found.info.reason.isEmpty())
        found.info.reason = faultOfMetadata(data[QLatin1String("MetaData")].toObject(), found);
    if (found.info.reason.isEmpty())
        found.info.state = EvaluatorInfo::State::Allowed;
    return found;
}

QString faultOfFolder(const QFileInfo &folder)
{
    if (!folder.exists())
        return QStringLiteral("folder not found");
    if (!folder.isDir())
        return QStringLiteral("not a folder");
    if (!folder.isReadable())
        return QStringLiteral("not readable");
    if (isWorldWritable(folder))
        return QStringLiteral("the folder is writable by everyone");
    return {};
}

void rejectDuplicateId(FoundEvaluator &candidate, const QList<FoundEvaluator> &before)
{
    if (candidate.info.state != EvaluatorInfo::State::Allowed)
        return;
    for (const FoundEvaluator &each : before) {
        if (each.info.state != EvaluatorInfo::State::Allowed || each.info.id != candidate.info.id)
            continue;
        candidate.info.state = EvaluatorInfo::State::Rejected;
        candidate.info.reason = each.info.file == candidate.info.file
            ? QStringLiteral("duplicate of a file that was found before")
            : QStringLiteral("duplicate id, already used by %1").arg(each.info.file);
        return;
    }
}

} // namespace

QList<FoundEvaluator> findEvaluators(const QStringList &folders)
{
    QList<FoundEvaluator> result;
    for (const QString &path : folders) {
        const QFileInfo folder(QFileInfo(path).canonicalFilePath());
        const QString fault =
            path.isEmpty() ? QStringLiteral("folder not found") : faultOfFolder(folder);
        if (!fault.isEmpty()) {
            FoundEvaluator rejected;
            rejected.info.file = path;
            rejected.info.reason = fault;
            result.append(rejected);
            continue;
        }
        const QDir directory(folder.filePath());
        const auto entries = directory.entryInfoList(
            QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
        for (const QFileInfo &entry : entries) {
            if (!QLibrary::isLibrary(entry.fileName()))
                continue;
            FoundEvaluator found = inspect(entry, folder.filePath());
            rejectDuplicateId(found, result);
            result.append(found);
        }
    }
    return result;
}

} // namespace Rekindle
