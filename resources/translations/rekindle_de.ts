<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>Rekindle::AgentAction</name>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is already stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stays stopped, also if a start was planned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is stopped, and stays stopped until it is started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stays stopped until it is started; a planned start is canceled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stops and starts again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retry now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 runs, and no restart was necessary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset circuit breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the circuit breaker of %1 is closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the circuit breaker of %1 is closed; the delayed start begins now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the circuit breaker of %1 is closed, and its failures are not counted anymore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Isolate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is already isolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps running, and is not restarted automatically</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not started automatically</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not isolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is restarted automatically again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no circuit breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps running; the isolation ends, and its restarts are counted from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keeps running; its restarts are counted from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 starts as soon as it has stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 starts now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 starts as soon as nothing holds the start back</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::AgentActions</name>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not restarted, because this shared circuit breaker is not closed: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not started, because it was removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explains the state of the agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No agent is selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the connection was closed before the response</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::AgentTableModel</name>
    <message>
        <source>Agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Generation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uptime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last failure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Health</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Policy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>License tier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::AgentTableView</name>
    <message>
        <source>Agents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is unavailable: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No agent matches the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no agents</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::DecisionView</name>
    <message>
        <source>%1: %2</source>
        <comment>time and rule of a decision</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the policy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unlimited restarts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 restarts left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explanation of the decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restarts left</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::EventModel</name>
    <message>
        <source>Info</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Severity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::EventView</name>
    <message>
        <source>Events of agents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show &amp;decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pause (%1 new)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::LocalAgents</name>
    <message>
        <source>the agent does not exist anymore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the agents of this program were removed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::OutputView</name>
    <message>
        <source>No output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the agent was removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::PolicyPlanView</name>
    <message>
        <source>Circuit breaker opens for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trial: restart %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart %1 after %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <comment>a step and its least and greatest delay</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 after the first failure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planned restarts</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::RemoteAgents</name>
    <message>
        <source>not connected yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the agent does not exist anymore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not respond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has closed the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing lines: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no connection to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not connected</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::StateWords</name>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Circuit open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluating</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exhausted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Half-open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Healthy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unhealthy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uptime: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Health: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Circuit breaker: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last failure: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::StopDialog</name>
    <message>
        <source>Stopping agents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agents that still run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Kill now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agents are being killed. Still running: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agents are stopping. Still running: %1. Those that have not stopped in %2 s are killed.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::SupervisorTray</name>
    <message>
        <source>%1: %2 agents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not available: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::TimelineView</name>
    <message>
        <source>start held back for more than 10 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>circuit breaker opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given up</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more mark(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 since %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next start at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>kind of a mark and its number</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. Selected: %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline of the agents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No agents</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Rekindle::Words</name>
    <message>
        <source>trial in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next start in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given up with its group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>isolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the license tier permits no restarts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trial in %1, or at once if the circuit breaker is reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <comment>restart and delay</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; no start until its group starts again or an operator starts it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it waits for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it becomes ready, or its start times out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when it is stable, its circuit breaker closes and its restarts are counted from zero again; if it fails, the breaker opens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no start or stop is planned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its restarts are counted from zero again when it is stable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its evaluator decides</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it stops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it stops: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 because of %2</source>
        <comment>event and agent</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and then starts again</source>
        <comment>it stops</comment>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>circuit breaker open after %n failure(s) (threshold: %1); %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>recycling in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no connection to the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; it belongs to user %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: no permission%2</source>
        <comment>ends with the owner</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the connection queue of the host is full; try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: no host listens on it (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the host has closed the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this client supports protocol %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2; the host uses protocol %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: expected the hello of a Rekindle host, found another message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; evaluator %2 is not used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>license tier %1 permits it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <comment>attempts</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and so on, up to %1 restarts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and so on, without limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not restarted: the license tier permits no restarts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not restarted: the policy type is none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not restarted: a crash is permanent in this policy</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>given up: more than %n restart(s) within %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>; a fresh sequence begins %1 later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that host (process %1) exited at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its host (process %1) exited at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that host (process %1) is no longer running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its host (process %1) is no longer running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: decision of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: decision in row %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failure</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>breaker</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, consecutive failures: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rule</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>budget</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart %1 was canceled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>request</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>policy %1; license tier %2 does not permit it; using %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>policy</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 of %3 restarts made in this sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no restarts: license tier %1 does not permit them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no restarts: the policy type is none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unlimited restarts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restarts left: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, process %2</source>
        <comment>failure</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>health</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, consecutive probe failures: %2; last results:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>| %1  %2  ok after %3: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>| %1  %2  failed after %3: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answer</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; the built-in decision applies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shadow</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it would have opened the circuit breaker for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it would have prevented the restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it would have changed nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it would have set the delay to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 instead of %2 (minInterval, or the pause after a failed launch)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 before jitter, %2 after jitter (%3, draw %4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>delay</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; %2 by the evaluator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 from the failure until the circuit breaker is half-open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: the circuit breaker is isolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <comment>delay</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stderr</source>
        <comment>label</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no lines recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; no restart until a host is started again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; another host (process %1) ran at the same time, with its own event at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; the next host began a new sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; a later host (process %1) resumed it, at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>superseded by the start at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scheduled for %1, but %2</source>
        <comment>how the host ended</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was due at %1; %2</source>
        <comment>how the host ended</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>due in %1, at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at %1</source>
        <comment>time</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart %1, %2; the last restart before giving up</source>
        <comment>and when</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart %1, %2</source>
        <comment>and when</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>half-open trial, %1</source>
        <comment>when</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no start until an operator starts it or rearmAfter, if it is set, has passed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>action: %1  %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now: %1; %2</source>
        <comment>state and what happens next</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latest event: %1  %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: no decision since the host started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: failed at %2; no decision recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: no failures; no start recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: no failures; stopped at %2, generation %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: no failures; started at %2, generation %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2, restored from the previous host</source>
        <comment>breaker and state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2, restored from the previous host with %3 left</source>
        <comment>breaker and state</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2 (was %3)</source>
        <comment>breaker and states</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2 (was %3), trial in %4</source>
        <comment>breaker and states</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>retry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reset of the circuit breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reset of shared breaker %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>isolation of the circuit breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>isolation of shared breaker %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>release of the circuit breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>release of shared breaker %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stop of the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reload of the configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>call of %1: %2</source>
        <comment>tool and result</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, retries: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, ended by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; circuit breaker opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 tool calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gap: %1 events%2 and %3 decisions dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed (%1); collateral, counts toward no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2 (trial)</source>
        <comment>restart and delay</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart %1 failed (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart %1 failed (%2); no further attempt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <comment>given up, and in which time</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>circuit breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not restarted: permanent failure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not restarted: its evaluator refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not restarted: its policy is none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unhealthy, consecutive probe failures: %1 (%2: %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>healthy (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>health unknown after a start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 requested by user %2, process %3%4%5</source>
        <comment>ends with program and reason</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shared breaker %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CircuitOpen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluating</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exhausted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HalfOpen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Healthy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unhealthy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>UnhandledException</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HealthCheckFailed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>InitializationFailed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ResourceExhaustion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DependencyFailure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ProcessCrash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restarted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>updated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped by an operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dependency %1 is down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 depends on it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recycling: it has run for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recycling: it uses %1 of memory; the threshold is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dependency %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>group %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>governor: %1st of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>governor: %1nd of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>governor: %1rd of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>governor: %1th of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the exit of %1 (removed)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no such agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not stable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not completed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trial: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the probe runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopping its members</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about to start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exit of its old process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not started since it gave up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its turn to start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exit code %1, before the host was restarted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed before the host was restarted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exited with code 0, which its policy treats as a failure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>requested more than %1 restarts within %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not ready within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process exited with exit code %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process was killed by SIGKILL, and the kernel has killed a process because memory was short (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process was killed by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process exited with an unknown status: this program ignores SIGCHLD, or another part of it waits for all children</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process did not exit in time after STOPPING=1 and was killed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process closed its stdout, kept running and was killed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program %1 was not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program %1 cannot be executed: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Setting %1 cannot be applied: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working directory %1 cannot be entered: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File %1 cannot be opened: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process cannot be started: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process group uses %1 of memory; the limit is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process group has %1 processes; the limit is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process group used %1 of a CPU core for %2; the limit is %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server exited before the %1 handshake was complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server closed its stdin or stdout, kept running, and was killed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server did not answer %1 within %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The LSP handshake failed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server broke the Language Server Protocol: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no thread could be started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it did not end within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its thread was abandoned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>health probe %1 failed 1 time in a row and with a timeout of %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>health probe %1 failed %2 times in a row and with a timeout of %3: %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>health probe %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>status %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown exit status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server is not initialized</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no session with the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no heartbeat is due yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heartbeat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The policy restarts nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The failure is permanent: trying again would not help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The only restart is used up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All %1 restarts are used up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too many restarts within the policy&apos;s window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Circuit breaker open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The custom evaluator refused a restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart attempt %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the evaluator was replaced during the request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the host exited during the request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the circuit breaker is already isolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the circuit breaker is not isolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the circuit breaker is closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no circuit breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its state is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the application quits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was removed and is being stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the host is stopping its agents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no circuit breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart %1 of %2 in %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no start until its group starts again or an operator starts it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no start until an operator starts it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no start until an operator starts it or the license tier changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no automatic start while the circuit breaker is isolated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; restarts are disabled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; using %2</source>
        <comment>not permitted, and the policy instead</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>license tier %1 does not permit %2 restarts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given up without a restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>given up after %n restart(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluator %1 accepts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluator %1 delays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluator %1 refuses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluator %1 opens the circuit breaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluator %1 has no answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluator %1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start %1, process %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ready after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stable: attempts and failures reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart requested (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart %1 started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart %1 succeeded after %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart canceled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>configuration applied: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>group %1 restarts %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>group %1 has given up</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
