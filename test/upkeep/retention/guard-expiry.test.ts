import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TableExpiry } from "../../../src/ports/expiry/table-expiry.ts";
import { guardExpiry, MOST_ARCHIVE_LAG_MS } from "../../../src/upkeep/retention/guard-expiry.ts";
import { LEAST_LOG_DAYS } from "../../../src/ports/deployment/retention.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Expiry = Awaited<ReturnType<TableExpiry["read"]>>;

/** A table whose expiry changes an hour after it was asked to. Refuses another change meanwhile. */
class SlowTable implements TableExpiry {
  readonly name = "log";
  now = 0;
  #current: Expiry = "off";
  #next: { readonly to: "on" | "off"; readonly at: number } | undefined;

  get deletes(): boolean {
    this.#settle();
    return this.#current === "on" || this.#next !== undefined;
  }

  async read(): Promise<Expiry> {
    this.#settle();
    return this.#next === undefined ? this.#current : "changing";
  }

  async set(to: "on" | "off"): Promise<"set" | "refused"> {
    this.#settle();
    if (this.#next !== undefined) return "refused";
    this.#next = { to, at: this.now + HOUR };
    return "set";
  }

  #settle(): void {
    if (this.#next === undefined || this.#next.at > this.now) return;
    this.#current = this.#next.to;
    this.#next = undefined;
  }
}

/** A table that changes at once, and counts changes. */
function table(current: Expiry, answer: "set" | "refused" = "set") {
  const asked: string[] = [];
  const expiry: TableExpiry = {
    name: "log",
    read: async () => current,
    set: async (wanted) => {
      asked.push(wanted);
      return answer;
    },
  };
  return { expiry, asked };
}

describe("the expiry of a table", () => {
  it.each([
    ["off", undefined, "off", []],
    ["on", undefined, "off", ["off"]],
    ["off", MOST_ARCHIVE_LAG_MS, "on", ["on"]],
    ["on", MOST_ARCHIVE_LAG_MS, "on", []],
    ["on", MOST_ARCHIVE_LAG_MS + 1, "off", ["off"]],
    ["changing", MOST_ARCHIVE_LAG_MS + 1, "changing", []],
    ["on", 0, "on", []],
    ["on", -1, "off", ["off"]],
    ["off", -HOUR, "off", []],
  ] as const)("that is %s becomes right where the archive lags %s ms: %s", async (current, lag, after, changes) => {
    const { expiry, asked } = table(current);
    const now = 100 * DAY;
    const verifiedUntil = lag === undefined ? undefined : now - lag;
    const { mayExpire, tables } = await guardExpiry([expiry], { now, verifiedUntil });
    expect(tables).toEqual([{ table: "log", expiry: after }]);
    expect(asked).toEqual(changes);
    expect(mayExpire).toBe(lag !== undefined && lag >= 0 && lag <= MOST_ARCHIVE_LAG_MS);
  });

  it.each([
    ["none", undefined],
    ["behind", 10 * DAY - MOST_ARCHIVE_LAG_MS - 1],
    ["current", 10 * DAY],
    ["ahead", 10 * DAY + 1],
  ] as const)("is decided by an archive that is %s", async (archive, verifiedUntil) => {
    expect(await guardExpiry([], { now: 10 * DAY, verifiedUntil })).toMatchObject({ archive });
  });

  it.each(["read", "set"] as const)("is switched off where the %s of an earlier table fails", async (operation) => {
    const cause = new Error("denied");
    const failing: TableExpiry = { ...table("on").expiry, name: "first", [operation]: () => Promise.reject(cause) };
    const { expiry, asked } = table("on");
    const { tables } = await guardExpiry([failing, expiry], { now: DAY, verifiedUntil: undefined });
    expect(asked).toEqual(["off"]);
    expect(tables).toEqual([
      { table: "first", expiry: "unknown", cause },
      { table: "log", expiry: "off" },
    ]);
  });

  it("is reported if DynamoDB refuses to change it", async () => {
    const { expiry } = table("on", "refused");
    const { tables } = await guardExpiry([expiry], { now: DAY, verifiedUntil: undefined });
    expect(tables).toEqual([{ table: "log", expiry: "refused" }]);
  });
});

describe("what the archive does not have", () => {
  it("is never deleted, whenever S3 refuses requests and for however long", async () => {
    const quarters = fc.array(
      fc.record({ refused: fc.integer({ min: 0, max: 30 * 96 }), works: fc.integer({ min: 1, max: 8 * 96 }) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(quarters, fc.constantFrom(1, LEAST_LOG_DAYS, 35), async (phases, days) => {
        const guarded = new SlowTable();
        let verifiedUntil: number | undefined;
        for (const isWorking of phases.flatMap(({ refused, works }) => [
          ...Array<boolean>(works).fill(true),
          ...Array<boolean>(refused).fill(false),
        ])) {
          guarded.now += HOUR / 4;
          // Items expire as soon as they may: those that arrived `days` ago.
          const expiredUntil = guarded.now - days * DAY;
          if (guarded.deletes) expect(expiredUntil).toBeLessThanOrEqual(verifiedUntil ?? -Infinity);
          if (isWorking) verifiedUntil = Math.floor(guarded.now / HOUR) * HOUR - HOUR;
          await guardExpiry([guarded], { now: guarded.now, verifiedUntil });
        }
      }),
      { numRuns: 50 },
    );
  }, 60_000);
});
