// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "cli/commands/commandline_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

/// Man pages and completion, which are made from the same options as --help.
class ReferenceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyOptionOfTheHelpIsInTheManPage_data();
    void everyOptionOfTheHelpIsInTheManPage();
    void manAcceptsPages_data();
    void manAcceptsPages();
    void escapesRequests();
    void completesInBash_data();
    void completesInBash();
    void completesInZsh_data();
    void completesInZsh();
    void completesInFish_data();
    void completesInFish();

private:
    [[nodiscard]] static CommandEntry tree()
    {
        char name[] = "rekindle";
        char *arguments[] = {name, nullptr};
        return CommandLine(1, arguments).tree();
    }
    static void addCommands(const CommandEntry &command)
    {
        QTest::newRow(command.words.c_str()) << QString::fromStdString(command.words);
        for (const CommandEntry &below : command.commands)
            addCommands(below);
    }
    static const CommandEntry *find(const CommandEntry &command, const QString &name)
    {
        if (QString::fromStdString(command.words) == name)
            return &command;
        for (const CommandEntry &below : command.commands) {
            if (const CommandEntry *found = find(below, name))
                return found;
        }
        return nullptr;
    }
    // Without the names of fonts and escapes.
    static QString plain(const std::string &page)
    {
        QString text = QString::fromStdString(page);
        return text.replace(QLatin1String("\\-"), QLatin1String("-"))
            .remove(QRegularExpression(QStringLiteral(R"(\\f[BIR]|\\&)")));
    }
    static void addLines()
    {
        const Rows<QString, QStringList> row("line", "expected");
        row("command", "rekindle stat", words("status"));
        row("commands", "rekindle re",
            words("release", "reload", "replay", "reset", "restart", "retry"));
        row("option", "rekindle up --det", words("--detach"));
        row("value", "rekindle up --log ", words("both", "json", "none", "text"));
        row("part of a value", "rekindle up --control o", words("off", "on"));
        row("command of a group", "rekindle tools c", words("call"));
        row("option of a group", "rekindle tools call --rep", words("--repeat"));
        row("positional", "rekindle completion z", words("zsh"));
    }
    static QStringList sorted(QStringList found)
    {
        found.removeAll(QString());
        found.sort();
        return found;
    }
    [[nodiscard]] QString scriptFor(const char *shell) const
    {
        return writeFile(m_folder.path(), QString::fromLatin1(shell),
                         QByteArray::fromStdString(completionScript(tree(), shell)));
    }

    QTemporaryDir m_folder;
};

void ReferenceTest::everyOptionOfTheHelpIsInTheManPage_data()
{
    QTest::addColumn<QString>("command");
    addCommands(tree());
}

void ReferenceTest::everyOptionOfTheHelpIsInTheManPage()
{
    QFETCH(const QString, command);
    const CommandEntry all = tree();
    const CommandEntry *const entry = find(all, command);
    QVERIFY(entry);
    const QString page = plain(manPage(*entry));
    CompletedRun help(command.split(u' ').mid(1) + words("--help"));
    const QString text = QString::fromUtf8(help.output());
    static const QRegularExpression option(QStringLiteral(R"((?m)^  (?:-\w,)?(--[a-z-]+))"));
    QStringList ofHelp;
    for (auto match = option.globalMatch(text); match.hasNext();)
        ofHelp.append(match.next().captured(1));
    QVERIFY(!ofHelp.isEmpty());
    static const QRegularExpression heading(QStringLiteral(R"((?m)^\.TP\n(?:-\w, )?(--[a-z-]+))"));
    QStringList ofPage;
    for (auto match = heading.globalMatch(page); match.hasNext();)
        ofPage.append(match.next().captured(1));
    QCOMPARE(sorted(ofPage), sorted(ofHelp));
    VERIFY_CONTAINS(page, QString::fromStdString(entry->usage));
    QVERIFY(text.contains(QString::fromStdString(entry->usage)));
}

void ReferenceTest::manAcceptsPages_data()
{
    QTest::addColumn<QString>("command");
    addCommands(tree());
}

