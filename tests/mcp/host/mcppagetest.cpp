// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The examples in docs/mcp.md work.

#include "mcp/restart/restartmarker_p.h"
#include "testprogram.h"

using namespace Rekindle;

class McpPageTest : public QObject
{
    Q_OBJECT

    // Returns the JSON blocks below a marker.
    static QList<QByteArray> blocks(const QString &marker)
    {
        QFile page(QStringLiteral(REKINDLE_PAGE));
        if (!page.open(QIODevice::ReadOnly))
            return {};
        const QRegularExpression block(QStringLiteral("<!-- %1 -->\n```json\n(.*?)```").arg(marker),
                                       QRegularExpression::DotMatchesEverythingOption);
        QList<QByteArray> found;
        for (auto match = block.globalMatch(QString::fromUtf8(page.readAll())); match.hasNext();)
            found.append(match.next().captured(1).toUtf8());
        return found;
    }

private Q_SLOTS:
    void clientConfigurationsWork_data()
    {
        QTest::addColumn<QByteArray>("file");
        const QList<QByteArray> files = blocks(QStringLiteral("client"));
        QCOMPARE(files.size(), 2);
        for (const QByteArray &file : files)
            QTest::addRow("%d bytes", static_cast<int>(file.size())) << file;
    }

    // Runs the command line of the page with the sample server.
    void clientConfigurationsWork()
    {
        QFETCH(QByteArray, file);
        const QJsonObject whole = QJsonDocument::fromJson(file).object();
        QCOMPARE(whole.size(), 1);
        const QJsonObject server = whole.begin()->toObject().begin()->toObject();
        QCOMPARE(server[QLatin1String("command")].toString(), QStringLiteral("rekindle"));
        QStringList arguments = server[QLatin1String("args")].toVariant().toStringList();
        QVERIFY(arguments.contains(QStringLiteral("--")));
        arguments = arguments.first(arguments.indexOf(QStringLiteral("--")) + 1);
        const QTemporaryDir folder;
        arguments.replaceInStrings(QRegularExpression(QStringLiteral("^/tmp/")),
                                   folder.path() + QLatin1Char('/'));
        arguments << QStringLiteral(REKINDLE_MCPSERVER);

        QProcess rekindle;
        rekindle.setWorkingDirectory(folder.path());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_STATE_HOME"), folder.path());
        rekindle.setProcessEnvironment(environment);
        rekindle.start(QStringLiteral(REKINDLE_COMMAND), arguments);
        rekindle.write(
            R"({"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
            R"("capabilities":{},"clientInfo":{"name":"page","version":"1"}}})"
            "\n");
        QTRY_VERIFY_WITH_TIMEOUT(rekindle.canReadLine(), 30000);
        const QJsonObject answer = QJsonDocument::fromJson(rekindle.readLine()).object();
        QCOMPARE(answer[QLatin1String("id")].toInt(), 7);
        QVERIFY(answer[QLatin1String("result")].isObject());
        rekindle.closeWriteChannel();
        QVERIFY(rekindle.waitForFinished(30000));
        QCOMPARE(rekindle.exitCode(), 0);
    }

    void markerIsValid()
    {
        const QList<QByteArray> markers = blocks(QStringLiteral("marker"));
        QCOMPARE(markers.size(), 1);
        const MarkerReading reading = markerFromJson(markers.first(), QStringLiteral("page"));
        QCOMPARE(reading.state, MarkerReading::State::Read);
        QCOMPARE(toJson(reading.marker), markers.first());
    }
};

REKINDLE_TEST(McpPageTest)
#include "mcppagetest.moc"
