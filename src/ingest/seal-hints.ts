import type { HintFact } from "../job/model/fact.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import { sealSegment } from "../segment/seal-segment.ts";
import { contentSession } from "./content-session.ts";
import type { Sender } from "./sender.ts";

/** What a message of another program than Outlive's exporter tells, and of which cluster it says it is. */
export interface ForeignMessage {
  readonly facts: readonly HintFact[];
  readonly clusterName?: string;
}

/**
 * Hints as a segment, named by what they say: the same message again, from whichever replica, is the same log item. `undefined` where nobody knows of which
 * cluster they are: neither is the sender registered for one, nor does the message name one.
 */
export function sealHints({ facts, clusterName }: ForeignMessage, sender: Sender): Uint8Array | undefined {
  const cluster = clusterOf(sender, clusterName);
  const [first] = facts;
  if (cluster === undefined || first === undefined) return undefined;
  const sealedAt = facts.reduce((latest, { at }) => Math.max(latest, at), first.at);
  return sealSegment({ cluster, session: contentSession(facts), sequence: 0, sealedAt, facts }).bytes;
}

function clusterOf(sender: Sender, told: string | undefined): ClusterName | undefined {
  switch (sender.kind) {
    case "registered":
      return sender.cluster;
    case "anyone":
      return decodeClusterName(told);
    case "stranger":
      // It is refused, and told why, as a segment of the cluster that it names.
      return decodeClusterName(told);
  }
}
