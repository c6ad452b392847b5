// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// Usage: node gateway.mjs PLAN
//
// A session of the official client with `rekindle mcp --config`, while one of the servers is killed.
// PLAN is JSON:
//   modules     the node_modules folder of the client
//   client      "sdk" (legacy era only) or "client" (both)
//   mode        of "client": "legacy" or "auto"
//   command     the command line of the gateway
//   events      the event file of the gateway
//   killed      the name of the server that is killed
//   call        {name, arguments}: a call of that server
//   other       the same, of another server
// Prints one JSON object a step: {step, ...}. Exits with 0 where every step could be made; what the
// steps say is for the test to judge.
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const plan = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(`${plan.modules}/@modelcontextprotocol/${path}`).href);
const isSdk = plan.client === 'sdk';
const { Client } = await load(isSdk ? 'sdk/dist/esm/client/index.js' : 'client/dist/index.mjs');
const { StdioClientTransport } = await load(isSdk ? 'sdk/dist/esm/client/stdio.js' : 'client/dist/stdio.mjs');

const say = (step, facts) => process.stdout.write(`${JSON.stringify({ step, ...facts })}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (what, look) => {
    for (const end = Date.now() + 60000; Date.now() < end; await sleep(50)) {
        const found = await look();
        if (found) return found;
    }
    throw new Error(`${what} did not come`);
};
const isAlive = (pid) => {
    try {
        return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
        return false;
    }
};
const eventsOf = (type) =>
    existsSync(plan.events)
        ? readFileSync(plan.events, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line))
            .filter((event) => event.type === `rekindle.${type}.v1`)
        : [];
const started = () => eventsOf('agent.started');

const client = new Client(
    { name: 'rekindle-test', version: '1' },
    isSdk ? {} : { versionNegotiation: { mode: plan.mode } });
const transport = new StdioClientTransport({ command: plan.command[0], args: plan.command.slice(1), stderr: 'inherit' });
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
