// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "host/internal/watchedagents.h"
#include "changingfiles.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

/// Real files in virtual time.
class WatchedAgentsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void restartsAgentsWhoseFilesChange();
    void repeatsRejectedRestart();
    void newWatchReplacesEarlierOne();
    void keepsChangeThatIsNotReportedYet();
    void ignoresFilesOfHost();

private:
    [[nodiscard]] QStringList globs(const char *glob) const
    {
        return QStringList(m_files->path(glob));
    }
    void watch(const QMap<QString, QStringList> &globs, const QStringList &ignored = {})
    {
        m_agents->watch(globs, ignored);
    }
    [[nodiscard]] QStringList restartsWithin(Duration time)
    {
        m_scheduler->advance(time);
        return std::exchange(m_restarts, {});
    }

    VirtualClock m_clock;
    std::unique_ptr<VirtualScheduler> m_scheduler;
    std::unique_ptr<ChangingFiles> m_files;
    std::unique_ptr<WatchedAgents> m_agents;
    bool m_isAccepted = true;
    QStringList m_restarts; ///< that were requested, "web:x.py"
    QStringList m_delayed;
};

void WatchedAgentsTest::init()
{
    m_agents.reset();
    m_scheduler = std::make_unique<VirtualScheduler>(m_clock);
    m_files = std::make_unique<ChangingFiles>(*m_scheduler);
    m_agents = std::make_unique<WatchedAgents>(
        *m_scheduler, [this](const QString &agent, const QString &reason) {
            m_restarts.append(agent + u':' + reason.section(u'/', -1));
            return m_isAccepted;
        });
    connect(m_agents.get(), &WatchedAgents::delayed, this,
            [this](const QString &text) { m_delayed.append(text); });
    m_isAccepted = true;
    m_restarts.clear();
    m_delayed.clear();
}

void WatchedAgentsTest::restartsAgentsWhoseFilesChange()
{
    watch({{QStringLiteral("api"), globs("*.py")},
           {QStringLiteral("web"), globs("*.js")},
           {QStringLiteral("worker"), globs("*.py")}});
    m_files->change("x.py");
    QCOMPARE(
        restartsWithin(5s),
        QStringList({QStringLiteral("api:x.py changed"), QStringLiteral("worker:x.py changed")}));
    m_files->change("x.js");
    QCOMPARE(restartsWithin(5s), QStringList(QStringLiteral("web:x.js changed")));
    QVERIFY(m_delayed.isEmpty());
}

void WatchedAgentsTest::repeatsRejectedRestart()
{
    watch({{QStringLiteral("web"), globs("*")}});
    m_isAccepted = false;
    m_files->change("x");
    const QStringList once(QStringLiteral("web:x changed"));
    QCOMPARE(restartsWithin(5s), once);
    QCOMPARE(restartsWithin(10s), once);
    QCOMPARE(m_delayed,
             QStringList(QStringLiteral("web: %1 changed; restart delayed: too many restarts were "
                                        "requested")
                             .arg(m_files->path("x"))));
    m_isAccepted = true;
    QCOMPARE(restartsWithin(10s), once);
    QCOMPARE(restartsWithin(60s), QStringList());
    QCOMPARE(m_delayed.size(), 1);
}

void WatchedAgentsTest::newWatchReplacesEarlierOne()
{
    watch({{QStringLiteral("web"), globs("*.py")}, {QStringLiteral("gone"), globs("*.py")}});
    m_isAccepted = false;
    m_files->change("x.py");
    QCOMPARE(restartsWithin(5s).size(), 2);
    m_isAccepted = true;
    watch({{QStringLiteral("web"), globs("*.js")}});
    QVERIFY(!m_agents->contains(QStringLiteral("gone")));
    QCOMPARE(restartsWithin(60s), QStringList(QStringLiteral("web:x.py changed"))); // was delayed
    m_files->write("x.py");
    m_files->change("x.js");
    QCOMPARE(restartsWithin(60s), QStringList(QStringLiteral("web:x.js changed")));
    watch({});
    QCOMPARE(m_scheduler->armedCount(), std::size_t{0});
}

// A reload of the configuration must not lose it.
void WatchedAgentsTest::keepsChangeThatIsNotReportedYet()
{
    watch({{QStringLiteral("web"), globs("*.py")}});
    m_files->change("x.py");
    watch({{QStringLiteral("api"), globs("*.py")}, {QStringLiteral("web"), globs("*.py")}});
    QCOMPARE(restartsWithin(5s),
             QStringList({QStringLiteral("api:x.py changed"), QStringLiteral("web:x.py changed")}));
}

void WatchedAgentsTest::ignoresFilesOfHost()
{
    m_files->write("out.log");
    watch({{QStringLiteral("web"), globs("*")}});
    watch({{QStringLiteral("web"), globs("*")}}, {m_files->path("out.log")});
    m_files->change("out.log");
    QCOMPARE(restartsWithin(5s), QStringList());
    m_files->change("x");
    QCOMPARE(restartsWithin(5s), QStringList(QStringLiteral("web:x changed")));
}

REKINDLE_TEST(WatchedAgentsTest)
#include "watchedagentstest.moc"
