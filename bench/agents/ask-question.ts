import type { Client } from "@modelcontextprotocol/client";
import type { ApiClient } from "../../src/host/client/api-client.ts";
import type { Earlier, Question } from "./question.ts";

/** What it took until all facts of a right answer had been returned. */
export interface Taken {
  readonly calls: number;
  /** Of all answers. */
  readonly bytes: number;
  /** Of their texts alone. A result of a tool has the same answer as structured content, too. */
  readonly textBytes: number;
  /** Of the largest answer. */
  readonly largest: number;
  /** The facts that no answer has. */
  readonly missing: readonly string[];
}

/** Asks by the MCP server, with the official client. */
export function askByTools(client: Client, question: Question): Promise<Taken> {
  const patterns = question.facts.map(({ fact, shown }) => ({ fact, shown }));
  return takeSteps(patterns, question.calls.length, async (step, earlier) => {
    const next = question.calls[step]?.(earlier);
    if (next === undefined) throw new Error(`${question.id} has no call ${step}.`);
    const result = await client.callTool({ name: next.tool, arguments: { ...next.given } });
    const [block] = result.content;
    const text = block?.type === "text" ? block.text : "";
    if (result.isError === true) throw new Error(`${question.id}: ${next.tool} answered ${text}`);
    return { text, bytes: Buffer.byteLength(JSON.stringify(result)) };
  });
}

/** Asks by the HTTP API. */
export function askByHttp(api: ApiClient, question: Question): Promise<Taken> {
  const patterns = question.facts.map(({ fact, byHttp }) => ({ fact, shown: byHttp }));
  return takeSteps(patterns, question.requests.length, async (step, earlier) =>
    read(api, question.requests[step]?.(earlier) ?? ""),
  );
}

/** The bytes of the lists of Jobs and Pods of the namespace, as kubectl reads them from Outlive. */
export async function listedBytes(api: ApiClient, { cluster, namespace }: Question): Promise<number> {
  const jobs = await read(api, `/clusters/${cluster}/apis/batch/v1/namespaces/${namespace}/jobs`);
  const pods = await read(api, `/clusters/${cluster}/api/v1/namespaces/${namespace}/pods`);
  return jobs.bytes + pods.bytes;
}

interface Pattern {
  readonly fact: string;
  readonly shown: RegExp;
}

interface Answer {
  readonly text: string;
  readonly bytes: number;
}

async function read(api: ApiClient, path: string): Promise<Answer> {
  const response = await api.request(path);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
  return { text, bytes: Buffer.byteLength(text) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Stops as soon as the answers so far have all facts. */
async function takeSteps(
  facts: readonly Pattern[],
  most: number,
  take: (step: number, earlier: Earlier) => Promise<Answer>,
): Promise<Taken> {
  const answers: Answer[] = [];
  let missing = facts;
  while (answers.length < most && missing.length > 0) {
    const earlier = answers.map(({ text }) => JSON.parse(text) as unknown);
    const answer = await take(answers.length, earlier);
    answers.push(answer);
    missing = missing.filter(({ shown }) => !shown.test(answer.text));
  }
  const sizes = answers.map(({ bytes }) => bytes);
  return {
    calls: answers.length,
    bytes: sum(sizes),
    textBytes: sum(answers.map(({ text }) => Buffer.byteLength(text))),
    largest: Math.max(...sizes),
    missing: missing.map(({ fact }) => fact),
  };
}
