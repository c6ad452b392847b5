// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/configurationdiff.h>

#include <algorithm>
#include <functional>

using namespace Rekindle;

namespace {

using Edit = std::function<void(AgentDefinition &)>;

AgentDefinition agentNamed(const QString &name)
{
    AgentDefinition agent;
    agent.name = name;
    agent.process.program = QStringLiteral("sleep");
    agent.process.arguments = QStringList(QStringLiteral("1000"));
    return agent;
}

struct EditRow
{
    const char *name;
    DefinitionParts parts;
    Edit edit;
};

const std::vector<EditRow> &edits()
{
    using Part = DefinitionPart;
    static const std::vector<EditRow> rows{
        {"program", Part::Process, [](auto &a) { a.process.program = QStringLiteral("cat"); }},
        {"arguments", Part::Process, [](auto &a) { a.process.arguments.clear(); }},
        {"environment", Part::Process,
         [](auto &a) { a.process.environment.insert(QStringLiteral("A"), std::nullopt); }},
        {"folder", Part::Process,
         [](auto &a) { a.process.workingDirectory = QStringLiteral("/"); }},
        {"readiness", Part::Process,
         [](auto &a) { a.process.readiness.kind = Readiness::Kind::Now; }},
        {"output", Part::Process,
         [](auto &a) { a.process.standardOutput.kind = OutputTarget::Kind::Null; }},
        {"stop", Part::Process, [](auto &a) { a.process.stop.kill = std::chrono::seconds(9); }},
        {"user", Part::Process,
         [](auto &a) { a.process.identity.user = QStringLiteral("www-data"); }},
        {"umask", Part::Process, [](auto &a) { a.process.umask = 0; }},
        {"niceness", Part::Process, [](auto &a) { a.process.nice = 0; }},
        {"limits", Part::Process,
         [](auto &a) { a.process.limits.insert(QStringLiteral("core"), {0, 0}); }},
        {"limit of memory", Part::Options, [](auto &a) { a.process.usage.memory = 1; }},
        {"recycling", Part::Options, [](auto &a) { a.process.recycling.memory = 1; }},
        {"policy", Part::Policy, [](auto &a) { a.policy.maxRetries = 7; }},
        {"probe", Part::Health,
         [](auto &a) { a.process.health.append(execProbe({QStringLiteral("true")})); }},
        // The process gets $NOTIFY_SOCKET and $WATCHDOG_USEC.
        {"heartbeat", Part::Process | Part::Health,
         [](auto &a) { a.process.health.append(heartbeatProbe()); }},
        {"tags", Part::Options, [](auto &a) { a.tags.append(QStringLiteral("batch")); }},
        {"start", Part::Options, [](auto &a) { a.start = AgentDefinition::Start::Manual; }},
        {"dependencies", Part::Options,
         [](auto &a) { a.dependsOn.append({.agent = QStringLiteral("db")}); }},
        {"watch", Part::Options, [](auto &a) { a.watch.append(QStringLiteral("/x.py")); }},
        {"priority", Part::Options, [](auto &a) { a.priority = 5; }},
        {"output events", Part::Options, [](auto &a) { a.outputEvents = true; }},
        {"name of the policy", {}, [](auto &a) { a.policyName = QStringLiteral("other"); }},
        {"position",
         {},
         [](auto &a) {
             a.line = 99;
             a.pointer = QStringLiteral("/agents/9");
         }},
    };
    return rows;
}

} // namespace

class ConfigurationDiffTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesTheChangedPart_data();
    void namesTheChangedPart();
    void namesTheChangedKeys();
    void listsAddedAndRemovedAgents();
    void ignoresWhatServersDoNotUse();
    void agreesWithReferenceOnRandomChanges();
};

void ConfigurationDiffTest::namesTheChangedPart_data()
{
    const Rows<int> row("row");
    for (std::size_t i = 0; i < edits().size(); ++i)
        row(edits()[i].name, static_cast<int>(i));
}

