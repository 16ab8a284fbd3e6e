import { describe, expect, it } from "vitest";
import { SubjectOutbox } from "../../../src/notify/outbox/subject-outbox.ts";
import type { NewDelivery } from "../../../src/ports/notices.ts";
import { noticeRecord } from "../../../src/ports/records/notices/notice-record.ts";

function delivery(key: string, said: Partial<NewDelivery> = {}): NewDelivery {
  return { key, receiver: "hook", subject: "s", nextAt: 0, group: "g", value: key, ...said };
}

function outboxWith(...deliveries: readonly NewDelivery[]): SubjectOutbox {
  const outbox = new SubjectOutbox("s", undefined);
  outbox.add(deliveries, 0);
  return outbox;
}

describe("the notices about a subject", () => {
  it("are unchanged until something is written", () => {
    const outbox = new SubjectOutbox("s", undefined);
    expect(outbox.notice).toBeUndefined();
    expect(outbox.next("hook", 0)).toEqual({ outcome: "none" });
    expect(outbox.isChanged).toBe(false);
    outbox.write({ version: 1, condition: "c", open: {} });
    expect(outbox.isChanged).toBe(true);
    expect(outbox.notice).toEqual({ version: 1, condition: "c", open: {} });
  });

  it("are stored as they are", () => {
    const outbox = outboxWith(delivery("a", { nextAt: 7 }), delivery("b", { receiver: "other" }));
    outbox.write({ version: 1, condition: "c", open: { r: { version: 1, matched: "m" } } });
    outbox.claim("a", 130, 10);
    outbox.settle("b", { outcome: "dead", problem: "no" }, 11);
    const stored = noticeRecord.decode({ key: "s", value: noticeRecord.encode(outbox.content) });
    expect(stored).toEqual(outbox.content);
    expect(stored.waiting).toMatchObject([{ key: "a", attempts: 1, firstTriedAt: 10, claimedUntil: 130 }]);
    expect(stored.dead).toEqual([{ key: "b", receiver: "other", at: 11, problem: "no" }]);
    expect(stored.tallies).toEqual({ other: { delivered: 0, dead: 1, suppressed: 0 } });
  });

  it("have each message once", () => {
    const outbox = outboxWith(delivery("a"), delivery("a", { value: "other" }));
    expect(outbox.content.waiting.map(({ value }) => value)).toEqual(["a"]);
  });

  it("are bounded for each receiver: its oldest message is given up", () => {
    const outbox = outboxWith(...Array.from({ length: 22 }, (_, n) => delivery(`m${n}`)));
    expect(outbox.content.waiting).toHaveLength(20);
    expect(outbox.content.dead.map(({ key }) => key)).toEqual(["m0", "m1"]);
    expect(outbox.content.tallies["hook"]?.dead).toBe(2);
    outbox.add(
      Array.from({ length: 20 }, (_, n) => delivery(`o${n}`, { receiver: "other" })),
      0,
    );
    expect(outbox.content.waiting).toHaveLength(40);
  });

  it("are bounded in size: the oldest messages are given up", () => {
    const receivers = Array.from({ length: 30 }, (_, n) => `r${n}`);
    const outbox = outboxWith(
      ...receivers.map((receiver) => delivery(receiver, { receiver, value: "x".repeat(9_000) })),
    );
    expect(outbox.content.waiting.length).toBeGreaterThan(20);
    expect(outbox.content.dead[0]?.key).toBe("r0");
    expect(noticeRecord.encode(outbox.content).length).toBeLessThan(300_000);
  });
});

describe("a claimed message", () => {
  it("is due again for others when its claim ends", () => {
    const outbox = outboxWith(delivery("a"));
    expect(outbox.next("hook", 0)).toMatchObject({ outcome: "due" });
    outbox.claim("a", 120, 0);
    expect(outbox.next("hook", 119)).toEqual({ outcome: "later", at: 120 });
    expect(outbox.next("hook", 120)).toMatchObject({ outcome: "due", delivery: { attempts: 1, firstTriedAt: 0 } });
  });

  it("was not tried if it is released", () => {
    const outbox = outboxWith(delivery("a"));
    outbox.claim("a", 120, 0);
    outbox.release("a", 50, 1);
    expect(outbox.next("hook", 49)).toEqual({ outcome: "later", at: 50 });
    expect(outbox.content.waiting[0]).not.toHaveProperty("firstTriedAt");
    outbox.claim("a", 200, 60);
    outbox.settle("a", { outcome: "failed", problem: "down", nextAt: 70 }, 61);
    outbox.claim("a", 300, 80);
    outbox.release("a", 90, 81);
    expect(outbox.content.waiting[0]).toMatchObject({ attempts: 1, firstTriedAt: 60, nextAt: 90, problem: "down" });
  });

  it("is settled once", () => {
    const outbox = outboxWith(delivery("a"));
    outbox.claim("a", 120, 0);
    outbox.settle("a", { outcome: "delivered" }, 5);
    outbox.settle("a", { outcome: "delivered" }, 6);
    expect(outbox.content.tallies).toEqual({ hook: { delivered: 1, dead: 0, suppressed: 0, lastDeliveredAt: 5 } });
    expect(outbox.wanted).toEqual(new Map());
  });
});

describe("a held message", () => {
  it("can be changed or removed until it is due or tried", () => {
    const outbox = outboxWith(delivery("a", { nextAt: 100 }), delivery("b", { nextAt: 100 }));
    expect(outbox.replaceHeld("a", "new", 99)).toBe(true);
    expect(outbox.content.waiting[0]?.value).toBe("new");
    expect(outbox.replaceHeld("a", "newer", 100)).toBe(false);
    expect(outbox.cancelHeld("b", 99)).toBe(true);
    expect(outbox.cancelHeld("b", 99)).toBe(false);
    outbox.claim("a", 200, 100);
    expect(outbox.cancelHeld("a", 100)).toBe(false);
  });

  it("wants its receiver when it is due; a suppressed one only counts", () => {
    const outbox = outboxWith(delivery("a", { nextAt: 100 }), delivery("b", { nextAt: 50 }));
    outbox.suppress(delivery("c"));
    expect(outbox.wanted).toEqual(new Map([["hook", 100]]));
    expect(outbox.content.tallies["hook"]?.suppressed).toBe(1);
  });
});
