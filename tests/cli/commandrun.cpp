// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandrun.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QProcessEnvironment>
#include <QTemporaryDir>

#include <csignal>

namespace Rekindle {

namespace {
constexpr int patience = 120'000;
} // namespace

CommandRun::CommandRun(const QStringList &arguments)
{
    setProgram(QStringLiteral(REKINDLE_COMMAND));
    setArguments(arguments);
    // Without a login session, the control sockets of a plain user would be in the state folder,
    // which differs between the runs of a test.
    static const QTemporaryDir runtime;
    if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR"))
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(runtime.path()));
    // The stores of tests are separate from those of the user.
    static const QTemporaryDir state;
    setProcessEnvironment(QProcessEnvironment::systemEnvironment());
    setStateFolder(state.path());
    // They are ignored if the tests run in the background of a script.
    setChildProcessModifier([] {
        for (const int number : {SIGINT, SIGTERM, SIGHUP})
            std::signal(number, SIG_DFL);
    });
}

CommandRun::~CommandRun()
{
    if (state() == NotRunning)
        return;
    kill();
    waitForFinished(patience);
}

bool CommandRun::begin()
{
    start();
    return waitForStarted(patience);
}

int CommandRun::end()
{
    if (state() != NotRunning && !waitForFinished(2 * patience))
        return -1;
    return exitStatus() == NormalExit ? exitCode() : -1;
}

int CommandRun::complete()
{
    closeWriteChannel();
    return begin() ? end() : -1;
}

bool CommandRun::waitForOutput(const QByteArray &text)
{
    return waitUntil([&] { return output().contains(text); });
}

bool CommandRun::waitForError(const QByteArray &text)
{
    return waitUntil([&] { return error().contains(text); });
}

void CommandRun::signal(int number) const
{
    // 0 is the process group of the tests.
    QVERIFY(processId() > 0);
    ::kill(static_cast<pid_t>(processId()), number);
}

int CommandRun::endBy(int number)
{
    signal(number);
    return end();
}

int CommandRun::endInput()
{
    closeWriteChannel();
    return end();
}

void CommandRun::setVariable(const char *name, const QString &value)
{
    QProcessEnvironment environment = processEnvironment();
    if (value.isNull())
        environment.remove(QLatin1String(name));
    else
        environment.insert(QLatin1String(name), value);
    setProcessEnvironment(environment);
}

QByteArray CommandRun::output() { return m_output += readAllStandardOutput(); }

QByteArray CommandRun::error() { return m_error += readAllStandardError(); }

QByteArray CommandRun::wholeLines()
{
    const QByteArray all = output();
    return all.left(all.lastIndexOf('\n') + 1);
}

StartedRun::StartedRun(const QStringList &arguments, const char *file, int line)
    : CommandRun(arguments)
{
    if (!begin())
        QTest::qFail("cannot start the command", file, line);
}

ShellRun::ShellRun(const char *shell, const QStringList &arguments)
    : CommandRun(arguments)
{
    setProgram(QString::fromUtf8(shell));
}

CompletedRun::CompletedRun(const QStringList &arguments, int exitCode, const char *file, int line)
    : CommandRun(arguments)
{
    if (const int code = complete(); code != exitCode) {
        const QString text = QStringLiteral("rekindle %1: expected exit code %2, found %3\n%4")
                                 .arg(arguments.join(u' '))
                                 .arg(exitCode)
                                 .arg(code)
                                 .arg(QString::fromUtf8(error()));
        QTest::qFail(qPrintable(text), file, line);
    }
}

QList<QJsonObject> jsonLines(const QByteArray &text)
{
    QList<QJsonObject> objects;
    if (!text.isEmpty() && !text.endsWith('\n')) {
        QTest::qFail("the last line is incomplete", __FILE__, __LINE__);
        return objects;
    }
    QList<QByteArray> lines = text.split('\n');
    lines.removeLast();
    for (const QByteArray &line : lines) {
        const QJsonDocument document = QJsonDocument::fromJson(line);
        if (!document.isObject())
            QTest::qFail(line.constData(), __FILE__, __LINE__);
        objects.append(document.object());
    }
    return objects;
}

QStringList eventTypes(const QByteArray &lines, const QString &agent)
{
    QStringList types;
    for (const QJsonObject &event : jsonLines(lines)) {
        const QString name = event[QLatin1String("data")][QLatin1String("agent")].toString();
        QString type = event[QLatin1String("type")].toString();
        type.remove(QLatin1String("rekindle."));
        type.chop(3); // the version
        if (agent.isEmpty() || agent == name)
            types.append(agent.isEmpty() ? name + QLatin1Char(' ') + type : type);
    }
    return types;
}

QList<QJsonObject> eventData(const QByteArray &lines, const char *type, const QString &agent)
{
    QList<QJsonObject> found;
    const QString wanted = QStringLiteral("rekindle.%1.v1").arg(QLatin1String(type));
    for (const QJsonObject &event : jsonLines(lines)) {
        const QJsonObject data = event[QLatin1String("data")].toObject();
        if (event[QLatin1String("type")] == wanted
            && (agent.isEmpty() || data[QLatin1String("agent")] == agent))
            found.append(data);
    }
    return found;
}

QStringList eventTexts(const QByteArray &lines, const char *type, const char *member,
                       const QString &agent)
{
    QStringList texts;
    for (const QJsonObject &data : eventData(lines, type, agent))
        texts.append(data[QLatin1String(member)].toString());
    return texts;
}

QList<pid_t> startedIn(const QByteArray &lines, const QString &agent)
{
    QList<pid_t> processes;
    for (const QJsonObject &start : eventData(lines, "agent.started", agent))
        processes.append(start[QLatin1String("pid")].toInt());
    return processes;
}

QByteArray configuration(const QList<QStringList> &agents, const QJsonObject &policy)
{
    QJsonArray entries;
    for (qsizetype i = 0; i < agents.size(); ++i) {
        // a, b, c; after z with a number.
        QString name(QChar(u'a' + static_cast<int>(i % 26)));
        if (i >= 26)
            name += QString::number(i / 26);
        entries.append(
            QJsonObject{{QStringLiteral("name"), name},
                        {QStringLiteral("kind"), QStringLiteral("process")},
                        {QStringLiteral("program"), QStringLiteral(REKINDLE_CHAOSAGENT)},
                        {QStringLiteral("arguments"), QJsonArray::fromStringList(agents[i])}});
    }
    const QJsonObject defaults{{QStringLiteral("policy"), policy},
                               {QStringLiteral("ready"), QStringLiteral("now")},
                               {QStringLiteral("stdin"), QStringLiteral("null")}};
    return QJsonDocument(QJsonObject{{QStringLiteral("defaults"), defaults},
                                     {QStringLiteral("agents"), entries}})
        .toJson();
}

QJsonObject hourlyRetries()
{
    return {{QStringLiteral("type"), QStringLiteral("linear")},
            {QStringLiteral("initialDelay"), QStringLiteral("1h")},
            {QStringLiteral("maxDelay"), QStringLiteral("1h")}};
}

QString writeFile(const QString &folder, const QString &name, const QByteArray &text)
{
    const QString path = folder + QLatin1Char('/') + name;
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        QTest::qFail("cannot write a file for the test", __FILE__, __LINE__);
    return path;
}

QByteArray readFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace Rekindle
