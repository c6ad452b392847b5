// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "groupscene.h"
#include "testprogram.h"

#include <random>

using namespace Rekindle;

// Random groups whose agents are killed, compared with the same supervisors of Erlang/OTP: the
// order of starts and stops, and whether the outer one gives up.
//
// The agents restart without delay and without a limit, as the workers of OTP do. A kill is
// followed by a pause until all restarts are done.

namespace {

/// The same tree of supervisors and kills, for both.
struct OtpScript
{
    QList<GroupDefinition> groups; ///< the first one contains the others
    QStringList kills;
    int pause = 0; ///< after each kill, in milliseconds
};

struct OtpResult
{
    bool gaveUp = false;
    QStringList log;

    bool operator==(const OtpResult &) const = default;
};

class OtpScriptSource
{
public:
    explicit OtpScriptSource(unsigned seed)
        : m_random(seed)
    {
        // Old restarts do not count: each pause is longer than the period.
        const bool isLong = below(10) == 0;
        m_script.pause = isLong ? 2100 : 0;
        const int workers = 1 + below(6);
        const int groups = 1 + below(std::min(3, workers));
        for (int i = 0; i < groups; ++i) {
            GroupDefinition group{.name = QStringLiteral("g%1").arg(i)};
            group.strategy = std::array{GroupStrategy::OneForOne, GroupStrategy::OneForAll,
                                        GroupStrategy::RestForOne}[below(3)];
            group.maxRestarts = below(4);
            group.period = isLong ? std::chrono::seconds(1) : std::chrono::hours(1);
            m_script.groups.append(group);
        }
        for (int i = 0; i < workers; ++i) // none is empty
            insert(i < groups ? i : below(groups), {.name = QStringLiteral("w%1").arg(i)});
        for (int i = 1; i < groups; ++i)
            insert(0, {.name = QStringLiteral("g%1").arg(i), .isGroup = true});
        for (int i = 1 + below(isLong ? 3 : 12); i > 0; --i)
            m_script.kills.append(QStringLiteral("w%1").arg(below(workers)));
    }

    [[nodiscard]] const OtpScript &script() const { return m_script; }

private:
    int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }

    void insert(int group, const GroupMember &member)
    {
        QList<GroupMember> &members = m_script.groups[group].members;
        members.insert(below(static_cast<int>(members.size()) + 1), member);
    }

    std::mt19937 m_random;
    OtpScript m_script;
};

QString otpName(GroupStrategy strategy)
{
    switch (strategy) {
    case GroupStrategy::OneForOne:
        return QStringLiteral("one_for_one");
    case GroupStrategy::OneForAll:
        return QStringLiteral("one_for_all");
    case GroupStrategy::RestForOne:
        return QStringLiteral("rest_for_one");
    }
    return {};
}

// A supervisor, as the escript reads it.
QString otpTerm(const OtpScript &script, const QString &group)
{
    for (const GroupDefinition &each : script.groups) {
        if (each.name != group)
            continue;
        QStringList children;
        for (const GroupMember &member : each.members) {
            const QString child =
                member.isGroup ? otpTerm(script, member.name) : QStringLiteral("worker");
            children.append(QStringLiteral("{%1, %2}").arg(member.name, child));
        }
        return QStringLiteral("{%1, %2, %3, [%4]}")
            .arg(otpName(each.strategy))
            .arg(each.maxRestarts)
            .arg(std::chrono::duration_cast<std::chrono::seconds>(each.period).count())
            .arg(children.join(QStringLiteral(", ")));
    }
    return {};
}

QString otpTerm(int number, const OtpScript &script)
{
    return QStringLiteral("{%1, %2, [%3], %4}.\n")
        .arg(number)
        .arg(otpTerm(script, script.groups.at(0).name), script.kills.join(QStringLiteral(", ")))
        .arg(script.pause);
}

