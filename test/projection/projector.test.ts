import { describe, expect, it } from "vitest";
import type { LivePointer } from "../../src/ports/records/live-record.ts";
import { ONLY_PROJECTOR, otherThan, type Projector, projectorOf, writtenBy } from "../../src/projection/projector.ts";

const kept = { projection: "A", project: "12", refold: "9" } as const;
const KEPT = projectorOf("live", ({ project }) => project === "12");
const DEPLOYED = projectorOf("live", ({ project }) => project === "13");
const TRIED = projectorOf("trial", () => false);

function written(pointer: LivePointer, projector: Projector): string {
  return writtenBy(pointer, projector)
    .map(({ projection, jobsOnly }) => `${projection}${jobsOnly ? " Jobs" : ""}`)
    .join(", ");
}

describe("a projector", () => {
  it.each<[situation: string, pointer: LivePointer, kept: string, deployed: string, tried: string]>([
    ["without a trial", { live: "A" }, "A", "A", ""],
    ["while a replay builds the other projection", { live: "A", building: "B" }, "A, B", "A, B", ""],
    ["in a trial that is being prepared", { live: "A", kept }, "A", "A", ""],
    ["in a trial", { live: "A", building: "B", kept }, "A", "A, B", "B Jobs"],
    ["in a trial whose projection answers", { live: "B", building: "A", kept }, "A", "B, A", "B Jobs"],
    ["after a trial with which the stage stays", { live: "B", kept }, "A", "B", "B Jobs"],
  ])("%s writes what its part is", (_, pointer, ...expected) => {
    expect([KEPT, DEPLOYED, TRIED].map((projector) => written(pointer, projector))).toEqual(expected);
  });

  it("that is alone is kept by no trial", () => {
    expect(written({ live: "A", building: "B", kept }, ONLY_PROJECTOR)).toBe("A, B");
    expect(
      written(
        { live: "A" },
        projectorOf(undefined, () => true),
      ),
    ).toBe("A");
  });

  it("never writes a projection that another release writes, as long as the alias has the kept version", () => {
    for (const live of ["A", "B"] as const) {
      const pointer = { live, building: otherThan(live), kept };
      const [old, tried] = [written(pointer, KEPT), written(pointer, TRIED)];
      expect([old, tried]).toEqual(["A", "B Jobs"]);
    }
  });
});
