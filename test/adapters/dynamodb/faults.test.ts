import { createCipheriv } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { createDynamoJobStore } from "../../../src/adapters/dynamodb/jobs/dynamo-job-store.ts";
import { createDynamoLog } from "../../../src/adapters/dynamodb/log/dynamo-log.ts";
import { createDynamoMetaStore } from "../../../src/adapters/dynamodb/dynamo-meta-store.ts";
import { createDynamoProjections } from "../../../src/adapters/dynamodb/jobs/dynamo-projections.ts";
import type { EncodedJobState } from "../../../src/ports/job-row.ts";
import type { JobStore } from "../../../src/ports/jobs.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { failure, type Script, scripted, success } from "../../support/aws/scripted-answers.ts";

const east = clusterNamed("east");
const key = { cluster: east, jobUid: jobUid("a") };
const row = {
  namespace: "batch",
  name: "nightly",
  createdAt: 0,
  phase: "A",
  attention: false,
  summary: Uint8Array.of(1),
} as const;
const item = {
  key: { pk: "east#20261121", sk: "2026-11-21T08:00:00.000Z#s#1" },
  bytes: Uint8Array.of(1),
  sha256: "00",
  factCount: 1,
};

/** Stores whose every request is answered from a script. */
function storesAnswering(...answers: readonly Script[]) {
  const { config, requests } = scripted(answers, { maxAttempts: 2 });
  // The SDK waits between attempts by itself; here nothing waits.
  const client = new DynamoDBClient({ ...config, retryStrategy: impatient() });
  const pauses: number[] = [];
  const retry = { attempts: 3, pause: async (count: number) => void pauses.push(count) };
  const options = { retentionDays: 400, retry, now: () => 0 };
  return {
    log: createDynamoLog(client, { ...options, table: "log" }),
    jobs: createDynamoJobStore(client, { ...options, table: "jobs" }),
    meta: createDynamoMetaStore(client, { ...options, table: "meta" }),
    projections: createDynamoProjections(client, {
      ...options,
      tables: { A: "jobs", B: "jobs-b" },
      runTables: { A: "runs", B: "runs-b" },
    }),
    requests: requests as readonly Readonly<Record<string, unknown>>[],
    pauses,
  };
}

const token = (count: number) => ({ getRetryCount: () => count, getRetryDelay: () => 0 });

/** Two attempts at what is worth a second one, as the SDK's own strategy has it, without its waiting. */
function impatient() {
  return {
    mode: "standard",
    acquireInitialRetryToken: async () => token(0),
    refreshRetryTokenForRetry: async (
      last: { getRetryCount(): number },
      { errorType }: { readonly errorType: string },
    ) => {
      if (last.getRetryCount() >= 1 || errorType === "CLIENT_ERROR") throw new Error("no more attempts");
      return token(last.getRetryCount() + 1);
    },
    recordSuccess: () => undefined,
  };
}

const REFUSED = failure("ConditionalCheckFailedException", "The conditional request failed");
const THROTTLED = failure("ProvisionedThroughputExceededException", "exceeded");
const entry = (uid: string) => ({
  pk: { S: `east#${uid}` },
  sk: { S: "S" },
  listPk: { S: "east#batch#A#0" },
  createdSk: { S: `0000000000#${uid}` },
});
const rowItem = (uid: string) => ({ ...entry(uid), namePk: { S: "east#batch#nightly" }, summary: { B: "AQ==" } });

describe("a request with a transient failure", () => {
  it.each([
    ["5xx", failure("InternalServerError", "internal", 500)],
    ["throttling", THROTTLED],
    ["a broken connection", Object.assign(new Error("reset"), { name: "TimeoutError", code: "ECONNRESET" })],
  ])("is retried: %s", async (_, fault) => {
    const { jobs, requests } = storesAnswering(fault, success({}));
    expect(await jobs.read(key)).toBeUndefined();
    expect(requests).toHaveLength(2);
  });

  it("throws a named error after the last attempt", async () => {
    const { jobs } = storesAnswering(THROTTLED);
    await expect(jobs.read(key)).rejects.toMatchObject({
      name: "AwsThrottledError",
      message: expect.stringContaining("Table jobs") as string,
    });
  });

  it("is signed with DynamoDB's time if the local clock is wrong", async () => {
    const skewed = failure(
      "InvalidSignatureException",
      "Signature expired: 20261121T080000Z is now earlier than 20261121T081000Z",
    );
    const headers = { date: new Date(Date.UTC(2031, 0, 1)).toUTCString() };
    const { jobs, requests } = storesAnswering({ ...skewed, headers }, success({}));
    await jobs.read(key);
    expect(requests).toHaveLength(2);
  });
});

