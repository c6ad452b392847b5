// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "writtenfile_p.h"

#include "boundedfile_p.h"
#include "safepath_p.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

namespace Rekindle {

namespace {

struct Rule
{
    const char *name = nullptr;
    bool (*recognizes)(const QByteArray &head) = nullptr;
    bool isAppended = false;
};

bool isProcessId(const QByteArray &head)
{
    const QByteArray text = head.trimmed();
    constexpr qsizetype longest = 20;
    return text.size() <= longest && std::all_of(text.begin(), text.end(), [](unsigned char each) {
               return std::isdigit(each) != 0;
           });
}

// The header of an SQLite database with the application id of a store.
bool isStore(const QByteArray &head)
{
    constexpr qsizetype placeOfId = 68;
    return head.startsWith("SQLite format 3") && head.mid(placeOfId, 4) == "RKND";
}

bool isMarker(const QByteArray &head)
{
    QJsonParseError error;
    const QJsonObject object = QJsonDocument::fromJson(head, &error).object();
    // One that was not written completely.
    if (error.error != QJsonParseError::NoError && error.error != QJsonParseError::GarbageAtEnd
        && error.offset >= head.size() - 1 && head.contains("\"timestamp\""))
        return true;
    return object.contains(QLatin1String("timestamp"))
        && (object.contains(QLatin1String("reason"))
            || object.contains(QLatin1String("exit_code")));
}

Rule ruleOf(WrittenFile kind)
{
    switch (kind) {
    case WrittenFile::State:
        return {"a state file", [](const QByteArray &head) {
                    return head.startsWith(R"({"format":"rekindle-state")");
                }};
    case WrittenFile::StateLock:
        return {"the lock of a state file", isProcessId};
    case WrittenFile::Store:
        return {"a telemetry store", isStore};
    case WrittenFile::LicenseClock:
        return {"a file of the latest known time", [](const QByteArray &head) {
                    return head.startsWith("rekindle-license-latest-time:");
                }};
    case WrittenFile::Marker:
        return {"a restart marker", isMarker};
    case WrittenFile::Drawing:
        return {"a drawing", [](const QByteArray &head) {
                    return head.startsWith("<svg")
                        || (head.startsWith("<?xml ") && head.contains("<svg"));
                }};
    case WrittenFile::Trace:
        return {"a trace of rekindle", [](const QByteArray &head) {
                    return head.startsWith(R"({"otherData":{"producer":"rekindle"})");
                }};
    case WrittenFile::Events:
        return {"a file of events",
                [](const QByteArray &head) { return head.startsWith(R"({"specversion":)"); }, true};
    case WrittenFile::Output:
        break;
    }
    return {"an output file", [](const QByteArray &) { return true; }, true};
}

QString refusal(const Rule &rule, const char *found)
{
    return QStringLiteral("expected %1, found %2")
        .arg(QLatin1String(rule.name), QLatin1String(found));
}

} // namespace

QString refusalOfPlace(const QString &path, WrittenFile kind)
{
    const Rule rule = ruleOf(kind);
    struct stat info = {};
    if (::lstat(QFile::encodeName(path).constData(), &info) != 0)
        return {};
    if (S_ISLNK(info.st_mode) && !rule.isAppended)
        return refusal(rule, "a symbolic link");
    const UniqueFd file = SafePath(path).open(O_PATH);
    if (!file.isOpen())
        return errno == ELOOP ? refusal(rule, qPrintable(SafePath::errorText(errno))) : QString();
    if (::fstat(file.get(), &info) != 0)
        return {};
    if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode) && !rule.isAppended)
        return refusal(rule, "a pipe or a device");
    return {};
}

QString refusalOf(const QString &path, WrittenFile kind)
{
    if (QString found = refusalOfPlace(path, kind); !found.isEmpty())
        return found;
    if (kind == WrittenFile::Output || !QFileInfo(path).isFile())
        return {}; // any output file is accepted, also one that cannot be read
    const Rule rule = ruleOf(kind);
    constexpr qint64 headSize = qint64{64} * 1024;
    const BoundedFile file = BoundedFile::readHead(path, headSize);
    if (file.status == BoundedFile::Status::Missing)
        return {};
    if (!file.isRead())
        return QStringLiteral("cannot be read: ") + file.error;
    return file.bytes.isEmpty() || rule.recognizes(file.bytes) ? QString()
                                                               : refusal(rule, "another file");
}

int openToAppend(const QString &path)
{
    return SafePath(path)
        .open(O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY, S_IRUSR | S_IWUSR)
        .release();
}

QString appendErrorText(int error)
{
    return error == ENXIO ? QStringLiteral("no reader") : SafePath::errorText(error);
}

} // namespace Rekindle
