// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "ownfiles_p.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr int mostLinks = 40; // as the kernel has it

bool isSameFolder(const QString &one, const QString &other)
{
    if (one == other)
        return true;
    const QString path = QFileInfo(one).canonicalFilePath();
    return !path.isEmpty() && path == QFileInfo(other).canonicalFilePath();
}

} // namespace

void OwnFiles::add(const QString &path) { add(path, QRegularExpression(QStringLiteral("\\A\\z"))); }

void OwnFiles::addStore(const QString &path)
{
    add(path, QRegularExpression(QStringLiteral("\\A(\\.corrupt-.*)?(-wal|-shm|-journal)?\\z")));
}

// As QSaveFile names them.
void OwnFiles::addReplaced(const QString &path)
{
    add(path, QRegularExpression(QStringLiteral("\\A(\\.[A-Za-z]{6})?\\z")));
}

void OwnFiles::addOpen(int descriptor)
{
    const QString path =
        QFileInfo(QStringLiteral("/proc/self/fd/%1").arg(descriptor)).symLinkTarget();
    if (QFileInfo(path).isFile())
        add(path);
}

// What is written is where the last link points to, and that is where its companions are.
void OwnFiles::add(const QString &path, const QRegularExpression &endings)
{
    QFileInfo file(QDir::cleanPath(QDir::current().absoluteFilePath(path)));
    for (int i = 0; i < mostLinks; ++i) {
        m_files.append({file.path(), file.fileName(), endings});
        if (!file.isSymLink())
            return;
        file.setFile(file.symLinkTarget());
    }
}

bool OwnFiles::contains(const QString &folder, const QString &name) const
{
    return std::any_of(m_files.cbegin(), m_files.cend(), [&](const File &file) {
        return name.startsWith(file.name)
            && file.endings.match(name.mid(file.name.size())).hasMatch()
            && isSameFolder(folder, file.folder);
    });
}

bool OwnFiles::contains(const QString &path) const
{
    const QFileInfo file(path);
    if (contains(file.path(), file.fileName()))
        return true;
    if (!file.isSymLink())
        return false;
    const QFileInfo target(file.canonicalFilePath());
    return contains(target.path(), target.fileName());
}

} // namespace Rekindle
