// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// Usage: node gateway.mjs PLAN
//
// A session of the official client with `rekindle mcp --config`, while one of the servers is killed.
// PLAN is JSON, as client.mjs has it, and
//   killed      the name of the server that is killed
//   call        {name, arguments}: a call of that server
//   other       the same, of another server
// Prints one JSON object a step: {step, ...}. Exits with 0 where every step could be made; what the
// steps say is for the test to judge.
import { client, eventsOf, isAlive, plan, say, transport, until } from './client.mjs';

const started = () => eventsOf('agent.started');

await client.connect(transport);
say('connected', { server: client.getServerVersion(), capabilities: client.getServerCapabilities() });

const names = async () => (await client.listTools()).tools.map((tool) => tool.name);
const call = async ({ name, arguments: args }) => (await client.callTool({ name, arguments: args })).content?.[0]?.text;
const attempt = async (what) => {
    try {
        return { text: await call(what) };
    } catch (error) {
        return { message: error.message, data: error.data };
    }
};

// Node.js needs its time to start where the machine is busy: late servers are announced.
await until('the tools of both servers', async () => {
    const all = await names();
    return all.includes(plan.call.name) && all.includes(plan.other.name);
});
say('listed', { tools: await names() });
say('prompts', { prompts: (await client.listPrompts()).prompts.map((prompt) => prompt.name) });
say('called', { text: await call(plan.call) });
say('calledOther', { text: await call(plan.other) });

const victim = started().filter((event) => event.data.agent === plan.killed).at(-1).data.pid;
process.kill(victim, 'SIGKILL');
// Before the gateway knows, a call is one that no server has read, and waits for the next one.
await until('the end of the server', () => eventsOf('agent.failed').length > 0);
say('calledWhileDead', await attempt(plan.call));
say('otherWhileDead', { text: await call(plan.other) });
say('listedWhileDead', { tools: await names() });
const back = await until('the server', async () => {
    const answer = await attempt(plan.call);
    return answer.text !== undefined && answer;
});
say('calledAgain', back);

const gateway = transport.pid;
const pids = started().map((event) => event.data.pid);
await client.close();
await until('the end of everything', () => !isAlive(gateway) && !pids.some(isAlive));
say('closed', { servers: pids.length });
