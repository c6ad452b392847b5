// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/enlargedpipe_p.h"
#include "testprogram.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>

using namespace Rekindle;

class EnlargedPipeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void enlargesPipeOnce()
    {
        int ends[2];
        QCOMPARE(::pipe2(ends, O_CLOEXEC), 0);
        EnlargedPipe enlarged;
        QVERIFY(enlarged.enlarge(ends[1]));
        QCOMPARE(::fcntl(ends[0], F_GETPIPE_SZ), 1024 * 1024);
        QVERIFY(!enlarged.enlarge(ends[0]));
        ::close(ends[0]);
        ::close(ends[1]);
    }

    void limitsEnlargedPipes()
    {
        int ends[EnlargedPipe::most + 1][2];
        std::array<std::unique_ptr<EnlargedPipe>, EnlargedPipe::most + 1> owners;
        for (std::size_t i = 0; i < owners.size(); ++i) {
            QCOMPARE(::pipe2(ends[i], O_CLOEXEC), 0);
            owners[i] = std::make_unique<EnlargedPipe>();
            const int before = ::fcntl(ends[i][1], F_GETPIPE_SZ);
            QCOMPARE(owners[i]->enlarge(ends[i][1]), i < EnlargedPipe::most);
            if (i == EnlargedPipe::most)
                QCOMPARE(::fcntl(ends[i][1], F_GETPIPE_SZ), before);
        }
        owners.front().reset();
        QVERIFY(owners.back()->enlarge(ends[EnlargedPipe::most][1]));
        for (const auto &pipe : ends) {
            ::close(pipe[0]);
            ::close(pipe[1]);
        }
    }

    void ignoresOtherDescriptors()
    {
        int ends[2];
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        QVERIFY(!EnlargedPipe().enlarge(ends[0]));
        QVERIFY(!EnlargedPipe().enlarge(-1));
        ::close(ends[0]);
        ::close(ends[1]);
    }
};

REKINDLE_TEST(EnlargedPipeTest)
#include "enlargedpipetest.moc"
