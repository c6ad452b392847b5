// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// Shared by the session scripts of the official client. Prints one JSON object per step:
// {step, ...}. A script exits with 0 if all steps were possible; the test checks their contents.
// The first argument is the plan, a JSON object:
//   modules     the node_modules folder of the client
//   client      "sdk" (legacy protocol revisions only) or "client" (all)
//   mode        of "client": "legacy" or "auto"
//   command     the command line of the server
//   events      the event file of `rekindle mcp`; absent for a direct session
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export const plan = JSON.parse(process.argv[2]);
const load = (path) => import(pathToFileURL(`${plan.modules}/@modelcontextprotocol/${path}`).href);
const isSdk = plan.client === 'sdk';
const { Client } = await load(isSdk ? 'sdk/dist/esm/client/index.js' : 'client/dist/index.mjs');
const { StdioClientTransport } = await load(isSdk ? 'sdk/dist/esm/client/stdio.js' : 'client/dist/stdio.mjs');

export const report = (step, facts) => process.stdout.write(`${JSON.stringify({ step, ...facts })}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const until = async (what, find) => {
    for (const end = Date.now() + 60000; Date.now() < end; await sleep(50)) {
        const found = await find();
        if (found) return found;
    }
    throw new Error(`timeout: ${what}`);
};
const isAlive = (pid) => {
    try {
        return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
        return false;
    }
};
export const eventsOf = (type) =>
    existsSync(plan.events)
        ? readFileSync(plan.events, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line))
            .filter((event) => event.type === `rekindle.${type}.v1`)
        : [];

export const client = new Client(
    { name: 'rekindle-test', version: '1' },
    isSdk ? {} : { versionNegotiation: { mode: plan.mode } });
export const transport = new StdioClientTransport(
    { command: plan.command[0], args: plan.command.slice(1), stderr: 'inherit' });

export const connect = async () => {
    await client.connect(transport);
    report('connected', { server: client.getServerVersion(), capabilities: client.getServerCapabilities() });
};
export const toolNames = async () => (await client.listTools()).tools.map((tool) => tool.name);
export const call = async ({ name, arguments: args }) =>
    (await client.callTool({ name, arguments: args })).content?.[0]?.text;
// Closes the session and waits until its command and the servers have exited.
export const close = async (servers) => {
    const pids = [transport.pid, ...servers];
    await client.close();
    await until('all processes exit', () => !pids.some(isAlive));
};
