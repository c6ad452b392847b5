// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "json/nearestname.h"
#include "testprogram.h"

using namespace Rekindle;

/// The hint in messages about unknown names.
class NearestNameTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void suggests_data();
    void suggests();
};

void NearestNameTest::suggests_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("candidates");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *what, const char *name, const char *candidates,
                        const char *expected) {
        QTest::newRow(what) << QString::fromLatin1(name)
                            << QString::fromLatin1(candidates).split(u' ')
                            << QString::fromLatin1(expected);
    };
    row("typing error", "statsu", "start status stop", "status");
    row("nothing similar", "colour", "start status stop", "");
    row("one letter", "b", "a c", "");
    row("one letter, other case", "A", "a c", "a");
    row("another ending", "maxRetry", "maxDelay maxRetries window", "maxRetries");
    row("abbreviation", "arg", "arguments program", "arguments");
    row("the shortest of several", "environ", "environmentFiles environment", "environment");
    row("word of other supervisors", "command", "program policy", "program");
    row("the same elsewhere", "command", "comment other", "comment");
    row("command of other supervisors", "ps", "down logs status", "status");
    row("another one", "monit", "down top mcp", "top");
    row("option without a command", "version", "status --help --version", "--version");
    row("option of other supervisors", "--tail", "--tag --lines", "--lines");
}

void NearestNameTest::suggests()
{
    QFETCH(const QString, name);
    QFETCH(const QStringList, candidates);
    QFETCH(const QString, expected);
    QCOMPARE(didYouMean(name, candidates),
             expected.isEmpty() ? QString()
                                : QStringLiteral("; did you mean \"%1\"?").arg(expected));
}

REKINDLE_TEST(NearestNameTest)
#include "nearestnametest.moc"
