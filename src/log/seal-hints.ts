import type { HintFact } from "../job/model/fact.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { sealSegment } from "../segment/seal-segment.ts";
import { Sealer } from "../segment/sealer.ts";
import { contentSession } from "./content-session.ts";
import { acceptedSealedAt } from "./send-facts.ts";
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
  const sealedAt = latestOf(facts);
  if (cluster === undefined || sealedAt === undefined) return undefined;
  return sealSegment({ cluster, session: contentSession(facts), sequence: 0, sealedAt, facts }).bytes;
}

/** Any number of hints as segments for the queue, named after their content: the same hints are the same segments. */
export function sealManyHints(
  facts: readonly HintFact[],
  { cluster, now }: { readonly cluster: ClusterName; readonly now: Instant },
): readonly Uint8Array[] {
  const latest = latestOf(facts);
  if (latest === undefined) return [];
  const sealedAt = acceptedSealedAt(latest, now);
  const sealer = new Sealer({ cluster, session: contentSession(facts), firstSequence: 0 });
  const sealed: Uint8Array[] = [];
  const seal = (): void => void sealed.push(...sealer.seal(sealedAt).map(({ bytes }) => bytes));
  for (const fact of facts) {
    if (sealer.add(fact).outcome !== "full") continue;
    seal();
    sealer.add(fact);
  }
  seal();
  return sealed;
}

function latestOf(facts: readonly HintFact[]): Instant | undefined {
  const [first] = facts;
  return first && facts.reduce((latest, { at }) => Math.max(latest, at), first.at);
}

function clusterOf(sender: Sender, named: string | undefined): ClusterName | undefined {
  switch (sender.kind) {
    case "registered":
      return sender.cluster;
    case "open":
    case "auditLogs":
      return decodeClusterName(named);
    case "unregistered":
      // The segment is set aside with the reason, like a segment of the cluster that it names.
      return decodeClusterName(named);
  }
}