void ReferenceTest::manAcceptsPages()
{
    QFETCH(const QString, command);
    if (QStandardPaths::findExecutable(QStringLiteral("man")).isEmpty()
        || QStandardPaths::findExecutable(QStringLiteral("groff")).isEmpty())
        QSKIP("man is not installed");
    const CommandEntry all = tree();
    const QString page =
        writeFile(m_folder.path(), QString(command).replace(u' ', u'-') + QLatin1String(".1"),
                  QByteArray::fromStdString(manPage(*find(all, command))));
    ShellRun man("sh",
                 words("-c",
                       "LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 exec man --warnings -E UTF-8 -l "
                       "-Tutf8 -Z \"$0\" >/dev/null",
                       page));
    QCOMPARE(man.complete(), 0);
    QCOMPARE(man.error(), QByteArray());
}

void ReferenceTest::escapesRequests()
{
    CommandEntry command;
    command.words = "rekindle x";
    command.summary = "Do it.";
    command.usage = "rekindle x";
    command.footer = ".nf is no request\n'and this is none\nC:\\new\n\n  literal  text\n";
    const std::string page = manPage(command);
    QVERIFY(page.find("\n\\&.nf is no request\n\\&'and this is none\nC:\\enew\n")
            != std::string::npos);
    QVERIFY(page.find(".nf\n  literal  text\n.fi\n") != std::string::npos);
    QVERIFY(page.find("rekindle\\-x \\- Do it\n") != std::string::npos);
}

void ReferenceTest::completesInBash_data() { addLines(); }

void ReferenceTest::completesInBash()
{
    QFETCH(const QString, line);
    QFETCH(const QStringList, expected);
    ShellRun bash("bash",
                  words("--norc", "-c", R"(source "$0"; compopt() { :; }
        IFS=' ' read -ra COMP_WORDS <<<"$1"; [[ $1 == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rekindle; printf '%s\n' "${COMPREPLY[@]}")",
                        scriptFor("bash"), line));
    QCOMPARE(bash.complete(), 0);
    QCOMPARE(bash.error(), QByteArray());
    QCOMPARE(sorted(QString::fromUtf8(bash.output()).split(u'\n')), expected);
}

void ReferenceTest::completesInZsh_data() { addLines(); }

// compadd prints instead of adding.
void ReferenceTest::completesInZsh()
{
    QFETCH(const QString, line);
    QFETCH(const QStringList, expected);
    if (QStandardPaths::findExecutable(QStringLiteral("zsh")).isEmpty())
        QSKIP("zsh is not installed");
    ShellRun zsh("zsh",
                 words("-f", "-c", R"(compdef() { : }; source "$1"
        compadd() { local each; for each in "${@:2}"; do [[ $each == ${words[CURRENT]}* ]] && print -r -- $each; done }
        words=("${(@s: :)2}"); CURRENT=$#words; _rekindle; true)",
                       "zsh", scriptFor("zsh"), line));
    QCOMPARE(zsh.complete(), 0);
    QCOMPARE(zsh.error(), QByteArray());
    QCOMPARE(sorted(QString::fromUtf8(zsh.output()).split(u'\n')), expected);
}

void ReferenceTest::completesInFish_data() { addLines(); }

void ReferenceTest::completesInFish()
{
    QFETCH(const QString, line);
    QFETCH(const QStringList, expected);
    if (QStandardPaths::findExecutable(QStringLiteral("fish")).isEmpty())
        QSKIP("fish is not installed");
    ShellRun fish(
        "fish",
        words("--no-config", "-c",
              "source $argv[1]; complete -C $argv[2] | string replace -r '\\t.*' ''; true",
              scriptFor("fish"), line));
    QCOMPARE(fish.complete(), 0);
    QCOMPARE(fish.error(), QByteArray());
    QCOMPARE(sorted(QString::fromUtf8(fish.output()).split(u'\n')), expected);
}

REKINDLE_TEST(ReferenceTest)
#include "referencetest.moc"
