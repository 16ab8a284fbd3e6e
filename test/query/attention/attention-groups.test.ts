import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { AttentionGroups, partOfJob } from "../../../src/query/attention/attention-groups.ts";
import { groupEntries } from "../../../src/query/attention/group-entries.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

const NOW = Date.parse("2026-01-02T00:00:00Z");

function entriesOf(jobs: readonly JobAnswer[], now = NOW) {
  const groups = new AttentionGroups();
  for (const job of jobs) groups.add(partOfJob(job, { isOver: false, now }));
  return groups.all.flatMap(groupEntries);
}

function failed(uid: string, said: Partial<JobAnswer> = {}): JobAnswer {
  return listedJob({
    uid,
    name: uid,
    verdict: { state: "Failed", final: true, basis: "both", since: second(10) },
    findings: [{ kind: "LimitReached", message: `${uid} has failed.`, evidence: [] }],
    ...said,
  });
}

describe("Jobs of one series", () => {
  const owner = { kind: "CronJob", name: "report", uid: "cron-1" };

  it("are one entry with the newest Job, their teams and their other findings", () => {
    const [entry, ...others] = entriesOf([
      failed("a", { owner, finishedAt: second(10), labels: { team: "data" } }),
      failed("b", {
        owner,
        finishedAt: second(20),
        labels: { team: "ml" },
        findings: [
          { kind: "ContainerRestarted", message: "", evidence: [] },
          { kind: "LimitReached", message: "b has failed.", evidence: [] },
        ],
      }),
    ]);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      severity: "failed",
      kind: "LimitReached",
      title: "Limit reached",
      message: "b has failed.",
      group: { type: "series", kind: "CronJob", name: "report", uid: "cron-1" },
      teams: ["data", "ml"],
      jobs: 2,
      otherKinds: { ContainerRestarted: 1 },
      newest: { name: "b", uid: "b" },
      firstAt: second(10),
      latestAt: second(20),
    });
  });

  it("are the same entry after the CronJob was created again", () => {
    const entries = entriesOf([failed("a", { owner }), failed("b", { owner: { ...owner, uid: "cron-2" } })]);
    expect(entries).toHaveLength(1);
  });

  it("are two entries if they differ in severity", () => {
    const running = { verdict: { state: "Running", final: false, basis: "both" } } as const;
    expect(entriesOf([failed("a", { owner }), failed("b", { owner, ...running })]).map((of) => of.severity)).toEqual([
      "failed",
      "atRisk",
    ]);
  });
});

const run = (uid: string) => ({ run: { kind: "JobSet", name: "train", uid } });

describe("Jobs of one run", () => {
  it("are one entry, and those of a later run of the name another", () => {
    const entries = entriesOf([failed("a", run("1")), failed("b", run("1")), failed("c", run("2"))]);
    expect(entries.map(({ jobs }) => jobs)).toEqual([2, 1]);
  });
});

describe("Jobs on their own", () => {
  it("are one entry for each namespace and leading finding, without a group", () => {
    const entries = entriesOf([failed("a"), failed("b"), failed("c", { namespace: "other" })]);
    expect(entries.map(({ jobs, namespace, group }) => ({ jobs, namespace, group }))).toEqual([
      { jobs: 2, namespace: "batch", group: undefined },
      { jobs: 1, namespace: "other", group: undefined },
    ]);
  });
});

const running = { state: "Running", final: false, basis: "both" } as const;
const finding = (since?: string) => [
  { kind: "FinalizerStuck" as const, message: "", evidence: [], ...(since !== undefined && { since }) },
];

describe("a Job comes into its entry", () => {
  it.each<[string, Partial<JobAnswer>, string]>([
    ["when its finding begins", { verdict: running, findings: finding(second(30)) }, second(30)],
    ["when it started, if the finding has no time", { verdict: running, findings: finding() }, second(1)],
    ["when it ended, if its finding began before", { findings: finding(second(5)) }, second(11)],
    ["when its finding began, if that was after its end", { findings: finding(second(50)) }, second(50)],
    ["no later than now", { findings: finding("9999-01-01T00:00:00Z") }, "2026-01-02T00:00:00Z"],
  ])("%s", (_, said, at) => {
    expect(entriesOf([listedJob(said)])[0]?.latestAt).toBe(at);
  });
});

describe("every Job", () => {
  const jobs = fc.uniqueArray(
    fc.record({
      uid: fc.integer({ min: 1, max: 50 }).map(String),
      cluster: fc.constantFrom("east", "west"),
      namespace: fc.constantFrom("a", "b"),
      owner: fc.constantFrom(undefined, { kind: "CronJob", name: "c", uid: "c" }),
      isFinal: fc.boolean(),
      kinds: fc.subarray(["LimitReached", "ContainerRestarted", "StatusBehind"] as const),
    }),
    { selector: ({ uid, cluster }) => `${cluster}/${uid}` },
  );

  it("is in exactly one entry, in any order, and ids are unique", () => {
    fc.assert(
      fc.property(jobs, (drawn) => {
        const listed = drawn.map(({ owner, isFinal, kinds, ...said }) =>
          failed(said.uid, {
            ...said,
            ...(owner && { owner }),
            verdict: { state: "Failed", final: isFinal, basis: "both" },
            findings: kinds.map((kind) => ({ kind, message: "", evidence: [] })),
          }),
        );
        const entries = entriesOf(listed);
        expect(entries.reduce((sum, { jobs: count }) => sum + count, 0)).toBe(listed.length);
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
        const counts = (of: typeof entries) => of.map(({ id, jobs: count }) => `${id} ${count}`).sort();
        expect(counts(entriesOf(listed.toReversed()))).toEqual(counts(entries));
      }),
    );
  });
});

describe("a message", () => {
  it("has at most 300 characters, all of them whole", () => {
    const findings = [{ kind: "LimitReached" as const, message: "🚀".repeat(400), evidence: [] }];
    const [entry] = entriesOf([failed("a", { findings })]);
    expect(entry?.message.length).toBeLessThanOrEqual(300);
    expect(entry?.message.isWellFormed()).toBe(true);
  });
});
