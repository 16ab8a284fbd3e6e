import { describe, expect, it } from "vitest";
import type { ConsecutiveFailures, MissedRun } from "../../../src/parents/cron-job/cron-findings.ts";
import { seriesKey } from "../../../src/parents/series/series-key.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { seriesRecordKey } from "../../../src/ports/meta-key.ts";
import { seriesRecord } from "../../../src/projection/series/series-record.ts";
import type { AttentionPart, PartsOfGroup } from "../../../src/query/attention/attention-groups.ts";
import { withOutcomes } from "../../../src/query/attention/group-outcomes.ts";
import type { AttentionGroup } from "../../../src/query/attention/attention.ts";
import { countedStore } from "../../support/stores/counted-store.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { clusterOf, storesWith } from "../../support/story/listed-job.ts";
import { failedJobSet, queuedJobSet, restartedJobSet, second } from "../../support/story/run-story.ts";

const AT = second(100);

function groupOf(group: AttentionGroup | undefined, namespace: string, said: readonly Partial<AttentionPart>[]) {
  const subject = { cluster: "east", namespace, group };
  const parts = said.map((one, n): AttentionPart => {
    const of = one.finding === undefined && { job: { name: `j${n}`, uid: `j${n}` } };
    return { ...subject, kind: "LimitReached", severity: "failed", message: "", at: AT, otherKinds: [], ...of, ...one };
  });
  return { ...subject, parts };
}

const severities = (groups: readonly PartsOfGroup[]) => groups.map(({ parts }) => parts.map((part) => part.severity));

describe("Jobs of a run", () => {
  const EACH = [{ severity: "failed" }, { severity: "atRisk" }, { severity: "cleanedUp" }] as const;

  it.each([
    ["is complete", "train", "cleanedUp"],
    ["has failed", "broken", "failed"],
    ["waits", "next", "atRisk"],
  ])("have the severity of the run, which %s", async (_, name, severity) => {
    const ports = await runPortsWith([...restartedJobSet(), ...failedJobSet(), ...queuedJobSet()]);
    const group = groupOf({ type: "run", kind: "JobSet", name, uid: `${name}-uid` }, "ml", EACH);
    expect(severities(await withOutcomes(ports, "everything", [group]))).toEqual([[severity, severity, severity]]);
  });

  it("keep their own if the run is not stored, or is another one of the name", async () => {
    const ports = await runPortsWith(restartedJobSet());
    for (const { name, uid } of [
      { name: "unknown", uid: "unknown-uid" },
      { name: "train", uid: "earlier-uid" },
    ]) {
      const group = groupOf({ type: "run", kind: "JobSet", name, uid }, "ml", EACH);
      expect(await withOutcomes(ports, "everything", [group])).toEqual([group]);
    }
  });
});

const MISSED: MissedRun = { kind: "MissedRun", since: AT, lastDueAt: AT, count: 1, final: true };
const IN_ROW: ConsecutiveFailures = { kind: "ConsecutiveFailures", since: 0, count: 3, run: "j0", atLeast: false };

describe("failed Jobs of a series", () => {
  const SERIES = { type: "series", kind: "CronJob", name: "report" } as const;

  async function portsWith(endedAt: Instant, part?: string) {
    const ports = await storesWith([]);
    const key = seriesRecordKey(clusterOf("east"), "batch", seriesKey("batch", SERIES, part));
    const value = seriesRecord.encode([{ id: 1, createdAt: endedAt - 1_000, endedAt, millis: 1_000, template: 1 }]);
    await ports.meta.write("series", key, { value, expected: 0 });
    return ports;
  }

  it.each<[string, Instant, readonly Partial<AttentionPart>[], readonly string[]]>([
    ["are over", second(200), [{}, { at: second(50) }, { severity: "atRisk" }], ["cleanedUp", "cleanedUp", "atRisk"]],
    ["have failed, if the newest one failed later", second(200), [{}, { at: second(201) }], ["failed", "failed"]],
    ["have failed, if that was as of their failure", AT, [{}], ["failed"]],
    ["have failed, if the last runs all did", second(200), [{}, { finding: IN_ROW }], ["failed", "failed"]],
  ])("%s after a success", async (_, endedAt, said, expected) => {
    const found = await withOutcomes(await portsWith(endedAt), "everything", [groupOf(SERIES, "batch", said)]);
    expect(severities(found)).toEqual([expected]);
  });

  it("say when the series succeeded, and what a CronJob missed stays", async () => {
    const missed = { kind: "MissedRun", finding: MISSED };
    const [of] = await withOutcomes(await portsWith(second(200)), "everything", [
      groupOf(SERIES, "batch", [{}, missed]),
    ]);
    expect(of?.parts.map(({ severity, succeededAt }) => [severity, succeededAt])).toEqual([
      ["cleanedUp", second(200)],
      ["failed", undefined],
    ]);
  });

  it("are compared with the same part of its runs", async () => {
    const group = groupOf(SERIES, "batch", [{ job: { name: "j", uid: "j", partInSeries: "load" } }]);
    expect(severities(await withOutcomes(await portsWith(second(200)), "everything", [group]))).toEqual([["failed"]]);
    const same = await portsWith(second(200), "load");
    expect(severities(await withOutcomes(same, "everything", [group]))).toEqual([["cleanedUp"]]);
  });

  it("take one read for each series, of the newest 200", async () => {
    const ports = await portsWith(second(200));
    const requests: string[] = [];
    const groups = Array.from({ length: 201 }, (_, n) => groupOf({ ...SERIES, name: `c${n}` }, "batch", [{}, {}]));
    const healthy = groupOf(SERIES, "batch", [{ severity: "atRisk" }]);
    const alone = groupOf(undefined, "batch", [{}]);
    const meta = countedStore(ports.meta, requests);
    await withOutcomes({ ...ports, meta }, "everything", [...groups, healthy, alone]);
    expect(requests).toEqual(Array.from({ length: 200 }, () => "read"));
  });
});
