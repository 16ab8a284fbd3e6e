import { describe, expect, it } from "vitest";
import type { DeliveryEvent } from "../../../src/kubernetes/delivery/delivery-event.ts";
import { logCapture, logDelivery } from "../../../src/host/exporter/exporter-journal.ts";
import type { CaptureEvent } from "../../../src/kubernetes/watch/capture-event.ts";
import { createJournal, type Journal } from "../../../src/ports/runtime/journal.ts";

/** The level and message of each logged line. */
function logged(log: (journal: Journal) => void): readonly (readonly [string, string])[] {
  const lines: string[] = [];
  log(
    createJournal(
      (line) => lines.push(line),
      () => 0,
    ),
  );
  return lines.map((line) => {
    const { level, message } = JSON.parse(line) as { readonly level: string; readonly message: string };
    return [level, message];
  });
}

describe("an event of the capture", () => {
  it.each<[CaptureEvent, string, RegExp]>([
    [{ kind: "listed", resource: "jobs", objects: 1, millis: 2, how: "paged" }, "info", /^Listed\.$/],
    [{ kind: "watching", resource: "jobs", resumed: true }, "info", /^Watching\.$/],
    [{ kind: "relisting", resource: "jobs", cause: "expired" }, "warn", /listed again/],
    [{ kind: "gap", resource: "jobs", millis: 5, reason: "It expired." }, "warn", /gap was recorded/],
    [{ kind: "problem", resource: "pods", message: "Grant pods.", retryInMillis: 1 }, "warn", /^Grant pods\.$/],
    [{ kind: "rejected", resource: "pods", object: "a", reason: "No uid." }, "warn", /is skipped/],
  ])("is logged: %j as %s", (event, level, message) => {
    expect(logged((journal) => logCapture(journal, event))).toEqual([[level, expect.stringMatching(message)]]);
  });

  it.each<[CaptureEvent]>([
    [{ kind: "heard", resource: "jobs", events: 1, bytes: 1 }],
    [{ kind: "stalled", resource: "jobs", millis: 30_000 }],
  ])("is not logged where it happens all the time: %j", (event) => {
    expect(logged((journal) => logCapture(journal, event))).toEqual([]);
  });
});

describe("an event of delivery", () => {
  it.each<[DeliveryEvent, string, RegExp]>([
    [{ kind: "refused", reason: "Too large.", facts: 1 }, "error", /^Too large\.$/],
    [{ kind: "spooled", segments: 1, bytes: 1 }, "warn", /wait on disk/],
    [{ kind: "stalled" }, "warn", /Reading pauses/],
    [{ kind: "resumed", stalledMillis: 1 }, "info", /Reading continues/],
    [{ kind: "leading", covered: true }, "info", /leads and sends/],
    [{ kind: "standingBy", reason: "b holds the lease." }, "warn", /stops sending: b holds the lease\.$/],
    [{ kind: "leaseUnknown", reason: "Access denied." }, "warn", /^Access denied\.$/],
  ])("is logged: %j as %s", (event, level, message) => {
    expect(logged((journal) => logDelivery(journal, event))).toEqual([[level, expect.stringMatching(message)]]);
  });

  it("is not logged for accepted segments", () => {
    const event: DeliveryEvent = { kind: "accepted", segments: 1, facts: 1, bytes: 1 };
    expect(logged((journal) => logDelivery(journal, event))).toEqual([]);
  });

  it("is logged for the first of ten attempts while the queue is unavailable", () => {
    const attempts = Array.from({ length: 21 }, (_, index) => index + 1);
    const lines = attempts.filter(
      (attempt) =>
        logged((journal) => logDelivery(journal, { kind: "unreachable", reason: "Away.", attempt, segments: 1 }))
          .length > 0,
    );
    expect(lines).toEqual([1, 11, 21]);
  });
});
