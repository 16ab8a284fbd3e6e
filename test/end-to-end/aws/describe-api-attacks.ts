import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createApi } from "../../../src/http/create-api.ts";
import { rethrow } from "../../support/running/rethrow.ts";
import { emptyStores, tell } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";
import type { Answered } from "./api-client.ts";
import { poll } from "./poll.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";

export interface AttackedStage {
  readonly apiUrl: string;
  /** Whether the emulator enforces the throttles of the stage's routes. */
  readonly throttles: boolean;
  /** A cluster whose Jobs the stage knows. */
  readonly cluster: string;
}

/** Sent at once: more than the burst of any route. MiniStack gives health routes the one of the stage. */
const FLOOD = 150;
/** API Gateway's limit is 10 MB, and the one of a function's request 6 MB. */
const TOO_LARGE = 11_000_000;

/** Attacks the API of a deployed stage through its gateway, as anybody on the internet can. */
export function describeApiAttacks(open: () => AttackedStage): void {
  describe("that is flooded", () => describeFloods(open));
  describe("that receives what is too large", () => describeSizes(open));
  describe("that receives cursors which it did not give", () => describeCursors(open));
}

function describeFloods(open: () => AttackedStage): void {
  it("refuses requests above the rate of a public route, takes nothing from readers, and answers again", async ({
    skip,
  }) => {
    const stage = open();
    skip(!stage.throttles, "this emulator does not throttle");
    await askPatiently(stage, "/v1/summary");
    const flooding = flood(stage, "/v1/healthz");
    const during = await askOneByOne(stage, "/v1/clusters", 5);
    const answers = await flooding;
    expect(during.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    for (const { text } of answers.filter(isThrottled)) expect(text.length).toBeLessThan(200);
    expect(await askPatiently(stage, "/v1/healthz")).toMatchObject({ status: 200 });
  });
}

function describeSizes(open: () => AttackedStage): void {
  it.each([
    // AWS refuses it with 413; an emulator may leave that to the function, which refuses the method.
    ["a body of 11 MB", "/v1/jobs", jsonBody("[".repeat(TOO_LARGE)), [405, 413]],
    ["a body of 1 KB", "/v1/jobs", jsonBody("{}".padEnd(1_000)), [405]],
    ["a query of 15 KB", `/v1/jobs?namespace=${"x".repeat(15_000)}`, {}, [414]],
    ["a cursor of 5 KB", `/v1/jobs?cursor=${"x".repeat(5_000)}`, {}, [400]],
    ["a path of 12 KB", `/v1/${"x".repeat(12_000)}`, {}, [414]],
    ["a name of 3 KB", `/v1/clusters/${"x".repeat(3_000)}/namespaces/a/jobs/b`, {}, [414]],
    ["a header of 7 KB", "/v1/jobs", { headers: { accept: "x".repeat(7_000) } }, [431]],
    ["300 parameters", `/v1/jobs?${"a=b&".repeat(300)}`, {}, [414]],
  ] as const)("answers %s briefly, and the next request", async (_, path, init, statuses) => {
    const stage = open();
    const { status, text } = await askPatiently(stage, path, init);
    expect(statuses).toContain(status);
    expect(text.length).toBeLessThan(2_000);
    expect(await askPatiently(stage, aJob(stage))).toMatchObject({ status: 200 });
  });
}

function describeCursors(open: () => AttackedStage): void {
  it.each([
    ["no cursor", "abc"],
    ["a forged position", Buffer.from(JSON.stringify([1, "x", { $gt: "" }])).toString("base64url")],
    ["a position with a long number", Buffer.from(`[1,"x",${"9".repeat(400)}]`).toString("base64url")],
    ["deeply nested JSON", Buffer.from("[".repeat(1_000)).toString("base64url")],
  ])("refuses %s in each list", async (_, cursor) => {
    for (const list of ["jobs", "gaps", "cronjobs", "changes"]) {
      const { status, text } = await askPatiently(open(), `/v1/${list}?cursor=${cursor}`);
      expect(JSON.parse(text), list).toMatchObject({ type: "urn:outlive:problem:bad-cursor" });
      expect(status).toBe(400);
    }
  });

  it.each([
    ["jobs", "/v1/jobs?limit=1"],
    ["changes", "/v1/changes?since=1h&limit=1"],
  ] as const)("answers the cursor of another stage's %s with its own Jobs only", async (list, path) => {
    const { nextCursor = "" } = await otherStage(path);
    expect(nextCursor).not.toBe("");
    const { status, text } = await askPatiently(open(), `/v1/${list}?limit=500&cursor=${nextCursor}`);
    expect(status).toBe(200);
    expect(text).not.toContain(ELSEWHERE);
  });
}

function aJob({ cluster }: AttackedStage): string {
  return `/v1/jobs?cluster=${cluster}&limit=1`;
}

async function ask({ apiUrl }: AttackedStage, path: string, init?: RequestInit): Promise<Answered> {
  const response = await fetch(`${apiUrl}${path}`, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Asks again while the gateway refuses, as clients do. */
function askPatiently(stage: AttackedStage, path: string, init?: RequestInit): Promise<Answered> {
  return poll(`${path.slice(0, 100)} is not throttled`, async () => {
    const answered = await ask(stage, path, init);
    return answered.status === 429 ? undefined : answered;
  });
}

/** Floods a route until the gateway refuses requests, and returns all answers. */
async function flood(stage: AttackedStage, path: string): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  await poll(`${path} is throttled`, async () => {
    answers.push(...(await Promise.all(Array.from({ length: FLOOD }, () => ask(stage, path)))));
    return answers.some(isThrottled) ? true : undefined;
  });
  return answers;
}

/** API Gateway's own refusal has a message, and is no problem document. */
function isThrottled({ status, headers }: Answered): boolean {
  return status === 429 && headers.get("content-type")?.includes("problem+json") !== true;
}

function jsonBody(body: string): RequestInit {
  return { method: "POST", body, headers: { "content-type": "application/json" } };
}

/** With a pause between two, so that they are far below the rate of their own route. */
async function askOneByOne(stage: AttackedStage, path: string, times: number): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (let request = 0; request < times; request += 1) {
    answers.push(await ask(stage, path));
    await setTimeout(100);
  }
  return answers;
}

const ELSEWHERE = "elsewhere";

/** The answer of a stage with other Jobs, in this process. */
async function otherStage(path: string): Promise<{ readonly nextCursor?: string }> {
  const stores = emptyStores();
  for (let number = 0; number < 3; number += 1) {
    const story = new Story(`${ELSEWHERE}-${number}`);
    story.jobCreated({}, { namespace: ELSEWHERE });
    await tell(stores, story.facts);
  }
  const api = createApi({
    ...API_PARTS,
    stores,
    access: { kind: "inProcess" },
    now: Date.now,
    version: "0",
    onError: rethrow,
  });
  const response = await api.fetch(new Request(`http://127.0.0.1${path}`));
  return (await response.json()) as { readonly nextCursor?: string };
}
