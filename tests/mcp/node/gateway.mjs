// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// Usage: node gateway.mjs PLAN
//
// A session with `rekindle mcp --config`, in which one of the servers is killed. PLAN is described in
// client.mjs and also has:
//   killed      the name of the server that is killed
//   tools       the name of one tool of each server
//   call        {name, arguments}: a call of that server
//   other       the same, of another server
//   task        the same, of the server that is killed, as a task; absent if the client has no tasks
import { call, client, close, connect, eventsOf, plan, report, toolNames, until } from './client.mjs';

const started = () => eventsOf('agent.started');

await connect();
const attempt = async (what) => {
    try {
        return { text: await call(what) };
    } catch (error) {
        return { message: error.message, data: error.data };
    }
};

// On a busy machine, Node.js may start late: the gateway announces late servers.
const promptNames = async () => (await client.listPrompts()).prompts.map((prompt) => prompt.name);
await until('all servers list their tools and prompts', async () => {
    const all = await toolNames();
    return plan.tools.every((name) => all.includes(name)) && (await promptNames()).length > 0;
});
report('listed', { tools: await toolNames() });
report('prompts', { prompts: await promptNames() });
report('called', { text: await call(plan.call) });
report('calledOther', { text: await call(plan.other) });

// Sends a request about the task and returns its result, whose schema is not checked.
const aboutTask = (method, params) => client.request({ method, params }, { safeParse: (data) => ({ success: true, data }) });
let taskId;
if (plan.task) {
    const created = await aboutTask('tools/call', { ...plan.task, task: { ttl: 60000 } });
    taskId = created.task.taskId;
    report('task', {
        taskId,
        status: (await aboutTask('tasks/get', { taskId })).status,
        listed: (await aboutTask('tasks/list', {})).tasks.map((task) => task.taskId),
    });
}

const victim = started().filter((event) => event.data.agent === plan.killed).at(-1).data.pid;
process.kill(victim, 'SIGKILL');
// Until the gateway notices the end, it holds calls for the next server.
await until('the server fails', () => eventsOf('agent.failed').length > 0);
report('calledWhileDead', await attempt(plan.call));
report('otherWhileDead', { text: await call(plan.other) });
report('listedWhileDead', { tools: await toolNames() });
const back = await until('the server restarts', async () => {
    const answer = await attempt(plan.call);
    return answer.text !== undefined && answer;
});
report('calledAgain', back);

if (plan.task)
    report('taskAfterExit', await aboutTask('tasks/get', { taskId }));

const pids = started().map((event) => event.data.pid);
await close(pids);
report('closed', { servers: pids.length });
