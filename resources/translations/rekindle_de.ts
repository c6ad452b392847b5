<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>AgentDelegate</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>Rekindle::AgentAction</name>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>%1 is already stopped</source>
        <translation>%1 ist bereits beendet</translation>
    </message>
    <message>
        <source>%1 is stopped, and stays stopped until it is started</source>
        <translation>%1 wird beendet und bleibt es, bis der Agent gestartet wird</translation>
    </message>
    <message>
        <source>%1 stays stopped until it is started; a planned start is canceled</source>
        <translation>%1 bleibt beendet, bis der Agent gestartet wird; ein geplanter Start entfällt</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>%1 stops and starts again</source>
        <translation>%1 wird beendet und neu gestartet</translation>
    </message>
    <message>
        <source>Retry now</source>
        <translation>Jetzt erneut versuchen</translation>
    </message>
    <message>
        <source>Reset circuit breaker</source>
        <translation>Schutzschalter zurücksetzen</translation>
    </message>
    <message>
        <source>the circuit breaker of %1 is closed</source>
        <translation>der Schutzschalter von %1 ist geschlossen</translation>
    </message>
    <message>
        <source>Isolate</source>
        <translation>Isolieren</translation>
    </message>
    <message>
        <source>%1 is already isolated</source>
        <translation>%1 ist bereits isoliert</translation>
    </message>
    <message>
        <source>%1 keeps running, and is not restarted automatically</source>
        <translation>%1 läuft weiter und wird nicht automatisch neu gestartet</translation>
    </message>
    <message>
        <source>%1 is not started automatically</source>
        <translation>%1 wird nicht automatisch gestartet</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>%1 is not isolated</source>
        <translation>%1 ist nicht isoliert</translation>
    </message>
    <message>
        <source>%1 has no circuit breaker</source>
        <translation>%1 hat keinen Schutzschalter</translation>
    </message>
    <message>
        <source>%1 keeps running; the isolation ends, and its restarts are counted from 0</source>
        <translation>%1 läuft weiter; die Isolierung endet, und die Neustarts werden wieder ab 0 gezählt</translation>
    </message>
    <message>
        <source>%1 keeps running; its restarts are counted from 0</source>
        <translation>%1 läuft weiter; die Neustarts werden wieder ab 0 gezählt</translation>
    </message>
    <message>
        <source>%1 starts as soon as it has stopped</source>
        <translation>%1 startet, sobald der alte Prozess beendet ist</translation>
    </message>
    <message>
        <source>%1 starts now</source>
        <translation>%1 startet jetzt</translation>
    </message>
    <message>
        <source>%1 starts as soon as nothing holds the start back</source>
        <translation>%1 startet, sobald nichts mehr den Start zurückhält</translation>
    </message>
    <message>
        <source>%1 stays stopped, even if a start was planned</source>
        <translation>%1 bleibt beendet, auch wenn ein Start geplant war</translation>
    </message>
    <message>
        <source>%1 is running without failures</source>
        <translation>%1 läuft ohne Fehler</translation>
    </message>
    <message>
        <source>the circuit breaker of %1 closes; the delayed start begins now</source>
        <translation>der Schutzschalter von %1 schließt; der verzögerte Start beginnt jetzt</translation>
    </message>
    <message>
        <source>the circuit breaker of %1 closes, and its failures are counted from 0</source>
        <translation>der Schutzschalter von %1 schließt, und die Fehler werden wieder ab 0 gezählt</translation>
    </message>
    <message>
        <source>%1 can be restarted automatically again</source>
        <translation>%1 kann wieder automatisch neu gestartet werden</translation>
    </message>
    <message>
        <source>%1 stays stopped until it is started</source>
        <translation>%1 bleibt beendet, bis ein Start ausgelöst wird</translation>
    </message>
</context>
<context>
    <name>Rekindle::AgentActions</name>
    <message>
        <source>Why?</source>
        <translation>Warum?</translation>
    </message>
    <message>
        <source>Explains the state of the agent</source>
        <translation>Erklärt den Zustand des Agenten</translation>
    </message>
    <message>
        <source>No agent is selected</source>
        <translation>Es ist kein Agent ausgewählt</translation>
    </message>
    <message>
        <source>%1 %2?</source>
        <translation>%2: %1?</translation>
    </message>
</context>
<context>
    <name>Rekindle::AgentElement</name>
    <message>
        <source>No host</source>
        <translation>Kein Host</translation>
    </message>
</context>
<context>
    <name>Rekindle::AgentModel</name>
    <message>
        <source>No host</source>
        <translation>Kein Host</translation>
    </message>
</context>
<context>
    <name>Rekindle::AgentTableModel</name>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Generation</source>
        <translation>Generation</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <source>Next start</source>
        <translation>Nächster Start</translation>
    </message>
    <message>
        <source>Breaker</source>
        <translation>Schutzschalter</translation>
    </message>
    <message>
        <source>Uptime</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>Last failure</source>
        <translation>Letzter Fehler</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>Gesundheit</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>Richtlinie</translation>
    </message>
    <message>
        <source>License tier</source>
        <translation>Lizenzstufe</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU-Zeit</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
