// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "writtenfile_p.h"

#include "boundedfile_p.h"

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
        return {"a drawing", [](const QByteArray &head) { return head.startsWith("<svg"); }};
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

// Others could replace the name by a link. If the folder cannot be examined, opening the file fails
// as well.
bool canOthersWriteToFolderOf(const QString &path)
{
    struct stat folder = {};
    const QByteArray name = QFile::encodeName(QFileInfo(path).absolutePath());
    return ::stat(name.constData(), &folder) != 0 || (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0
        || (folder.st_uid != ::geteuid() && folder.st_uid != 0);
}

} // namespace

QString refusalOfPlace(const QString &path, WrittenFile kind)
{
    const Rule rule = ruleOf(kind);
    const QByteArray name = QFile::encodeName(path);
    struct stat info = {};
    if (::lstat(name.constData(), &info) != 0)
        return {};
    if (S_ISLNK(info.st_mode)) {
        if (!rule.isAppended)
            return refusal(rule, "a symbolic link");
        if (canOthersWriteToFolderOf(path))
            return refusal(rule, "a symbolic link in a folder that others can write to");
        if (::stat(name.constData(), &info) != 0)
            return {};
    }
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
    const int links = canOthersWriteToFolderOf(path) ? O_NOFOLLOW : 0;
    return ::open(QFile::encodeName(path).constData(),
                  O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | links, 0600);
}

QString appendErrorText(int error)
{
    switch (error) {
    case ENXIO:
        return QStringLiteral("no reader");
    case ELOOP:
        return QStringLiteral("a symbolic link in a folder that others can write to");
    default:
        return qt_error_string(error);
    }
}

} // namespace Rekindle
