// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "debugtext.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/agentdefinition.h>
#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/lifecycle/workeragent.h>
#include <rekindle/mcp/mcperror.h>
#include <rekindle/mcp/mcpprotocol.h>
#include <rekindle/models/agenttablemodel.h>
#include <rekindle/process/probekind.h>
#include <rekindle/process/processagent.h>
#include <rekindle/process/processdefinition.h>
#include <rekindle/telemetry/historyreader.h>

using namespace Rekindle;

// The enums of policy, license and plugin are tested in their own folders, because a host can omit
// license and plugin.
class EnumNamesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void debugOutputShowsNames_data();
    void debugOutputShowsNames();
};

void EnumNamesTest::debugOutputShowsNames_data()
{
    const Rows<QString> row("text");
    row("AgentDefinition::Kind::McpServer", debugText(AgentDefinition::Kind::McpServer));
    row("AgentTableModel::Name", debugText(AgentTableModel::Name));
    row("CustomEvaluators::Withdrawal::TimedOut",
        debugText(CustomEvaluators::Withdrawal::TimedOut));
    row("McpError::Kind::Lost", debugText(McpError::Kind::Lost));
    row("McpProtocol::Revision::Modern", debugText(McpProtocol::Revision::Modern));
    row("OutputTarget::Kind::Lines", debugText(OutputTarget::Kind::Lines));
    row("ProbeField::Type::HttpUrl", debugText(ProbeField::Type::HttpUrl));
    row("ProbeKind::Use::Readiness", debugText(ProbeKind::Use::Readiness));
    row("ProcessDefinition::StandardInput::Pipe",
        debugText(ProcessDefinition::StandardInput::Pipe));
    row("Readiness::Kind::Notify", debugText(Readiness::Kind::Notify));
    row("StoredRun::State::Vanished", debugText(StoredRun::State::Vanished));
    row("WorkerOptions::Ready::Reported", debugText(WorkerOptions::Ready::Reported));
}

void EnumNamesTest::debugOutputShowsNames()
{
    QFETCH(QString, text);
    const QString name = QStringLiteral("Rekindle::") + QLatin1String(QTest::currentDataTag());
    // Newer Qt versions write a value that can be a flag as QFlags<Type>(Name).
    const qsizetype end = name.lastIndexOf(QLatin1String("::"));
    const QString asFlag = QStringLiteral("QFlags<%1>(%2)").arg(name.left(end), name.mid(end + 2));
    QVERIFY2(text == name || text == asFlag, qPrintable(text));
}

REKINDLE_TEST(EnumNamesTest)
#include "enumnamestest.moc"
