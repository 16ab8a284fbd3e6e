import { createHash } from "node:crypto";

/**
 * A hash tree over texts, as in RFC 6962: leaves and inner nodes have different prefixes, and a node without a
 * neighbour rises a level unchanged.
 */

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export function leafHash(text: string): Buffer {
  return createHash("sha256").update(LEAF).update(text).digest();
}

/** The levels of a tree, from its leaves up to its root. */
export type MerkleTree = readonly (readonly Buffer[])[];

export function merkleTree(leaves: readonly Buffer[]): MerkleTree {
  const levels = [leaves];
  for (let level = leaves; level.length > 1;) {
    level = parentsOf(level);
    levels.push(level);
  }
  return levels;
}

function parentsOf(level: readonly Buffer[]): readonly Buffer[] {
  const parents: Buffer[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left, right] = level.slice(index, index + 2);
    if (left !== undefined) parents.push(right === undefined ? left : nodeHash(left, right));
  }
  return parents;
}

/** Of a tree without leaves, the hash of nothing. */
export function merkleRoot(tree: MerkleTree): Buffer {
  return tree.at(-1)?.[0] ?? createHash("sha256").digest();
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash("sha256").update(NODE).update(left).update(right).digest();
}
