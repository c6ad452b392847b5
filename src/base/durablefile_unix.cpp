// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "durablefile_p.h"

#include "boundedfile_p.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace Rekindle {

namespace {

// A rename is durable once the folder is written. Errors are ignored: a file system that cannot do
// this offers nothing better.
void syncFolderOf(const QString &path)
{
    const QByteArray folder = QFile::encodeName(QFileInfo(path).absolutePath());
    const int descriptor = ::open(folder.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

// Returns an empty text, or the error.
QString openNew(QFile &file, QFileDevice::Permissions permissions)
{
    if (file.open(QIODevice::WriteOnly | QIODevice::NewOnly | QIODevice::Unbuffered, permissions))
        return {};
    return QFileInfo::exists(file.fileName())
        ? QStringLiteral("the file exists and is not overwritten")
        : file.errorString();
}

QString writeAll(QFile &file, const QByteArray &bytes)
{
    // A full disk accepts a part at first, and reports its error when it gets the rest.
    for (qint64 done = 0; done < bytes.size();) {
        const qint64 count = file.write(bytes.constData() + done, bytes.size() - done);
        if (count < 0)
            return file.errorString();
        done += count;
    }
    return {};
}

QString syncToDisk(const QFile &file)
{
    return ::fsync(file.handle()) == 0 ? QString() : qt_error_string(errno);
}

// Unlike QSaveFile, never follows a link that appears at `path` after the check.
QString renameOver(const QString &path, const QString &temporary)
{
    const bool isDone =
        std::rename(QFile::encodeName(temporary).constData(), QFile::encodeName(path).constData())
        == 0;
    return isDone ? QString() : qt_error_string(errno);
}

// Returns a name that no other file has: `first`, or the next one with a number.
QString temporaryNameFor(const QString &first, WrittenFile kind)
{
    constexpr int maxNumber = 100;
    QString name = first;
    for (int number = 2; number <= maxNumber; ++number) {
        // Left by a host that was killed while it wrote.
        if (refusalOf(name, kind).isEmpty())
            QFile::remove(name);
        if (const QFileInfo info(name); !info.exists() && !info.isSymLink())
            return name;
        name = first + QLatin1Char('-') + QString::number(number);
    }
    return name;
}

} // namespace

QString createFolderOf(const QString &path)
{
    const QFileInfo folder(QFileInfo(path).absolutePath());
    if (QDir().mkpath(folder.path()))
        QDir().mkdir(folder.filePath(), ownerOnly | QFileDevice::ExeOwner);
    QString missing = folder.filePath();
    if (QFileInfo::exists(missing))
        return {};
    while (!QFileInfo::exists(QFileInfo(missing).path()))
        missing = QFileInfo(missing).path();
    // Again, because Qt does not report the error.
    if (::mkdir(QFile::encodeName(missing).constData(), S_IRWXU) == 0 || errno == EEXIST)
        return {};
    return missing + QLatin1String(": cannot be created: ") + openErrorText(missing, errno);
}

QString createFile(const QString &path, const QByteArray &bytes,
                   QFileDevice::Permissions permissions)
{
    QFile file(path);
    QString error = openNew(file, permissions);
    if (!error.isEmpty())
        return error;
    error = writeAll(file, bytes);
    if (error.isEmpty())
        error = syncToDisk(file);
    if (!error.isEmpty())
        file.remove();
    return error;
}

QString replaceFile(const QString &path, const QByteArray &bytes, WrittenFile kind)
{
    QString error = refusalOf(path, kind);
    if (!error.isEmpty())
        return error;
    const QString temporary = temporaryNameFor(path + QLatin1String(".tmp"), kind);
    error = createFile(temporary, bytes, ownerOnly);
    if (!error.isEmpty())
        return error;
    error = renameOver(path, temporary);
    if (error.isEmpty())
        syncFolderOf(path);
    else
        QFile::remove(temporary);
    return error;
}

QString replaceSharedFile(const QString &path, const QByteArray &bytes, WrittenFile kind,
                          QFileDevice::Permissions permissions)
{
    FileReplacement file(path, kind, permissions);
    file.write(bytes);
    file.commit();
    return file.error();
}

FileReplacement::FileReplacement(QString path, WrittenFile kind,
                                 QFileDevice::Permissions permissions)
    : m_path(std::move(path))
    , m_error(refusalOf(m_path, kind))
{
    if (!m_error.isEmpty())
        return;
    if (QFileInfo::exists(m_path))
        permissions &= QFile::permissions(m_path);
    // Other processes may replace the same file now.
    const QString first = QStringLiteral("%1.tmp-p%2").arg(m_path).arg(::getpid());
    m_file.setFileName(temporaryNameFor(first, kind));
    m_error = openNew(m_file, permissions);
}

FileReplacement::~FileReplacement()
{
    if (m_file.isOpen())
        m_file.remove();
}

void FileReplacement::write(const QByteArray &bytes)
{
    if (m_error.isEmpty())
        m_error = writeAll(m_file, bytes);
}

void FileReplacement::commit()
{
    if (m_error.isEmpty())
        m_error = syncToDisk(m_file);
    if (m_error.isEmpty())
        m_error = renameOver(m_path, m_file.fileName());
    if (m_error.isEmpty())
        m_file.close();
}

int renameToNew(const QString &path, const QString &newPath)
{
    const QByteArray name = QFile::encodeName(path);
    const QByteArray newName = QFile::encodeName(newPath);
    if (::renameat2(AT_FDCWD, name.constData(), AT_FDCWD, newName.constData(), RENAME_NOREPLACE)
        == 0)
        return 0;
    // A file system without this flag. link() fails if the name exists, as well.
    if (errno == EINVAL && ::link(name.constData(), newName.constData()) == 0)
        return ::unlink(name.constData()) == 0 ? 0 : errno;
    return errno;
}

QString moveAside(const QString &path)
{
    constexpr int maxNumber = 10'000;
    for (int number = 1; number <= maxNumber; ++number) {
        QString aside = QStringLiteral("%1.bad-%2").arg(path).arg(number);
        const int error = renameToNew(path, aside);
        if (error == EEXIST)
            continue;
        if (error != 0)
            return {};
        syncFolderOf(path);
        return aside;
    }
    return {};
}

} // namespace Rekindle
