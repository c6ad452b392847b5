// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "executionreader_p.h"

#include <QRegularExpression>

namespace Rekindle {

namespace {

void readIdentity(JsonObjectReader &object, ProcessIdentity &identity)
{
    const auto user = object.member(QStringLiteral("user"));
    const auto group = object.member(QStringLiteral("group"));
    const auto userName = user ? user->textNotEmpty() : std::nullopt;
    const auto groupName = group ? group->textNotEmpty() : std::nullopt;
    if (!userName && !groupName)
        return;
    identity.user = userName.value_or(identity.user);
    identity.group = groupName.value_or(identity.group);
    // One of the keys can be in `defaults`.
    if (const auto fault = identity.findFault())
        object.object().at(u'/' + fault->key).fault(fault->message);
    else if (!identity.isPermitted())
        (userName ? user : group)
            ->warn(QStringLiteral(
                "every start fails: only root can start a process as another user or group"));
}

// A text, because JSON numbers are not octal.
void readUmask(JsonObjectReader &object, std::optional<int> &umask)
{
    static const QRegularExpression octal(QStringLiteral("^0?[0-7]{1,3}\\z"));
    const auto place = object.member(QStringLiteral("umask"));
    if (!place)
        return;
    if (place->isString() && octal.match(place->node().text).hasMatch())
        umask = place->node().text.toInt(nullptr, 8);
    else
        place->mismatch(QStringLiteral(R"(an octal number in quotes, "0" to "0777")"));
}

std::optional<quint64> limitValue(const JsonPlace &place)
{
    if (place.isText(u"unlimited"))
        return ResourceLimit::unlimited;
    const std::optional<qint64> &number = place.node().integer;
    if (place.isNumber() && number && *number >= 0)
        return static_cast<quint64>(*number);
    return {};
}

std::optional<ResourceLimit> readLimit(const JsonPlace &place)
{
    std::optional<quint64> soft = limitValue(place);
    std::optional<quint64> hard = soft;
    if (place.node().kind == JsonNode::Kind::Array && place.node().children.size() == 2) {
        soft = limitValue(place.at(QStringLiteral("/0")));
        hard = limitValue(place.at(QStringLiteral("/1")));
    }
    if (!soft || !hard) {
        place.mismatch(QStringLiteral(
            R"(a whole number of at least 0, "unlimited", or [SOFT, HARD] with two of these)"));
        return {};
    }
    if (*soft > *hard) {
        place.fault(QStringLiteral("expected a soft limit that is not above the hard limit, found "
                                   "%1")
                        .arg(ResourceLimit{*soft, *hard}.toString()));
        return {};
    }
    return ResourceLimit{*soft, *hard};
}

void readLimits(JsonObjectReader &object, QMap<QString, ResourceLimit> &limits)
{
    const auto place = object.member(QStringLiteral("limits"));
    if (!place)
        return;
    JsonObjectReader kinds(*place);
    if (const auto list = kinds.member(QStringLiteral("rlimits"))) {
        JsonObjectReader reader(*list);
        for (const QString &name : ResourceLimit::names()) {
            const auto item = reader.member(name);
            if (const auto limit = item ? readLimit(*item) : std::nullopt)
                limits.insert(name, *limit);
        }
        reader.finish();
    }
    kinds.finish();
}

} // namespace

void readExecution(JsonObjectReader &object, ProcessDefinition &process)
{
    readIdentity(object, process.identity);
    readUmask(object, process.umask);
    if (const auto place = object.member(QStringLiteral("nice")))
        process.nice = place->integer(-20, 19);
    readLimits(object, process.limits);
}

} // namespace Rekindle
