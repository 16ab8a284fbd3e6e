import { describe, expect, it } from "vitest";
import { deadlineOf } from "../../../../web/job/answer/deadline.ts";
import { second } from "../../../support/story/listed-job.ts";

const running = {
  spec: { activeDeadlineSeconds: 30, suspend: false },
  status: { startTime: second(10) },
  verdict: { final: false },
};

describe("the deadline of a Job", () => {
  it("counts from its start", () => {
    expect(Date.parse(deadlineOf(running) ?? "")).toBe(Date.parse(second(40)));
  });

  it.each([
    ["has none", { ...running, spec: { suspend: false } }],
    ["has not started", { ...running, status: {} }],
    ["is suspended", { ...running, spec: { activeDeadlineSeconds: 30, suspend: true } }],
    ["has ended", { ...running, verdict: { final: true } }],
  ])("is unknown for a Job that %s", (_, job) => {
    expect(deadlineOf(job)).toBeUndefined();
  });
});
