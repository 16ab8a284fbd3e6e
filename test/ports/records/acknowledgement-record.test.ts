import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acknowledgementKey } from "../../../src/ports/meta-key.ts";
import {
  type Acknowledgement,
  acknowledgementRecord,
  soundAcknowledgement,
  withChecksum,
} from "../../../src/ports/records/acknowledgement-record.ts";

const ACKNOWLEDGED: Acknowledgement = {
  cluster: "east",
  namespace: "batch",
  id: "0".repeat(32),
  kind: "LimitReached",
  severity: "failed",
  group: { type: "series", kind: "CronJob", name: "report" },
  by: "token on-call",
  at: 1_700_000_000_000,
  until: 1_700_000_100_000,
  note: "Known.",
};
const KEY = acknowledgementKey("east", "batch", ACKNOWLEDGED.id);
const STORED = acknowledgementRecord.encode(withChecksum(ACKNOWLEDGED));

function soundIn(value: string, key = KEY) {
  return soundAcknowledgement({ key, value, version: 1 });
}

describe("a stored acknowledgement", () => {
  it("is read as it was written", () => {
    expect(soundIn(STORED)).toEqual(ACKNOWLEDGED);
  });

  it("has fields that a later release adds, which its checksum covers", () => {
    const later = { ...ACKNOWLEDGED, ticket: "INC-1" };
    expect(soundIn(acknowledgementRecord.encode(withChecksum(later)))).toEqual(later);
  });

  it("is of no use with any changed character", () => {
    fc.assert(
      fc.property(fc.nat(STORED.length - 1), fc.constantFrom("0", "x", "}", '"', ""), (at, other) => {
        const changed = STORED.slice(0, at) + other + STORED.slice(at + 1);
        expect(changed === STORED ? ACKNOWLEDGED : soundIn(changed)).toEqual(
          changed === STORED ? ACKNOWLEDGED : undefined,
        );
      }),
    );
  });

  it("is of no use under the key of another entry", () => {
    expect(soundIn(STORED, acknowledgementKey("east", "other", ACKNOWLEDGED.id))).toBeUndefined();
  });

  it("is stored like this", () => {
    expect(STORED).toBe(
      '{"at":1700000000000,"by":"token on-call","cluster":"east",' +
        '"group":{"kind":"CronJob","name":"report","type":"series"},"id":"00000000000000000000000000000000",' +
        '"kind":"LimitReached","namespace":"batch","note":"Known.","severity":"failed",' +
        '"sha256":"e42f3ff46ea6b528443933873ebe3b0d291343595d47ffe7c5c6aae312b0191a","until":1700000100000}',
    );
  });
});