const keysOf = (requests: readonly Readonly<Record<string, unknown>>[]) =>
  requests.map(({ Item }) => String((Item as Readonly<Record<string, { readonly S?: string }>>)["pk"]?.S));
const createJobs = (jobs: JobStore, uids: readonly string[]) =>
  Promise.allSettled(
    uids.map((uid) => jobs.write({ cluster: east, jobUid: jobUid(uid) }, { bytes: Uint8Array.of(1), row }, 0)),
  );

describe("new Jobs", () => {
  it("are in a record of the lists before their states are written", async () => {
    const { jobs, requests } = storesAnswering(success({}));
    await createJobs(jobs, ["a", "b"]);
    expect(keysOf(requests)).toEqual([expect.stringMatching("#wide#"), "east#a", "east#b"]);
  });

  it("are in a record that an earlier attempt has written", async () => {
    const { jobs, requests } = storesAnswering(REFUSED, success({}));
    expect(await createJobs(jobs, ["a"])).toMatchObject([{ status: "fulfilled", value: { outcome: "written" } }]);
    expect(requests).toHaveLength(2);
  });

  it("are not written if their record cannot be written", async () => {
    const { jobs, requests } = storesAnswering(THROTTLED);
    const outcomes = await createJobs(jobs, ["a", "b"]);
    expect(outcomes.map((one) => one.status === "rejected" && (one.reason as Error).name)).toEqual([
      "AwsThrottledError",
      "AwsThrottledError",
    ]);
    expect(keysOf(requests).every((pk) => pk.startsWith("#wide#"))).toBe(true);
  });
});

/** The refusal of a put by an item that is the very one of the request. */
const standing = (request: unknown) => ({
  ...REFUSED,
  body: { ...(REFUSED.body as object), ...(request as object) },
});

