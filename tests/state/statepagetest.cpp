// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/state/statefile.h>

/// The host of docs/state.md, line by line.
class StatePageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hostOfThePageWorks();
    void hostEqualsThePage();
};

namespace {

void addAgents(Rekindle::AgentSupervisor &supervisor) { QVERIFY(!supervisor.ids().isEmpty()); }

QString textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

void StatePageTest::hostOfThePageWorks()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.state"));
    Rekindle::Stage stage;
    Rekindle::AgentSupervisor &supervisor = stage.supervisor;
    stage.add(QStringLiteral("web"), {QStringLiteral("started fail")});
    QStringList failures;
    const auto report = [&failures](const QString &reason) { failures.append(reason); };

    Rekindle::StateFile state(supervisor, {.path = path});
    QObject::connect(&state, &Rekindle::StateFile::failed, report);
    state.open();
    addAgents(supervisor);
    state.startAll(); // instead of supervisor.startAll()

    stage.advance(std::chrono::minutes(1));
    QVERIFY(QTest::qWaitFor([&] { return state.writeCount() > 0; }, 30'000));
    QVERIFY(textOf(path).contains(QLatin1String("\"agent\":\"web\"")));
    QVERIFY(state.close());
    QCOMPARE(failures, QStringList());
}

void StatePageTest::hostEqualsThePage()
{
    const QString page = textOf(QStringLiteral(REKINDLE_SOURCE "/docs/state.md"));
    const QString block = page.section(QStringLiteral("```cpp\n"), 1).section(u'`', 0, 0);
    const QString source = textOf(QStringLiteral(REKINDLE_SOURCE "/tests/state/statepagetest.cpp"));
    const QStringList lines = block.split(u'\n', Qt::SkipEmptyParts);
    QVERIFY(lines.size() > 3);
    for (const QString &line : lines)
        QVERIFY2(source.contains(QLatin1String("\n    ") + line + u'\n'), qPrintable(line));
}

REKINDLE_TEST(StatePageTest)
#include "statepagetest.moc"
