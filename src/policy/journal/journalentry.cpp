// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/journalentry.h>

#include "policy/internal/memberreader.h"
#include "policy/internal/memoryfields.h"
#include "policy/internal/policykeys.h"
#include "json/jsonparser.h"

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

// Describes the members once, for MemberWriter and MemberReader.
void describeInput(auto &members, auto &entry)
{
    members.unlessEmpty("evaluator", entry.hasEvaluator);
    members.unlessEmpty("gated", entry.gated);
    members.unlessEmpty("byHost", entry.byHost);
    members.unlessEmpty("permanent", entry.permanent);
    members.unlessEmpty("reason", entry.reason, failureReasons);
    members.unlessEmpty("exitCode", entry.exitCode);
    members.unlessEmpty("probeFailedAtNs", entry.probeFailedAt);
    members.unlessEmpty("extensionNs", entry.extension);
    members.unlessEmpty("holds", entry.holds);
    members.unlessEmpty("verdict", entry.verdict.kind, evaluatorAnswers);
    members.unlessEmpty("verdictDelayNs", entry.verdict.delay, Duration(-maxRecordTime));
}

void readMembers(const JsonPlace &place, JournalEntry &entry)
{
    MemberReader members(place, entry.time);
    describeInput(members, entry);
    if (const auto policy = members.object().member("policy"))
        entry.policy = std::make_shared<const RestartPolicy>(readPolicy(*policy));
    if (const auto memory = members.object().member("memory")) {
        InstanceMemory read;
        MemberReader inner(*memory, entry.time);
        MemoryFields::describeMemory(inner, read);
        entry.memory = std::make_shared<const InstanceMemory>(std::move(read));
    }
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
        describeInput(members, *this);
        if (policy)
            writePolicy(members.key("policy"), *policy);
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
        readMembers(place, *this);
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
