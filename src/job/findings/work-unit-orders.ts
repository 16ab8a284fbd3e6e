import type { Order } from "../model/order.ts";

/** Pieces that share a block of memory. */
const BLOCK = 1024;
/** A piece with more Pods than this is not told from one with exactly so many. */
const MANY = 0xffff;

interface Block {
  readonly counts: Uint16Array;
  readonly epochs: Float64Array;
  readonly resourceVersions: Float64Array;
}

/** How many Pods each piece of work had, and the order of the last of them: 18 bytes a piece, so that a Job of a million indexes is looked through. */
export class WorkUnitOrders {
  readonly #blocks = new Map<number, Block>();
  #hasRepeated = false;

  /** Some piece had more than one Pod. */
  get hasRepeated(): boolean {
    return this.#hasRepeated;
  }

  /** `order`: none where nobody saw the Pod's creation. */
  add(piece: number, order: Order | undefined): void {
    const block = this.#blockOf(piece);
    const at = piece % BLOCK;
    const known = block.counts[at] ?? 0;
    block.counts[at] = Math.min(known + 1, MANY);
    if (known > 0) this.#hasRepeated = true;
    if (order === undefined || compareLast(block, at, order) >= 0) return;
    block.epochs[at] = order.epoch;
    block.resourceVersions[at] = order.resourceVersion;
  }

  isRepeated(piece: number): boolean {
    return (this.#blocks.get(Math.floor(piece / BLOCK))?.counts[piece % BLOCK] ?? 0) > 1;
  }

  /** Whether a Pod for the piece stands after `order`. */
  hasAfter(piece: number, order: Order): boolean {
    const block = this.#blocks.get(Math.floor(piece / BLOCK));
    return block !== undefined && compareLast(block, piece % BLOCK, order) > 0;
  }

  #blockOf(piece: number): Block {
    const number = Math.floor(piece / BLOCK);
    const known = this.#blocks.get(number);
    if (known !== undefined) return known;
    const block: Block = {
      counts: new Uint16Array(BLOCK),
      epochs: new Float64Array(BLOCK),
      resourceVersions: new Float64Array(BLOCK),
    };
    this.#blocks.set(number, block);
    return block;
  }
}

function compareLast({ epochs, resourceVersions }: Block, at: number, { epoch, resourceVersion }: Order): number {
  return (epochs[at] ?? 0) - epoch || (resourceVersions[at] ?? 0) - resourceVersion;
}
