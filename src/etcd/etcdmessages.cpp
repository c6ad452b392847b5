// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdmessages_p.h"

#include <json/jsonnode.h>

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace Rekindle::EtcdMessages {

namespace {

constexpr QLatin1String keyMember("key");
constexpr QLatin1String valueMember("value");
constexpr QLatin1String rangeEndMember("rangeEnd");
constexpr QLatin1String headerMember("header");
constexpr QLatin1String revisionMember("revision");
constexpr QLatin1String createRevisionMember("create_revision");
constexpr QLatin1String modRevisionMember("mod_revision");
constexpr QLatin1String keysMember("kvs");

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
    return integer(answer.value(headerMember).toObject(), revisionMember);
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
    return {{keyMember, encoded(keyPrefix)}, {rangeEndMember, encoded(end)}};
}

QJsonObject requestOf(QLatin1String kind, const QJsonObject &request)
{
    return QJsonObject{{kind, request}};
}

std::optional<FleetRecord> recordOf(const QJsonObject &object, const QByteArray &prefix)
{
    const std::optional<QByteArray> key = decoded(object.value(keyMember));
    std::optional<QByteArray> value = decoded(object.value(valueMember));
    const qint64 modRevision = integer(object, modRevisionMember);
    if (!key || !value || !key->startsWith(prefix) || modRevision <= 0)
        return std::nullopt;
    return FleetRecord{.key = key->mid(prefix.size()),
                       .value = *std::move(value),
                       .createRevision = integer(object, createRevisionMember),
                       .modRevision = modRevision};
}

// Whether the key is as the write would have left it, according to the response of a range.
bool isAsWritten(const FleetTransaction::Write &write, const QJsonObject &response)
{
    const QJsonArray keys =
        response.value(QLatin1String("response_range")).toObject().value(keysMember).toArray();
    if (keys.isEmpty())
        return !write.value;
    return write.value && decoded(keys.first().toObject().value(valueMember)) == write.value;
}

bool addChange(std::vector<FleetWatchEvent> &changes, const QJsonObject &event,
               const QByteArray &prefix)
{
    const std::optional<FleetRecord> record =
        recordOf(event.value(QLatin1String("kv")).toObject(), prefix);
    if (!record)
        return false;
    if (changes.empty() || changes.back().revision != record->modRevision) {
        changes.emplace_back();
        changes.back().kind = FleetWatchEvent::Kind::Changes;
        changes.back().revision = record->modRevision;
    }
    if (event.value(QLatin1String("type")).toString() == QLatin1String("DELETE"))
        changes.back().deleted.push_back(record->key);
    else
        changes.back().records.push_back(*record);
    return true;
}

} // namespace

QByteArray credentials(const QString &user, const QString &password)
{
    return compact({{QLatin1String("name"), user}, {QLatin1String("password"), password}});
}

QByteArray range(const QByteArray &keyPrefix) { return compact(keysFrom(keyPrefix)); }

QByteArray transaction(const FleetTransaction &transaction, const QByteArray &prefix)
{
    QJsonArray comparisons;
    for (const FleetTransaction::Comparison &comparison : transaction.comparisons) {
        const bool isCreate = comparison.revision == FleetTransaction::Revision::Create;
        comparisons.append(QJsonObject{
            {keyMember, encoded(prefix + comparison.key)},
            {QLatin1String("target"), isCreate ? QLatin1String("CREATE") : QLatin1String("MOD")},
            {isCreate ? QLatin1String("createRevision") : QLatin1String("modRevision"),
             QString::number(comparison.expected)}});
    }
    QJsonArray writes;
    QJsonArray reads; // for isAsWritten()
    for (const FleetTransaction::Write &write : transaction.writes) {
        QJsonObject request{{keyMember, encoded(prefix + write.key)}};
        reads.append(requestOf(QLatin1String("requestRange"), request));
        if (write.value)
            request.insert(valueMember, encoded(*write.value));
        writes.append(requestOf(write.value ? QLatin1String("requestPut")
                                            : QLatin1String("requestDeleteRange"),
                                request));
    }
    return compact({{QLatin1String("compare"), comparisons},
                    {QLatin1String("success"), writes},
                    {QLatin1String("failure"), reads}});
}

