/** The one lease (`coordination.k8s.io/v1`) that says which of several exporters sends. Every operation is one request to the API server. */
export interface LeaseStore {
  read(): Promise<StoredLease | undefined>;
  /** `conflict`: somebody else created it first. */
  create(lease: Lease): Promise<LeaseWriteOutcome>;
  /** Writes it if nobody has since it had `revision` (its resourceVersion). */
  replace(lease: Lease, revision: string): Promise<LeaseWriteOutcome>;
}

export interface Lease {
  /** Who holds it; "" where it was given back. */
  readonly holder: string;
  readonly durationSeconds: number;
  /** When the holder last said so, by its own clock: for people. Nobody compares it with another clock. */
  readonly renewedAt: number;
  readonly acquiredAt: number;
  /** How often it changed hands. */
  readonly transitions: number;
  /** How far the holder's segments were accepted; JSON text. */
  readonly position?: string;
}

export interface StoredLease extends Lease {
  readonly revision: string;
}

export type LeaseWriteOutcome =
  | { readonly outcome: "written"; readonly lease: StoredLease }
  | { readonly outcome: "conflict" };
