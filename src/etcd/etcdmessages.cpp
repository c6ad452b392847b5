// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdmessages_p.h"

#include <json/jsonnode.h>

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace Rekindle::EtcdMessages {

using namespace Qt::StringLiterals;

namespace {

QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QString encoded(const QByteArray &bytes) { return QString::fromLatin1(bytes.toBase64()); }

std::optional<QByteArray> decoded(const QJsonValue &value)
{
    const auto result = QByteArray::fromBase64Encoding(
        value.toString().toLatin1(),
        QByteArray::Base64Encoding | QByteArray::AbortOnBase64DecodingErrors);
    if (!result)
        return std::nullopt;
    return *result;
}

qint64 integer(const QJsonObject &object, QLatin1String name)
{
    return object.value(name).toString().toLongLong(); // 0 is left out
}

qint64 revisionOf(const QJsonObject &answer)
{
    return integer(answer.value("header"_L1).toObject(), "revision"_L1);
}

// All keys with the prefix. Without one, "\0" is the first key, and as an end it means no end.
QJsonObject keysFrom(QByteArray keyPrefix)
{
    QByteArray end = keyPrefix;
    while (end.endsWith('\xff'))
        end.chop(1);
    if (end.isEmpty())
        end = QByteArray(1, '\0');
    else
        ++end.back();
    if (keyPrefix.isEmpty())
        keyPrefix = QByteArray(1, '\0');
    return {{"key"_L1, encoded(keyPrefix)}, {"rangeEnd"_L1, encoded(end)}};
}

std::optional<FleetRecord> recordOf(const QJsonObject &object, const QByteArray &prefix)
{
    const std::optional<QByteArray> key = decoded(object.value("key"_L1));
    std::optional<QByteArray> value = decoded(object.value("value"_L1));
    const qint64 modRevision = integer(object, "mod_revision"_L1);
    if (!key || !value || !key->startsWith(prefix) || modRevision <= 0)
        return std::nullopt;
    return FleetRecord{.key = key->mid(prefix.size()),
                       .value = *std::move(value),
                       .createRevision = integer(object, "create_revision"_L1),
                       .modRevision = modRevision};
}

// Whether the key is as the write would have left it, according to the response of a range.
bool isAsWritten(const FleetTransaction::Write &write, const QJsonObject &response)
{
    const QJsonArray keys =
        response.value("response_range"_L1).toObject().value("kvs"_L1).toArray();
    if (keys.isEmpty())
        return !write.value;
    return write.value && decoded(keys.first().toObject().value("value"_L1)) == write.value;
}

bool addChange(std::vector<FleetWatchEvent> &changes, const QJsonObject &event,
               const QByteArray &prefix)
{
    const std::optional<FleetRecord> record = recordOf(event.value("kv"_L1).toObject(), prefix);
    if (!record)
        return false;
    if (changes.empty() || changes.back().revision != record->modRevision) {
        changes.emplace_back();
        changes.back().kind = FleetWatchEvent::Kind::Changes;
        changes.back().revision = record->modRevision;
    }
    const bool isDeleted = event.value("type"_L1).toString() == "DELETE"_L1;
    changes.back().records.push_back(isDeleted ? FleetRecord{.key = record->key} : *record);
    return true;
}

} // namespace

QByteArray credentials(const QString &user, const QString &password)
{
    return compact({{"name"_L1, user}, {"password"_L1, password}});
}

QByteArray range(const QByteArray &keyPrefix) { return compact(keysFrom(keyPrefix)); }

QByteArray transaction(const FleetTransaction &transaction, const QByteArray &prefix)
{
    QJsonArray comparisons;
    for (const FleetTransaction::Comparison &comparison : transaction.comparisons) {
        const bool isCreate = comparison.revision == FleetTransaction::Revision::Create;
        comparisons.append(QJsonObject{{"key"_L1, encoded(prefix + comparison.key)},
                                       {"target"_L1, isCreate ? "CREATE"_L1 : "MOD"_L1},
                                       {isCreate ? "createRevision"_L1 : "modRevision"_L1,
                                        QString::number(comparison.expected)}});
    }
    QJsonArray writes;
    QJsonArray reads; // for isAsWritten()
    for (const FleetTransaction::Write &write : transaction.writes) {
        QJsonObject request{{"key"_L1, encoded(prefix + write.key)}};
        reads.append(QJsonObject{{"requestRange"_L1, request}});
        if (write.value)
            request.insert("value"_L1, encoded(*write.value));
        writes.append(
            QJsonObject{{write.value ? "requestPut"_L1 : "requestDeleteRange"_L1, request}});
    }
    return compact({{"compare"_L1, comparisons}, {"success"_L1, writes}, {"failure"_L1, reads}});
}

QByteArray watch(const QByteArray &keyPrefix, qint64 startRevision)
{
    QJsonObject request = keysFrom(keyPrefix);
    request.insert("startRevision"_L1, QString::number(startRevision));
    request.insert("progressNotify"_L1, true);
    return compact({{"createRequest"_L1, request}});
}

QString errorOf(const QJsonObject &answer)
{
    const QJsonValue error = answer.value("error"_L1);
    const QJsonObject holder = error.isObject() ? error.toObject() : answer;
    const QString message = holder.value("message"_L1).toString();
    return printable(message.isEmpty() ? error.toString() : message);
}

bool isTokenInvalid(const QString &error)
{
    return error.contains("invalid auth token"_L1) || error.contains("user name is empty"_L1)
        || error.contains("revision of auth store is old"_L1);
}

FleetReadResult readResult(const QJsonObject &answer, const QByteArray &prefix)
{
    FleetReadResult result;
    const qint64 revision = revisionOf(answer);
    const QJsonArray keys = answer.value("kvs"_L1).toArray();
    std::vector<FleetRecord> records;
    for (const auto &key : keys) {
        if (std::optional<FleetRecord> record = recordOf(key.toObject(), prefix))
            records.push_back(*std::move(record));
    }
    if (revision <= 0 || std::ssize(records) != keys.size()) {
        result.error = u"expected the answer of a range, found another one"_s;
        return result;
    }
    result.known = true;
    result.records = std::move(records);
    result.revision = revision;
    return result;
}

FleetCommitResult commitResult(const QJsonObject &answer, const FleetTransaction &transaction)
{
    using Outcome = FleetCommitResult::Outcome;
    const qint64 revision = revisionOf(answer);
    const QJsonArray responses = answer.value("responses"_L1).toArray();
    if (revision <= 0 || responses.size() != std::ssize(transaction.writes))
        return {.error = u"expected the answer of a transaction, found another one"_s};
    if (answer.value("succeeded"_L1).toBool())
        return {.outcome = Outcome::Applied, .error = {}, .revision = revision};
    bool isWritten = !responses.isEmpty();
    for (qsizetype i = 0; isWritten && i < responses.size(); ++i)
        isWritten = isAsWritten(transaction.writes[static_cast<std::size_t>(i)],
                                responses.at(i).toObject());
    if (isWritten)
        return {.error = u"a comparison failed, but the values are those to be "
                         "written: the transaction may have arrived twice"_s};
    return {.outcome = Outcome::Conflict, .error = {}};
}

WatchMessage watchMessage(const QJsonObject &message, const QByteArray &prefix)
{
    const QJsonObject result = message.value("result"_L1).toObject();
    WatchMessage read{.revision = revisionOf(result)};
    read.isCompacted = integer(result, "compact_revision"_L1) > 0;
    if (read.isCompacted)
        return read;
    const QString reason = result.value("cancel_reason"_L1).toString();
    const QJsonArray events = result.value("events"_L1).toArray();
    const bool isValid =
        read.revision > 0 && std::ranges::all_of(events, [&](const QJsonValue &event) {
            return addChange(read.changes, event.toObject(), prefix);
        });
    if (!isValid)
        read.error = u"expected a message of a watch, found another one"_s;
    else if (result.value("canceled"_L1).toBool())
        read.error = u"the watch was canceled: %1"_s.arg(printable(reason));
    return read;
}

} // namespace Rekindle::EtcdMessages
