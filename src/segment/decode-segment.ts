import { decodeClusterName } from "../job/model/ids.ts";
import { isList, isText, isWhole } from "./check.ts";
import { Damaged } from "./damaged.ts";
import { unwrap } from "./envelope.ts";
import { readVersioned } from "./fact-list.ts";
import { readFactList } from "./fact-list-v1.ts";
import type { Rejected } from "./rejected.ts";
import type { ErasedFacts, Segment } from "./segment.ts";
import { isSealedAt, isSequence, isSession } from "./segment-key.ts";

export type DecodedSegment =
  | {
      readonly outcome: "decoded";
      readonly segment: Segment;
      /** SHA-256 of the canonical text as it was sealed, in lower-case hex. */
      readonly sha256: string;
      /** SHA-256 of the canonical text of what remains. Absent unless facts were erased. */
      readonly remainsSha256?: string;
    }
  | Rejected;

/**
 * Decodes a segment. Never throws: damaged, truncated, foreign or newer bytes are rejected with a reason.
 * The facts have canonical order.
 */
export function decodeSegment(bytes: Uint8Array): DecodedSegment {
  const unwrapped = unwrap(bytes);
  if (unwrapped.outcome === "rejected") return unwrapped;
  const { text, sha256 } = unwrapped;
  return readVersioned(text, ([head, list, mark], schemaVersion) => {
    const erased = mark === undefined ? undefined : readMark(mark);
    return {
      outcome: "decoded",
      segment: { schemaVersion, ...readHead(head), facts: readFactList(list), ...(erased && { erased }) },
      sha256: erased?.sha256 ?? sha256,
      ...(erased && { remainsSha256: sha256 }),
    };
  });
}

function readMark(mark: unknown): ErasedFacts {
  if (!isList(mark)) throw new Damaged("The mark of erased facts is not an array.");
  const [sha256, facts, ...by] = mark;
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256) || !isWhole(facts) || !by.every(isText)) {
    throw new Damaged("The mark of erased facts has an invalid field.");
  }
  // A mark without any erasure is rejected: ingest checks that it knows each erasure, and would believe an empty list.
  if (facts === 0 || by.length === 0) throw new Damaged("The mark of erased facts names no erasure.");
  return { sha256, facts, by };
}

function readHead(head: unknown): Omit<Segment, "schemaVersion" | "facts"> {
  if (!isList(head)) throw new Damaged("The segment has no head.");
  const [clusterText, kubeSystemUid, sealedAt, session, sequence] = head;
  const cluster = decodeClusterName(clusterText);
  if (cluster === undefined) throw new Damaged("The segment names no cluster.");
  if (!isSealedAt(sealedAt) || !isSession(session) || !isSequence(sequence) || typeof kubeSystemUid !== "string") {
    throw new Damaged("The segment's head has an invalid field.");
  }
  return { cluster, sealedAt, session, sequence, ...(kubeSystemUid === "" ? {} : { kubeSystemUid }) };
}
