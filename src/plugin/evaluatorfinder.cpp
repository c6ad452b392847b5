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

bool isLegalId(const QString &id)
{
    const auto isLegal = [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9') || c == u'-';
    };
    return !id.isEmpty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), isLegal);
}

// What a plug-in says may be long, and may be meant for the terminal.
QString plain(const QJsonValue &value)
{
    constexpr qsizetype longest = 200;
    QString text = value.toString().left(longest);
    for (QChar &c : text) {
        if (!c.isPrint())
            c = u'?';
    }
    return text;
}

// Whoever can write there could put in any code.
bool isWritableForAll(const QFileInfo &info)
{
    return info.permissions().testFlag(QFileDevice::WriteOther);
}

QString faultOfPlace(const QFileInfo &file, const QString &folder)
{
    const QString canonical = file.canonicalFilePath();
    if (canonical.isEmpty())
        return QStringLiteral("it is a link that leads nowhere");
    if (QFileInfo(canonical).absolutePath() != folder)
        return QStringLiteral("it is a link out of its folder");
    if (!QFileInfo(canonical).isFile())
        return QStringLiteral("it is no file");
    if (isWritableForAll(QFileInfo(canonical)))
        return QStringLiteral("everybody may write to it");
    return {};
}

QString faultOfInterface(const QPluginLoader &loader, const QJsonObject &data)
{
    if (data.isEmpty()) {
        const QString error = loader.errorString();
        return QStringLiteral("it is no Qt plug-in: ") + error;
    }
    const QString found = data[QLatin1String("IID")].toString();
    if (found == iid)
        return {};
    if (found.startsWith(iidWithoutVersion))
        return QStringLiteral("it is for interface %1, this is %2").arg(found, iid);
    return QStringLiteral("it is a plug-in for something else, %1").arg(plain(found));
}

QString faultOfMetadata(const QJsonObject &metadata, FoundEvaluator &found)
{
    EvaluatorInfo &info = found.info;
    if (metadata.isEmpty())
        return QStringLiteral("it has no metadata");
    info.version = plain(metadata[QLatin1String("version")]);
    info.description = plain(metadata[QLatin1String("description")]);
    info.tier = plain(metadata[QLatin1String("tier")]);
    const QString id = metadata[QLatin1String("id")].toString();
    if (!isLegalId(id))
        return QStringLiteral("its metadata has no id of 1 to 64 of a-z, 0-9 and -");
    info.id = id;
    static const QStringList tiers = {QStringLiteral("Core"), QStringLiteral("WriterPro"),
                                      QStringLiteral("Teams"), QStringLiteral("Enterprise")};
    if (!tiers.contains(info.tier)) {
        return QStringLiteral("its metadata has tier \"%1\", allowed %2")
            .arg(info.tier, tiers.join(QLatin1String(", ")));
    }
    const QJsonObject api = metadata[QLatin1String("api")].toObject();
    info.apiFrom = api[QLatin1String("from")].toInt();
    info.apiTo = api[QLatin1String("to")].toInt();
    if (info.apiFrom < 1 || info.apiTo < info.apiFrom)
        return QStringLiteral("its metadata has no api range, such as {\"from\": 1, \"to\": 1}");
    if (evaluatorApiVersion < info.apiFrom || evaluatorApiVersion > info.apiTo) {
        return QStringLiteral("it is for api %1 to %2, this is %3")
            .arg(info.apiFrom)
            .arg(info.apiTo)
            .arg(evaluatorApiVersion);
    }
    info.parameterSchema = metadata[QLatin1String("parameters")].toObject();
    QString error;
    const std::optional<ParameterSchema> schema =
        ParameterSchema::read(info.parameterSchema, error);
    if (!schema)
        return QStringLiteral("its schema of parameters: ") + error;
    found.schema = *schema;
    return {};
}

FoundEvaluator look(const QFileInfo &file, const QString &folder)
{
    FoundEvaluator found;
    found.info.file = file.absoluteFilePath();
    found.info.reason = faultOfPlace(file, folder);
    if (!found.info.reason.isEmpty())
        return found;
    found.info.file = file.canonicalFilePath();
    // Reads the file, but loads and runs nothing of it.
    const QPluginLoader loader(found.info.file);
    const QJsonObject data = loader.metaData();
    found.info.reason = faultOfInterface(loader, data);
    if (found.info.reason.isEmpty() && isCutOff(found.info.file))
        found.info.reason = QStringLiteral("the file is cut off");
    if (found.info.reason.isEmpty())
        found.info.reason = faultOfMetadata(data[QLatin1String("MetaData")].toObject(), found);
    if (found.info.reason.isEmpty())
        found.info.state = EvaluatorInfo::State::Allowed;
    return found;
}

QString faultOfFolder(const QFileInfo &folder)
{
    if (!folder.exists())
        return QStringLiteral("there is no such folder");
    if (!folder.isDir())
        return QStringLiteral("it is no folder");
    if (!folder.isReadable())
        return QStringLiteral("it cannot be read");
    if (isWritableForAll(folder))
        return QStringLiteral("everybody may write to this folder");
    return {};
}

void refuseTakenId(FoundEvaluator &candidate, const QList<FoundEvaluator> &before)
{
    if (candidate.info.state != EvaluatorInfo::State::Allowed)
        return;
    for (const FoundEvaluator &each : before) {
        if (each.info.state != EvaluatorInfo::State::Allowed || each.info.id != candidate.info.id)
            continue;
        candidate.info.state = EvaluatorInfo::State::Refused;
        candidate.info.reason = each.info.file == candidate.info.file
            ? QStringLiteral("it was found before")
            : QStringLiteral("its id is taken by %1").arg(each.info.file);
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
            path.isEmpty() ? QStringLiteral("there is no such folder") : faultOfFolder(folder);
        if (!fault.isEmpty()) {
            FoundEvaluator refused;
            refused.info.file = path;
            refused.info.reason = fault;
            result.append(refused);
            continue;
        }
        const QDir directory(folder.filePath());
        const auto entries = directory.entryInfoList(
            QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
        for (const QFileInfo &entry : entries) {
            if (!QLibrary::isLibrary(entry.fileName()))
                continue;
            FoundEvaluator found = look(entry, folder.filePath());
            refuseTakenId(found, result);
            result.append(found);
        }
    }
    return result;
}

} // namespace Rekindle
