import { describe, expect, it } from "vitest";
import { watchedStretches } from "../../../web/clusters/watched-stretches.ts";

const MINUTE = 60_000;
const NOON = Date.parse("2026-01-01T12:00:00Z");
const at = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString();
const axis = { from: NOON, to: NOON + 60 * MINUTE };

function cluster(heardAfter: number) {
  return { name: "prod", namespaces: [], kubeSystemUid: "u-1", observedAt: at(heardAfter) };
}

function gap(from: number, to: number | undefined, name = "prod") {
  return { cluster: name, from: at(from), ...(to !== undefined && { to: at(to) }), resources: [], reason: "410" };
}

function minutes(instant: number): number {
  return (instant - NOON) / MINUTE;
}

/** As text, in minutes after noon. */
function stretches(...given: Parameters<typeof watchedStretches>): readonly string[] {
  return watchedStretches(...given).map(({ kind, from, to }) => `${kind} ${minutes(from)}-${minutes(to)}`);
}

describe("the line of a cluster", () => {
  it("is broken at its gaps, and ends where it was last heard of", () => {
    const gaps = [gap(40, 50), gap(1, 11), gap(20, 30, "other")];
    expect(stretches(cluster(59), gaps, axis)).toEqual(["gap 1-11", "watched 11-40", "gap 40-50", "watched 50-59"]);
  });

  it("is silence from then on if the cluster does not report", () => {
    expect(stretches(cluster(50), [gap(1, 11)], axis)).toEqual(["gap 1-11", "watched 11-50", "silent 50-60"]);
    expect(stretches(cluster(50), [], axis)).toEqual(["silent 50-60"]);
  });

  it("is a gap to its end while the gap is open, although the cluster is silent", () => {
    expect(stretches(cluster(30), [gap(20, undefined)], axis)).toEqual(["gap 20-60"]);
  });

  it("joins overlapping gaps", () => {
    expect(stretches(cluster(60), [gap(1, 30), gap(10, 20)], axis)).toEqual(["gap 1-30", "gap 10-20", "watched 30-60"]);
  });

  it("does not exist before the first gap: since when the cluster was watched is not known", () => {
    expect(stretches(cluster(60), [gap(30, 40)], axis)).toEqual(["gap 30-40", "watched 40-60"]);
  });

  it("ends with the recording for a cluster that was imported", () => {
    const imported = { name: "prod", namespaces: [], observedAt: at(20) };
    expect(stretches(imported, [gap(1, 11)], axis)).toEqual(["gap 1-11", "watched 11-20"]);
  });
});
