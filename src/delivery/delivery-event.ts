/** What happens on the way, for metrics and the journal. */
export type DeliveryEvent =
  | {
      readonly kind: "accepted";
      readonly segments: number;
      readonly facts: number;
      readonly bytes: number;
      /** How long the oldest of them waited since it was sealed; absent for what came from the spool. */
      readonly waitedMillis?: number;
    }
  /** Said once for each attempt; nothing is lost by it. */
  | { readonly kind: "unreachable"; readonly reason: string; readonly attempt: number; readonly segments: number }
  /** Facts that the tracker will not have. */
  | { readonly kind: "refused"; readonly reason: string; readonly facts: number }
  | { readonly kind: "spooled"; readonly segments: number; readonly bytes: number }
  /** Buffer and spool are full: reading stops until there is room. */
  | { readonly kind: "stalled" }
  | { readonly kind: "resumed"; readonly stalledMillis: number }
  /** `covered`: what this replica holds reaches back to where the one before it stopped; else it captures again from there. */
  | { readonly kind: "leading"; readonly covered: boolean }
  | { readonly kind: "standingBy"; readonly reason: string }
  /** The lease can be neither read nor written now. */
  | { readonly kind: "leaseUnknown"; readonly reason: string };

export type ObserveDelivery = (event: DeliveryEvent) => void;