QByteArray watch(const QByteArray &keyPrefix, qint64 startRevision)
{
    QJsonObject request = keysFrom(keyPrefix);
    request.insert(QLatin1String("startRevision"), QString::number(startRevision));
    request.insert(QLatin1String("progressNotify"), true);
    return compact(requestOf(QLatin1String("createRequest"), request));
}

QString errorOf(const QJsonObject &answer)
{
    const QJsonValue error = answer.value(QLatin1String("error"));
    const QJsonObject holder = error.isObject() ? error.toObject() : answer;
    const QString message = holder.value(QLatin1String("message")).toString();
    return printable(message.isEmpty() ? error.toString() : message);
}

bool needsToken(const QString &error)
{
    return error.contains(QLatin1String("invalid auth token"))
        || error.contains(QLatin1String("user name is empty"))
        || error.contains(QLatin1String("revision of auth store is old"));
}

FleetReadResult readResult(const QJsonObject &answer, const QByteArray &prefix)
{
    FleetReadResult result;
    const qint64 revision = revisionOf(answer);
    const QJsonArray keys = answer.value(keysMember).toArray();
    std::vector<FleetRecord> records;
    for (const QJsonValue &key : keys) {
        if (std::optional<FleetRecord> record = recordOf(key.toObject(), prefix))
            records.push_back(*std::move(record));
    }
    if (revision <= 0 || std::ssize(records) != keys.size()) {
        result.error = QStringLiteral("expected the answer of a range, found another one");
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
    const QJsonArray responses = answer.value(QLatin1String("responses")).toArray();
    if (revision <= 0 || responses.size() != std::ssize(transaction.writes))
        return {.error = QStringLiteral("expected the answer of a transaction, found another one")};
    if (answer.value(QLatin1String("succeeded")).toBool())
        return {.outcome = Outcome::Applied, .error = {}, .revision = revision};
    bool isWritten = !responses.isEmpty();
    for (qsizetype i = 0; isWritten && i < responses.size(); ++i)
        isWritten = isAsWritten(transaction.writes[static_cast<std::size_t>(i)],
                                responses.at(i).toObject());
    if (isWritten)
        return {.error = QStringLiteral("a comparison failed, but the values are those to be "
                                        "written: the transaction may have been sent twice")};
    return {.outcome = Outcome::Conflict, .error = {}};
}

WatchMessage watchMessage(const QByteArray &line, const QByteArray &prefix)
{
    using Kind = WatchMessage::Kind;
    const QJsonObject message = QJsonDocument::fromJson(line).object();
    if (QString error = errorOf(message); !error.isEmpty())
        return {.kind = Kind::Canceled, .error = std::move(error)};
    const QJsonObject result = message.value(QLatin1String("result")).toObject();
    WatchMessage read{.revision = revisionOf(result)};
    if (integer(result, QLatin1String("compact_revision")) > 0) {
        read.kind = Kind::Compacted;
    } else if (result.value(QLatin1String("canceled")).toBool()) {
        read.kind = Kind::Canceled;
        read.error = printable(result.value(QLatin1String("cancel_reason")).toString());
    } else if (result.value(QLatin1String("created")).toBool()) {
        read.kind = Kind::Created;
    } else {
        const QJsonArray events = result.value(QLatin1String("events")).toArray();
        const bool isValid =
            read.revision > 0 && std::ranges::all_of(events, [&](const QJsonValue &event) {
                return addChange(read.changes, event.toObject(), prefix);
            });
        read.kind = isValid ? Kind::Changes : Kind::Invalid;
    }
    return read;
}

} // namespace Rekindle::EtcdMessages
