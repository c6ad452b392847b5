// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/journalentry.h>

#include "policy/internal/memberreader.h"
#include "policy/internal/memoryfields.h"
#include "policy/internal/policyreader.h"
#include "json/jsonparser.h"

#include <rekindle/policy/policyjson.h>

#include <QJsonDocument>
#include <QMetaEnum>

namespace Rekindle {

namespace {

const char *nameOf(InputKind kind)
{
    return QMetaEnum::fromType<InputKind>().valueToKey(static_cast<int>(kind));
}

const char *nameOf(JournalEntry::Kind kind)
{
    return QMetaEnum::fromType<JournalEntry::Kind>().valueToKey(static_cast<int>(kind));
}

QByteArray compact(const RestartPolicy &policy)
{
    return QJsonDocument::fromJson(toJson(policy)).toJson(QJsonDocument::Compact);
}

Holds readHolds(const JsonPlace &names)
{
    Holds holds;
    for (const JsonPlace &each : names.items().value_or(std::vector<JsonPlace>()))
        holds.setFlag(each.choice(holdNames).value_or(Hold()));
    return holds;
}

// Like MemberReader, for members that have a default.
class OptionalMembers
{
public:
    OptionalMembers(JsonObjectReader &reader, Instant time)
        : m_reader(reader)
        , m_time(time)
    {
    }

