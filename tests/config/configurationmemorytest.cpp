// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A small file whose values would need gigabytes is rejected before they exist.

#include "allprobekinds.h"
#include "testprogram.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;

class ConfigurationMemoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void limitsReplacedVariables();
    void limitsCopiedEnvironments();
    void limitsEnvironmentFiles();
    void permitsManyAgentsWithDefaults();

private:
    [[nodiscard]] QStringList messages(const QByteArray &json) const
    {
        return parseConfiguration(json, m_folder.path(), {}, allProbeKinds()).messages();
    }

    QTemporaryDir m_folder;
};

namespace {

const QString tooLarge = QStringLiteral(
    "expected variables whose values need at most 128 MiB in the whole file, found more");

QByteArray agents(int count, const QByteArray &more)
{
    QByteArray result = "\"agents\": [";
    for (int i = 0; i < count; ++i)
        result += (i > 0 ? ", " : "") + QByteArray("{\"name\": \"a") + QByteArray::number(i)
            + "\", \"kind\": \"process\", \"program\": \"/bin/sh\"" + more + "}";
    return result + "]}";
}

QByteArray manyVariables(int count)
{
    QByteArray result;
    for (int i = 0; i < count; ++i)
        result += (i > 0 ? ", \"V" : "\"V") + QByteArray::number(i) + "\": \"\"";
    return result;
}

} // namespace

void ConfigurationMemoryTest::limitsReplacedVariables()
{
    const QByteArray json =
        "{\"agents\": [{\"name\": \"a\", \"kind\": \"process\", \"program\": \"p\", "
        "\"environment\": {\"A\": \""
        + QByteArray(1 << 20, 'x') + "\"}, \"arguments\": [" + QByteArray("\"${A}\", ").repeated(99)
        + "\"\"]}]}";
    const QStringList found = messages(json);
    QVERIFY(!found.isEmpty());
    // 64 values of 2 MiB have room.
    QVERIFY2(found.constFirst().endsWith(QLatin1String("/agents/0/arguments/64: ") + tooLarge),
             qPrintable(found.constFirst()));
}

void ConfigurationMemoryTest::limitsCopiedEnvironments()
{
    const QByteArray json = "{\"defaults\": {\"environment\": {" + manyVariables(10'000) + "}},\n"
        + agents(200, ", \"environment\": {\"A\": \"1\"}");
    const QStringList found = messages(json);
    QVERIFY(!found.isEmpty());
    QVERIFY2(found.constFirst().endsWith(QLatin1String("/agents/134/environment: ") + tooLarge),
             qPrintable(found.constFirst()));
}

void ConfigurationMemoryTest::limitsEnvironmentFiles()
{
    QFile file(m_folder.filePath(QStringLiteral("large.env")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("A=" + QByteArray(1'000'000, 'x') + '\n');
    file.close();
    const QStringList found =
        messages("{" + agents(200, ", \"environmentFiles\": [\"large.env\"]"));
    QVERIFY(!found.isEmpty());
    QVERIFY2(
        found.constFirst().endsWith(QLatin1String("/agents/134/environmentFiles/0: ") + tooLarge),
        qPrintable(found.constFirst()));
}

void ConfigurationMemoryTest::permitsManyAgentsWithDefaults()
{
    const QByteArray json =
        "{\"defaults\": {\"environment\": {" + manyVariables(10'000) + "}},\n" + agents(2000, "");
    const auto parsed = parseConfiguration(json, m_folder.path(), {}, allProbeKinds());
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
}

REKINDLE_TEST(ConfigurationMemoryTest)
#include "configurationmemorytest.moc"
