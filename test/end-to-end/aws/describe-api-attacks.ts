import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { createApi } from "../../../src/http/create-api.ts";
import { rethrow } from "../../support/running/rethrow.ts";
import { emptyStores, tell } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";
import type { Answered } from "./api-client.ts";
import { poll } from "./poll.ts";

export interface AttackedStage {
  readonly apiUrl: string;
  /** Whether the emulator enforces the throttles of the stage's routes. */
  readonly throttles: boolean;
  /** A cluster whose Jobs the stage knows. */
  readonly cluster: string;
}

/** Requests that are sent at once: more than the burst of any route. */
const FLOOD = 150;
/** API Gateway's limit is 10 MB, and the one of a function's request 6 MB. */
const TOO_LARGE = 11_000_000;
const PATIENCE = 180_000;

interface Page {
  readonly items: readonly { readonly cluster?: string; readonly name?: string; readonly uid?: string }[];
  readonly nextCursor?: string;
}

/** Attacks the API of a deployed stage through its gateway, as anybody on the internet can. */
export function describeApiAttacks(open: () => AttackedStage): void {
  let stage: AttackedStage;
  beforeAll(() => {
    stage = open();
  });

  const ask = async (path: string, init?: RequestInit): Promise<Answered> => {
    const response = await fetch(`${stage.apiUrl}${path}`, init);
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  /** Asks again while the gateway refuses, as clients do. */
  const askPatiently = (path: string, init?: RequestInit): Promise<Answered> =>
    poll(`${path.slice(0, 100)} is not throttled`, async () => {
      const answered = await ask(path, init);
      return answered.status === 429 ? undefined : answered;
    });
  /** Floods a route until the gateway refuses requests, and returns all answers. */
  const flood = async (path: string): Promise<readonly Answered[]> => {
    const answers: Answered[] = [];
    await poll(`${path} is throttled`, async () => {
      answers.push(...(await Promise.all(Array.from({ length: FLOOD }, () => ask(path)))));
      return answers.some(isThrottled) ? true : undefined;
    });
    return answers;
  };

  describe("that is flooded", () => {
    it(
      "refuses the requests above the rate of a route, and answers again afterwards",
      async ({ skip }) => {
        skip(!stage.throttles, "this emulator does not throttle");
        const answers = await flood(`/v1/jobs?cluster=${stage.cluster}&limit=1`);
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
        for (const { text } of answers.filter(isThrottled)) expect(text.length).toBeLessThan(200);
        expect(await askPatiently(`/v1/jobs?cluster=${stage.cluster}&limit=1`)).toMatchObject({ status: 200 });
      },
      PATIENCE,
    );

    it(
      "takes nothing from readers where a public route is flooded",
      async ({ skip }) => {
        skip(!stage.throttles, "this emulator does not throttle");
        await askPatiently("/v1/summary");
        const flooding = flood("/v1/healthz");
        const during = await askOneByOne(
          ask,
          Array.from({ length: 5 }, () => "/v1/clusters"),
        );
        const answers = await flooding;
        expect(during.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
        expect(await askPatiently("/v1/healthz")).toMatchObject({ status: 200 });
      },
      PATIENCE,
    );
  });

  describe("that receives what is too large", () => {
    it.each([
      ["a body of 11 MB", "/v1/jobs", { method: "POST", body: "[".repeat(TOO_LARGE) }, [405, 413]],
      ["a body of 11 MB that claims to be JSON", "/v1/jobs", jsonBody("[".repeat(TOO_LARGE)), [405, 413]],
      ["a body of 1 KB", "/v1/jobs", jsonBody("{}".padEnd(1_000)), [405]],
      ["a query of 15 KB", `/v1/jobs?namespace=${"x".repeat(15_000)}`, {}, [414]],
      ["a cursor of 5 KB", `/v1/jobs?cursor=${"x".repeat(5_000)}`, {}, [400]],
      ["a path of 12 KB", `/v1/${"x".repeat(12_000)}`, {}, [414]],
      ["a name of 3 KB", `/v1/clusters/${"x".repeat(3_000)}/namespaces/a/jobs/b`, {}, [414]],
      ["a header of 7 KB", "/v1/jobs", { headers: { accept: "x".repeat(7_000) } }, [431]],
      ["300 parameters", `/v1/jobs?${"a=b&".repeat(300)}`, {}, [414]],
    ] as const)(
      "answers %s briefly, and the next request",
      async (_, path, init, statuses) => {
        const { status, text } = await askPatiently(path, init);
        expect(statuses).toContain(status);
        expect(text.length).toBeLessThan(2_000);
        expect(await askPatiently(`/v1/jobs?cluster=${stage.cluster}&limit=1`)).toMatchObject({ status: 200 });
      },
      PATIENCE,
    );
  });

  describe("that receives cursors which it did not give", () => {
    it.each([
      ["no cursor", "abc"],
      ["a cursor over cells", "LAAAAAAAAAAAAAAAA.W10.W10"],
      ["a forged position", Buffer.from(JSON.stringify([1, "x", { $gt: "" }])).toString("base64url")],
      ["a position with a long number", Buffer.from(`[1,"x",${"9".repeat(400)}]`).toString("base64url")],
      ["deeply nested JSON", Buffer.from("[".repeat(1_000)).toString("base64url")],
    ])(
      "refuses %s in each list",
      async (_, cursor) => {
        for (const list of ["jobs?", "gaps?", "cronjobs?", "changes?"]) {
          const { status, text } = await askPatiently(`/v1/${list}cursor=${cursor}`);
          expect(JSON.parse(text), list).toMatchObject({ type: "urn:outlive:problem:bad-cursor" });
          expect(status).toBe(400);
        }
      },
      PATIENCE,
    );

    it.each([
      ["answers", "jobs", "/v1/jobs?limit=1", 200],
      ["refuses", "changes", "/v1/changes?since=2025-12-31T00:00:00Z&limit=1", 400],
    ] as const)(
      "%s the cursor of another stage's %s with its own Jobs only",
      async (_, list, path, expected) => {
        const { nextCursor = "" } = await (await otherStage())(path);
        expect(nextCursor).not.toBe("");
        const { status, text } = await askPatiently(`/v1/${list}?limit=500&cursor=${nextCursor}`);
        expect(status).toBe(expected);
        if (expected === 400) expect(JSON.parse(text)).toMatchObject({ type: "urn:outlive:problem:bad-cursor" });
        expect(text).not.toContain(ELSEWHERE);
      },
      PATIENCE,
    );
  });
}

/** API Gateway's own refusal has a message, and is no problem document. */
function isThrottled({ status, headers }: Answered): boolean {
  return status === 429 && headers.get("content-type")?.includes("problem+json") !== true;
}

function jsonBody(body: string): RequestInit {
  return { method: "POST", body, headers: { "content-type": "application/json" } };
}

/** With a pause between two, so that they are far below the rate of their own route. */
async function askOneByOne(
  ask: (path: string) => Promise<Answered>,
  paths: readonly string[],
): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (const path of paths) {
    answers.push(await ask(path));
    await setTimeout(100);
  }
  return answers;
}

const ELSEWHERE = "elsewhere";

/** A stage with other Jobs, in this process. */
async function otherStage(): Promise<(path: string) => Promise<Page>> {
  const stores = emptyStores();
  for (let number = 0; number < 3; number += 1) {
    const story = new Story(`${ELSEWHERE}-${number}`);
    story.jobCreated({}, { namespace: ELSEWHERE });
    await tell(stores, story.facts);
  }
  const api = createApi({ stores, access: { kind: "inProcess" }, now: noon, version: "0", onError: rethrow });
  return async (path) => (await (await api.fetch(new Request(`http://127.0.0.1${path}`), {})).json()) as Page;
}

function noon(): number {
  return Date.parse("2026-01-02T12:00:00Z");
}
