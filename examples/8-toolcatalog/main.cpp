// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host with the tools of several MCP servers in one catalog: toolcatalog SERVER... Each argument
// is the command line of a server. The servers run in the background, and their tools have unique
// names. It lists the tools when all servers are ready. Then it calls one tool per line of stdin;
// the rest of the line contains the arguments as JSON:
//
//   echo {"message": "hi"}

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>
#include <QTextStream>
#include <Rekindle/AgentSupervisor>
#include <Rekindle/FeatureGate>
#include <Rekindle/FixedLicenseProvider>
#include <Rekindle/SupervisedServer>
#include <Rekindle/ToolCaller>
#include <Rekindle/ToolCatalog>

#include <map>
#include <memory>

using namespace std::chrono_literals;

namespace {

class CatalogHost : public QObject
{
public:
    explicit CatalogHost(const QStringList &commands)
    {
        m_supervisor.featureGate().setProvider(&m_license);
        // Quit only after all servers have exited.
        connect(&m_supervisor, &Rekindle::AgentSupervisor::allStopped, qApp,
                &QCoreApplication::quit);
        for (const QString &command : commands)
            add(command);
    }

    // Waits until each server has started or its first start has failed.
    void begin()
    {
        for (const auto &[name, backend] : m_backends) {
            backend.caller->listTools().then(
                this, [this, server = name](const Rekindle::ToolListOutcome &outcome) {
                    if (!outcome.succeeded())
                        m_out << server << ": " << outcome.result.error->message << Qt::endl;
                    if (++m_listed == m_backends.size())
                        printTools();
                });
        }
    }

private:
    struct Backend
    {
        std::unique_ptr<Rekindle::SupervisedServer> server;
        std::unique_ptr<Rekindle::ToolCaller> caller; // destroyed before its server
    };

    void add(const QString &command)
    {
        QStringList words = QProcess::splitCommand(command);
        Rekindle::ProcessDefinition definition;
        definition.program = words.takeFirst();
        definition.arguments = words;
        definition.stop.closeStdin = 2s; // most servers exit when their input ends
        const QString name = QStringLiteral("%1-%2")
                                 .arg(QFileInfo(definition.program).fileName())
                                 .arg(m_backends.size() + 1);
        Backend &backend = m_backends[name];
        backend.server =
            std::make_unique<Rekindle::SupervisedServer>(m_supervisor, name, definition);
        backend.caller =
            std::make_unique<Rekindle::ToolCaller>(*backend.server, m_supervisor.scheduler(),
                                                   Rekindle::ToolCallerOptions{.deadline = 30s});
        m_catalog.add(*backend.server);
        backend.server->start();
    }

    void printTools()
    {
        const auto entries = m_catalog.entries();
        for (const Rekindle::ToolCatalog::Entry &entry : entries)
            m_out << entry.name << " of " << entry.backend << Qt::endl;
        next();
    }

    // Reading blocks the event loop, which a program with a window must not do.
    void next()
    {
        const QString line = m_in.readLine();
        if (line.isNull()) {
            m_supervisor.stopAll();
            return;
        }
        const QString name = line.section(u' ', 0, 0);
        const auto entry = m_catalog.find(name);
        if (!entry) {
            m_out << name << " is unknown" << Qt::endl;
            QMetaObject::invokeMethod(this, &CatalogHost::next, Qt::QueuedConnection);
            return;
        }
        const QByteArray arguments = line.section(u' ', 1).toUtf8();
        m_backends[entry->backend]
            .caller->call(entry->tool.name, QJsonDocument::fromJson(arguments).object())
            .then(this, [this, name](const Rekindle::ToolCallOutcome &outcome) {
                if (outcome.succeeded())
                    m_out << name << ": " << outcome.result.text() << Qt::endl;
                else
                    m_out << name << " ended with " << Rekindle::toText(outcome.end) << Qt::endl;
                QMetaObject::invokeMethod(this, &CatalogHost::next, Qt::QueuedConnection);
            });
    }

    QTextStream m_in{stdin};
    QTextStream m_out{stdout};
    Rekindle::FixedLicenseProvider m_license{Rekindle::LicenseTier::Enterprise};
    Rekindle::AgentSupervisor m_supervisor;
    std::map<QString, Backend> m_backends; // by name
    Rekindle::ToolCatalog m_catalog;
    std::size_t m_listed = 0;
};

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList commands = QCoreApplication::arguments().mid(1);
    if (commands.isEmpty() || commands.contains(QString())) {
        QTextStream(stderr) << "usage: toolcatalog SERVER...\n";
        return 64;
    }
    CatalogHost host(commands);
    QMetaObject::invokeMethod(&host, &CatalogHost::begin, Qt::QueuedConnection);
    return QCoreApplication::exec();
}
