// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "debugtext.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/plugin/evaluatorhost.h>

using namespace Rekindle;
using State = EvaluatorInfo::State;

namespace {

const QString testPlugins = QStringLiteral(REKINDLE_TEST_PLUGINS);
const QString chaosFile = testPlugins + QStringLiteral("/chaosevaluator.so");

} // namespace

/// Which plug-ins are found, and why some are rejected. The code of a rejected plug-in must not
/// run; it calls abort().
class EvaluatorFinderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void findsPlugin();
    void rejectsInvalidPlugin_data();
    void rejectsInvalidPlugin();
    void rejectsOtherFileContent();
    void rejectsTruncatedFile_data();
    void rejectsTruncatedFile();
    void ignoresOtherFiles();
    void rejectsInvalidFolder();
    void rejectsWorldWritable();
    void checksSymbolicLinks();
    void usesFirstFolder();
    void checksTier();
    void checksReference_data();
    void checksReference();

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }
    void write(const QString &name, const QByteArray &bytes) const;
    [[nodiscard]] static EvaluatorInfo only(const QStringList &folders);

    std::unique_ptr<QTemporaryDir> m_folder;
};

void EvaluatorFinderTest::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void EvaluatorFinderTest::write(const QString &name, const QByteArray &bytes) const
{
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(file.fileName()));
}

EvaluatorInfo EvaluatorFinderTest::only(const QStringList &folders)
{
    EvaluatorHost host;
    host.setFolders(folders);
    return host.plugins().size() == 1 ? host.plugins()[0]
                                      : EvaluatorInfo{.reason = QStringLiteral("not one")};
}

void EvaluatorFinderTest::findsPlugin()
{
    QVERIFY(QFile::copy(chaosFile, path(QStringLiteral("c.so"))));
    const EvaluatorInfo info = only({m_folder->path()});
    QCOMPARE(info.reason, QString());
    QCOMPARE(info.state, State::Allowed);
    QCOMPARE(debugText(info.state), QStringLiteral("Rekindle::EvaluatorInfo::State::Allowed"));
    QCOMPARE(info.file, path(QStringLiteral("c.so")));
    QCOMPARE(info.id, QStringLiteral("chaos"));
    QCOMPARE(info.version, QStringLiteral("1.2.3"));
    QCOMPARE(info.description, QStringLiteral("Misbehaves on demand"));
    QCOMPARE(info.tier, QStringLiteral("Enterprise"));
    QCOMPARE(info.apiFrom, 1);
    QCOMPARE(info.apiTo, 1);
    QVERIFY(info.parameterSchema.contains(QLatin1String("properties")));
}

void EvaluatorFinderTest::rejectsInvalidPlugin_data()
{
    const Rows<QString> row("reason");
    row("foreigniid", "the plug-in implements another interface: org.example.Other/1.0");
    row("futureiid",
        "built for interface org.rekindle.RestartEvaluator/2.0, expected "
        "org.rekindle.RestartEvaluator/1.0");
    row("newerapi", "requires API 2 to 3, this host provides 1");
    row("noapi", "missing API range in the metadata, such as {\"from\": 1, \"to\": 1}");
    row("nometadata", "no metadata");
    row("noid", "invalid id in the metadata; expected 1 to 64 characters of a-z, 0-9 and -");
    row("notier",
        "unknown tier \"Platinum\" in the metadata; expected one of Core, WriterPro, Teams, "
        "Enterprise");
    row("noschema", "parameter schema: type must be \"object\"");
    row("oddschema", "parameter schema: unsupported keyword \"patternProperties\"");
}

void EvaluatorFinderTest::rejectsInvalidPlugin()
{
    const QString file = QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".so");
    QVERIFY(QFile::copy(testPlugins + u'/' + file, path(file)));
    const EvaluatorInfo info = only({m_folder->path()});
    QCOMPARE(info.state, State::Rejected);
    QTEST(info.reason, "reason");
}

