// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/mailbox_p.h"
#include "testprogram.h"

using namespace Rekindle;

class MailboxTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void doesTheWorkInOrder()
    {
        QObject receiver;
        const auto mailbox = std::make_shared<Mailbox>(&receiver);
        QList<int> done;
        for (int i = 0; i < 3; ++i)
            mailbox->post([&done, i] { done << i; });
        QVERIFY(done.isEmpty());
        QCoreApplication::processEvents();
        QCOMPARE(done, (QList<int>{0, 1, 2}));
    }

    void nestedEventLoopDoesTheRest()
    {
        QObject receiver;
        const auto mailbox = std::make_shared<Mailbox>(&receiver);
        QList<int> done;
        mailbox->post([&] {
            QCoreApplication::processEvents();
            done << 0;
        });
        mailbox->post([&] {
            mailbox->post([&done] { done << 2; });
            QCoreApplication::processEvents();
            done << 1;
        });
        QCoreApplication::processEvents();
        QCOMPARE(done, (QList<int>{2, 1, 0}));
    }

    void workMayCloseIt()
    {
        QObject receiver;
        const auto mailbox = std::make_shared<Mailbox>(&receiver);
        int done = 0;
        mailbox->post([&] {
            ++done;
            mailbox->close();
        });
        mailbox->post([&done] { ++done; });
        QCoreApplication::processEvents();
        mailbox->post([&done] { ++done; });
        QCoreApplication::processEvents();
        QCOMPARE(done, 1);
    }
};

REKINDLE_TEST(MailboxTest)
#include "mailboxtest.moc"
