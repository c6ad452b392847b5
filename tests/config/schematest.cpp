// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "testprogram.h"

#include <rekindle/config/configuration.h>
#include <rekindle/policy/presets.h>

using namespace Rekindle;

namespace {

// Good and Bad apply to reader and schema. Beyond: only the reader detects the fault.
enum class Verdict { Good, Bad, Beyond };

struct Document
{
    QByteArray json;
    Verdict verdict;
};

QByteArray agent(const char *more)
{
    return R"({"agents":[{"name":"a","kind":"process","program":"/bin/sh")" + QByteArray(more)
        + "}]}";
}

QByteArray groups(const char *group)
{
    return QByteArray(R"({"groups":[)") + group
        + R"(],"agents":[{"name":"a","kind":"process","program":"/bin/sh"}]})";
}

QByteArray fleet(const char *fleet, const char *ofAgent)
{
    return QByteArray(R"({"fleet":{)") + fleet
        + R"(},"agents":[{"name":"a","kind":"process","program":"/bin/sh",)" + ofAgent + "}]}";
}

QByteArray server(const char *more)
{
    return R"({"mcpServers":{"s":{"command":"/bin/cat")" + QByteArray(more) + "}}}";
}

QByteArray policy(const QByteArray &policy)
{
    return R"({"policies":{"p":)" + policy
        + R"(},"agents":[{"name":"a","kind":"process","program":"/bin/sh"}]})";
}

// Key by key, probekindstest compares the schema of the probes with the reader.
const QList<Document> &agentDocuments()
{
    using enum Verdict;
    static const QList<Document> documents = {
        {agent(""), Good},
        {"{}", Bad},
        {"[]", Bad},
        {R"({"agents":[]})", Bad},
        {R"({"agents":{}})", Bad},
        {R"({"agents":[{}]})", Bad},
        {R"({"agents":[1]})", Bad},
        {R"({"agents":[{"kind":"process","program":"/bin/sh"}]})", Bad},
        {R"({"agents":[{"name":"a","program":"/bin/sh"}]})", Good},
        {R"({"agents":[{"name":"a","kind":"process"}]})", Bad},
        {R"({"agents":[{"name":"a","kind":"mcp","program":"/bin/sh"}]})", Bad},
        {R"({"agents":[{"name":"a b","kind":"process","program":"/bin/sh"}]})", Bad},
        {R"({"agents":[{"name":"","kind":"process","program":"/bin/sh"}]})", Bad},
        {R"({"agents":[{"name":"a","kind":"process","program":""}]})", Bad},
        {R"({"$schema":"x","agents":[{"name":"a","kind":"process","program":"/bin/sh"}]})", Good},
        {R"({"mcpServers":{},"agents":[{"name":"a","kind":"process","program":"/bin/sh"}]})", Good},
        {R"({"defaults":{"policy":"none","stop":{"kill":"1s"}},"agents":[{"name":"a",)"
         R"("kind":"process","program":"/bin/sh"}]})",
         Good},
        {R"({"defaults":{"program":"x"},"agents":[{"name":"a","kind":"process",)"
         R"("program":"/bin/sh"}]})",
         Bad},
        {R"({"agents":[{"name":"a","kind":"process","program":"/bin/sh"},)"
         R"({"name":"a","kind":"process","program":"/bin/sh"}]})",
         Beyond},
        {agent(R"(,"colour":1)"), Bad},
        {agent(R"(,"health":[])"), Good},
        {agent(R"(,"health":{})"), Bad},
        {agent(R"(,"health":[{}])"), Bad},
        {agent(R"(,"health":[{"kind":"ping"}])"), Bad},
        {agent(R"(,"health":[{"kind":"heartbeat"}])"), Good},
        {agent(R"(,"health":[{"kind":"tcp","port":80}])"), Good},
        {agent(R"(,"health":[{"kind":"tcp","host":"::1","port":80,"interval":"1s",)"
               R"("timeout":"1s","misses":1,"grace":"1m","lastChance":"3s"}])"),
         Good},
        {agent(R"(,"health":[{"kind":"http","url":"http:// /"}])"), Beyond},
        {agent(R"(,"health":[{"kind":"heartbeat","interval":"1ms"}])"), Beyond},
        {agent(R"(,"health":[{"kind":"heartbeat","lastChance":"1s"}])"), Beyond},
        {agent(R"(,"ready":"probe")"), Bad},
        {agent(R"(,"ready":{"kind":"probe"})"), Bad},
        {agent(R"(,"ready":{"kind":"probe","probe":{"kind":"tcp","port":80}})"), Good},
        {agent(R"(,"ready":{"kind":"probe","probe":{"kind":"tcp","port":80,"misses":1}})"), Bad},
        {agent(R"(,"arguments":["a",""])"), Good},
        {agent(R"(,"arguments":["a",1])"), Bad},
        {agent(R"(,"arguments":"a")"), Bad},
        {agent(R"(,"dependsOn":[])"), Good},
        {agent(R"(,"dependsOn":"a")"), Bad},
        {agent(R"(,"dependsOn":["gone"])"), Beyond},
        {agent(R"(,"dependsOn":[{"agent":"gone","until":"completed","onDown":"stop",)"
               R"("downGrace":"1s"}])"),
         Beyond},
        {agent(R"(,"dependsOn":[{"until":"ready"}])"), Bad},
        {agent(R"(,"dependsOn":[{"agent":"a","until":"up"}])"), Bad},
        {agent(R"(,"dependsOn":[{"agent":"a","when":"ready"}])"), Bad},
        {agent(R"(,"dependsOn":[{"group":"gone"}])"), Beyond},
        {agent(R"(,"dependsOn":[{"agent":"gone","group":"gone"}])"), Bad},
        {groups(R"({"name":"g","members":["a"]})"), Good},
        {groups(R"({"name":"g","members":[{"agent":"a","significant":true}],)"
                R"("strategy":"oneForAll","intensity":{"restarts":0,"period":"1m"},)"
                R"("onGiveUp":"keep","autoShutdown":"allSignificant","rearmAfter":"1m"})"),
         Good},
        {groups(R"({"name":"g","members":["a"],"rearmAfter":"off"})"), Good},
        {groups(R"({"name":"g","members":[{"group":"g"}]})"), Beyond},
        {groups(R"({"name":"g","members":["b"]})"), Beyond},
        {groups(R"({"name":"g","members":[]})"), Bad},
        {groups(R"({"name":"g","members":[{"agent":"a","group":"h"}]})"), Bad},
        {groups(R"({"name":"g","members":[{"significant":true}]})"), Bad},
        {groups(R"({"name":"g","members":[1]})"), Bad},
        {groups(R"({"name":"g h","members":["a"]})"), Bad},
        {groups(R"({"members":["a"]})"), Bad},
        {groups(R"({"name":"g"})"), Bad},
        {groups(R"({"name":"g","members":["a"],"strategy":"all"})"), Bad},
        {groups(R"({"name":"g","members":["a"],"intensity":{"restarts":10001}})"), Bad},
        {groups(R"({"name":"g","members":["a"],"intensity":{"period":"2d"}})"), Beyond},
        {groups(R"({"name":"g","members":["a"],"onGiveUp":"restart"})"), Bad},
        {groups(R"({"name":"g","members":["a"],"rearmAfter":true})"), Bad},
        {groups(R"({"name":"g","members":["a"],"size":1})"), Bad},
        {fleet(R"("node":"a","etcd":{"endpoints":["http://h:1"]})", R"("placement":{})"), Good},
        {fleet(R"("node":"a","etcd":{"endpoints":["http://h:1"],"prefix":"p","user":"u",)"
               R"("passwordFile":"p","caFile":"c","certificateFile":"c","keyFile":"k"},)"
               R"("lease":{"duration":"20s","renewal":"3s","giveUp":"9s"})",
               R"("placement":{"mode":"one","prefer":["a","b"]},"onStoreLoss":"keep")"),
         Good},
        {fleet(R"("node":"a","etcd":{"endpoints":["http://h:1"],"user":"u"})", R"("placement":{})"),
         Bad},
        {fleet(R"("node":"a","etcd":{"endpoints":["http://h:1"],"keyFile":"k"})",
               R"("placement":{})"),
         Bad},
        {fleet(R"("node":"a","etcd":{"endpoints":[]})", R"("placement":{})"), Bad},
        {fleet(R"("node":"a")", R"("placement":{})"), Bad},
        {fleet(R"("etcd":{"endpoints":["http://h:1"]})", R"("placement":{})"), Bad},
        {fleet(R"("node":"","etcd":{"endpoints":["http://h:1"]})", R"("placement":{})"), Bad},
        {fleet(R"("node":"a","etcd":{"endpoints":["http://h:1"]},"lease":{"duration":"15s"})",
               R"("placement":{})"),
         Beyond},
        {fleet(R"("node":"a","etcd":{"endpoints":["http://h:1"]})",
               R"("placement":{"mode":"all"})"),
         Bad},
        {fleet(R"("node":"a","etcd":{"endpoints":["http://h:1"]})",
               R"("placement":{"prefer":["a","a"]})"),
         Bad},
        {fleet(R"("node":"a","etcd":{"endpoints":["http://h:1"]})", R"("onStoreLoss":"keep")"),
         Beyond},
        {agent(R"(,"placement":{})"), Beyond},
        {agent(R"(,"watch":["src/**/*.py","/x"])"), Good},
        {agent(R"(,"watch":[])"), Good},
        {agent(R"(,"watch":"x")"), Bad},
        {agent(R"(,"watch":[""])"), Bad},
        {agent(R"(,"watch":["~/x"])"), Beyond},
        {R"({"defaults":{"watch":["x"]},"agents":[{"name":"a","kind":"process",)"
         R"("program":"/bin/sh"}]})",
         Good},
        {agent(R"(,"workingDirectory":"/")"), Good},
        {agent(R"(,"workingDirectory":"")"), Bad},
        {agent(R"(,"environment":{"A":"b","C":null})"), Good},
        {agent(R"(,"environment":{"A":1})"), Bad},
        {agent(R"(,"environment":{"A=B":"c"})"), Bad},
        {agent(R"(,"environment":{"":"c"})"), Bad},
        {R"({"include":[]})", Beyond},
        {R"({"include":"x.json","agents":[{"name":"a","kind":"process","program":"/bin/sh"}]})",
         Bad},
        {R"({"include":[""],"agents":[{"name":"a","kind":"process","program":"/bin/sh"}]})", Bad},
        {R"({"include":["*.none"],"agents":[{"name":"a","kind":"process","program":"/bin/sh"}]})",
         Good},
        {agent(R"(,"environmentFiles":[])"), Good},
        {agent(R"(,"environmentFiles":[{"file":"x.env","optional":true}])"), Good},
        {agent(R"(,"environmentFiles":["x.env"])"), Beyond},
        {agent(R"(,"environmentFiles":"x.env")"), Bad},
        {agent(R"(,"environmentFiles":[""])"), Bad},
        {agent(R"(,"environmentFiles":[{"optional":true}])"), Bad},
        {agent(R"(,"environmentFiles":[{"file":"x.env","optional":1}])"), Bad},
        {agent(R"(,"environmentFiles":[{"file":"x.env","required":false}])"), Bad},
        {agent(R"(,"policy":"none")"), Good},
        {agent(R"(,"policy":"nothing")"), Beyond},
        {agent(R"(,"policy":"./missing.json")"), Beyond},
        {agent(R"(,"policy":null)"), Bad},
        {agent(R"(,"policy":{"type":"none"})"), Good},
        {agent(R"(,"ready":"now")"), Good},
        {agent(R"(,"ready":"line")"), Bad},
        {agent(R"(,"ready":"soon")"), Bad},
        {agent(R"(,"ready":{"kind":"notify"})"), Good},
        {agent(R"(,"ready":{"kind":"now","for":"1s"})"), Bad},
        {agent(R"(,"ready":{"kind":"alive","for":"2s"})"), Good},
        {agent(R"(,"ready":{"kind":"alive","for":2})"), Bad},
        {agent(R"(,"ready":{"kind":"alive","for":"0s"})"), Beyond},
        {agent(R"(,"ready":{"kind":"line"})"), Bad},
        {agent(R"(,"ready":{"kind":"line","pattern":""})"), Bad},
        {agent(R"(,"ready":{"kind":"line","pattern":"up"})"), Good},
        {agent(R"(,"ready":{"kind":"line","pattern":"("})"), Beyond},
        {agent(R"(,"ready":{"kind":"line","pattern":"up"},"stdout":"null")"), Beyond},
        {agent(R"(,"ready":"now","policy":{"stableAfter":"0s"})"), Beyond},
        {agent(R"(,"ready":{})"), Bad},
        {agent(R"(,"stdin":"pipe")"), Good},
        {agent(R"(,"stdin":"lines")"), Bad},
        {agent(R"(,"stdout":"lines","stderr":"inherit")"), Good},
        {agent(R"(,"stdout":{"file":"out"})"), Good},
        {agent(R"(,"outputEvents":true)"), Good},
        {agent(R"(,"outputEvents":"lines")"), Bad},
        {agent(R"(,"stdout":{"file":""})"), Bad},
        {agent(R"(,"stdout":{"file":"out","append":true})"), Bad},
        {agent(R"(,"stdout":{})"), Bad},
        {agent(R"(,"stdout":"file")"), Bad},
        {agent(R"(,"stop":{"closeStdin":"0s","terminate":"5s","kill":"2s"})"), Good},
        {agent(R"(,"stop":{"term":"5s"})"), Bad},
        {agent(R"(,"stop":{"kill":2})"), Bad},
        {agent(R"(,"stop":{"kill":"2h"})"), Beyond},
        {agent(R"(,"exitCodes":{"1":"Timeout","255":"permanent"})"), Good},
        {agent(R"(,"exitCodes":{"0":"Timeout"})"), Bad},
        {agent(R"(,"exitCodes":{"42":"Timeout"})"), Good},
        {agent(R"(,"exitCodes":{"256":"Timeout"})"), Bad},
        {agent(R"(,"exitCodes":{"007":"Timeout"})"), Bad},
        {agent(R"(,"exitCodes":{"1":"Boom"})"), Bad},
        {agent(R"(,"user":"root","group":"0")"), Good},
        {agent(R"(,"user":"no-such-user")"), Beyond},
        {agent(R"(,"user":"")"), Bad},
        {agent(R"(,"user":0)"), Bad},
        {agent(R"(,"umask":"0077","nice":-20)"), Good},
        {agent(R"(,"umask":22)"), Bad},
        {agent(R"(,"umask":"1777")"), Bad},
        {agent(R"(,"nice":20)"), Bad},
        {agent(R"(,"limits":{})"), Good},
        {agent(R"(,"limits":{"rlimits":{"core":0,"cpu":"unlimited","as":[1,"unlimited"]}})"), Good},
        {agent(R"(,"limits":{"rlimits":{"core":[2,1]}})"), Beyond},
        {agent(R"(,"limits":{"rlimits":{"core":[1]}})"), Bad},
        {agent(R"(,"limits":{"rlimits":{"core":-1}})"), Bad},
        {agent(R"(,"limits":{"rlimits":{"CORE":1}})"), Bad},
        {agent(R"(,"limits":{"memory":1})"), Bad},
        {agent(R"(,"limits":{"memory":"100MB","cpu":{"share":"150%","for":"1s"},"processes":1})"),
         Good},
        {agent(R"(,"limits":{"memory":"unlimited","cpu":"unlimited","processes":"unlimited"})"),
         Good},
        {agent(R"(,"limits":{"cpu":{"for":"1s"}})"), Bad},
        {agent(R"(,"limits":{"cpu":{"share":150}})"), Bad},
        {agent(R"(,"limits":{"cpu":{"share":"0%"}})"), Beyond},
        {agent(R"(,"limits":{"processes":0})"), Bad},
        {agent(R"(,"limits":{"interval":"1ms"})"), Beyond},
        {agent(R"(,"recycle":{})"), Good},
        {agent(R"(,"recycle":{"maxAge":"24h","spread":0.5,"memory":4096})"), Good},
        {agent(R"(,"recycle":{"spread":0.6})"), Bad},
        {agent(R"(,"recycle":{"memory":"many"})"), Bad},
        {R"({"policies":{"watchdog":{}},"agents":[{"name":"a","kind":"process",)"
         R"("program":"/bin/sh"}]})",
         Bad},
        {R"({"policies":{"p.json":{}},"agents":[{"name":"a","kind":"process",)"
         R"("program":"/bin/sh"}]})",
         Bad},
        {R"({"policies":{"p q":{}},"agents":[{"name":"a","kind":"process",)"
         R"("program":"/bin/sh"}]})",
         Bad},
    };
    return documents;
}

const QList<Document> &serverDocuments()
{
    using enum Verdict;
    static const QList<Document> documents = {
        {server(""), Good},
        {R"({"mcpServers":{}})", Bad},
        {R"({"mcpServers":[]})", Bad},
        {R"({"mcpServers":{"s":1}})", Bad},
        {R"({"mcpServers":{"s":{}}})", Bad},
        {R"({"agents":[],"mcpServers":{"s":{"command":"/bin/cat"}}})", Bad},
        {R"({"mcpServers":{"s":{"command":""}}})", Bad},
        {R"({"mcpServers":{"s":{"command":["/bin/cat"]}}})", Bad},
        {R"({"mcpServers":{"s t":{"command":"/bin/cat"}}})", Beyond},
        {R"({"agents":[{"name":"s","kind":"process","program":"/bin/sh"}],)"
         R"("mcpServers":{"s":{"command":"/bin/cat"}}})",
         Beyond},
        {server(R"(,"colour":1,"timeout":5,"retry":"safe","callTimeout":1)"), Good},
        {server(R"(,"args":["a",""])"), Good},
        {server(R"(,"args":["a",1])"), Bad},
        {server(R"(,"args":"a")"), Bad},
        {server(R"(,"args":["${input:key}"])"), Beyond},
        {server(R"(,"env":{"A":"b","C":null,"D":1.5})"), Good},
        {server(R"(,"env":{"A":true})"), Bad},
        {server(R"(,"env":{"A=B":"c"})"), Bad},
        {server(R"(,"env":{"":"c"})"), Bad},
        {server(R"(,"env":[])"), Bad},
        {server(R"(,"cwd":"/")"), Good},
        {server(R"(,"limits":{"memory":"1GB"},"recycle":{"maxAge":"1h","calls":1})"), Good},
        {server(R"(,"recycle":{"calls":0})"), Bad},
        {server(R"(,"recycle":{"call":1})"), Bad},
        {agent(R"(,"recycle":{"calls":1})"), Bad},
        {agent(R"(,"limits":{"cgroup":{}})"), Good},
        {agent(R"(,"limits":{"cgroup":{"memoryMax":"200MB","tasksMax":20}})"), Good},
        {agent(R"(,"limits":{"cgroup":{"tasksMax":0}})"), Bad},
        {agent(R"(,"limits":{"cgroup":{"memoryMax":"unlimited"}})"), Bad},
        {agent(R"(,"limits":{"cgroup":{"cpuMax":1}})"), Bad},
        {server(R"(,"cwd":"")"), Bad},
        {server(R"(,"cwd":null)"), Bad},
        {server(R"(,"type":"stdio")"), Good},
        {server(R"(,"type":"carrier-pigeon")"), Bad},
        {server(R"(,"type":1)"), Bad},
        {server(R"(,"url":"https://x")"), Good},
        {server(R"(,"disabled":false,"enabled":true)"), Good},
        {server(R"(,"disabled":1)"), Bad},
        {server(R"(,"enabled":"no")"), Bad},
        {server(R"(,"policy":"watchdog")"), Good},
        {server(R"(,"policy":"nothing")"), Beyond},
        {server(R"(,"policy":{"type":"nothing"})"), Bad},
        {server(R"(,"policy":null)"), Bad},
        {server(R"(,"watch":["x"])"), Good},
        {server(R"(,"watch":[1])"), Bad},
        {server(R"(,"health":[])"), Good},
        {server(R"(,"health":{})"), Bad},
        {server(R"(,"health":[{"kind":"mcp-ping"}])"), Good},
        {server(R"(,"health":[{"kind":"mcp-ping","interval":"1s","timeout":"1s","misses":1,)"
                R"("grace":"1m","lastChance":"3s"},{"kind":"tcp","port":80}])"),
         Good},
        {server(R"(,"health":[{"kind":"mcp-ping","interval":1}])"), Bad},
        {server(R"(,"health":[{"kind":"mcp-ping","port":1}])"), Bad},
        {server(R"(,"health":[{"kind":"ping"}])"), Bad},
        {server(R"(,"health":[{"kind":"mcp-ping","lastChance":"1s"}])"), Beyond},
        // Skipped entries beside a valid one.
        {server(R"(},"t":{"command":5,"disabled":true)"), Good},
        {server(R"(},"t":{"enabled":false)"), Good},
        {server(R"(},"t":{"type":"sse","health":5)"), Good},
        {server(R"(},"t":{"url":"https://x")"), Good},
        {R"({"mcpServers":{"s":{"disabled":true}}})", Beyond},
    };
    return documents;
}

// Key by key, policyfieldstest compares the schema of a policy with the reader.
const QList<Document> &policyDocuments()
{
    using enum Verdict;
    static const QList<Document> documents = {
        {policy("{}"), Good},
        {policy("1"), Bad},
        {policy(R"("none")"), Good},
        {policy(R"({"typ":"none"})"), Bad},
        {policy(R"({"type":"None"})"), Bad},
        {policy(R"({"maxRetries":5.0})"), Good},
        {policy(R"({"maxRetries":1.9})"), Bad},
        {policy(R"({"window":{"restarts":1,"period":"1s"},"stableAfter":"1s"})"), Good},
        {policy(R"({"window":{"restarts":1,"period":"8d"}})"), Beyond},
        {policy(R"({"initialDelay":"1.5s"})"), Good},
        {policy(R"({"initialDelay":1})"), Bad},
        {policy(R"({"initialDelay":"1"})"), Bad},
        {policy(R"({"initialDelay":"-1s"})"), Bad},
        {policy(R"({"initialDelay":".5s"})"), Bad},
        {policy(R"({"initialDelay":"1 s"})"), Bad},
        {policy(R"({"initialDelay":"1w"})"), Bad},
        {policy(R"({"initialDelay":"2m"})"), Beyond},
        {policy(R"({"type":"stepped"})"), Bad},
        {policy(R"({"type":"stepped","steps":[]})"), Bad},
        {policy(R"({"type":"stepped","steps":["1s"]})"), Good},
        {policy(R"({"type":"linear","steps":[]})"), Good},
        {policy(R"({"startTimeout":"0s"})"), Beyond},
        {policy(R"({"circuitBreaker":{"timeout":"2h"}})"), Good},
        {policy(R"({"permanent":[1,255,"Timeout"]})"), Good},
        {policy(R"({"permanent":[0]})"), Bad},
        {policy(R"({"permanent":[42]})"), Bad},
        {policy(R"({"permanent":[256]})"), Bad},
        {policy(R"({"permanent":["Boom"]})"), Bad},
        {policy(R"({"type":"custom"})"), Bad},
        {policy(R"({"evaluator":{"id":"x"}})"), Bad},
        {policy(R"({"type":"linear","evaluator":{"id":"x"}})"), Bad},
        {policy(R"({"type":"custom","evaluator":{}})"), Bad},
        {policy(R"({"type":"custom","evaluator":{"id":"x","parameters":{"a":1},"mode":"shadow"}})"),
         Good},
        {policy(R"({"type":"custom","evaluator":{"id":"x","base":"custom"}})"), Bad},
        {policy(R"({"type":"custom","evaluator":{"id":"x","base":"stepped"}})"), Bad},
        {policy(R"({"type":"custom","evaluator":{"id":"x","base":"stepped"},"steps":["1s"]})"),
         Good},
    };
    return documents;
}

QList<Document> allDocuments()
{
    QList<Document> documents = agentDocuments() + serverDocuments() + policyDocuments();
    for (const QString &name : presetNames()) {
        const QJsonDocument preset = QJsonDocument::fromJson(presetJson(name));
        documents.append({policy(preset.toJson(QJsonDocument::Compact)), Verdict::Good});
    }
    return documents;
}

} // namespace

class SchemaTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readerAndSchemaAgree();
};

void SchemaTest::readerAndSchemaAgree()
{
    const QList<Document> documents = allDocuments();
    QByteArray input =
        QJsonDocument::fromJson(configurationSchema()).toJson(QJsonDocument::Compact) + '\n';
    for (const Document &document : documents)
        input += document.json + '\n';

    QProcess python;
    python.start(QStringLiteral(PYTHON), {QStringLiteral(SCHEMA_CHECK)});
    python.write(input);
    python.closeWriteChannel();
    QVERIFY2(python.waitForFinished(), qPrintable(python.errorString()));
    const QByteArray complaint = python.readAllStandardError();
    QVERIFY2(python.exitCode() == 0, complaint.constData());
    const QList<QByteArray> answers = python.readAllStandardOutput().trimmed().split('\n');
    QCOMPARE(answers.size(), documents.size());

    for (qsizetype i = 0; i < documents.size(); ++i) {
        const auto &[json, verdict] = documents[i];
        const Parsed<Configuration> parsed =
            parseConfiguration(json, QDir::tempPath(), {}, allProbeKinds());
        QVERIFY2(parsed.value.has_value() == (verdict == Verdict::Good), json.constData());
        QVERIFY2((answers[i] == "good") == (verdict != Verdict::Bad), json.constData());
    }
}

REKINDLE_TEST(SchemaTest)
#include "schematest.moc"