</context>
<context>
    <name>Rekindle::AgentTableView</name>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>No host</source>
        <translation>Kein Host</translation>
    </message>
    <message>
        <source>%1 is unavailable: %2</source>
        <translation>%1 ist nicht verfügbar: %2</translation>
    </message>
    <message>
        <source>No agent matches the filter</source>
        <translation>Kein Agent entspricht dem Filter</translation>
    </message>
    <message>
        <source>%1 has no agents</source>
        <translation>%1 hat keine Agenten</translation>
    </message>
</context>
<context>
    <name>Rekindle::DecisionView</name>
    <message>
        <source>%1: %2</source>
        <comment>time and rule of a decision</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Show the policy</source>
        <translation>Richtlinie anzeigen</translation>
    </message>
    <message>
        <source>Unlimited restarts</source>
        <translation>Unbegrenzt viele Neustarts</translation>
    </message>
    <message>
        <source>%1 of %2 restarts left</source>
        <translation>Noch %1 von %2 Neustarts</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Explanation of the decision</source>
        <translation>Erklärung der Entscheidung</translation>
    </message>
    <message>
        <source>Restarts left</source>
        <translation>Verbleibende Neustarts</translation>
    </message>
</context>
<context>
    <name>Rekindle::EventModel</name>
    <message>
        <source>Info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schweregrad</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
</context>
<context>
    <name>Rekindle::EventView</name>
    <message>
        <source>Events of agents</source>
        <translation>Ereignisse der Agenten</translation>
    </message>
    <message>
        <source>Show &amp;decision</source>
        <translation>&amp;Entscheidung anzeigen</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>&amp;Pause (%1 new)</source>
        <translation>&amp;Pause (%1 neu)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
</context>
<context>
    <name>Rekindle::LocalAgents</name>
    <message>
        <source>the agent does not exist anymore</source>
        <translation>der Agent existiert nicht mehr</translation>
    </message>
    <message>
        <source>the agents of this program were removed</source>
        <translation>die Agenten dieses Programms wurden entfernt</translation>
    </message>
</context>
<context>
    <name>Rekindle::ObserverOptions</name>
    <message>
        <source>%1 cannot be written</source>
        <translation>%1 kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>Shows the agents of running hosts: states over time, decisions, events and output.</source>
        <translation>Zeigt die Agenten laufender Hosts: Zustände im Zeitverlauf, Entscheidungen, Ereignisse und Ausgaben.</translation>
    </message>
    <message>
        <source>FILE</source>
        <translation>DATEI</translation>
    </message>
    <message>
        <source>The name of a host, the path of its control socket, or ssh://[USER@]MACHINE[:PORT]/[NAME]. Default: all hosts of this user.</source>
        <translation>Name eines Hosts, Pfad seines Steuer-Sockets oder ssh://[BENUTZER@]RECHNER[:PORT]/[NAME]. Standard: alle Hosts dieses Benutzers.</translation>
    </message>
    <message>
        <source>--shoot: expected the name of a file</source>
        <translation>--shoot: Dateiname erwartet</translation>
    </message>
    <message>
        <source>expected ssh://[USER@]MACHINE[:PORT]/[NAME], found &quot;%1&quot;</source>
        <translation>ssh://[BENUTZER@]RECHNER[:PORT]/[NAME] erwartet, &quot;%1&quot; gefunden</translation>
    </message>
    <message>
        <source>expected the name of a host, found an empty argument</source>
        <translation>Name eines Hosts erwartet, leeres Argument gefunden</translation>
    </message>
    <message>
        <source>Run rekindle-observer --help for more information.</source>
        <translation>„rekindle-observer --help“ zeigt weitere Informationen.</translation>
    </message>
    <message>
        <source>Write a screenshot of the window to a PNG file, and exit. No display is needed.</source>
        <translation>Schreibt einen Screenshot des Fensters in eine PNG-Datei und beendet sich. Ein Bildschirm ist nicht nötig.</translation>
    </message>
</context>
<context>
    <name>Rekindle::ObserverTreeModel</name>
    <message>
        <source>unavailable: %1</source>
        <translation>nicht verfügbar: %1</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1: %2 von %3</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>agents: %1</source>
        <translation>Agenten: %1</translation>
    </message>
</context>
<context>
    <name>Rekindle::ObserverWindow</name>
    <message>
        <source>Rekindle Observer</source>
        <translation>Rekindle Observer</translation>
    </message>
    <message>
        <source>No host is running. Hosts are shown when they start.</source>
        <translation>Es läuft kein Host. Hosts werden angezeigt, sobald sie starten.</translation>
    </message>
    <message>
        <source>Hosts and agents</source>
        <translation>Hosts und Agenten</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Agent</source>
        <translation>&amp;Agent</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>A&amp;nsicht</translation>
    </message>
    <message>
        <source>&amp;Agents</source>
        <translation>&amp;Agenten</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Zeitleiste</translation>
    </message>
    <message>
        <source>E&amp;xplanation</source>
        <translation>E&amp;rklärung</translation>
    </message>
    <message>
        <source>&amp;Events</source>
        <translation>&amp;Ereignisse</translation>
    </message>
    <message>
        <source>&amp;Output</source>
        <translation>A&amp;usgabe</translation>
    </message>
    <message>
        <source>Only events of the &amp;selected agent</source>
        <translation>Nur Ereignisse des au&amp;sgewählten Agenten</translation>
    </message>
    <message>
        <source>&amp;Wrap lines of the output</source>
        <translation>Zeilen der Ausgabe um&amp;brechen</translation>
    </message>
    <message>
        <source>%1 - Rekindle Observer</source>
        <translation>%1 – Rekindle Observer</translation>
    </message>
    <message>
        <source>%1 is unavailable: %2</source>
        <translation>%1 ist nicht verfügbar: %2</translation>
    </message>
