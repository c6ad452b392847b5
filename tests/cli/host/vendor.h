// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commandrun.h"

#include <QSaveFile>
#include <QTest>

namespace Rekindle {

/// Issues licenses: keys in a folder, and license files beside them.
class Vendor
{
public:
    explicit Vendor(const QString &folder)
        : m_folder(folder)
    {
        CommandRun keygen(words("license", "keygen", "--out", path(QStringLiteral("vendor"))));
        if (keygen.complete() != 0)
            QTest::qFail(keygen.error().constData(), __FILE__, __LINE__);
        m_keyId = QString::fromLatin1(keygen.output().split('\n').front().mid(4));
    }

    /// The id of the key in license files.
    [[nodiscard]] QString keyId() const { return m_keyId; }

    [[nodiscard]] QString path(const QString &name) const { return m_folder + u'/' + name; }

    /// Writes a license, replacing an existing one.
    void issue(const QString &name, const QString &tier, const QStringList &more = {}) const
    {
        CommandRun run(words("license", "issue", "--key", path(QStringLiteral("vendor.key")),
                             "--tier", tier, "--licensee", "ACME")
                       + (more.contains(QLatin1String("--audience"))
                              ? more
                              : more + words("--audience", "rekindle")));
        if (run.complete() != 0)
            QTest::qFail(run.error().constData(), __FILE__, __LINE__);
        QSaveFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(run.output()) <= 0 || !file.commit())
            QTest::qFail("cannot write the license", __FILE__, __LINE__);
    }

    /// The options of a command that use this license.
    [[nodiscard]] QStringList options(const QString &name) const
    {
        return words("--license", path(name), "--license-key", path(QStringLiteral("vendor.pub")));
    }

private:
    QString m_folder;
    QString m_keyId;
};

} // namespace Rekindle
