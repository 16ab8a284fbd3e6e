import type { Client } from "@modelcontextprotocol/client";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askByHttp, askByTools } from "../../../bench/agents/ask-question.ts";
import { openScene, type QuestionScene, recordedFiles } from "../../../bench/agents/question-scene.ts";
import { QUESTIONS, RECORDED_QUESTIONS } from "../../../bench/agents/questions.ts";
import { connectedClient } from "../../support/mcp/connected-client.ts";

/** The largest result of a tool. */
const MOST_BYTES = 8_000;

let scene: QuestionScene;
let client: Client;
beforeAll(async () => {
  scene = await openScene({ withGenerated: false });
  client = await connectedClient(scene.context);
}, 120_000);
afterAll(async () => {
  await client.close();
  scene.close();
});

it("there are thirty questions about incidents, each with its right answer and where to check it", () => {
  expect(new Set(QUESTIONS.map(({ id }) => id)).size).toBe(30);
  for (const { facts, truth, recorded, cluster } of QUESTIONS) {
    expect(facts.length).toBeGreaterThan(0);
    expect(truth).not.toBe("");
    expect(recorded === undefined).toBe(cluster.startsWith("generated-"));
  }
});

it("no fact is shown by the question itself, or by the arguments of its first call", () => {
  for (const { id, asked, facts, calls, requests } of QUESTIONS) {
    const given = [asked, JSON.stringify(calls[0]?.([])), requests[0]?.([]) ?? ""].join("\n");
    for (const { fact, shown, byHttp } of facts) {
      expect([id, fact, shown.test(given), byHttp.test(given)]).toEqual([id, fact, false, false]);
    }
  }
});

it("the page has each of them, with its answer", () => {
  const page = readFileSync(new URL("../../../docs/agents/questions.md", import.meta.url), "utf8");
  for (const { asked, facts, truth } of QUESTIONS) {
    expect(page).toContain(`| ${asked} | ${facts.map(({ fact }) => fact).join(" ")} | ${truth} |`);
  }
});

describe("the question", () => {
  it.each(RECORDED_QUESTIONS.map((question) => [question.id, question] as const))(
    "%s is answered by the tools, in answers of at most 8 kB",
    async (_, question) => {
      const { missing, largest, calls } = await askByTools(client, question);
      expect(missing).toEqual([]);
      expect(largest).toBeLessThanOrEqual(MOST_BYTES);
      expect(calls).toBe(question.calls.length);
    },
  );

  it.each(RECORDED_QUESTIONS.map((question) => [question.id, question] as const))(
    "%s is answered by the HTTP API",
    async (_, question) => expect((await askByHttp(scene.api, question)).missing).toEqual([]),
  );

  it("has its evidence in the recording, as Kubernetes wrote it", async () => {
    const files = await recordedFiles();
    const textOf = new Map(
      [...files].map(([cluster, paths]) => [
        cluster,
        paths.map((path) => (path.endsWith(".gz") ? gunzipSync(readFileSync(path)) : readFileSync(path))).join("\n"),
      ]),
    );
    for (const { id, cluster, recorded = [] } of RECORDED_QUESTIONS) {
      for (const pattern of recorded) expect(pattern.test(textOf.get(cluster) ?? ""), `${id}: ${pattern}`).toBe(true);
    }
  });
});
