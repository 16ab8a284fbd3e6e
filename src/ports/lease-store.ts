/**
 * The lease (`coordination.k8s.io/v1`) that elects the sending exporter. Each operation is one request to the API
 * server.
 */
export interface LeaseStore {
  read(): Promise<StoredLease | undefined>;
  /** `conflict`: another exporter created it first. */
  create(lease: Lease): Promise<LeaseWriteOutcome>;
  /** Writes the lease if its resourceVersion is still `revision`. */
  replace(lease: Lease, revision: string): Promise<LeaseWriteOutcome>;
}

export interface Lease {
  /** The holder's identity; "" after a release. */
  readonly holder: string;
  readonly durationSeconds: number;
  /** When the holder last renewed the lease, by its own clock. For display: it is not compared with another clock. */
  readonly renewedAt: number;
  readonly acquiredAt: number;
  /** How often the holder changed. */
  readonly transitions: number;
  /** The position up to which the holder's segments were accepted; JSON text. */
  readonly position?: string;
}

export interface StoredLease extends Lease {
  readonly revision: string;
}

export type LeaseWriteOutcome =
  | { readonly outcome: "written"; readonly lease: StoredLease }
  | { readonly outcome: "conflict" };
