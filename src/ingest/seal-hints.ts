import type { HintFact } from "../job/model/fact.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import { sealSegment } from "../segment/seal-segment.ts";
import { contentSession } from "./content-session.ts";
import type { Sender } from "./sender.ts";

/** A message of another program than Outlive's exporter: its hints, and the cluster that it names. */
export interface ForeignMessage {
  readonly facts: readonly HintFact[];
  readonly clusterName?: string;
}

/**
 * Hints as a segment named after its content: the same message from several replicas is one log item. `undefined` where
 * the cluster is unknown: the sender is not registered for one, and the message names none.
 */
export function sealHints({ facts, clusterName }: ForeignMessage, sender: Sender): Uint8Array | undefined {
  const cluster = clusterOf(sender, clusterName);
  const [first] = facts;
  if (cluster === undefined || first === undefined) return undefined;
  const sealedAt = facts.reduce((latest, { at }) => Math.max(latest, at), first.at);
  return sealSegment({ cluster, session: contentSession(facts), sequence: 0, sealedAt, facts }).bytes;
}

function clusterOf(sender: Sender, named: string | undefined): ClusterName | undefined {
  switch (sender.kind) {
    case "registered":
      return sender.cluster;
    case "open":
      return decodeClusterName(named);
    case "unregistered":
      // The segment is set aside with the reason, like a segment of the cluster that it names.
      return decodeClusterName(named);
  }
}
