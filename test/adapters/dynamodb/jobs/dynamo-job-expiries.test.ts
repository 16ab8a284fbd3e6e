import { beforeEach, describe, expect, it } from "vitest";
import { JOBS_SCHEMA, RUNS_SCHEMA } from "../../../../src/ports/deployment/tables.ts";
import { createDynamoJobExpiries } from "../../../../src/adapters/dynamodb/jobs/dynamo-job-expiries.ts";
import { createDynamoJobStore } from "../../../../src/adapters/dynamodb/jobs/dynamo-job-store.ts";
import { createDynamoRunStore } from "../../../../src/adapters/dynamodb/jobs/dynamo-run-store.ts";
import type { JobExpiries } from "../../../../src/ports/expiry/job-expiries.ts";
import { type JobRetention, NEVER, uniformRetention } from "../../../../src/ports/expiry/job-expiry.ts";
import type { JobRow } from "../../../../src/ports/job-row.ts";
import type { JobStore } from "../../../../src/ports/jobs.ts";
import { skipWithoutDynamoLocal } from "../../../support/aws/dynamodb-local.ts";
import { useDynamoLocal } from "../../../support/aws/use-dynamo-local.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { collect } from "../../../support/running/collect.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const east = clusterNamed("east");
const keyOf = (uid: string) => ({ cluster: east, jobUid: jobUid(uid) });

