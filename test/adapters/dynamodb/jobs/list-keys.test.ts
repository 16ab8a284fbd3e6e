import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCreated, encodeCreated } from "../../../../src/adapters/dynamodb/jobs/created-key.ts";
import {
  attentionPartitions,
  attentionPk,
  listPartitions,
  listPk,
  namePk,
  readNameKey,
  wideClassOf,
  widePartitions,
  widePk,
} from "../../../../src/adapters/dynamodb/jobs/list-partition.ts";
import { WIDE_CLASSES } from "../../../../src/ports/wide-lists.ts";
import { decodeJobUid } from "../../../../src/job/model/ids.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";

const east = clusterNamed("east");
const instant = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });
const uid = fc.stringMatching(/^[!-~]{1,40}$/).map((text) => decodeJobUid(text) ?? jobUid("a"));
const position = fc.record({ createdAt: instant, jobUid: uid });

describe("the sort key of a list", () => {
  it("decodes to its creation and uid", () => {
    fc.assert(
      fc.property(position, (at) => {
        expect(decodeCreated(encodeCreated(at))).toEqual(at);
      }),
    );
  });

  it("orders the newest Job first, and the smaller uid within an instant", () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        const isFirst = a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.jobUid < b.jobUid);
        expect(encodeCreated(a) < encodeCreated(b)).toBe(isFirst);
      }),
    );
  });

  it("limits instants outside the years 0 to 9999", () => {
    const beyond = decodeCreated(encodeCreated({ createdAt: 1e18, jobUid: jobUid("a") }));
    expect(beyond.createdAt).toBe(253_402_300_799_999);
  });
});

describe("the partitions of a list", () => {
  const partition = { cluster: east, namespace: "batch" };

  it("are the partitions of its Jobs", () => {
    fc.assert(
      fc.property(uid, (one) => {
        expect(listPartitions(partition)).toContain(listPk(partition, one));
        expect(attentionPartitions(east)).toContain(attentionPk(east, one));
      }),
    );
  });

  it("are evenly filled, also by sequential uids", () => {
    const counts = new Map<string, number>();
    for (let number = 0; number < 4_000; number += 1) {
      const pk = listPk(partition, jobUid(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`));
      counts.set(pk, (counts.get(pk) ?? 0) + 1);
    }
    expect(Math.min(...counts.values())).toBeGreaterThan(900);
    expect(counts.size).toBe(4);
  });

  it("contain the name of the Job, for any name", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (namespace, name) => {
        expect(readNameKey(namePk({ cluster: east, namespace, name }))).toEqual({ namespace, name });
      }),
    );
  });

  it("show the class of a Job of all clusters", () => {
    fc.assert(
      fc.property(fc.constantFrom(...WIDE_CLASSES), uid, (wideClass, one) => {
        const pk = widePk(wideClass, one);
        expect(widePartitions(wideClass)).toContain(pk);
        expect(wideClassOf(pk)).toBe(wideClass);
      }),
    );
    expect(wideClassOf("")).toBeUndefined();
  });
});
