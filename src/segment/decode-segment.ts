import { decodeClusterName } from "../job/model/ids.ts";
import { isList } from "./check.ts";
import { Damaged } from "./damaged.ts";
import { unwrap } from "./envelope.ts";
import { readVersioned } from "./fact-list.ts";
import { readFactList } from "./fact-list-v1.ts";
import type { Rejected } from "./rejected.ts";
import type { Segment } from "./segment.ts";
import { isSealedAt, isSequence, isSession } from "./segment-key.ts";

export type DecodedSegment =
  | {
      readonly outcome: "decoded";
      readonly segment: Segment;
      /** Of the canonical text, lower-case hex. */
      readonly sha256: string;
    }
  | Rejected;

/**
 * What sealSegment wrote. Total: damaged, cut, foreign, newer or hostile bytes are rejected with a reason; nothing is decoded in part.
 * Facts come in canonical order.
 */
export function decodeSegment(bytes: Uint8Array): DecodedSegment {
  const unwrapped = unwrap(bytes);
  if (unwrapped.outcome === "rejected") return unwrapped;
  const { text, sha256 } = unwrapped;
  return readVersioned(text, ([head, list], schemaVersion) => ({
    outcome: "decoded",
    segment: { schemaVersion, ...readHead(head), facts: readFactList(list) },
    sha256,
  }));
}

function readHead(head: unknown): Omit<Segment, "schemaVersion" | "facts"> {
  if (!isList(head)) throw new Damaged("The segment has no head.");
  const [clusterText, kubeSystemUid, sealedAt, session, sequence] = head;
  const cluster = decodeClusterName(clusterText);
  if (cluster === undefined) throw new Damaged("The segment does not say of which cluster it is.");
  if (!isSealedAt(sealedAt) || !isSession(session) || !isSequence(sequence) || typeof kubeSystemUid !== "string") {
    throw new Damaged("The segment's head is not one that can be sealed.");
  }
  return { cluster, sealedAt, session, sequence, ...(kubeSystemUid === "" ? {} : { kubeSystemUid }) };
}
