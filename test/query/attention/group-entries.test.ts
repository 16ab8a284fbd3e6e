import { describe, expect, it } from "vitest";
import type { ConsecutiveFailures, MissedRun } from "../../../src/parents/cron-job/cron-findings.ts";
import type { AttentionPart } from "../../../src/query/attention/attention-groups.ts";
import { groupEntries } from "../../../src/query/attention/group-entries.ts";
import { second } from "../../support/story/listed-job.ts";

const GROUP = { type: "series", kind: "CronJob", name: "import", uid: "c" } as const;
const AT = Date.parse(second(0));

function part(said: Partial<AttentionPart> = {}): AttentionPart {
  return {
    cluster: "east",
    namespace: "shop",
    group: GROUP,
    kind: "LimitReached",
    severity: "failed",
    message: "The back-off limit ended the Job.",
    at: AT,
    otherKinds: [],
    ...said,
  };
}

function job(name: string, said: Partial<AttentionPart["job"]> = {}): Pick<AttentionPart, "job"> {
  return { job: { name, uid: name, team: "orders", ...said } };
}

const IN_ROW: ConsecutiveFailures = { kind: "ConsecutiveFailures", since: AT, count: 4, run: "b", atLeast: false };
const failures = part({ kind: "ConsecutiveFailures", message: "The last 4 runs failed.", finding: IN_ROW });
const missed: MissedRun = { kind: "MissedRun", since: AT, lastDueAt: AT, count: 1, final: true };
const slower = part({ kind: "TrendSlower", severity: "atRisk", message: "Slower." });
const limit = part({ ...job("b", { cause: "container work exited with code 3" }), at: AT + 1_000 });
const entriesOf = (...parts: readonly AttentionPart[]) => groupEntries({ ...part(), parts });

describe("the entries of a group", () => {
  it("are one for each severity, with what is found of the CronJob and of its Jobs", () => {
    const entries = entriesOf(limit, failures, slower);
    expect(entries.map(({ severity, kind, jobs, teams }) => ({ severity, kind, jobs, teams }))).toEqual([
      { severity: "failed", kind: "ConsecutiveFailures", jobs: 1, teams: ["orders"] },
      { severity: "atRisk", kind: "TrendSlower", jobs: 0, teams: ["orders"] },
    ]);
    expect(entries[0]).toMatchObject({
      title: "Consecutive failures",
      otherKinds: { LimitReached: 1 },
      newest: { name: "b" },
      latestAt: second(1),
      firstAt: second(0),
    });
  });

  it("have another id if another finding leads, and the same for a further Job with the same finding", () => {
    const [id, further, other] = [[limit], [limit, part(job("c"))], [limit, failures]].map(
      (parts) => entriesOf(...parts)[0]?.id,
    );
    expect(further).toBe(id);
    expect(other).not.toBe(id);
  });
});

describe("the message of an entry", () => {
  const over = { severity: "cleanedUp", succeededAt: AT + 9_000 } as const;
  it.each<[string, readonly AttentionPart[], string]>([
    ["the cause of the newest failed Job", [limit, part(job("a"))], "Container work exited with code 3."],
    ["what its finding says, without a cause", [part(job("a"))], "The back-off limit ended the Job."],
    [
      "how many runs failed in a row, and the cause of the newest one",
      [failures, limit],
      `The last 4 runs failed, since ${second(0)}; the newest is b: container work exited with code 3.`,
    ],
    [
      "no cause of another Job",
      [failures, part({ ...job("manual", { cause: "OOMKilled" }), at: AT + 2_000 }), limit],
      `The last 4 runs failed, since ${second(0)}; the newest is b.`,
    ],
    ["what a CronJob missed", [part({ kind: "MissedRun", message: "No run.", finding: missed }), limit], "No run."],
    [
      "that the series has succeeded since",
      [{ ...limit, ...over }],
      `Container work exited with code 3. Succeeded since, at ${second(9)}.`,
    ],
    [
      "what happened last of what leads, if it is over",
      [part({ ...job("a"), severity: "cleanedUp", message: "Re-run." })],
      "Re-run.",
    ],
  ])("is %s", (_, parts, message) => {
    expect(entriesOf(...parts)[0]?.message).toBe(message);
  });

  it("ends with the success, however long the cause is", () => {
    const long = part({ ...job("a", { cause: "🚀".repeat(400) }), ...over });
    const [entry] = entriesOf(long);
    expect(entry?.message.length).toBeLessThanOrEqual(300);
    expect(entry?.message).toMatch(/… Succeeded since, at .*Z\.$/);
  });
});
