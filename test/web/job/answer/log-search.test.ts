import { describe, expect, it } from "vitest";
import type { Attempt, ContainerRun } from "../../../../src/explain/answer-document.ts";
import { decisiveContainer, logCommand, logWindow } from "../../../../web/job/answer/log-search.ts";
import { attemptOf } from "../../../support/story/listed-attempt.ts";
import { second } from "../../../support/story/listed-job.ts";

const MINUTE = 60_000;

function run(name: string, exitCode: number, finishedAt: string): ContainerRun {
  return { name, exitCode, finishedAt, restartCount: 0 };
}

describe("the time of a Pod's logs", () => {
  const { finishedAt: _, deletedAt: _gone, ...open } = attemptOf(1, { createdAt: second(0) });

  it.each<[string, Attempt, number]>([
    ["the end of the Pod", { ...open, finishedAt: second(30), deletedAt: second(50) }, 30],
    ["its deletion, if it has no end", { ...open, deletedAt: second(50) }, 50],
    ["the last data from its cluster, if it still runs", open, 90],
  ])("ends a minute after %s", (_name, attempt, at) => {
    const from = Date.parse(second(0)) - MINUTE;
    expect(logWindow(attempt, second(90))).toEqual({ from, to: from + 2 * MINUTE + at * 1_000 });
  });
});

describe("the container that decided", () => {
  it("is the first that failed", () => {
    const containers = [run("main", 0, second(5)), run("later", 1, second(9)), run("first", 2, second(7))];
    expect(decisiveContainer(attemptOf(1, { containers }))).toBe("first");
  });

  it("is unknown if none failed", () => {
    expect(decisiveContainer(attemptOf(1, { containers: [run("main", 0, second(5))] }))).toBeUndefined();
  });
});

describe("the command for the logs of a Pod", () => {
  const failed = [run("main", 1, second(5))];

  it.each<[Partial<Attempt>, string | undefined]>([
    [{ outcome: "Failed", containers: failed }, "kubectl logs report-1 -n batch -c main --timestamps"],
    [{ outcome: "Active", containers: failed }, "kubectl logs report-1 -n batch -c main --previous --timestamps"],
    [{ outcome: "Active", containers: [] }, "kubectl logs report-1 -n batch --all-containers --timestamps"],
    [{ outcome: "Failed", containers: failed, deletedAt: second(9) }, undefined],
  ])("of %o is %s", (fields, command) => {
    const { deletedAt: _, ...kept } = attemptOf(1);
    expect(logCommand({ ...kept, ...fields }, "batch")).toBe(command);
  });

  it("quotes what a shell would read otherwise", () => {
    const { deletedAt: _, ...kept } = attemptOf(1, { name: "a;b", containers: [] });
    expect(logCommand(kept, "batch")).toContain("'a;b'");
  });
});
