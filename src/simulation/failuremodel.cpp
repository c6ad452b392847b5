// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/simulation/failuremodel.h>

#include "base/signalname_p.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <cmath>

namespace Rekindle {

namespace {

// The messages of a fleet grow with the square of it.
constexpr std::size_t mostNodes = 32;

// "2s" or "2s±1s"; "+-" is easier to type.
void readReady(const JsonPlace &place, FailureModel &model)
{
    QString text = place.text().value_or(QString());
    text.replace(QLatin1String("+-"), QChar(u'±'));
    const qsizetype sign = text.indexOf(u'±');
    const auto center = durationFromString(QStringView(text).left(sign < 0 ? text.size() : sign));
    const auto spread =
        sign < 0 ? Duration{0} : durationFromString(QStringView(text).mid(sign + 1));
    if (!center || !spread || *spread > *center) {
        place.mismatch(
            "a duration, or a duration and a spread that is not longer, such as \"2s±1s\"");
        return;
    }
    model.ready = *center;
    model.readySpread = *spread;
}

void readLife(const JsonPlace &place, FailureModel &model)
{
    const QString prefix = QStringLiteral("exp ");
    const QString text = place.text().value_or(QString());
    model.isExponential = text.startsWith(prefix);
    model.life = durationFromString(QStringView(text).mid(model.isExponential ? prefix.size() : 0));
    if (!model.life)
        place.mismatch("a duration, or a mean such as \"exp 10m\"");
}

std::optional<FailureModel::End> endNamed(const QString &name)
{
    if (const std::optional<int> signal = signalNumber(name))
        return FailureModel::End{{}, signal, 0};
    bool isNumber = false;
    const int code = name.toInt(&isNumber);
    if (!isNumber || code < 0 || code > 255 || QString::number(code) != name)
        return std::nullopt;
    return FailureModel::End{code, {}, 0};
}

void readEnds(const JsonPlace &place, FailureModel &model)
{
    if (!place.wantObject())
        return;
    model.ends.clear();
    double sum = 0;
    for (const JsonPlace &each : place.members()) {
        const QString &name = each.node().name;
        std::optional<FailureModel::End> end = endNamed(name);
        if (!end) {
            each.faultAtName(QStringLiteral("expected an exit code (0 to 255) or a signal such as "
                                            "SIGKILL, found \"%1\"")
                                 .arg(name));
            continue;
        }
        end->probability = each.number().value_or(0);
        if (end->probability <= 0 || end->probability > 1)
            each.mismatch("a probability above 0 and at most 1");
        sum += end->probability;
        model.ends.append(*end);
    }
    constexpr double tolerance = 1e-6;
    if (std::abs(sum - 1) > tolerance)
        place.fault(
            QStringLiteral("expected probabilities with the sum 1, found the sum %1").arg(sum));
}

void readModel(JsonObjectReader &reader, FailureModel &model)
{
    if (const auto ready = reader.member("ready"))
        readReady(*ready, model);
    if (const auto life = reader.member("life"))
        readLife(*life, model);
    if (const auto end = reader.member("end"))
        readEnds(*end, model);
}

// `key` has the name; nullptr: there is none.
void readOutages(JsonObjectReader &whole, const char *list, const char *key, QList<Outage> &outages)
{
    for (const JsonPlace &each : whole.items(list)) {
        Outage &outage = outages.emplace_back();
        readObject(each, [&outage, key](JsonObjectReader &reader) {
            if (key != nullptr)
                reader.readRequired(key, outage.name);
            reader.readRequired("every", outage.every);
            reader.readRequired("for", outage.time);
            if (const auto every = reader.member("every"); every && outage.every <= Duration{0})
                every->mismatch("a duration above 0");
            const auto time = reader.member("for");
            if (time && outage.time >= outage.every && outage.every > Duration{0})
                time->mismatch("a duration below `every`");
        });
    }
}

void readFleet(JsonObjectReader &reader, FleetModel &fleet)
{
    const std::vector<JsonPlace> nodes = reader.items("nodes");
    if (nodes.size() > mostNodes)
        reader.object().at("/nodes").fault(
            QStringLiteral("expected at most %1 nodes, found %2").arg(mostNodes).arg(nodes.size()));
    for (const JsonPlace &each : nodes) {
        const std::optional<QString> node = each.textNotEmpty();
        if (node && fleet.nodes.contains(*node))
            each.fault(QStringLiteral("repeated node \"%1\"").arg(*node));
        else if (node)
            fleet.nodes.append(*node);
    }
    readOutages(reader, "partitions", "node", fleet.partitions);
    readOutages(reader, "storeOutages", nullptr, fleet.storeOutages);
    readOutages(reader, "crashes", "node", fleet.crashes);
}

FailureModels readModels(const JsonPlace &whole)
{
    FailureModels models;
    readObject(whole, [&models](JsonObjectReader &reader) {
        readModel(reader, models.common);
        if (const auto agents = reader.member("agents"); agents && agents->wantObject()) {
            for (const JsonPlace &each : agents->members()) {
                FailureModel &model = models.agents[each.node().name];
                readObject(each, [&model](JsonObjectReader &agent) { readModel(agent, model); });
            }
        }
        readOutages(reader, "outages", "shared", models.outages);
        reader.nested("fleet", [&models](JsonObjectReader &inner) {
            readFleet(inner, models.fleet.emplace());
        });
    });
    return models;
}

} // namespace

Parsed<FailureModels> parseFailureModels(const QByteArray &json)
{
    return readParsed(parseJson(json, JsonSyntax::WithComments), readModels);
}

} // namespace Rekindle
