import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { listRecords } from "../../../src/ports/list-records.ts";
import { changesKey } from "../../../src/ports/meta-key.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { listChanges } from "../../../src/query/changes/changes.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { sendFacts } from "../../support/notify/notified-tracker.ts";

const DAY = 86_400_000;
const [created = [], pod = [], finished = []] = failingJob();

let embedded: Embedded;
beforeEach(() => {
  embedded = openEmbedded(":memory:");
});
afterEach(() => embedded.close());

/** The changes since the beginning. */
async function changes(): Promise<readonly string[]> {
  const { log, meta, projections } = embedded;
  const ports = { log, meta, jobs: await liveJobs(projections, meta) };
  const page = await listChanges(ports, "everything", { filter: {}, limit: 100, now: Date.now(), since: 0 });
  if (page.outcome !== "listed") throw new Error(page.problem);
  return page.items.map(({ previous, job }) => `${job.name}: ${previous ?? "-"} > ${job.verdict.state}`);
}

describe("the changes of a tracker on one database", () => {
  it("are announced once each, although segments come again", async () => {
    for (const [sequence, facts] of [created, pod, finished, created].entries()) {
      await sendFacts(embedded, facts, sequence);
    }
    expect((await changes()).at(0)).toBe("charge: - > Running");
    expect((await changes()).at(-1)).toBe("charge: Running > Failed");
    const before = await changes();
    await sendFacts(embedded, finished, 50);
    expect(await changes()).toEqual(before);
  });

  it("are those of an import, and not those of a replay", async () => {
    const facts = [created, pod, finished].flat();
    async function* recording() {
      yield facts;
    }
    await embedded.importFacts(recording(), { cluster: clusterNamed("east"), now: Date.now() });
    expect(await changes()).toEqual(["charge: - > Failed"]);
    await embedded.replay();
    expect(await changes()).toEqual(["charge: - > Failed"]);
  });

  it("are stored with the states that they lead to, or not at all", async () => {
    await sendFacts(embedded, created, 0);
    const { meta } = embedded;
    const write = meta.write.bind(meta);
    meta.write = async (kind, key, record) => {
      const written = await write(kind, key, record);
      if (kind === "changes") throw new Error("The disk is full.");
      return written;
    };
    await expect(sendFacts(embedded, finished, 1)).rejects.toThrow("a segment was not projected");
    expect(await changes()).toEqual(["charge: - > Running"]);
    meta.write = write;
    await sendFacts(embedded, finished, 1);
    expect((await changes()).at(-1)).toBe("charge: Running > Failed");
  });

  it("are deleted after 35 days, also where Jobs are kept for ever", async () => {
    await sendFacts(embedded, created, 0);
    const [record] = await recordsOf(embedded);
    const old = new Date(Date.now() - 36 * DAY).toISOString();
    const expected = 0;
    for (const shard of [0, 1]) {
      await embedded.meta.write("changes", changesKey(shard, `${old}#0123456789abcdef`), { value: "{}", expected });
    }
    await embedded.forget({ now: Date.now() });
    expect((await recordsOf(embedded)).map(({ key }) => key)).toEqual([record?.key]);
  });
});

async function recordsOf({ meta }: Embedded) {
  const records = [];
  for await (const one of listRecords(meta, "changes", { prefix: "" })) records.push(one);
  return records;
}
