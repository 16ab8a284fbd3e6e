// How much does an agent read until it has the facts of an answer? This asks thirty questions about incidents, each
// with its right answer, by a fixed sequence of calls: of the tools of the MCP server, with the official client, and of
// the HTTP API. For comparison: the lists of Jobs and Pods of the namespace, as kubectl reads them from Outlive. No
// language model takes part. It fails if a fact is missing or an answer of a tool is larger than 8 kB.
import { connectedClient } from "../../test/support/mcp/connected-client.ts";
import { askByHttp, askByTools, listedBytes, type Taken } from "./ask-question.ts";
import { openScene } from "./question-scene.ts";
import { QUESTIONS } from "./questions.ts";
import { median, report } from "../measuring/measure.ts";

const MOST_BYTES = 8_000;

const scene = await openScene({ withGenerated: true });
const client = await connectedClient(scene.context);
const byTools: Taken[] = [];
const byHttp: Taken[] = [];
const lists: number[] = [];
for (const question of QUESTIONS) {
  const [tools, http] = [await askByTools(client, question), await askByHttp(scene.api, question)];
  const listed = await listedBytes(scene.api, question);
  byTools.push(tools);
  byHttp.push(http);
  lists.push(listed);
  for (const [door, { missing }] of [["the tools", tools] as const, ["the HTTP API", http] as const]) {
    if (missing.length > 0) console.error(`${question.id}: ${door} did not answer: ${missing.join(" ")}`);
  }
  process.stderr.write(
    `${question.id.padEnd(24)} tools ${tools.calls} calls ${tools.bytes} B (largest ${tools.largest}), ` +
      `HTTP ${http.calls} requests ${http.bytes} B, lists ${listed} B\n`,
  );
}
const { tools } = await client.listTools();
const shownTools = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const document = await (await scene.api.request("/v1/openapi.json")).text();
await client.close();
scene.close();

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const answered = (taken: readonly Taken[]): number => taken.filter(({ missing }) => missing.length === 0).length;
const largestOf = (taken: readonly Taken[]): number => Math.max(...taken.map(({ largest }) => largest));
const largest = largestOf(byTools);

report([
  { name: "agents: questions", value: QUESTIONS.length, unit: "questions" },
  { name: "agents: facts of the right answers", value: sum(QUESTIONS.map(({ facts }) => facts.length)), unit: "facts" },
  { name: "agents: answered in full by the tools", value: answered(byTools), unit: "questions", goal: ">= 30" },
  {
    name: "agents: of these, with one call",
    value: byTools.filter(({ calls }) => calls === 1).length,
    unit: "questions",
  },
  { name: "agents: calls of tools, all questions", value: sum(byTools.map(({ calls }) => calls)), unit: "calls" },
  { name: "agents: bytes of the tools' answers, median", value: median(byTools.map(({ bytes }) => bytes)), unit: "B" },
  {
    name: "agents: bytes of their texts alone, median",
    value: median(byTools.map(({ textBytes }) => textBytes)),
    unit: "B",
  },
  { name: "agents: bytes of the tools' answers, all", value: sum(byTools.map(({ bytes }) => bytes)), unit: "B" },
  { name: "agents: the largest answer of a tool", value: largest, unit: "B", goal: `<= ${MOST_BYTES}` },
  { name: "agents: answered in full by the HTTP API", value: answered(byHttp), unit: "questions" },
  { name: "agents: requests of the HTTP API", value: sum(byHttp.map(({ calls }) => calls)), unit: "requests" },
  { name: "agents: bytes of the HTTP API, median", value: median(byHttp.map(({ bytes }) => bytes)), unit: "B" },
  {
    name: "agents: of these, with one request",
    value: byHttp.filter(({ calls }) => calls === 1).length,
    unit: "questions",
  },
  { name: "agents: the largest answer of the HTTP API", value: largestOf(byHttp), unit: "B" },
  { name: "agents: bytes of the HTTP API, all", value: sum(byHttp.map(({ bytes }) => bytes)), unit: "B" },
  { name: "agents: bytes of the lists of the namespace, median", value: median(lists), unit: "B" },
  { name: "agents: the list of the tools, read once", value: bytesOf(tools), unit: "B" },
  { name: "agents: names, descriptions and arguments in it", value: bytesOf(shownTools), unit: "B" },
  { name: "agents: the OpenAPI document, for comparison", value: Buffer.byteLength(document), unit: "B" },
]);
if (answered(byTools) < QUESTIONS.length || largest > MOST_BYTES) process.exitCode = 1;
