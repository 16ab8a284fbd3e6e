import { describe, expect, it } from "vitest";
import { canonical } from "../../../src/job/model/canonical.ts";
import { clusterRecord } from "../../../src/ports/records/cluster-record.ts";
import {
  InvalidRecordError,
  listDecoded,
  readRecord,
  writeRecord,
  DecodedTexts,
} from "../../../src/ports/records/record-codec.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { STORED_RECORDS } from "./stored-records.ts";

describe.each(Object.entries(STORED_RECORDS))("a stored %s", (_, { codec, stored, invalid }) => {
  it.each(stored)("is readable: %s", (value) => {
    expect(codec.decode({ key: "k", value })).toEqual(JSON.parse(value));
  });

  it.each(stored)("is unchanged after it is decoded and encoded: %s", (value) => {
    expect(codec.encode(codec.decode({ key: "k", value }))).toBe(canonical(JSON.parse(value)));
  });

  it.each(invalid)("is rejected with its kind, key and field: %s", (value, field) => {
    const decode = () => codec.decode({ key: "east#k", value });
    expect(decode).toThrow(InvalidRecordError);
    expect(decode).toThrow(`Invalid record ${codec.kind} "east#k": ${field}`);
  });

  it("is rejected if it is not JSON", () => {
    expect(() => codec.decode({ key: "k", value: "{" })).toThrow(/: it is not JSON/);
  });
});

describe("a record of a later release", () => {
  it("keeps the fields that this release does not know", () => {
    const value = '{"kubeSystemUid":"uid-1","region":"eu"}';
    expect(clusterRecord.encode(clusterRecord.decode({ key: "k", value }))).toBe(value);
  });
});

describe("records in a store", () => {
  it("are read with their version, and written if it is unchanged", async () => {
    const meta = new MemoryMetaStore();
    expect(await readRecord(meta, clusterRecord, "AIDA1")).toBeUndefined();
    const write = { key: "AIDA1", value: { kubeSystemUid: "uid-1" }, expected: 0 };
    expect(await writeRecord(meta, clusterRecord, write)).toEqual({ outcome: "written", version: 1 });
    expect(await writeRecord(meta, clusterRecord, write)).toEqual({ outcome: "conflict" });
    expect(await readRecord(meta, clusterRecord, "AIDA1")).toEqual({ value: { kubeSystemUid: "uid-1" }, version: 1 });
  });

  it("are listed in the order of their keys", async () => {
    const meta = new MemoryMetaStore();
    for (const key of ["AIDA2", "AROA1", "AIDA1"]) {
      await writeRecord(meta, clusterRecord, { key, value: { kubeSystemUid: key.toLowerCase() }, expected: 0 });
    }
    const keys: string[] = [];
    for await (const { key } of listDecoded(meta, clusterRecord, "AIDA")) keys.push(key);
    expect(keys).toEqual(["AIDA1", "AIDA2"]);
  });
});

/** Decodes JSON and counts how often. */
function counting(texts: DecodedTexts<unknown>) {
  const decoded: string[] = [];
  const read = (text: string): unknown =>
    texts.of(text, () => {
      decoded.push(text);
      return JSON.parse(text);
    });
  return { decoded, read };
}

describe("decoded texts", () => {
  it("decode equal texts once", () => {
    const { decoded, read } = counting(new DecodedTexts(100));
    expect([read("[1]"), read("[2]"), read("[1]")]).toEqual([[1], [2], [1]]);
    expect(decoded).toEqual(["[1]", "[2]"]);
  });

  it("forget the oldest texts when the new ones do not fit", () => {
    const { decoded, read } = counting(new DecodedTexts(6));
    for (const text of ["[1]", "[2]", "[3]", "[2]", "[1]"]) read(text);
    expect(decoded).toEqual(["[1]", "[2]", "[3]", "[1]"]);
  });

  it("do not remember a text that is longer than all of them may be", () => {
    const { decoded, read } = counting(new DecodedTexts(4));
    for (const text of ["[1]", "[1,2]", "[1,2]", "[1]"]) read(text);
    expect(decoded).toEqual(["[1]", "[1,2]", "[1,2]"]);
  });

  it("remember nothing of a text that cannot be decoded", () => {
    const { decoded, read } = counting(new DecodedTexts(100));
    expect(() => read("[")).toThrow(SyntaxError);
    expect(() => read("[")).toThrow(SyntaxError);
    expect(decoded).toEqual(["[", "["]);
  });
});
