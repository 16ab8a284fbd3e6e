/** Events of delivery, for metrics and the journal. */
export type DeliveryEvent =
  | {
      readonly kind: "accepted";
      readonly segments: number;
      readonly facts: number;
      readonly bytes: number;
      /** How long the oldest of them waited after it was sealed; absent for segments from the spool. */
      readonly waitedMillis?: number;
    }
  /** A send failed; reported for each attempt. The outbox keeps the segments and retries. */
  | { readonly kind: "unreachable"; readonly reason: string; readonly attempt: number; readonly segments: number }
  /** The queue refused these facts permanently, so the tracker will never receive them. */
  | { readonly kind: "refused"; readonly reason: string; readonly facts: number }
  | { readonly kind: "spooled"; readonly segments: number; readonly bytes: number }
  /** Memory and spool are full. Reading pauses until there is room. */
  | { readonly kind: "stalled" }
  | { readonly kind: "resumed"; readonly stalledMillis: number }
  /**
   * `covered`: this replica has everything since the position of the last leader. Otherwise it captures again from
   * there.
   */
  | { readonly kind: "leading"; readonly covered: boolean }
  | { readonly kind: "standingBy"; readonly reason: string }
  /** The lease can be neither read nor written at the moment. */
  | { readonly kind: "leaseUnknown"; readonly reason: string };

export type ObserveDelivery = (event: DeliveryEvent) => void;
