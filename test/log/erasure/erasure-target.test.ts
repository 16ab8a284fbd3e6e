import { describe, expect, it } from "vitest";
import { Erasure } from "../../../src/log/erasure/erasure.ts";
import { isErasureOf, knownOf, scopeOf } from "../../../src/log/erasure/erasure-target.ts";
import { newSalt, saltedHash, splitHashes } from "../../../src/log/erasure/salted-names.ts";
import { ofCluster, ofJob, ofNamespace } from "../../support/erasure/erasure-scene.ts";

const targets = [
  ofCluster,
  ofNamespace,
  ofJob,
  { ...ofJob, name: "other" },
  { ...ofJob, uid: "uid-1" },
  { ...ofJob, uid: "uid-2" },
];

describe("a stored erasure", () => {
  it("is the one of its own target only", () => {
    const of = targets.map((target) => {
      const salt = newSalt();
      const scope = scopeOf({ target, by: "alice", reason: "x", at: 1 }, { id: "erasure-1", salt });
      return targets.map((other) => isErasureOf(new Erasure(scope, knownOf(target, salt)), other));
    });
    expect(of).toEqual(targets.map((target) => targets.map((other) => other === target)));
  });

  it("knows the uid of its target as a salted hash", () => {
    const salt = newSalt();
    expect(knownOf({ ...ofJob, uid: "uid-1" }, salt)).toEqual([saltedHash(salt, "uid", "uid-1")]);
    expect(knownOf(ofJob, salt)).toEqual([]);
  });
});

describe("a salted hash", () => {
  it("depends on the salt, on the kind of thing and on where a name ends", () => {
    const hashes = [
      saltedHash("a".repeat(22), "job", "ab", "c"),
      saltedHash("a".repeat(22), "job", "a", "bc"),
      saltedHash("a".repeat(22), "pod", "ab", "c"),
      saltedHash("b".repeat(22), "job", "ab", "c"),
    ];
    expect(new Set(hashes).size).toBe(4);
    expect(splitHashes(hashes.join(""))).toEqual(hashes);
  });
});
