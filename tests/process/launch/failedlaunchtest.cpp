// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A supervised program that cannot be started, in virtual time.

#include "process/agentlog.h"
#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

class FailedLaunchTest : public QObject
{
    Q_OBJECT

    // Starts per second, with a policy that has no delays and no limits.
    static quint64 startsWithinASecond(const ProcessDefinition &definition)
    {
        Stage stage;
        const RestartPolicy policy =
            policyOf(QStringLiteral("'type':'immediate','maxRetries':'unlimited',"
                                    "'circuitBreaker':'off','permanent':[]"));
        const QUuid id =
            stage.supervisor
                .add(QStringLiteral("a"),
                     std::make_unique<ProcessAgent>(definition, stage.scheduler), policy)
                .id;
        stage.supervisor.start(id);
        stage.advance(0s);
        stage.advance(999ms);
        return stage.supervisor.snapshot(id)->generation;
    }

private Q_SLOTS:
    void isRetriedTenTimesPerSecond_data()
    {
        const Rows<ProcessDefinition> row("definition");
        const QString missing = QStringLiteral("/missing/file");
        ProcessDefinition definition;
        definition.program = missing;
        row("missing program", definition);
        definition.program = QStringLiteral("/");
        row("program that is not executable", definition);
        definition.program = QStringLiteral("/bin/true");
        definition.workingDirectory = missing;
        row("missing working directory", definition);
        definition.workingDirectory.clear();
        definition.standardOutput = {OutputTarget::Kind::File, missing};
        row("output file in a missing folder", definition);
    }

    void isRetriedTenTimesPerSecond()
    {
        QFETCH(const ProcessDefinition, definition);
        QCOMPARE(startsWithinASecond(definition), quint64{10});
    }
};

REKINDLE_TEST(FailedLaunchTest)
#include "failedlaunchtest.moc"
