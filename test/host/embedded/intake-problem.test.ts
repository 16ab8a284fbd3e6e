import { describe, expect, it } from "vitest";
import { IntakeProblem } from "../../../src/host/embedded/intake-problem.ts";

const ACCEPTED = { kind: "accepted", segments: 1, facts: 1, bytes: 1 } as const;
const UNREACHABLE = { kind: "unreachable", reason: "The disk is full.", attempt: 1, segments: 1 } as const;

function openIntake() {
  const reports: string[] = [];
  return { intake: new IntakeProblem((sentence) => reports.push(sentence)), reports };
}

describe("the intake of a watched cluster", () => {
  it("has no problem before its first facts", () => {
    expect(openIntake().intake.problem).toBeUndefined();
  });

  it("has a problem while the database accepts nothing", () => {
    const { intake, reports } = openIntake();
    intake.onDelivery(UNREACHABLE);
    expect(intake.problem).toMatch(/cannot be stored/);
    intake.onDelivery(ACCEPTED);
    expect(intake.problem).toBeUndefined();
    expect(reports).toEqual(["The disk is full."]);
  });

  it("has a problem until segments are projected again", () => {
    const { intake, reports } = openIntake();
    intake.onUnfolded([new Error("no state")]);
    intake.onDelivery(ACCEPTED);
    expect(intake.problem).toMatch(/cannot be projected/);
    intake.onDelivery(ACCEPTED);
    expect(intake.problem).toBeUndefined();
    expect(reports).toEqual([expect.stringContaining("no state")]);
  });
});