/// The same with AgentGroups.
OtpResult resultOfGroups(const OtpScript &script)
{
    Stage stage;
    AgentDependencies dependencies(stage.supervisor);
    AgentGroups groups(dependencies);
    OtpResult result;
    QHash<QString, ScriptedAgent *> agents;
    for (const GroupDefinition &group : script.groups) {
        for (const GroupMember &each : group.members) {
            if (each.isGroup)
                continue;
            auto agent = std::make_unique<ScriptedAgent>(
                stage.scheduler, AgentScript(), [&result, name = each.name](const QString &word) {
                    result.log.append(name + u'.' + word);
                });
            agents.insert(each.name, agent.get());
            const auto added = stage.supervisor.add(
                each.name, std::move(agent),
                policyOf(QStringLiteral(
                    "'type':'immediate','maxRetries':'unlimited','circuitBreaker':'off'")));
            if (!added)
                qFatal("%s was not added", qPrintable(each.name));
        }
    }
    const QStringList faults = groups.setGroups(script.groups);
    if (!faults.isEmpty())
        qFatal("%s", qPrintable(faults.join(u'\n')));
    stage.play(QStringLiteral("startAll"));
    const QString outer = script.groups.at(0).name;
    for (const QString &each : script.kills) {
        if (groups.state(outer) == GroupState::Exhausted)
            break;
        agents.value(each)->play(QStringLiteral("fail"));
        stage.advance(std::chrono::milliseconds(script.pause));
    }
    result.gaveUp = groups.state(outer) == GroupState::Exhausted;
    stage.play(QStringLiteral("stopAll"));
    return result;
}

/// Runs the script with OTP.
class OtpRun
{
public:
    /// Finds Erlang/OTP.
    OtpRun()
        : m_program(QStandardPaths::findExecutable(QStringLiteral("escript")))
    {
        if (!m_program.isEmpty())
            return;
        const QString root = QStringLiteral(OTP_UNPACKED);
        const QStringList versions =
            QDir(root).entryList({QStringLiteral("erts-*")}, QDir::Dirs | QDir::NoDotAndDotDot);
        if (versions.isEmpty())
            return;
        const QString folder = root + u'/' + versions.at(0) + QStringLiteral("/bin");
        m_program = folder + QStringLiteral("/escript");
        m_environment.insert(QStringLiteral("ROOTDIR"), root);
        m_environment.insert(QStringLiteral("BINDIR"), folder);
        m_environment.insert(QStringLiteral("EMU"), QStringLiteral("beam"));
        m_environment.insert(QStringLiteral("PROGNAME"), QStringLiteral("erl"));
        m_environment.insert(QStringLiteral("ESCRIPT_EMULATOR"),
                             folder + QStringLiteral("/erlexec"));
    }

    [[nodiscard]] bool isPossible() const { return !m_program.isEmpty(); }

    QHash<int, OtpResult> results(const QByteArray &terms)
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("scripts.term"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(terms) != terms.size())
            return {};
        file.close();
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(m_program, {QStringLiteral(OTP_SUPERVISORS), path});
        if (!process.waitForFinished(60'000) || process.exitCode() != 0)
            return {};
        QHash<int, OtpResult> all;
        const QList<QByteArray> lines = process.readAllStandardOutput().split('\n');
        for (const QByteArray &line : lines) {
            const QJsonObject object = QJsonDocument::fromJson(line).object();
            OtpResult result{.gaveUp = object.value(u"gaveUp").toBool(), .log = {}};
            const QJsonArray log = object.value(u"log").toArray();
            for (const QJsonValue &word : log)
                result.log.append(word.toString());
            if (!object.isEmpty())
                all.insert(object.value(u"number").toInt(), result);
        }
        return all;
    }

private:
    QString m_program;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
};

} // namespace

class OtpOrdersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsAndStopsAreThoseOfOtp()
    {
        OtpRun run;
        if (!run.isPossible())
            QSKIP("Erlang/OTP is not installed (Debian: erlang-base)");
        constexpr int count = 200;
        QByteArray terms;
        for (int i = 0; i < count; ++i)
            terms += otpTerm(i, OtpScriptSource(static_cast<unsigned>(i)).script()).toUtf8();
        const QHash<int, OtpResult> results = run.results(terms);
        QCOMPARE(results.size(), count);
        int gaveUp = 0;
        for (int i = 0; i < count; ++i) {
            const OtpScript script = OtpScriptSource(static_cast<unsigned>(i)).script();
            const OtpResult groups = resultOfGroups(script);
            const OtpResult otp = results.value(i);
            gaveUp += static_cast<int>(otp.gaveUp);
            QVERIFY2(
                groups == otp,
                qPrintable(QStringLiteral("%1OTP:    %2 (gave up: %3)\ngroups: %4 (gave up: %5)")
                               .arg(otpTerm(i, script), otp.log.join(u' '))
                               .arg(otp.gaveUp)
                               .arg(groups.log.join(u' '))
                               .arg(groups.gaveUp)));
        }
        QVERIFY(gaveUp > count / 10 && gaveUp < count * 9 / 10);
    }
};

REKINDLE_TEST(OtpOrdersTest)
#include "otporderstest.moc"
