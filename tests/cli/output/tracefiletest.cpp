// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/tracefile_p.h"
#include "testprogram.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

class TraceFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsTheCommandIfNobodyReads();
};

void TraceFileTest::endsTheCommandIfNobodyReads()
{
    ::signal(SIGPIPE, SIG_IGN); // as main()
    std::array<int, 2> ends{-1, -1};
    QCOMPARE(::pipe2(ends.data(), O_CLOEXEC), 0);
    ::close(ends[0]);
    const UniqueFd target(ends[1]);
    const UniqueFd standardOutput(::dup(STDOUT_FILENO));
    int written = 0;
    std::optional<int> exitCode;
    {
        Messages messages;
        ::dup2(target.get(), STDOUT_FILENO);
        try {
            TraceFile file(QStringLiteral("-"), messages);
            for (; written < 10'000; ++written)
                file.instant({}, QStringLiteral("event"), 1s);
        } catch (const CommandFailure &failure) {
            exitCode = failure.exitCode;
        }
        ::dup2(standardOutput.get(), STDOUT_FILENO);
    }
    QCOMPARE(exitCode, ExitCode::fine);
    QVERIFY(written < 2000); // 64 KiB
}

REKINDLE_TEST(TraceFileTest)
#include "tracefiletest.moc"
