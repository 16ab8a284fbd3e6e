import { assert, constant, integer, nat, property, tuple, uniqueArray } from "fast-check";
import { describe, expect, it } from "vitest";
import { leafHash, merkleRoot, merkleTree, proofOf, rootOfProof } from "../../../src/archive/layout/merkle.ts";

describe("a hash tree", () => {
  it("has the root of RFC 6962 for three leaves", () => {
    const leaves = ["", "\u0000", "\u0010"].map(leafHash);
    // The test vector of certificate-transparency-go for three entries.
    expect(merkleRoot(merkleTree(leaves)).toString("hex")).toBe(
      "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    );
  });

  it("has the hash of nothing as its root if it has no leaves", () => {
    const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    expect(merkleRoot(merkleTree([])).toString("hex")).toBe(empty);
  });

  it.each([1, 2, 5, 8, 9])("of %i leaves has another root if a leaf changes, or two change places", (size) => {
    const leaves = Array.from({ length: size }, (_, index) => leafHash(`leaf ${index}`));
    const roots = leaves.map((_, index) => rootOf(leaves.with(index, leafHash("forged"))));
    const swapped = leaves.slice(1).map((leaf, index) => {
      const first = leaves[index] ?? leaf;
      return rootOf(leaves.with(index, leaf).with(index + 1, first));
    });
    expect(new Set([rootOf(leaves), ...roots, ...swapped]).size).toBe(2 * size);
  });

  it("does not take a node for a leaf", () => {
    const [left, right] = [leafHash("a"), leafHash("b")];
    expect(rootOf([leafHash(Buffer.concat([left, right]).toString("latin1"))])).not.toBe(rootOf([left, right]));
  });
});

function rootOf(leaves: readonly Buffer[]): string {
  return merkleRoot(merkleTree(leaves)).toString("hex");
}

const leavesOf = (size: number): readonly Buffer[] => Array.from({ length: size }, (_, n) => leafHash(`${n}`));

function proven(size: number, indexes: readonly number[]) {
  const leaves = leavesOf(size);
  const tree = merkleTree(leaves);
  const known = new Map(indexes.map((index) => [index, leaves[index] ?? Buffer.of()]));
  return { root: merkleRoot(tree), proof: { size, leaves: known, proof: proofOf(tree, indexes) } };
}

describe("a proof of some leaves", () => {
  const arbitrary = integer({ min: 1, max: 40 }).chain((size) =>
    tuple(constant(size), uniqueArray(nat(size - 1), { minLength: 1 })),
  );

  it("gives the root of the whole tree", () => {
    assert(
      property(arbitrary, ([size, indexes]) => {
        const { root, proof } = proven(size, indexes);
        expect(rootOfProof(proof)).toEqual(root);
      }),
    );
  });

  it("gives another root, or none, if a leaf is changed, moved or left out", () => {
    assert(
      property(arbitrary, ([size, indexes]) => {
        const { root, proof } = proven(size, indexes);
        const [first = 0] = indexes;
        const changed = new Map(proof.leaves).set(first, leafHash("other"));
        expect(rootOfProof({ ...proof, leaves: changed })).not.toEqual(root);
        const without = new Map(proof.leaves);
        without.delete(first);
        expect(rootOfProof({ ...proof, leaves: without })).not.toEqual(root);
        expect(rootOfProof({ ...proof, proof: [...proof.proof, leafHash("more")] })).toBeUndefined();
      }),
    );
  });

  it("gives no root if a leaf is outside of the tree", () => {
    assert(
      property(arbitrary, nat(40), ([size, indexes], beyond) => {
        const { proof } = proven(size, indexes);
        const leaves = new Map(proof.leaves).set(size + beyond, leafHash("forged"));
        expect(rootOfProof({ ...proof, leaves })).toBeUndefined();
      }),
    );
  });
});
