// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commands/commandline_p.h"
#include "cli/output/messages_p.h"

#include <QCoreApplication>
#include <QLoggingCategory>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace {

using namespace Rekindle;

// Where one of the three is closed, whatever is opened first would take its place: what is meant
// for stdout would go into a store. What stands there instead can only be used the wrong way round,
// and so fails as before.
void prepareDescriptors()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void prepareSignals()
{
    // A reader that goes away, and a terminal that somebody else has, must not end or stop the
    // supervision. Children start with the defaults.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGTTOU, SIG_IGN);
    // Whoever started this may ignore it; then nobody could tell how a child has ended.
    std::signal(SIGCHLD, SIG_DFL);
}

// Qt's own event dispatcher instead of GLib's, which takes longer for each event. Children inherit
// the environment as it was.
class WithoutGlib
{
public:
    WithoutGlib()
    {
        if (!m_wasSet)
            qputenv(name, "1");
    }
    ~WithoutGlib()
    {
        if (!m_wasSet)
            qunsetenv(name);
    }
    Q_DISABLE_COPY_MOVE(WithoutGlib)

private:
    static constexpr char name[] = "QT_NO_GLIB";
    const bool m_wasSet = qEnvironmentVariableIsSet(name);
};

// Qt wants to speak of the locale here, which is not this command's business.
std::unique_ptr<QCoreApplication> makeApplication(int &argumentCount, char **arguments)
{
    const WithoutGlib withoutGlib;
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) {});
    auto application = std::make_unique<QCoreApplication>(argumentCount, arguments);
    qInstallMessageHandler(nullptr);
    return application;
}

} // namespace

int main(int argc, char **argv)
{
    prepareDescriptors();
    prepareSignals();
    CommandLine commandLine(argc, argv);
    if (const std::optional<int> code = commandLine.parse())
        return *code;

    // Qt takes options of its own out of what it is given.
    int ownCount = 1;
    const std::unique_ptr<QCoreApplication> application = makeApplication(ownCount, argv);
    // What it would say is told in plain words; QT_LOGGING_RULES still has the last one.
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    Messages messages;
    return commandLine.execute(messages);
}
