/** Bytes that this build does not read. */
export interface Rejected {
  readonly outcome: "rejected";
  /** `newer`: a later release of Outlive wrote them, and reads them; `damaged`: nobody does. */
  readonly problem: "newer" | "damaged";
  /** A sentence for a person: what is wrong, and what to do. */
  readonly reason: string;
}

export function newer(reason: string): Rejected {
  return { outcome: "rejected", problem: "newer", reason };
}

export function damaged(reason: string): Rejected {
  return { outcome: "rejected", problem: "damaged", reason };
}
