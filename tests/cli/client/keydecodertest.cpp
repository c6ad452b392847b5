// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include "cli/client/keydecoder_p.h"

using namespace Rekindle;

/// Bytes of a terminal and the keys that they mean.
class KeyDecoderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decodesEachSequence_data();
    void decodesEachSequence();
    void decodesSequenceInParts();
    void flushesEscapeKey();
    void ignoresAltAndCharacter();
    void ignoresUnknownSequences();
    void dropsEndlessSequence();
};

void KeyDecoderTest::decodesEachSequence_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *bytes, Key::Kind kind) {
        QTest::newRow(QByteArray(bytes + 1).constData())
            << QByteArray(bytes) << static_cast<int>(kind);
    };
    row("\x1b[A", Key::Kind::Up);
    row("\x1bOA", Key::Kind::Up);
    row("\x1b[B", Key::Kind::Down);
    row("\x1b[5~", Key::Kind::PageUp);
    row("\x1b[6~", Key::Kind::PageDown);
    row("\x1b[H", Key::Kind::Home);
    row("\x1b[4~", Key::Kind::End);
}

void KeyDecoderTest::decodesEachSequence()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, kind);
    KeyDecoder decoder;
    const QList<Key> keys = decoder.decode(QByteArray(bytes + 'x'));
    QCOMPARE(keys.size(), 2);
    QCOMPARE(static_cast<int>(keys[0].kind), kind);
    QCOMPARE(keys[1], (Key{Key::Kind::Character, QLatin1Char('x')}));
    QVERIFY(!decoder.isPending());
}

// ssh splits the bytes anywhere.
void KeyDecoderTest::decodesSequenceInParts()
{
    KeyDecoder decoder;
    QVERIFY(decoder.decode("\x1b").isEmpty());
    QVERIFY(decoder.decode("[").isEmpty());
    QVERIFY(decoder.isPending());
    QCOMPARE(decoder.decode("A"), QList<Key>{{Key::Kind::Up}});
}

void KeyDecoderTest::flushesEscapeKey()
{
    KeyDecoder decoder;
    QVERIFY(decoder.decode("\x1b").isEmpty());
    QCOMPARE(decoder.flush(), QList<Key>{{Key::Kind::Escape}});
    QVERIFY(decoder.flush().isEmpty());
}

// Alt+s must not stop an agent.
void KeyDecoderTest::ignoresAltAndCharacter()
{
    KeyDecoder decoder;
    QVERIFY(decoder.decode("\x1bs").isEmpty());
    QVERIFY(!decoder.isPending());
    QCOMPARE(decoder.decode("\x1b\x1b[A"), (QList<Key>{{Key::Kind::Escape}, {Key::Kind::Up}}));
}

void KeyDecoderTest::ignoresUnknownSequences()
{
    KeyDecoder decoder;
    QCOMPARE(decoder.decode("\x1b[15~\x1b[1;5C\xc3\xa4\x01r"),
             (QList<Key>{{Key::Kind::Character, QLatin1Char('r')}}));
}

void KeyDecoderTest::dropsEndlessSequence()
{
    KeyDecoder decoder;
    QVERIFY(!decoder.decode(QByteArray("\x1b[" + QByteArray(1000, ';'))).isEmpty());
    QVERIFY(!decoder.isPending());
    QCOMPARE(decoder.decode("r"), (QList<Key>{{Key::Kind::Character, QLatin1Char('r')}}));
}

REKINDLE_TEST(KeyDecoderTest)
#include "keydecodertest.moc"