void ConfigurationDiffTest::namesTheChangedPart()
{
    QFETCH(int, row);
    const EditRow &each = edits()[static_cast<std::size_t>(row)];
    const AgentDefinition before = agentNamed(QStringLiteral("web"));
    AgentDefinition after = before;
    each.edit(after);
    const ConfigurationChanges changes = difference({before}, {after});
    ConfigurationChanges expected;
    if (each.parts) {
        expected.changed.append(
            {QStringLiteral("web"), each.parts, {}, each.parts.testFlag(DefinitionPart::Process)});
    } else {
        expected.unchanged.append(QStringLiteral("web"));
    }
    QCOMPARE(changes, expected);
}

void ConfigurationDiffTest::namesTheChangedKeys()
{
    const AgentDefinition before = agentNamed(QStringLiteral("web"));
    for (const EditRow &row : edits()) {
        AgentDefinition after = before;
        row.edit(after);
        QVERIFY2(changedKeys(before, after).isEmpty() == !row.parts, row.name);
    }
    AgentDefinition after = before;
    after.process.arguments.clear();
    after.policy.maxRetries = 7;
    QCOMPARE(changedKeys(before, after),
             QStringList({QStringLiteral("arguments"), QStringLiteral("policy.maxRetries")}));
    after.kind = AgentDefinition::Kind::McpServer;
    QCOMPARE(changedKeys(before, after).constFirst(), QStringLiteral("args"));
}

void ConfigurationDiffTest::listsAddedAndRemovedAgents()
{
    const AgentDefinition a = agentNamed(QStringLiteral("a"));
    const AgentDefinition b = agentNamed(QStringLiteral("b"));
    const AgentDefinition c = agentNamed(QStringLiteral("c"));
    const ConfigurationChanges changes = difference({a, b}, {c, b});
    QCOMPARE(changes.added, QStringList(QStringLiteral("c")));
    QCOMPARE(changes.removed, QStringList(QStringLiteral("a")));
    QCOMPARE(changes.unchanged, QStringList(QStringLiteral("b")));
    QVERIFY(changes.changed.isEmpty());
}

void ConfigurationDiffTest::ignoresWhatServersDoNotUse()
{
    AgentDefinition before = agentNamed(QStringLiteral("files"));
    before.kind = AgentDefinition::Kind::McpServer;
    AgentDefinition after = before;
    after.process.readiness.kind = Readiness::Kind::Reported;
    QCOMPARE(difference({before}, {after}).unchanged, QStringList(QStringLiteral("files")));
}

// The reference knows what was edited and compares nothing.
void ConfigurationDiffTest::agreesWithReferenceOnRandomChanges()
{
    QRandomGenerator random(13);
    for (int round = 0; round < 1000; ++round) {
        QList<AgentDefinition> before;
        QList<AgentDefinition> after;
        ConfigurationChanges expected;
        const int count = random.bounded(1, 12);
        for (int i = 0; i < count; ++i) {
            const AgentDefinition agent = agentNamed(QStringLiteral("agent-%1").arg(i));
            const int fate = random.bounded(4);
            if (fate == 0) {
                before.append(agent);
                expected.removed.append(agent.name);
                continue;
            }
            AgentDefinition next = agent;
            DefinitionParts parts;
            if (fate == 1) {
                expected.added.append(agent.name);
            } else {
                before.append(agent);
                for (int edit = random.bounded(3); edit > 0; --edit) {
                    const EditRow &row =
                        edits()[random.bounded(static_cast<quint32>(edits().size()))];
                    row.edit(next);
                    parts |= row.parts;
                }
                if (parts)
                    expected.changed.append(
                        {agent.name, parts, {}, parts.testFlag(DefinitionPart::Process)});
                else
                    expected.unchanged.append(agent.name);
            }
            after.append(next);
        }
        std::reverse(before.begin(), before.end()); // the order does not matter
        std::reverse(expected.removed.begin(), expected.removed.end());
        QCOMPARE(difference(before, after), expected);
    }
}

REKINDLE_TEST(ConfigurationDiffTest)
#include "configurationdifftest.moc"