</context>
<context>
    <name>Rekindle::OutputView</name>
    <message>
        <source>No output</source>
        <translation>Keine Ausgabe</translation>
    </message>
    <message>
        <source>the agent was removed</source>
        <translation>der Agent wurde entfernt</translation>
    </message>
    <message>
        <source>Output of %1</source>
        <translation>Ausgabe von %1</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
</context>
<context>
    <name>Rekindle::PolicyPlanView</name>
    <message>
        <source>Circuit breaker opens for %1</source>
        <translation>Schutzschalter öffnet für %1</translation>
    </message>
    <message>
        <source>Trial: restart %1</source>
        <translation>Probestart: Neustart %1</translation>
    </message>
    <message>
        <source>Restart %1 after %2</source>
        <translation>Neustart %1 nach %2</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <comment>a step and its least and greatest delay</comment>
        <translation>%1 (%2 bis %3)</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>Neustarts</translation>
    </message>
    <message>
        <source>%1 after the first failure</source>
        <translation>%1 nach dem ersten Fehler</translation>
    </message>
    <message>
        <source>Planned restarts</source>
        <translation>Geplante Neustarts</translation>
    </message>
</context>
<context>
    <name>Rekindle::Refusals</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 is not restarted, because this shared circuit breaker is not closed: %2</source>
        <translation>%1 wird nicht neu gestartet, weil dieser gemeinsame Schutzschalter nicht geschlossen ist: %2</translation>
    </message>
    <message>
        <source>%1 is not started, because it was removed</source>
        <translation>%1 wird nicht gestartet, weil der Agent entfernt wurde</translation>
    </message>
    <message>
        <source>the connection was closed before the response</source>
        <translation>die Verbindung wurde vor der Antwort geschlossen</translation>
    </message>
</context>
<context>
    <name>Rekindle::RemoteAgents</name>
    <message>
        <source>not connected yet</source>
        <translation>noch nicht verbunden</translation>
    </message>
    <message>
        <source>the agent does not exist anymore</source>
        <translation>der Agent existiert nicht mehr</translation>
    </message>
    <message>
        <source>%1 does not respond</source>
        <translation>%1 antwortet nicht</translation>
    </message>
    <message>
        <source>%1 has closed the connection</source>
        <translation>%1 hat die Verbindung geschlossen</translation>
    </message>
    <message>
        <source>missing lines: %1</source>
        <translation>fehlende Zeilen: %1</translation>
    </message>
    <message>
        <source>no connection to %1</source>
        <translation>keine Verbindung zu %1</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>nicht verbunden</translation>
    </message>
</context>
<context>
    <name>Rekindle::RemoteHost</name>
    <message>
        <source>No host</source>
        <translation>Kein Host</translation>
    </message>
</context>
<context>
    <name>Rekindle::StateWords</name>
    <message>
        <source>for %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Uptime: %1</source>
        <translation>Laufzeit: %1</translation>
    </message>
    <message>
        <source>Health: %1</source>
        <translation>Gesundheit: %1</translation>
    </message>
    <message>
        <source>Circuit breaker: %1</source>
        <translation>Schutzschalter: %1</translation>
    </message>
    <message>
        <source>Last failure: %1</source>
        <translation>Letzter Fehler: %1</translation>
    </message>
</context>
<context>
    <name>Rekindle::StopDialog</name>
    <message>
        <source>Stopping agents</source>
        <translation>Agenten werden beendet</translation>
    </message>
    <message>
        <source>Agents that still run</source>
        <translation>Agenten, die noch laufen</translation>
    </message>
    <message>
        <source>&amp;Kill now</source>
        <translation>Beenden &amp;erzwingen</translation>
    </message>
    <message>
        <source>The agents are being killed. Still running: %1</source>
        <translation>Das Beenden der Agenten wird erzwungen. Noch aktiv: %1</translation>
    </message>
    <message>
        <source>The agents are stopping. Still running: %1. They are killed in %2 s at the latest.</source>
        <translation>Die Agenten werden beendet. Noch aktiv: %1. Spätestens in %2 s wird das Beenden erzwungen.</translation>
    </message>
</context>
<context>
    <name>Rekindle::SupervisorTray</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>%1, agents: %2</source>
        <translation>%1, Agenten: %2</translation>
    </message>
    <message>
        <source>%1 is unavailable: %2</source>
        <translation>%1 ist nicht verfügbar: %2</translation>
    </message>
</context>
<context>
    <name>Rekindle::TimelineCanvas</name>
    <message>
        <source>No agents</source>
        <translation>Keine Agenten</translation>
    </message>
    <message>
        <source>%1 since %2</source>
        <translation>%1 seit %2</translation>
    </message>
    <message>
        <source>next start at %1</source>
        <translation>nächster Start um %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>kind of a mark and its number</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1. Selected: %2, %3</source>
        <translation>%1. Ausgewählt: %2, %3</translation>
    </message>
    <message>
        <source>start held back for more than 10 s</source>
        <translation>Start länger als 10 s zurückgehalten</translation>
    </message>
    <message>
        <source>failure</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>circuit breaker opened</source>
        <translation>Schutzschalter geöffnet</translation>
    </message>
    <message>
        <source>given up</source>
        <translation>aufgegeben</translation>
    </message>
    <message>
        <source>more marks: %1</source>
        <translation>weitere Markierungen: %1</translation>
    </message>
