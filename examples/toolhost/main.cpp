// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host that calls tools of an MCP server: toolhost SERVER [ARG...]. It lists them, and calls each
// that is named on a line of stdin, with the rest of the line as its arguments, in JSON:
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
        // What happens on the way to an answer, a window would show.
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
                [this] { m_out << "the server is started anew" << Qt::endl; });
        // Nobody may be left behind.
        connect(&m_supervisor, &Rekindle::AgentSupervisor::allStopped, qApp,
                &QCoreApplication::quit);
        m_supervisor.featureGate().setProvider(&m_license);
    }

    // Nothing has been started up to here: the first question starts the server.
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
    // Listing has no tool.
    static QString nameOf(const QString &tool)
    {
        return tool.isEmpty() ? QStringLiteral("tools/list") : tool;
    }

    // A program with a window would not wait for a line here.
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
                // A call that is refused ends before call() returns: not from in here, or a long
                // input would go deep.
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
    server.stop.closeStdin = 2s; // a good server ends at the end of its input
    ToolHost host(server);
    QMetaObject::invokeMethod(&host, &ToolHost::begin, Qt::QueuedConnection);
    return QCoreApplication::exec();
}