describe("a put whose response was lost", () => {
  const lost = Object.assign(new Error("reset"), { name: "TimeoutError" });

  it("is a duplicate in the log", async () => {
    const { log } = storesAnswering(lost, {
      ...REFUSED,
      body: { ...(REFUSED.body as object), Item: { sha256: { B: "AA==" } } },
    });
    expect(await log.append(item)).toEqual({ outcome: "duplicate" });
  });

  it.each([
    ["without the stored item", undefined],
    ["with a stored item that has no hash", { pk: { S: "east#20261121" } }],
  ])("is an error in the log %s, because it could hide a conflict", async (_, stored) => {
    const { log } = storesAnswering({
      ...REFUSED,
      body: { ...(REFUSED.body as object), ...(stored && { Item: stored }) },
    });
    await expect(log.append(item)).rejects.toThrow(/^Table log did not return the sha256 of its item east#20261121/);
  });

  it("is reported as written if the existing item is its own, and as a conflict otherwise", async () => {
    const own = storesAnswering(lost, standing);
    expect(await own.meta.write("live", "jobs", { value: "B", expected: 1 })).toEqual({
      outcome: "written",
      version: 2,
    });
    const others = storesAnswering(lost, standing({ Item: { version: { N: "2" }, writer: { B: "AAAAAAAAAAA=" } } }));
    expect(await others.meta.write("live", "jobs", { value: "B", expected: 1 })).toEqual({ outcome: "conflict" });
  });
});

describe("a partially processed batch", () => {
  it("is retried with a delay until it is complete", async () => {
    const listed = success({ Items: [entry("a"), entry("b")] });
    const nothing = success({ Items: [] });
    const { jobs, requests, pauses } = storesAnswering(
      listed,
      nothing,
      nothing,
      nothing,
      success({
        Responses: { jobs: [rowItem("a")] },
        UnprocessedKeys: { jobs: { Keys: [{ pk: { S: "east#b" }, sk: { S: "S" } }] } },
      }),
      success({ Responses: { jobs: [rowItem("b")] } }),
    );
    const { rows } = await jobs.listLive({ cluster: east, namespace: "batch" }, { limit: 9 });
    expect(rows.map(({ jobUid: uid }) => uid)).toEqual(["a", "b"]);
    expect(pauses).toEqual([1]);
    expect(requests.at(-1)).toMatchObject({ RequestItems: { jobs: { Keys: [{ pk: { S: "east#b" } }] } } });
  });

  it("throws a named error if a part stays unprocessed", async () => {
    const undone = success({
      Responses: {},
      UnprocessedKeys: { jobs: { Keys: [{ pk: { S: "east#a" }, sk: { S: "S" } }] } },
    });
    const { jobs, pauses } = storesAnswering(success({ Items: [entry("a")] }), undone);
    const list = jobs.listByName({ cluster: east, namespace: "batch", name: "nightly" }, { limit: 9 });
    await expect(list).rejects.toMatchObject({
      name: "AwsThrottledError",
      message: expect.stringMatching(/left 1 items.*3 attempts/) as string,
    });
    expect(pauses).toEqual([1, 2]);
  });
});

describe("a Job that is in an index and no longer in its table", () => {
  it("is omitted, and the next page continues after it", async () => {
    const nothing = success({ Items: [] });
    const page = success({ Items: [entry("a"), entry("b")], LastEvaluatedKey: entry("b") });
    const { jobs } = storesAnswering(
      page,
      nothing,
      nothing,
      nothing,
      success({ Items: [entry("c")] }),
      success({ Responses: { jobs: [rowItem("b")] } }),
    );
    const listed = await jobs.listLive({ cluster: east, namespace: "batch" }, { limit: 2 });
    expect(listed.rows.map(({ jobUid: uid }) => uid)).toEqual(["b"]);
    expect(listed.next?.jobUid).toBe("b");
  });
});

/** Text that no compressor makes smaller than these bytes. */
function incompressible(bytes: number): string {
  const random = createCipheriv("aes-128-ctr", new Uint8Array(16), new Uint8Array(16)).update(new Uint8Array(bytes));
  return random.toString("base64");
}

describe("an item that is too large", () => {
  const state: EncodedJobState = { bytes: new Uint8Array(310_000), row };

  it.each([
    [
      "a state",
      ({ jobs }: ReturnType<typeof storesAnswering>) => jobs.write(key, state, 0),
      /table jobs.*state 310000/,
    ],
    [
      "a page",
      ({ jobs }: ReturnType<typeof storesAnswering>) => jobs.writePage(key, "ab", state.bytes),
      /table jobs.*page 310000/,
    ],
    [
      "a record",
      ({ meta }: ReturnType<typeof storesAnswering>) =>
        meta.write("gap", "east#1", { value: incompressible(310_000), expected: 0 }),
      /table meta.*value 31\d{4}/,
    ],
    [
      "a segment",
      ({ log }: ReturnType<typeof storesAnswering>) => log.append({ ...item, bytes: state.bytes }),
      /table log.*segment 310000/,
    ],
  ])("is not sent: %s", async (_, write, sentence) => {
    const stores = storesAnswering(success({}));
    await expect(write(stores)).rejects.toMatchObject({
      name: "ItemTooLargeError",
      message: expect.stringMatching(sentence) as string,
    });
    expect(stores.requests).toHaveLength(0);
  });
});

describe("every put", () => {
  it.each([
    ["of a segment", ({ log }: ReturnType<typeof storesAnswering>) => log.append(item)],
    [
      "of a new state",
      ({ jobs }: ReturnType<typeof storesAnswering>) => jobs.write(key, { bytes: Uint8Array.of(1) }, 0),
    ],
    [
      "of a later state",
      ({ jobs }: ReturnType<typeof storesAnswering>) => jobs.write(key, { bytes: Uint8Array.of(1), row }, 7),
    ],
    ["of a page", ({ jobs }: ReturnType<typeof storesAnswering>) => jobs.writePage(key, "ab", Uint8Array.of(1))],
    [
      "of a record",
      ({ meta }: ReturnType<typeof storesAnswering>) => meta.write("gap", "east#1", { value: "{}", expected: 0 }),
    ],
  ])("has a condition: %s", async (_, write) => {
    const stores = storesAnswering(success({}));
    await write(stores);
    expect(stores.requests.map(({ ConditionExpression }) => typeof ConditionExpression)).toEqual(["string"]);
  });
});