describe.skipIf(skipWithoutDynamoLocal)("the expiry of Jobs on DynamoDB Local", () => {
  const dynamo = useDynamoLocal();
  let jobs: JobStore;
  let expiries: JobExpiries;
  let retention: JobRetention;
  beforeEach(async () => {
    const table = await dynamo.createTable(JOBS_SCHEMA);
    retention = uniformRetention(30);
    const options = { table, retentionDays: 400, now: () => NOW };
    jobs = createDynamoJobStore(dynamo.client, { ...options, retention: async () => retention });
    expiries = createDynamoJobExpiries(dynamo.client, { table });
  });

  /** Writes a Job that ended a day ago. */
  async function write(uid: string, changes: Partial<JobRow> = {}, expected = 0): Promise<void> {
    const ended: JobRow = {
      namespace: "shop",
      name: uid,
      createdAt: NOW - 2 * DAY,
      phase: "F",
      attention: false,
      endedAt: NOW - DAY,
      summary: Uint8Array.of(1),
    };
    const state = { bytes: Uint8Array.of(2, 7), row: { ...ended, ...changes } };
    expect(await jobs.write(keyOf(uid), state, expected)).toMatchObject({ outcome: "written" });
  }

  const stateOf = async (uid: string) => {
    const { jobs: found } = await expiries.list({ cluster: east, namespace: "shop" }, { limit: 10 });
    return found.find(({ key }) => key.jobUid === uid);
  };

  const writePage = (uid: string, owner: object) => jobs.writePage({ ...keyOf(uid), ...owner }, "00", Uint8Array.of(1));
  const pageExpiryOf = async (uid: string) => (await collect(expiries.listPages(keyOf(uid))))[0]?.expiresAt;

  it("is listed by namespace and by name, the oldest first, with the version and the layout of the state", async () => {
    for (const uid of ["a", "b", "c"]) await write(uid, { createdAt: NOW - 3 * DAY + uid.charCodeAt(0) });
    await write("other", { namespace: "bank" });
    await write("live", { phase: "A" });
    const pages: string[][] = [];
    let after: Parameters<JobExpiries["list"]>[1]["after"];
    do {
      const page = await expiries.list({ cluster: east, namespace: "shop" }, { after, limit: 2 });
      pages.push(page.jobs.map(({ key }) => key.jobUid).toSorted());
      after = page.next;
    } while (after !== undefined);
    expect(pages).toEqual([
      ["a", "b"],
      ["c", "live"],
    ]);
    const named = await expiries.list({ cluster: east, namespace: "shop", name: "b" }, { limit: 10 });
    const written = { namespace: "shop", name: "b", endedAt: NOW - DAY, version: 1, state: Uint8Array.of(2, 7) };
    expect(named).toEqual({ jobs: [{ key: keyOf("b"), ...written, expiresAt: NOW + 29 * DAY }] });
    expect(await stateOf("live")).not.toHaveProperty("expiresAt");
  });

  it("of a run follows holds on its Jobs, and is listed and read with the record of the run", async () => {
    const table = await dynamo.createTable(RUNS_SCHEMA);
    retention = { ...retention, holdOn: ({ name }) => (name === "worker-0" ? {} : undefined) };
    const options = { table, retentionDays: 400, now: () => NOW, retention: async () => retention };
    jobs = createDynamoRunStore(dynamo.client, options);
    expiries = createDynamoJobExpiries(dynamo.client, { table, content: "runs" });
    await write("held", { jobNames: ["worker-0", "worker-1"], summary: Uint8Array.of(3, 1) });
    await write("train", { jobNames: ["worker-1"] });
    expect((await stateOf("held"))?.expiresAt).toBe(NEVER);
    expect((await stateOf("train"))?.expiresAt).toBe(NOW + 29 * DAY);
    const read = await expiries.read(keyOf("held"));
    expect(read).toMatchObject({ name: "held", state: Uint8Array.of(3, 1), version: 1, expiresAt: NEVER });
    expect(await expiries.read(keyOf("other"))).toBeUndefined();
  });

  it("of a state changes with its version only, and not the state", async () => {
    await write("a");
    const before = await jobs.read(keyOf("a"));
    expect(await expiries.setState(keyOf("a"), { version: 1, expiresAt: NEVER })).toBe("written");
    expect(await stateOf("a")).toMatchObject({ version: 2, expiresAt: NEVER });
    expect(await jobs.read(keyOf("a"))).toEqual({ ...before, version: 2 });
    expect(await expiries.setState(keyOf("a"), { version: 1, expiresAt: NOW })).toBe("conflict");
    // A projector that read the Job before is refused, and reads it again.
    expect(await jobs.write(keyOf("a"), { bytes: Uint8Array.of(1) }, 1)).toEqual({ outcome: "conflict" });
  });

  it("does not bring a deleted Job back", async () => {
    expect(await expiries.setState(keyOf("gone"), { version: 1, expiresAt: NEVER })).toBe("conflict");
    expect(await expiries.setPage(keyOf("gone"), { hash: "00", expiresAt: NOW }, NEVER)).toBe("conflict");
    expect(await jobs.read(keyOf("gone"))).toBeUndefined();
  });

  it("of pages is listed and changed, unless a writer has changed it", async () => {
    for (const hash of ["00", "01"]) await jobs.writePage({ ...keyOf("a"), namespace: "shop" }, hash, Uint8Array.of(1));
    const pages = await collect(expiries.listPages(keyOf("a")));
    expect(pages).toEqual([
      { hash: "00", expiresAt: NOW + 60 * DAY },
      { hash: "01", expiresAt: NOW + 60 * DAY },
    ]);
    const [first = { hash: "", expiresAt: 0 }] = pages;
    expect(await expiries.setPage(keyOf("a"), first, NEVER)).toBe("written");
    expect(await expiries.setPage(keyOf("a"), first, NOW)).toBe("conflict");
    expect(await jobs.readPage(keyOf("a"), "00")).toEqual(Uint8Array.of(1));
  });

  it("follows the rule and the hold of the Job when it is written", async () => {
    retention = {
      daysOf: (_, namespace) => (namespace === "shop" ? 5 : undefined),
      longestOf: () => 90,
      holdOn: ({ name }) => (name === "held" ? {} : undefined),
    };
    await write("a");
    await write("held");
    expect((await stateOf("a"))?.expiresAt).toBe(NOW + 4 * DAY);
    expect((await stateOf("held"))?.expiresAt).toBe(NEVER);
    await writePage("a", { namespace: "shop", name: "a" });
    await writePage("held", { namespace: "shop", name: "held" });
    await writePage("unnamed", {});
    expect(await pageExpiryOf("a")).toBe(NOW + 10 * DAY);
    expect(await pageExpiryOf("held")).toBe(NEVER);
    expect(await pageExpiryOf("unnamed")).toBe(NOW + 180 * DAY);
  });
});
