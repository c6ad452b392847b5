// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "licenses.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/license/licensesecretkey.h>

#include <type_traits>

using namespace Rekindle;

static_assert(std::is_trivially_copyable_v<LicensePublicKey>);
static_assert(!std::is_copy_constructible_v<LicenseSecretKey>);
static_assert(std::is_nothrow_move_constructible_v<LicenseSecretKey>);
static_assert(!std::is_default_constructible_v<LicenseSecretKey>);

/// Keys and their text.
class LicenseKeyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matchesTestVectorOfRfc8032();
    void readsItsOwnText();
    void generatesDifferentKeys();
    void rejectsInvalidKeys_data();
    void rejectsInvalidKeys();
    void reportsOtherKindOfKey();
    void readsFiles();
    void movingWipesTheSource();
};

// The second test vector of RFC 8032, 7.1.
void LicenseKeyTest::matchesTestVectorOfRfc8032()
{
    const QByteArray seed =
        QByteArray::fromHex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
    const auto key =
        LicenseSecretKey::fromText(QByteArray("rekindle-license-secret-key:" + seed.toBase64()));
    QVERIFY(key);
    const LicensePublicKey::Bytes bytes = key.value->publicKey().bytes();
    QCOMPARE(QByteArray(reinterpret_cast<const char *>(bytes.data()), 32).toHex(),
             QByteArray("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"));
    QCOMPARE(key.value->sign("\x72").toHex(),
             QByteArray("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"));
}

void LicenseKeyTest::readsItsOwnText()
{
    const auto key = LicenseSecretKey::generate();
    QVERIFY(key);
    const auto again = LicenseSecretKey::fromText(key->toText());
    QVERIFY(again);
    QCOMPARE(again.value->toText(), key->toText());
    QCOMPARE(again.value->publicKey(), key->publicKey());

    const LicensePublicKey publicKey = key->publicKey();
    QVERIFY(publicKey.toText().endsWith('\n'));
    QVERIFY(LicensePublicKey::fromText(publicKey.toText()).value == publicKey);
    QVERIFY(LicensePublicKey::fromText(publicKey.toText().trimmed()).value == publicKey);
    QCOMPARE(publicKey.id().size(), 16);
    QVERIFY(LicensePublicKey().isNull() && !publicKey.isNull());
}

void LicenseKeyTest::generatesDifferentKeys()
{
    const auto one = LicenseSecretKey::generate();
    const auto two = LicenseSecretKey::generate();
    QVERIFY(one && two);
    QVERIFY(one->publicKey() != two->publicKey());
    QVERIFY(one->publicKey().id() != two->publicKey().id());
}

void LicenseKeyTest::rejectsInvalidKeys_data()
{
    const Rows<QByteArray> add("text");
    const LicenseSecretKey key = keyNumber(1);
    for (const QByteArray &good : {key.publicKey().toText(), key.toText()}) {
        const QByteArray label = good.left(good.indexOf(':') + 1);
        const auto row = [&](const char *name, const QByteArray &text) {
            add(QByteArray(label + ' ' + name).constData(), text);
        };
        row("empty", {});
        row("no label", good.mid(label.size()));
        row("label alone", label);
        row("truncated", good.left(good.size() - 2));
        row("two line ends", good + '\n');
        row("leading space", ' ' + good);
        row("two keys", good + good);
        row("31 bytes", label + QByteArray(31, 1).toBase64());
        row("33 bytes", label + QByteArray(33, 1).toBase64());
        row("not base64", label + QByteArray(44, '!'));
    }
    const QByteArray label = "rekindle-license-public-key:";
    add("all zero", label + QByteArray(32, 0).toBase64());
    add("not on the curve", label + QByteArray(32, '\xff').toBase64());
}

void LicenseKeyTest::rejectsInvalidKeys()
{
    QFETCH(QByteArray, text);
    QCOMPARE(LicensePublicKey::fromText(text).faults.size(), 1);
    const QList<Fault> faults = LicenseSecretKey::fromText(text).faults;
    QCOMPARE(faults.size(), 1);
    // The text may be a real key with a typing error.
    const QByteArray secret = keyNumber(1).toText().mid(28, 20);
    QVERIFY(!faults.constFirst().toString().toUtf8().contains(secret));
}

void LicenseKeyTest::reportsOtherKindOfKey()
{
    const LicenseSecretKey key = keyNumber(1);
    QCOMPARE(LicensePublicKey::fromText(key.toText()).faults.constFirst().message,
             QStringLiteral("expected a public key, found a secret key"));
    QCOMPARE(LicenseSecretKey::fromText(key.publicKey().toText()).faults.constFirst().message,
             QStringLiteral("expected a secret key, found a public key"));
}

void LicenseKeyTest::readsFiles()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("k"));
    const LicenseSecretKey key = keyNumber(7);
    QVERIFY(!LicenseSecretKey::fromFile(path));
    QVERIFY(!LicensePublicKey::fromFile(folder.path()));

    putFile(path, key.publicKey().toText());
    QVERIFY(LicensePublicKey::fromFile(path).value == key.publicKey());
    QCOMPARE(LicenseSecretKey::fromFile(path).file, path);

    putFile(path, key.toText());
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
    auto read = LicenseSecretKey::fromFile(path);
    QVERIFY(read);
    QCOMPARE(read.warnings.size(), 1);
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
    read = LicenseSecretKey::fromFile(path);
    QVERIFY(read && read.warnings.isEmpty());
    QCOMPARE(read.value->publicKey(), key.publicKey());
}

void LicenseKeyTest::movingWipesTheSource()
{
    LicenseSecretKey key = keyNumber(9);
    const QByteArray text = key.toText();
    LicenseSecretKey target = std::move(key);
    QCOMPARE(target.toText(), text);
    QVERIFY(key.toText() != text); // NOLINT(bugprone-use-after-move): tested here
    LicenseSecretKey other = keyNumber(3);
    other = std::move(target);
    QCOMPARE(other.toText(), text);
}

REKINDLE_TEST(LicenseKeyTest)
#include "licensekeytest.moc"