    [[nodiscard]] std::optional<JsonPlace> at(const char *name)
    {
        return m_reader.member(QString::fromLatin1(name));
    }
    void read(const char *name, bool &target)
    {
        if (const auto place = at(name))
            target = place->boolean().value_or(target);
    }
    [[nodiscard]] std::optional<Duration> duration(const char *name, qint64 least)
    {
        const auto place = at(name);
        const auto count = place ? MemberReader::nanoseconds(*place, least) : std::nullopt;
        return count ? std::optional(Duration(*count)) : std::nullopt;
    }
    [[nodiscard]] std::optional<Instant> time(const char *name)
    {
        const auto after = duration(name, -MemberReader::maxNanoseconds);
        return after ? std::optional(m_time + *after) : std::nullopt;
    }

private:
    JsonObjectReader &m_reader;
    const Instant m_time;
};

void readMembers(JsonObjectReader &reader, JournalEntry &entry)
{
    OptionalMembers members(reader, entry.time);
    members.read("evaluator", entry.hasEvaluator);
    members.read("gated", entry.gated);
    members.read("byHost", entry.byHost);
    members.read("permanent", entry.permanent);
    if (const auto place = members.at("reason"))
        entry.reason = place->choice(failureReasons);
    if (const auto place = members.at("exitCode"))
        entry.exitCode = place->integer(-MemberReader::maxCount, MemberReader::maxCount);
    entry.probeFailedAt = members.time("probeFailedAtNs");
    entry.extension = members.duration("extensionNs", 0).value_or(Duration{0});
    if (const auto place = members.at("holds"))
        entry.holds = readHolds(*place);
    if (const auto place = members.at("verdict"))
        entry.verdict.kind = place->choice(evaluatorAnswers).value_or(entry.verdict.kind);
    entry.verdict.delay =
        members.duration("verdictDelayNs", -MemberReader::maxNanoseconds).value_or(Duration{0});
    if (const auto place = members.at("policy"))
        entry.policy = std::make_shared<const RestartPolicy>(readPolicy(*place));
    if (const auto place = members.at("memory")) {
        InstanceMemory memory;
        MemberReader inner(*place, entry.time);
        MemoryFields::describeMemory(inner, memory);
        entry.memory = std::make_shared<const InstanceMemory>(std::move(memory));
    }
}

void writeIfTrue(MemberWriter &members, const char *name, bool value)
{
    if (value)
        members.field(name, true);
}

} // namespace

JournalEntry JournalEntry::of(const QUuid &instanceId, const QString &agent,
                              const Instance &instance, const InstanceInput &input, Instant time,
                              double draw)
{
    JournalEntry entry;
    entry.instanceId = instanceId;
    entry.agent = agent;
    entry.time = time;
    entry.input = input.kind;
    entry.generation = input.generation;
    entry.draw = draw;
    entry.hasEvaluator = instance.evaluatorAvailable;
    if (input.failure) {
        entry.reason = input.failure->reason;
        entry.exitCode = input.failure->detail.exitCode;
        entry.permanent = input.failure->detail.permanent;
    }
    entry.probeFailedAt = input.probeFailedAt;
    entry.extension = input.extension;
    entry.holds = input.holds;
    entry.gated = input.gated;
    entry.byHost = input.byHost;
    entry.verdict = input.verdict;
    if (input.memory)
        entry.memory = std::make_shared<const InstanceMemory>(*input.memory);
    entry.policy = input.policy;
    return entry;
}

InstanceInput JournalEntry::toInput(Failure &failure) const
{
    InstanceInput result{.kind = input,
                         .generation = generation,
                         .extension = extension,
                         .probeFailedAt = probeFailedAt,
                         .policy = policy,
                         .gated = gated,
                         .verdict = verdict,
                         .holds = holds,
                         .byHost = byHost,
                         .memory = memory.get()};
    if (reason) {
        failure = {*reason, {.exitCode = exitCode, .permanent = permanent}};
        result.failure = &failure;
    }
    return result;
}

QString JournalEntry::kindText() const
{
    return QString::fromLatin1(kind == Kind::Input ? nameOf(input) : nameOf(kind));
}

QByteArray JournalEntry::data() const
{
    QByteArray text;
    MemberWriter(text, time).members([this](MemberWriter &members) {
        writeIfTrue(members, "evaluator", hasEvaluator);
        writeIfTrue(members, "gated", gated);
        writeIfTrue(members, "byHost", byHost);
        writeIfTrue(members, "permanent", permanent);
        if (reason)
            members.field("reason", *reason, failureReasons);
        if (exitCode)
            members.field("exitCode", *exitCode);
        if (probeFailedAt)
            members.field("probeFailedAtNs", *probeFailedAt);
        if (extension != Duration{0})
            members.field("extensionNs", extension);
        if (holds != Holds())
            members.field("holds", toTexts(holds));
        if (verdict.kind != EvaluatorVerdict::Kind::Accept)
            members.field("verdict", verdict.kind, evaluatorAnswers);
        if (verdict.delay != Duration{0})
            members.field("verdictDelayNs", verdict.delay);
        if (policy)
            members.json("policy", compact(*policy));
        if (memory) {
            members.object("memory", [this](MemberWriter &inner) {
                MemoryFields::describeMemory(inner, *memory);
            });
        }
    });
    return text;
}

QString JournalEntry::read(const QString &kindText, const QByteArray &data)
{
    const QByteArray name = kindText.toLatin1();
    bool isInput = false;
    bool isKind = false;
    const int inputValue = QMetaEnum::fromType<InputKind>().keyToValue(name.constData(), &isInput);
    const int kindValue = QMetaEnum::fromType<Kind>().keyToValue(name.constData(), &isKind);
    const bool isKnown = isInput || (isKind && kindValue != static_cast<int>(Kind::Input));
    if (isKnown) {
        kind = isInput ? Kind::Input : static_cast<Kind>(kindValue);
        input = isInput ? static_cast<InputKind>(inputValue) : InputKind::Start;
    }
    // The meta-object also knows qualified names, and ignores what follows a NUL.
    if (!isKnown || this->kindText() != kindText)
        return QStringLiteral("expected the name of an input, found \"%1\"").arg(kindText);
    const Parsed<bool> parsed = readParsed(parseJson(data), [this](const JsonPlace &place) {
        JsonObjectReader reader(place);
        readMembers(reader, *this);
        reader.finish();
        return true;
    });
    if (!parsed)
        return parsed.faults.constFirst().toString();
    const bool needsReason =
        isInput && (input == InputKind::Failed || input == InputKind::Unhealthy);
    const bool needsPolicy = kind == Kind::Added || (isInput && input == InputKind::ChangePolicy);
    if ((needsReason && !reason) || (needsPolicy && !policy))
        return QStringLiteral("\"%1\" without its %2")
            .arg(kindText, needsReason ? QLatin1String("reason") : QLatin1String("policy"));
    return {};
}

} // namespace Rekindle
