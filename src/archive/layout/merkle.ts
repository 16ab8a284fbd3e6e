import { hash } from "node:crypto";

/**
 * A hash tree over texts, as in RFC 6962: leaves and inner nodes have different prefixes, and a node without a
 * neighbour rises a level unchanged.
 */

const LEAF = "\0";
const NODE = Buffer.of(1);

export function leafHash(text: string): Buffer {
  return hash("sha256", `${LEAF}${text}`, "buffer");
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

/** The hash of the whole tree. A tree without leaves has the hash of the empty text. */
export function merkleRoot(tree: MerkleTree): Buffer {
  return tree.at(-1)?.[0] ?? hash("sha256", "", "buffer");
}

/** The hashes that, together with the leaves at `indexes`, give the root: level by level, from left to right. */
export function proofOf(tree: MerkleTree, indexes: Iterable<number>): readonly Buffer[] {
  const proof: Buffer[] = [];
  let known = new Set(indexes);
  for (const level of tree.slice(0, -1)) {
    for (const index of inOrder(known)) {
      const sibling = level[siblingOf(index)];
      if (sibling !== undefined && !known.has(siblingOf(index))) proof.push(sibling);
    }
    known = new Set([...known].map(parentOf));
  }
  return proof;
}

export interface MerkleProof {
  /** The number of leaves of the whole tree. */
  readonly size: number;
  /** Leaves by their index. */
  readonly leaves: ReadonlyMap<number, Buffer>;
  readonly proof: readonly Buffer[];
}

/** The root that follows from some leaves and their proof; `undefined` if they do not fit together. */
export function rootOfProof({ size, leaves, proof }: MerkleProof): Buffer | undefined {
  // Leaves outside of the tree would be accepted without proof.
  if ([...leaves.keys()].some((index) => index >= size)) return undefined;
  const left = proof.toReversed();
  let known: ReadonlyMap<number, Buffer> | undefined = leaves;
  for (let length = size; length > 1 && known !== undefined; length = Math.ceil(length / 2)) {
    known = provenParents(known, length, left);
  }
  return left.length === 0 ? known?.get(0) : undefined;
}

/** Takes the hashes of unknown siblings from the end of `left`. */
function provenParents(
  known: ReadonlyMap<number, Buffer>,
  length: number,
  left: Buffer[],
): ReadonlyMap<number, Buffer> | undefined {
  const parents = new Map<number, Buffer>();
  for (const index of inOrder(known.keys())) {
    const own = known.get(index);
    if (own === undefined) return undefined;
    if (parents.has(parentOf(index))) continue;
    if (siblingOf(index) >= length) {
      parents.set(parentOf(index), own);
      continue;
    }
    const sibling = known.get(siblingOf(index)) ?? left.pop();
    if (sibling === undefined) return undefined;
    parents.set(parentOf(index), pairHash(index, own, sibling));
  }
  return parents;
}

function inOrder(indexes: Iterable<number>): readonly number[] {
  return [...indexes].sort((a, b) => a - b);
}

function siblingOf(index: number): number {
  return index % 2 === 0 ? index + 1 : index - 1;
}

function parentOf(index: number): number {
  return Math.floor(index / 2);
}

function pairHash(index: number, own: Buffer, sibling: Buffer): Buffer {
  return index % 2 === 0 ? nodeHash(own, sibling) : nodeHash(sibling, own);
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return hash("sha256", Buffer.concat([NODE, left, right]), "buffer");
}
