/** Bytes that this build cannot read. */
export interface Rejected {
  readonly outcome: "rejected";
  /** `newer`: a later release of Outlive wrote them and can read them. `damaged`: no release can. */
  readonly problem: "newer" | "damaged";
  /** What is wrong and what to do, as a sentence. */
  readonly reason: string;
}

export function newer(reason: string): Rejected {
  return { outcome: "rejected", problem: "newer", reason };
}

export function damaged(reason: string): Rejected {
  return { outcome: "rejected", problem: "damaged", reason };
}
