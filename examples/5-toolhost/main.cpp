// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host that calls the tools of an MCP server: toolhost SERVER [ARG...]. It lists the tools. Then
// it calls one tool per line of stdin; the rest of the line contains the arguments as JSON:
//
//   echo {"message": "hi"}

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QTextStream>
#include <Rekindle/AgentSupervisor>
#include <Rekindle/FeatureGate>
#include <Rekindle/FixedLicenseProvider>
#include <Rekindle/OnDemandServer>
#include <Rekindle/ToolCaller>

using namespace std::chrono_literals;

namespace {

class ToolHost : public QObject
{
public:
    explicit ToolHost(const Rekindle::ProcessDefinition &definition)
        : m_server(m_supervisor, QFileInfo(definition.program).fileName(), definition,
                   {.restartsOnExit = true})
        , m_caller(m_server, m_supervisor.scheduler(), {.deadline = 30s})
    {
        // A host with a window would show the progress of a call there.
        connect(&m_caller, &Rekindle::ToolCaller::attemptFailed, this,
                [this](quint64, const QString &tool, int attempt,
                       const Rekindle::ToolCallAttempt &how) {
                    m_out << nameOf(tool) << ": attempt " << attempt << " failed: " << how.message
                          << Qt::endl;
                });
        connect(&m_caller, &Rekindle::ToolCaller::retryScheduled, this,
                [this](quint64, const QString &tool, int attempt, Rekindle::Duration delay) {
                    m_out << nameOf(tool) << ": attempt " << attempt << " in "
                          << Rekindle::durationToString(delay) << Qt::endl;
                });
        connect(&m_caller, &Rekindle::ToolCaller::respawning, this,
                [this] { m_out << "the server is started again" << Qt::endl; });
        // Quit only after the server has exited.
        connect(&m_supervisor, &Rekindle::AgentSupervisor::allStopped, qApp,
                &QCoreApplication::quit);
        m_supervisor.featureGate().setProvider(&m_license);
    }

    // Listing the tools starts the server, which was not started before.
    void begin()
    {
        m_caller.listTools().then(this, [this](const Rekindle::ToolListOutcome &outcome) {
            if (!outcome.succeeded()) {
                m_out << "no tools: " << outcome.result.error->message << Qt::endl;
                m_supervisor.stopAll();
                return;
            }
            m_out << outcome.tools.size() << " tools" << Qt::endl;
            next();
        });
    }

private:
    // A listing has an empty tool name.
    static QString nameOf(const QString &tool)
    {
        return tool.isEmpty() ? QStringLiteral("tools/list") : tool;
    }

    // Reading blocks the event loop, which a program with a window must not do.
    void next()
    {
        const QString line = m_in.readLine();
        if (line.isNull()) {
            m_supervisor.stopAll();
            return;
        }
        const QString tool = line.section(u' ', 0, 0);
        const QByteArray arguments = line.section(u' ', 1).toUtf8();
        m_caller.call(tool, QJsonDocument::fromJson(arguments).object())
            .then(this, [this, tool](const Rekindle::ToolCallOutcome &outcome) {
                if (outcome.succeeded())
                    m_out << tool << ": " << outcome.result.text() << Qt::endl;
                else
                    m_out << tool << " ended with " << Rekindle::toText(outcome.end) << Qt::endl;
                // A rejected call ends before call() returns. Without the queue, a long input
                // would recurse deeply.
                QMetaObject::invokeMethod(this, &ToolHost::next, Qt::QueuedConnection);
            });
    }

    QTextStream m_in{stdin};
    QTextStream m_out{stdout};
    Rekindle::FixedLicenseProvider m_license{Rekindle::LicenseTier::Enterprise};
    Rekindle::AgentSupervisor m_supervisor;
    Rekindle::OnDemandServer m_server;
    Rekindle::ToolCaller m_caller;
};

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.size() < 2) {
        QTextStream(stderr) << "usage: toolhost SERVER [ARG...]\n";
        return 64;
    }
    Rekindle::ProcessDefinition server;
    server.program = words[1];
    server.arguments = words.mid(2);
    server.stop.closeStdin = 2s; // most servers exit when their input ends
    ToolHost host(server);
    QMetaObject::invokeMethod(&host, &ToolHost::begin, Qt::QueuedConnection);
    return QCoreApplication::exec();
}
