import * as v from "valibot";
import type { JobAnswer, Why } from "../../explain/answer-document.ts";
import { canonical } from "../../job/model/canonical.ts";
import type { Fact } from "../../job/model/fact.ts";

/**
 * The whole evidence of one Job: its facts, each with the segment that has it, and the manifests that vouch for these
 * segments. It is checked without the archive, and shows no fact of another Job.
 */
export interface EvidenceFile {
  readonly format: "outlive-evidence";
  readonly version: 1;
  readonly cluster: string;
  readonly uid: string;
  readonly exportedAt: string;
  /** The id of the archive, and the SHA-256 of its last manifest. */
  readonly archive: string;
  readonly head: string;
  /** Segments with facts about the Job that the archive did not have yet. */
  readonly notArchived: number;
  readonly files: readonly EvidenceOfFile[];
  /** The chain from the first hour with facts about the Job to the head. */
  readonly manifests: readonly EvidenceManifest[];
  /** What follows from the facts. */
  readonly answer: JobAnswer;
  readonly why: Why;
}

/** The facts of one segment file of the archive. */
export interface EvidenceOfFile {
  /** The key of the segment file, and of the manifest that has its hashes. */
  readonly key: string;
  readonly manifest: string;
  /** The number of facts in the file. */
  readonly size: number;
  readonly facts: readonly ProvenFact[];
  /** The hashes that prove that the file has the facts (merkle.ts), lower-case hex. */
  readonly proof: readonly string[];
}

export interface ProvenFact {
  /** The place of the fact in the file. */
  readonly index: number;
  /** SHA-256 of the segment, lower-case hex. */
  readonly segment: string;
  /** The hash of the fact as a leaf of the file's tree, lower-case hex. */
  readonly leaf: string;
  readonly fact: Fact;
}

export interface EvidenceManifest {
  readonly key: string;
  readonly text: string;
}

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "a SHA-256 has 64 hexadecimal digits"));

const evidenceSchema = v.looseObject({
  format: v.literal("outlive-evidence"),
  version: v.literal(1),
  cluster: v.string(),
  uid: v.string(),
  exportedAt: v.string(),
  archive: v.string(),
  head: sha256,
  notArchived: whole,
  files: v.array(
    v.looseObject({
      key: v.string(),
      manifest: v.string(),
      size: whole,
      facts: v.array(
        v.looseObject({ index: whole, segment: sha256, leaf: sha256, fact: v.looseObject({ kind: v.string() }) }),
      ),
      proof: v.array(sha256),
    }),
  ),
  manifests: v.array(v.looseObject({ key: v.string(), text: v.string() })),
  answer: v.looseObject({}),
  why: v.looseObject({}),
});

export type DecodedEvidence =
  | { readonly outcome: "decoded"; readonly evidence: EvidenceFile }
  | { readonly outcome: "rejected"; readonly reason: string };

export function encodeEvidence(evidence: EvidenceFile): string {
  return `${canonical(evidence)}\n`;
}

/** Decodes the form only: {@link EvidenceFile.files} and the answer are as the file has them, and must be verified. */
export function decodeEvidence(text: string): DecodedEvidence {
  const read = v.safeParse(evidenceSchema, parsed(text), { abortEarly: true });
  if (read.success) return { outcome: "decoded", evidence: read.output as unknown as EvidenceFile };
  const [issue] = read.issues;
  return { outcome: "rejected", reason: `${v.getDotPath(issue) ?? "The document"}: ${issue.message}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
