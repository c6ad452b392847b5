// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "pluginstage.h"

#include <QTemporaryDir>

#include <limits>

namespace Rekindle {

/// A policy whose evaluator misbehaves in this way: see plugins/chaosevaluator.cpp.
inline QString chaos(const char *mode, const QString &more = {},
                     const QString &how = QStringLiteral("active"))
{
    return customPolicy(QStringLiteral("chaos"),
                        QStringLiteral("'mode':'%1'").arg(QLatin1String(mode)) + more, how);
}

/// Files that the evaluator creates: when it gets a request, and later.
class Flag
{
public:
    [[nodiscard]] QString parameter() const { return QStringLiteral(",'flag':'%1'").arg(path()); }
    [[nodiscard]] bool wait() const { return waitFor(path()); }
    /// Continues a waiting evaluator.
    void raise() const
    {
        QFile file(path() + QLatin1String(".go"));
        QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(file.errorString()));
    }
    [[nodiscard]] bool waitForMore() const { return waitFor(path() + QLatin1String(".more")); }

    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("asked")); }

private:
    static bool waitFor(const QString &file)
    {
        return QTest::qWaitFor([&] { return QFile::exists(file); }, PluginStage::limit);
    }

    QTemporaryDir m_folder;
};

/// A stage with the plug-ins that misbehave.
class ChaosStage : public PluginStage
{
public:
    static QStringList folders() { return {QStringLiteral(REKINDLE_TEST_PLUGINS)}; }

    ChaosStage()
        : PluginStage(folders())
    {
    }

    /// Sends a request to the plug-in without the engine, whose own tokens count from 1.
    QUuid request(quint64 token, const char *mode, const Flag &flag = {})
    {
        const QUuid id = QUuid::createUuid();
        EvaluatorRequest request;
        request.token = token;
        request.context.instanceId = id;
        host.attach(id,
                    {.id = QStringLiteral("chaos"),
                     .parameters = {{QStringLiteral("mode"), QLatin1String(mode)},
                                    {QStringLiteral("flag"), flag.path()}}});
        host.request(request);
        return id;
    }

    /// Sends a request that is answered at once, and waits for the answer, so that all earlier
    /// reports have arrived. False after 30 s.
    bool roundTrip()
    {
        constexpr quint64 mine = std::numeric_limits<quint64>::max();
        bool back = false;
        QObject context;
        QObject::connect(&host, &CustomEvaluators::answered, &context,
                         [&](quint64 token) { back = back || token == mine; });
        const QUuid id = request(mine, "accept");
        const bool done = QTest::qWaitFor([&] { return back; }, limit);
        host.detach(id);
        return done;
    }
};

} // namespace Rekindle
