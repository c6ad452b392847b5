// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// A host that uses each component. It has strict warnings, but none of the definitions of this
// project.

#include <Rekindle/Backoff>
#include <Rekindle/ProcessAgent>
#include <Rekindle/SignedLicense>
#include <Rekindle/StateFile>
#include <Rekindle/VirtualScheduler>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/version.h>

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>

using namespace std::chrono_literals;

static_assert(REKINDLE_VERSION >= REKINDLE_VERSION_CHECK(0, 1, 0));

namespace {

bool delaysDouble()
{
    const Rekindle::RestartPolicy policy;
    return Rekindle::Backoff::baseDelay(policy, 3) == 4s;
}

bool virtualTimePasses()
{
    Rekindle::VirtualClock clock;
    Rekindle::VirtualScheduler scheduler(clock);
    int fired = 0;
    Rekindle::Deadline deadline(scheduler, [&fired] { ++fired; });
    deadline.armIn(5min);
    scheduler.advance(4min);
    const bool early = fired != 0;
    scheduler.advance(1min);
    return !early && fired == 1;
}

bool licensesAreVerified()
{
    const auto key = Rekindle::LicenseSecretKey::generate();
    if (!key)
        return false;
    const Rekindle::LicenseClaims claims{.id = QStringLiteral("1"),
                                         .licensee = QStringLiteral("A host"),
                                         .audience = QStringLiteral("consumer"),
                                         .tier = Rekindle::LicenseTier::Teams};
    const auto file = Rekindle::SignedLicense::issue(claims, *key);
    const Rekindle::LicenseCheck check{.publicKey = key->publicKey(), .audience = claims.audience};
    return file && Rekindle::SignedLicense::verify(*file.value, check).claims == claims;
}

bool stateIsStored()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("host.state"));
    Rekindle::TimerScheduler scheduler;
    Rekindle::AgentSupervisor supervisor(scheduler);
    Rekindle::StateFile state(supervisor, {.path = path});
    return state.open() && state.close() && QFile::exists(path);
}

// Returns 0 if the process exits with the expected status.
int runProcess(const QString &script, int expectedStatus)
{
    Rekindle::ProcessDefinition definition;
    definition.program = QStringLiteral("/bin/sh");
    definition.arguments = {QStringLiteral("-c"), script};

    Rekindle::TimerScheduler scheduler;
    Rekindle::ProcessAgent agent(definition, scheduler);
    const auto ended = [&agent, expectedStatus] {
        QCoreApplication::exit(agent.lastExitStatus() == expectedStatus ? 0 : 1);
    };
    QObject::connect(&agent, &Rekindle::Agent::stopped, qApp, ended);
    QObject::connect(&agent, &Rekindle::Agent::failed, qApp, ended);
    QTimer::singleShot(30s, qApp, [] { QCoreApplication::exit(2); });
    QTimer::singleShot(0, &agent, [&agent] { agent.start(); });
    return QCoreApplication::exec();
}

// The guard kills the grandchild, so the host, which is not installed beside Rekindle, has found
// it.
bool grandchildIsKilledWithHost()
{
    constexpr int patience = 30000;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("REKINDLE_GUARD"));
    QProcess host;
    host.setProcessEnvironment(environment);
    host.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    host.start(QCoreApplication::applicationDirPath() + QStringLiteral("/killedhost"), {});
    while (host.state() != QProcess::NotRunning && !host.canReadLine()) {
        if (!host.waitForReadyRead(patience))
            return false;
    }
    const int grandchild = host.readLine().trimmed().toInt();
    const int ended = static_cast<int>(::syscall(SYS_pidfd_open, grandchild, 0));
    if (ended < 0)
        return false;
    host.kill();
    pollfd poll{ended, POLLIN, 0};
    const bool hasEnded = ::poll(&poll, 1, patience) == 1;
    if (!hasEnded)
        ::kill(grandchild, SIGKILL);
    ::close(ended);
    host.waitForFinished(patience);
    return hasEnded;
}

int check(const char *what, bool holds)
{
    std::printf("%s: %s\n", what, holds ? "yes" : "NO");
    return holds ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    return check("policy: delays double", delaysDouble())
        + check("lifecycle: virtual time passes", virtualTimePasses())
        + check("license: licenses are verified", licensesAreVerified())
        + check("state: it is stored", stateIsStored())
        + check("process: a clean exit is detected", runProcess(QStringLiteral("exit 0"), 0) == 0)
        + check("process: a failure is detected", runProcess(QStringLiteral("exit 3"), 3) == 0)
        + check("process: a grandchild is killed with its host", grandchildIsKilledWithHost());
}
