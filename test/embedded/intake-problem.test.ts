import { describe, expect, it } from "vitest";
import { IntakeProblem } from "../../src/embedded/intake-problem.ts";

describe("the intake of a watched cluster", () => {
  it("has no problem before its first facts", () => {
    expect(new IntakeProblem().problem).toBeUndefined();
  });

  it("has a problem while the database accepts nothing", () => {
    const intake = new IntakeProblem();
    intake.onDelivery({ kind: "unreachable" });
    expect(intake.problem).toMatch(/cannot be stored/);
    intake.onDelivery({ kind: "accepted" });
    expect(intake.problem).toBeUndefined();
  });

  it("has a problem until segments are projected again", () => {
    const intake = new IntakeProblem();
    intake.onUnfolded();
    intake.onDelivery({ kind: "accepted" });
    expect(intake.problem).toMatch(/cannot be projected/);
    intake.onDelivery({ kind: "accepted" });
    expect(intake.problem).toBeUndefined();
  });
});