void EvaluatorFinderTest::rejectsOtherFileContent()
{
    write(QStringLiteral("text.so"), "this is no program\n");
    const EvaluatorInfo info = only({m_folder->path()});
    QCOMPARE(info.state, State::Rejected);
    QVERIFY2(info.reason.startsWith(QLatin1String("not a Qt plug-in: ")), qPrintable(info.reason));
}

void EvaluatorFinderTest::rejectsTruncatedFile_data()
{
    QTest::addColumn<int>("percent");
    for (const int percent : {0, 1, 10, 50, 90, 99})
        QTest::addRow("%d %%", percent) << percent;
}

void EvaluatorFinderTest::rejectsTruncatedFile()
{
    QFETCH(const int, percent);
    QFile whole(chaosFile);
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    write(QStringLiteral("t.so"), bytes.left(bytes.size() * percent / 100));
    const EvaluatorInfo info = only({m_folder->path()});
    QCOMPARE(info.state, State::Rejected);
    QVERIFY(!info.reason.isEmpty());
}

void EvaluatorFinderTest::ignoresOtherFiles()
{
    write(QStringLiteral("readme.txt"), "hello");
    write(QStringLiteral("policy.json"), "{}");
    EvaluatorHost host;
    host.setFolders({m_folder->path()});
    QVERIFY(host.plugins().isEmpty());
}

void EvaluatorFinderTest::rejectsInvalidFolder()
{
    const QString missing = path(QStringLiteral("missing"));
    QCOMPARE(only({missing}).reason, QStringLiteral("folder not found"));
    QCOMPARE(only({missing}).file, missing);
    QCOMPARE(only({QString()}).reason, QStringLiteral("folder not found"));
    write(QStringLiteral("file"), {});
    QCOMPARE(only({path(QStringLiteral("file"))}).reason, QStringLiteral("not a folder"));
    // Only the folder itself is searched, not what is below it.
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("below")));
    QVERIFY(QFile::copy(chaosFile, path(QStringLiteral("below/c.so"))));
    EvaluatorHost host;
    host.setFolders({m_folder->path()});
    QVERIFY(host.plugins().isEmpty());
    QVERIFY(!host.isAvailable(QStringLiteral("chaos")));
}

void EvaluatorFinderTest::rejectsWorldWritable()
{
    const QString file = path(QStringLiteral("c.so"));
    QVERIFY(QFile::copy(chaosFile, file));
    const auto before = QFile::permissions(file);
    QVERIFY(QFile::setPermissions(file, before | QFileDevice::WriteOther));
    QCOMPARE(only({m_folder->path()}).reason, QStringLiteral("the file is writable by everyone"));
    QVERIFY(QFile::setPermissions(file, before));
    QCOMPARE(only({m_folder->path()}).state, State::Allowed);
    QVERIFY(QFile::setPermissions(m_folder->path(),
                                  QFile::permissions(m_folder->path()) | QFileDevice::WriteOther));
    QCOMPARE(only({m_folder->path()}).reason, QStringLiteral("the folder is writable by everyone"));
}

void EvaluatorFinderTest::checksSymbolicLinks()
{
    const QString link = path(QStringLiteral("link.so"));
    QVERIFY(QFile::link(chaosFile, link));
    QCOMPARE(only({m_folder->path()}).reason, QStringLiteral("link to a file outside its folder"));
    QVERIFY(QFile::remove(link));
    QVERIFY(QFile::link(path(QStringLiteral("nothing.so")), link));
    QCOMPARE(only({m_folder->path()}).reason, QStringLiteral("broken link"));
    QVERIFY(QFile::remove(link));
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("folder.so")));
    QCOMPARE(only({m_folder->path()}).reason, QStringLiteral("not a regular file"));
    QVERIFY(QDir(m_folder->path()).rmdir(QStringLiteral("folder.so")));
    // A link within the folder is valid, but a duplicate.
    QVERIFY(QFile::copy(chaosFile, path(QStringLiteral("c.so"))));
    QVERIFY(QFile::link(path(QStringLiteral("c.so")), path(QStringLiteral("d.so"))));
    EvaluatorHost host;
    host.setFolders({m_folder->path()});
    QCOMPARE(host.plugins().size(), 2);
    QCOMPARE(host.plugins()[0].state, State::Allowed);
    QCOMPARE(host.plugins()[1].reason, QStringLiteral("duplicate of a file that was found before"));
}

