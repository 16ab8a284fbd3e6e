import { describe, expect, it } from "vitest";
import { trueCauses, type TruthFile } from "../../../tools/confusion/truth.ts";

type Attempt = Omit<TruthFile["attempts"][number], "uid" | "jobUid">;

const failed = { conditions: [{ type: "Failed", status: "True" }] };

function causeOf(attempts: readonly Attempt[], more: Partial<TruthFile> = {}, job = {}): string | undefined {
  const truth: TruthFile = {
    scenario: "any",
    jobs: [{ name: "report", uid: "job", reported: failed, ...job }],
    attempts: attempts.map((attempt, at) => ({ uid: `pod-${at}`, jobUid: "job", ...attempt })),
    ...more,
  };
  return trueCauses(truth).get("job");
}

const exits = (exitCode: number, why?: string): Attempt => ({
  runs: [{ exitCode, ...(why !== undefined && { why }) }],
});
const stopped: Attempt = { reason: "deleted", runs: [{ exitCode: 143, why: "deleted" }] };
const by = (user: string, uid = "pod-0", code = 200) => ({ deletions: [{ by: user, uid, code }] });
const scenario = (name: string) => ({ scenario: name });

describe("the true cause of a Job", () => {
  it.each<[string, string | undefined, string | undefined]>([
    ["is its program, which ended by itself", causeOf([exits(1)]), "program"],
    ["is its program, by what it did itself", causeOf([exits(137, "exit"), exits(3, "its own end")]), "program"],
    ["is its program, by a sidecar", causeOf([{ runs: [{ exitCode: 0 }], others: [{ exitCode: 1 }] }]), "program"],
    ["is none where all went well", causeOf([exits(0)]), "none"],
    ["is a person who deleted a Pod", causeOf([stopped], by("admin")), "person"],
    ["is a person who deleted the Job", causeOf([stopped], by("admin", "job")), "person"],
    ["is no person whose request failed", causeOf([stopped], by("admin", "pod-0", 404)), "none"],
    ["is no kubelet, which completes deletions", causeOf([stopped], by("system:node:node-a")), "none"],
    ["is collateral of a controller", causeOf([stopped], by("system:serviceaccount:jobset")), "collateral"],
    ["is that of most attempts", causeOf([stopped, exits(1), exits(1)], by("admin")), "program"],
    ["is the first of as many", causeOf([stopped, exits(1)], by("admin")), "person"],
    [
      "is the deletion of a Job that did not finish",
      causeOf([exits(0)], by("admin", "job"), { deleted: true, reported: {} }),
      "person",
    ],
    ["is unknown while the Job has not ended", causeOf([exits(1)], {}, { reported: {} }), undefined],
    ["is what the scenario did", causeOf([exits(143, "its answer to SIGTERM")], scenario("deadlines")), "deadline"],
    [
      "is the scenario's for the Jobs that it names only",
      causeOf([exits(0)], scenario("preemption"), { name: "urgent" }),
      "none",
    ],
    ["is an OOM kill that was played", causeOf([exits(137)], scenario("mixed-2000")), "platform"],
    ["is its program, beside OOM kills that were played", causeOf([exits(1)], scenario("mixed-2000")), "program"],
    [
      "is the policy's, of the Job whose program failed",
      causeOf([exits(42)], scenario("jobset-rules"), { name: "import-reader-1" }),
      "final by policy",
    ],
    [
      "is collateral, of the Job of this name that was deleted before",
      causeOf([stopped], { ...scenario("jobset-rules"), ...by("system:x") }, { name: "import-reader-1" }),
      "collateral",
    ],
  ])("%s", (_, found, expected) => {
    expect(found).toBe(expected);
  });
});