</context>
<context>
    <name>Rekindle::TimelineView</name>
    <message>
        <source>Timeline of the agents</source>
        <translation>Zeitleiste der Agenten</translation>
    </message>
</context>
<context>
    <name>Rekindle::Words</name>
    <message>
        <source>trial in %1</source>
        <translation>Probestart in %1</translation>
    </message>
    <message>
        <source>next start in %1</source>
        <translation>nächster Start in %1</translation>
    </message>
    <message>
        <source>given up with its group</source>
        <translation>mit der Gruppe aufgegeben</translation>
    </message>
    <message>
        <source>given up</source>
        <translation>aufgegeben</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>isolated</source>
        <translation>isoliert</translation>
    </message>
    <message>
        <source>the license tier permits no restarts</source>
        <translation>die Lizenzstufe erlaubt keine Neustarts</translation>
    </message>
    <message>
        <source>trial in %1, or at once if the circuit breaker is reset</source>
        <translation>Probestart in %1, oder sofort nach dem Zurücksetzen des Schutzschalters</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <comment>restart and delay</comment>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>start in %1</source>
        <translation>Start in %1</translation>
    </message>
    <message>
        <source>%1; no start until its group starts again or an operator starts it</source>
        <translation>%1; kein Start, bis die Gruppe neu startet oder ein Bediener ihn auslöst</translation>
    </message>
    <message>
        <source>it waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>it becomes ready, or its start times out</source>
        <translation>wird bereit, oder das Zeitlimit des Starts läuft ab</translation>
    </message>
    <message>
        <source>when it is stable, its circuit breaker closes and its restarts are counted from zero again; if it fails, the breaker opens</source>
        <translation>wenn der Agent stabil ist, schließt der Schutzschalter, und die Neustarts werden wieder ab 0 gezählt; bei einem Fehler öffnet der Schutzschalter</translation>
    </message>
    <message>
        <source>no start or stop is planned</source>
        <translation>weder Start noch Beenden ist geplant</translation>
    </message>
    <message>
        <source>its restarts are counted from zero again when it is stable</source>
        <translation>die Neustarts werden wieder ab 0 gezählt, wenn der Agent stabil ist</translation>
    </message>
    <message>
        <source>its evaluator decides</source>
        <translation>der Evaluator entscheidet</translation>
    </message>
    <message>
        <source>it stops</source>
        <translation>wird beendet</translation>
    </message>
    <message>
        <source>it stops: %1</source>
        <translation>wird beendet: %1</translation>
    </message>
    <message>
        <source>%1 because of %2</source>
        <comment>event and agent</comment>
        <translation>%1 wegen %2</translation>
    </message>
    <message>
        <source>it starts</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>%1, and then starts again</source>
        <comment>it stops</comment>
        <translation>%1 und startet dann neu</translation>
    </message>
    <message numerus="yes">
        <source>circuit breaker open after %n failure(s) (threshold: %1); %2</source>
        <translation>
            <numerusform>Schutzschalter offen nach %n Fehler (Schwelle: %1); %2</numerusform>
            <numerusform>Schutzschalter offen nach %n Fehlern (Schwelle: %1); %2</numerusform>
        </translation>
    </message>
    <message>
        <source>recycling in %1</source>
        <translation>planmäßiger Neustart in %1</translation>
    </message>
    <message>
        <source>there is no connection to the host</source>
        <translation>keine Verbindung zum Host</translation>
    </message>
    <message>
        <source>; it belongs to user %1</source>
        <translation>; gehört Benutzer %1</translation>
    </message>
    <message>
        <source>%1: no permission%2</source>
        <comment>ends with the owner</comment>
        <translation>%1: keine Berechtigung%2</translation>
    </message>
    <message>
        <source>%1: the connection queue of the host is full; try again</source>
        <translation>%1: die Verbindungswarteschlange des Hosts ist voll; bitte erneut versuchen</translation>
    </message>
    <message>
        <source>%1: no host listens on it (%2)</source>
        <translation>%1: kein Host erreichbar (%2)</translation>
    </message>
    <message>
        <source>%1: the host has closed the connection</source>
        <translation>%1: der Host hat die Verbindung geschlossen</translation>
    </message>
    <message>
        <source>this client supports protocol %1</source>
        <translation>dieser Client unterstützt Protokoll %1</translation>
    </message>
    <message>
        <source>%1: %2; the host uses protocol %3</source>
        <translation>%1: %2; der Host verwendet Protokoll %3</translation>
    </message>
    <message>
        <source>%1: expected the hello of a Rekindle host, found another message</source>
        <translation>%1: Begrüßung eines Rekindle-Hosts erwartet, andere Nachricht gefunden</translation>
    </message>
    <message>
        <source>%1; evaluator %2 is not used</source>
        <translation>%1; Evaluator %2 wird nicht verwendet</translation>
    </message>
    <message>
        <source>license tier %1 permits it</source>
        <translation>Lizenzstufe %1 erlaubt es</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <comment>attempts</comment>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>and so on, up to %1 restarts</source>
        <translation>und so weiter, bis zu %1 Neustarts</translation>
    </message>
    <message>
        <source>and so on, without limit</source>
        <translation>und so weiter, unbegrenzt</translation>
    </message>
    <message>
        <source>not restarted: the license tier permits no restarts</source>
        <translation>kein Neustart: die Lizenzstufe erlaubt keine Neustarts</translation>
    </message>
    <message>
        <source>not restarted: the policy type is none</source>
        <translation>kein Neustart: der Richtlinientyp ist none</translation>
    </message>
    <message>
        <source>not restarted: a crash is permanent in this policy</source>
        <translation>kein Neustart: ein Absturz gilt in dieser Richtlinie als dauerhaft</translation>
    </message>
    <message numerus="yes">
        <source>given up: more than %n restart(s) within %1</source>
        <translation>
            <numerusform>aufgegeben: mehr als %n Neustart in %1</numerusform>
            <numerusform>aufgegeben: mehr als %n Neustarts in %1</numerusform>
        </translation>
    </message>
    <message>
        <source>; a fresh sequence begins %1 later</source>
        <translation>; eine neue Folge beginnt %1 später</translation>
    </message>
    <message>
        <source>that host (process %1) exited at %2</source>
        <translation>dieser Host (Prozess %1) endete um %2</translation>
    </message>
    <message>
        <source>its host (process %1) exited at %2</source>
        <translation>der Host (Prozess %1) endete um %2</translation>
    </message>
    <message>
        <source>that host (process %1) is no longer running</source>
        <translation>dieser Host (Prozess %1) läuft nicht mehr</translation>
    </message>
    <message>
        <source>its host (process %1) is no longer running</source>
        <translation>der Host (Prozess %1) läuft nicht mehr</translation>
    </message>
    <message>
        <source>%1: decision of %2</source>
        <translation>%1: Entscheidung vom %2</translation>
    </message>
    <message>
        <source>%1: decision in row %2, %3</source>
        <translation>%1: Entscheidung in Zeile %2, %3</translation>
    </message>
    <message>
        <source>failure</source>
        <comment>label</comment>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>breaker</source>
        <comment>label</comment>
        <translation>Schutzschalter</translation>
    </message>
    <message>
        <source>%1, consecutive failures: %2</source>
        <translation>%1, Fehler in Folge: %2</translation>
    </message>
    <message>
        <source>rule</source>
        <comment>label</comment>
        <translation>Regel</translation>
    </message>
    <message>
        <source>budget</source>
        <comment>label</comment>
        <translation>Budget</translation>
    </message>
    <message>
        <source>next</source>
        <comment>label</comment>
        <translation>als Nächstes</translation>
    </message>
    <message>
        <source>restart %1 was canceled</source>
        <translation>Neustart %1 wurde abgebrochen</translation>
    </message>
    <message>
        <source>request</source>
        <comment>label</comment>
        <translation>Anforderung</translation>
    </message>
    <message>
        <source>policy %1; license tier %2 does not permit it; using %3</source>
        <translation>Richtlinie %1; Lizenzstufe %2 erlaubt sie nicht; verwendet wird %3</translation>
    </message>
    <message>
        <source>policy</source>
        <comment>label</comment>
        <translation>Richtlinie</translation>
    </message>
    <message>
        <source>%1, %2 of %3 restarts made in this sequence</source>
        <translation>%1, %2 von %3 Neustarts in dieser Folge</translation>
    </message>
    <message>
        <source>no restarts: license tier %1 does not permit them</source>
        <translation>keine Neustarts: Lizenzstufe %1 erlaubt sie nicht</translation>
    </message>
    <message>
        <source>no restarts: the policy type is none</source>
        <translation>keine Neustarts: der Richtlinientyp ist none</translation>
    </message>
    <message>
        <source>unlimited restarts</source>
        <translation>unbegrenzt viele Neustarts</translation>
    </message>
    <message>
        <source>restarts left: %1</source>
        <translation>verbleibende Neustarts: %1</translation>
    </message>
    <message>
        <source>%1, process %2</source>
        <comment>failure</comment>
        <translation>%1, Prozess %2</translation>
    </message>
    <message>
        <source>health</source>
        <comment>label</comment>
        <translation>Gesundheit</translation>
    </message>
    <message>
        <source>%1, consecutive probe failures: %2; last results:</source>
        <translation>%1, fehlgeschlagene Prüfungen in Folge: %2; letzte Ergebnisse:</translation>
    </message>
    <message>
        <source>| %1  %2  ok after %3: %4</source>
        <translation>| %1  %2  in Ordnung nach %3: %4</translation>
    </message>
    <message>
        <source>| %1  %2  failed after %3: %4</source>
        <translation>| %1  %2  fehlgeschlagen nach %3: %4</translation>
    </message>
    <message>
        <source>answer</source>
        <comment>label</comment>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>%1; the built-in decision applies</source>
        <translation>%1; die eingebaute Entscheidung gilt</translation>
    </message>
    <message>
        <source>shadow</source>
        <comment>label</comment>
        <translation>Schatten</translation>
    </message>
    <message>
        <source>it would have opened the circuit breaker for %1</source>
        <translation>er hätte den Schutzschalter für %1 geöffnet</translation>
    </message>
    <message>
        <source>it would have prevented the restart</source>
        <translation>er hätte den Neustart verhindert</translation>
    </message>
    <message>
        <source>it would have changed nothing</source>
        <translation>er hätte nichts geändert</translation>
    </message>
    <message>
        <source>it would have set the delay to %1</source>
        <translation>er hätte die Verzögerung auf %1 gesetzt</translation>
    </message>
    <message>
        <source>%1 instead of %2 (minInterval, or the pause after a failed launch)</source>
        <translation>%1 statt %2 (minInterval oder Pause nach fehlgeschlagenem Start)</translation>
    </message>
    <message>
        <source>%1 before jitter, %2 after jitter (%3, draw %4)</source>
        <translation>%1 vor Jitter, %2 nach Jitter (%3, Zufallswert %4)</translation>
    </message>
    <message>
        <source>delay</source>
        <comment>label</comment>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>%1; %2 by the evaluator</source>
        <translation>%1; %2 durch den Evaluator</translation>
    </message>
    <message>
        <source>%1 from the failure until the circuit breaker is half-open</source>
        <translation>%1 vom Fehler, bis der Schutzschalter halb offen ist</translation>
    </message>
    <message>
        <source>none: the circuit breaker is isolated</source>
        <translation>keine: der Schutzschalter ist isoliert</translation>
    </message>
    <message>
        <source>none</source>
        <comment>delay</comment>
        <translation>keine</translation>
    </message>
    <message>
        <source>stderr</source>
        <comment>label</comment>
        <translation>stderr</translation>
    </message>
    <message>
        <source>no lines recorded</source>
        <translation>keine Zeilen aufgezeichnet</translation>
    </message>
    <message>
        <source>; no restart until a host is started again</source>
        <translation>; kein Neustart, bis wieder ein Host startet</translation>
    </message>
    <message>
        <source>; another host (process %1) ran at the same time, with its own event at %2</source>
        <translation>; ein anderer Host (Prozess %1) lief gleichzeitig, mit eigenem Ereignis um %2</translation>
    </message>
    <message>
        <source>; the next host began a new sequence</source>
        <translation>; der nächste Host begann eine neue Folge</translation>
    </message>
    <message>
        <source>; a later host (process %1) resumed it, at %2</source>
        <translation>; ein späterer Host (Prozess %1) setzte sie fort, um %2</translation>
    </message>
    <message>
        <source>superseded by the start at %1</source>
        <translation>ersetzt durch den Start um %1</translation>
    </message>
    <message>
        <source>scheduled for %1, but %2</source>
        <comment>how the host ended</comment>
        <translation>geplant für %1, aber %2</translation>
    </message>
    <message>
        <source>was due at %1; %2</source>
        <comment>how the host ended</comment>
        <translation>war fällig um %1; %2</translation>
    </message>
    <message>
        <source>due in %1, at %2</source>
        <translation>fällig in %1, um %2</translation>
    </message>
    <message>
        <source>at %1</source>
        <comment>time</comment>
        <translation>um %1</translation>
    </message>
    <message>
        <source>restart %1, %2; the last restart before giving up</source>
        <comment>and when</comment>
        <translation>Neustart %1, %2; der letzte Neustart vor dem Aufgeben</translation>
    </message>
    <message>
        <source>restart %1, %2</source>
        <comment>and when</comment>
        <translation>Neustart %1, %2</translation>
    </message>
    <message>
        <source>half-open trial, %1</source>
        <comment>when</comment>
        <translation>Probestart, %1</translation>
    </message>
    <message>
        <source>no start until an operator starts it or rearmAfter, if it is set, has passed</source>
        <translation>kein Start, bis ein Bediener ihn auslöst oder rearmAfter, falls gesetzt, verstrichen ist</translation>
    </message>
    <message>
        <source>action: %1  %2</source>
        <translation>Aktion: %1  %2</translation>
    </message>
    <message>
        <source>now: %1; %2</source>
        <comment>state and what happens next</comment>
        <translation>jetzt: %1; %2</translation>
    </message>
    <message>
        <source>latest event: %1  %2</source>
        <translation>neuestes Ereignis: %1  %2</translation>
    </message>
    <message>
        <source>%1: no decision since the host started</source>
        <translation>%1: keine Entscheidung seit dem Start des Hosts</translation>
    </message>
    <message>
        <source>%1: failed at %2; no decision recorded</source>
        <translation>%1: fehlgeschlagen um %2; keine Entscheidung aufgezeichnet</translation>
    </message>
    <message>
        <source>%1: no failures; no start recorded</source>
        <translation>%1: keine Fehler; kein Start aufgezeichnet</translation>
    </message>
    <message>
        <source>%1: no failures; stopped at %2, generation %3</source>
        <translation>%1: keine Fehler; beendet um %2, Generation %3</translation>
    </message>
    <message>
        <source>%1: no failures; started at %2, generation %3</source>
        <translation>%1: keine Fehler; gestartet um %2, Generation %3</translation>
    </message>
    <message>
        <source>%1 %2, restored from the previous host</source>
        <comment>breaker and state</comment>
        <translation>%1: %2, vom vorigen Host übernommen</translation>
    </message>
    <message>
        <source>%1 %2, restored from the previous host with %3 left</source>
        <comment>breaker and state</comment>
        <translation>%1: %2, vom vorigen Host übernommen, noch %3</translation>
    </message>
    <message>
        <source>%1 %2 (was %3)</source>
        <comment>breaker and states</comment>
        <translation>%1: %2 (war %3)</translation>
    </message>
    <message>
        <source>%1 %2 (was %3), trial in %4</source>
        <comment>breaker and states</comment>
        <translation>%1: %2 (war %3), Probestart in %4</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>restart</source>
        <translation>Neustart</translation>
    </message>
    <message>
        <source>retry</source>
        <translation>Neuer Versuch</translation>
    </message>
    <message>
        <source>reset of the circuit breaker</source>
        <translation>Zurücksetzen des Schutzschalters</translation>
    </message>
    <message>
        <source>reset of shared breaker %1</source>
        <translation>Zurücksetzen des gemeinsamen Schutzschalters %1</translation>
    </message>
    <message>
        <source>isolation of the circuit breaker</source>
        <translation>Isolieren des Schutzschalters</translation>
    </message>
    <message>
        <source>isolation of shared breaker %1</source>
        <translation>Isolieren des gemeinsamen Schutzschalters %1</translation>
    </message>
    <message>
        <source>release of the circuit breaker</source>
        <translation>Freigeben des Schutzschalters</translation>
    </message>
    <message>
        <source>release of shared breaker %1</source>
        <translation>Freigeben des gemeinsamen Schutzschalters %1</translation>
    </message>
    <message>
        <source>stop of the host</source>
        <translation>Beenden des Hosts</translation>
    </message>
    <message>
        <source>reload of the configuration</source>
        <translation>Neuladen der Konfiguration</translation>
    </message>
    <message>
        <source>call of %1: %2</source>
        <comment>tool and result</comment>
        <translation>Aufruf von %1: %2</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>beantwortet</translation>
    </message>
    <message>
        <source> after %1</source>
        <translation> nach %1</translation>
    </message>
    <message>
        <source>, retries: %1</source>
        <translation>, Wiederholungen: %1</translation>
    </message>
    <message>
        <source>, ended by %1</source>
        <translation>, beendet durch %1</translation>
    </message>
    <message>
        <source>; circuit breaker opened</source>
        <translation>; Schutzschalter geöffnet</translation>
    </message>
    <message>
        <source>, %1 tool calls</source>
        <translation>, %1 Werkzeugaufrufe</translation>
    </message>
    <message>
        <source>, %1 commands</source>
        <translation>, %1 Befehle</translation>
    </message>
    <message>
        <source>gap: %1 events%2 and %3 decisions dropped</source>
        <translation>Lücke: %1 Ereignisse%2 und %3 Entscheidungen verworfen</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>stopped: %1</source>
        <translation>beendet: %1</translation>
    </message>
    <message>
        <source>failed (%1); collateral, counts toward no limit</source>
        <translation>fehlgeschlagen (%1); Folgefehler, zählt für keine Grenze</translation>
    </message>
    <message>
        <source>failed (%1)</source>
        <translation>fehlgeschlagen (%1)</translation>
    </message>
    <message>
        <source>%1 in %2 (trial)</source>
        <comment>restart and delay</comment>
        <translation>%1 in %2 (Probestart)</translation>
    </message>
    <message>
        <source>restart %1 failed (%2)</source>
        <translation>Neustart %1 fehlgeschlagen (%2)</translation>
    </message>
    <message>
        <source>restart %1 failed (%2); no further attempt</source>
        <translation>Neustart %1 fehlgeschlagen (%2); kein weiterer Versuch</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <comment>given up, and in which time</comment>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>circuit breaker</source>
        <translation>Schutzschalter</translation>
    </message>
    <message>
        <source>not restarted: permanent failure</source>
        <translation>kein Neustart: dauerhafter Fehler</translation>
    </message>
    <message>
        <source>not restarted: its evaluator refused</source>
        <translation>kein Neustart: der Evaluator hat abgelehnt</translation>
    </message>
    <message>
        <source>not restarted: its policy is none</source>
        <translation>kein Neustart: die Richtlinie ist none</translation>
    </message>
    <message>
        <source>unhealthy, consecutive probe failures: %1 (%2: %3)</source>
        <translation>ungesund, fehlgeschlagene Prüfungen in Folge: %1 (%2: %3)</translation>
    </message>
    <message>
        <source>healthy (%1)</source>
        <translation>gesund (%1)</translation>
    </message>
    <message>
        <source>health unknown after a start</source>
        <translation>Gesundheit unbekannt nach einem Start</translation>
    </message>
    <message>
        <source>%1 requested by user %2, process %3%4%5</source>
        <comment>ends with program and reason</comment>
        <translation>%1 angefordert von Benutzer %2, Prozess %3%4%5</translation>
    </message>
    <message>
        <source>shared breaker %1</source>
        <translation>gemeinsamer Schutzschalter %1</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>CircuitOpen</source>
        <translation>Schutzschalter offen</translation>
    </message>
    <message>
        <source>Evaluating</source>
        <translation>Wird bewertet</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird beendet</translation>
    </message>
    <message>
        <source>Exhausted</source>
        <translation>Aufgegeben</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Gated</source>
        <translation>Lizenz unzureichend</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>Geschlossen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Offen</translation>
    </message>
    <message>
        <source>HalfOpen</source>
        <translation>Halb offen</translation>
    </message>
    <message>
        <source>Healthy</source>
        <translation>Gesund</translation>
    </message>
    <message>
        <source>Unhealthy</source>
        <translation>Ungesund</translation>
    </message>
    <message>
        <source>UnhandledException</source>
        <translation>Unbehandelte Ausnahme</translation>
    </message>
    <message>
        <source>HealthCheckFailed</source>
        <translation>Prüfung fehlgeschlagen</translation>
    </message>
    <message>
        <source>InitializationFailed</source>
        <translation>Initialisierung fehlgeschlagen</translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation>Zeitlimit überschritten</translation>
    </message>
    <message>
        <source>ResourceExhaustion</source>
        <translation>Ressourcen erschöpft</translation>
    </message>
    <message>
        <source>DependencyFailure</source>
        <translation>Abhängigkeit ausgefallen</translation>
    </message>
    <message>
        <source>ProcessCrash</source>
        <translation>Absturz</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>restarted</source>
        <translation>neu gestartet</translation>
    </message>
    <message>
        <source>updated</source>
        <translation>aktualisiert</translation>
    </message>
    <message>
        <source>stopped by an operator</source>
        <translation>von einem Bediener beendet</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>abgeschlossen</translation>
    </message>
    <message>
        <source>no start until an operator starts it</source>
        <translation>kein Start, bis ein Bediener ihn auslöst</translation>
    </message>
    <message>
        <source>no start until an operator starts it or the license tier changes</source>
        <translation>kein Start, bis ein Bediener ihn auslöst oder die Lizenzstufe wechselt</translation>
    </message>
    <message>
        <source>no automatic start while the circuit breaker is isolated</source>
        <translation>kein automatischer Start, solange der Schutzschalter isoliert ist</translation>
    </message>
    <message>
        <source>%1; restarts are disabled</source>
        <translation>%1; Neustarts sind abgeschaltet</translation>
    </message>
    <message>
        <source>%1; using %2</source>
        <comment>not permitted, and the policy instead</comment>
        <translation>%1; verwendet wird %2</translation>
    </message>
    <message>
        <source>license tier %1 does not permit %2 restarts</source>
        <translation>Lizenzstufe %1 erlaubt keine Neustarts vom Typ %2</translation>
    </message>
    <message>
        <source>restart %1 of %2</source>
        <translation>Neustart %1 von %2</translation>
    </message>
    <message>
        <source>restart %1</source>
        <translation>Neustart %1</translation>
    </message>
    <message>
        <source>given up without a restart</source>
        <translation>ohne Neustart aufgegeben</translation>
    </message>
    <message numerus="yes">
        <source>given up after %n restart(s)</source>
        <translation>
            <numerusform>aufgegeben nach %n Neustart</numerusform>
            <numerusform>aufgegeben nach %n Neustarts</numerusform>
        </translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>evaluator %1 accepts</source>
        <translation>Evaluator %1 stimmt zu</translation>
    </message>
    <message>
        <source>evaluator %1 delays</source>
        <translation>Evaluator %1 verzögert</translation>
    </message>
    <message>
        <source>evaluator %1 refuses</source>
        <translation>Evaluator %1 lehnt ab</translation>
    </message>
    <message>
        <source>evaluator %1 opens the circuit breaker</source>
        <translation>Evaluator %1 öffnet den Schutzschalter</translation>
    </message>
    <message>
        <source>evaluator %1 has no answer</source>
        <translation>Evaluator %1 hat keine Antwort</translation>
    </message>
    <message>
        <source>evaluator %1 %2</source>
        <translation>Evaluator %1 %2</translation>
    </message>
    <message>
        <source>start %1, process %2</source>
        <translation>Start %1, Prozess %2</translation>
    </message>
    <message>
        <source>ready after %1</source>
        <translation>bereit nach %1</translation>
    </message>
    <message>
        <source>stable: attempts and failures reset</source>
        <translation>stabil: Versuche und Fehler zurückgesetzt</translation>
    </message>
    <message>
        <source>restart requested (%1)</source>
        <translation>Neustart angefordert (%1)</translation>
    </message>
    <message>
        <source>restart %1 started</source>
        <translation>Neustart %1 begonnen</translation>
    </message>
    <message>
        <source>restart %1 succeeded after %2</source>
        <translation>Neustart %1 nach %2 gelungen</translation>
    </message>
    <message>
        <source>restart canceled</source>
        <translation>Neustart abgebrochen</translation>
    </message>
    <message>
        <source>configuration applied: %1</source>
        <translation>Konfiguration angewendet: %1</translation>
    </message>
    <message>
        <source>group %1 restarts %2</source>
        <translation>Gruppe %1 startet %2 neu</translation>
    </message>
    <message>
        <source>group %1 has given up</source>
        <translation>Gruppe %1 hat aufgegeben</translation>
    </message>
    <message>
        <source>placed on %1</source>
        <translation>läuft auf %1</translation>
    </message>
    <message>
        <source>.</source>
        <comment>decimal separator</comment>
        <translation>,</translation>
    </message>
</context>
</TS>