void EvaluatorFinderTest::usesFirstFolder()
{
    QDir folder(m_folder->path());
    QVERIFY(folder.mkdir(QStringLiteral("b")) && folder.mkdir(QStringLiteral("a")));
    QVERIFY(QFile::copy(chaosFile, path(QStringLiteral("a/c.so"))));
    QVERIFY(QFile::copy(chaosFile, path(QStringLiteral("b/c.so"))));
    EvaluatorHost host;
    host.setFolders({path(QStringLiteral("b")), path(QStringLiteral("a"))});
    QCOMPARE(host.plugins().size(), 2);
    QCOMPARE(host.plugins()[0].file, path(QStringLiteral("b/c.so")));
    QCOMPARE(host.plugins()[0].state, State::Allowed);
    QCOMPARE(host.plugins()[1].reason,
             QStringLiteral("duplicate id, already used by ") + path(QStringLiteral("b/c.so")));
}

void EvaluatorFinderTest::checksTier()
{
    EvaluatorHost host;
    host.setFolders({testPlugins});
    QString asked;
    host.setTierCheck([&](QStringView tier) {
        asked = tier.toString();
        return tier != QLatin1String("Enterprise");
    });
    QVERIFY(!host.isAvailable(QStringLiteral("chaos")));
    QCOMPARE(asked, QStringLiteral("Enterprise"));
    for (const EvaluatorInfo &info : host.plugins()) {
        if (info.id == QLatin1String("chaos")) {
            QCOMPARE(info.state, State::Gated);
            QCOMPARE(
                info.reason,
                QStringLiteral("requires tier Enterprise, which the license does not include"));
        }
    }
    const QList<Fault> faults =
        host.check({.id = QStringLiteral("chaos"),
                    .parameters = {{QStringLiteral("mode"), QStringLiteral("x")}}});
    QCOMPARE(faults.size(), 1);
    QVERIFY(!hasErrors(faults));
    QCOMPARE(
        faults[0].message,
        QStringLiteral(
            "evaluator \"chaos\" requires tier Enterprise, which the license does not include; "
            "it is not used"));
}

void EvaluatorFinderTest::checksReference_data()
{
    const Rows<QString, QJsonObject, QString> row("id", "parameters", "fault");
    const QString mode = QStringLiteral("mode");
    row("valid", "chaos", QJsonObject{{mode, mode}}, "");
    row("missing", "chaos", QJsonObject(), "/evaluator/parameters: missing parameter \"mode\"");
    row("range", "chaos", QJsonObject{{mode, mode}, {QStringLiteral("times"), -1}},
        "/evaluator/parameters/times: expected 0 to 1000, found -1");
    row("unknown", "chaso", QJsonObject(),
        "/evaluator/id: unknown evaluator \"chaso\"; expected one of chaos, wrong-root");
    row("rejected", "newer-api", QJsonObject(),
        QStringLiteral("/evaluator/id: \"newer-api\" is rejected: %1/newerapi.so: requires API 2 "
                       "to 3, this host provides 1")
            .arg(testPlugins));
}

void EvaluatorFinderTest::checksReference()
{
    QFETCH(const QString, id);
    QFETCH(const QJsonObject, parameters);
    EvaluatorHost host;
    host.setFolders({testPlugins});
    const QList<Fault> faults = host.check({.id = id, .parameters = parameters});
    QTEST(faults.isEmpty() ? QString() : faults[0].toString(), "fault");
}

REKINDLE_TEST(EvaluatorFinderTest)
#include "evaluatorfindertest.moc"
