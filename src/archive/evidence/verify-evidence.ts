import { canonical } from "../../job/model/canonical.ts";
import { decodeJobUid } from "../../job/model/ids.ts";
import { decodeManifestKey, type ManifestName } from "../layout/archive-keys.ts";
import { nextName } from "../layout/chain.ts";
import { decodeManifest, type Manifest, sha256Of } from "../layout/manifest.ts";
import { rootOfProof } from "../layout/merkle.ts";
import { factLeaf } from "../layout/segment-file.ts";
import type { ArchiveProblem } from "../verify/verify-archive.ts";
import { answerFromFacts } from "./answer-from-facts.ts";
import type { EvidenceFile, EvidenceManifest, EvidenceOfFile } from "./evidence-file.ts";

export interface VerifiedEvidence {
  readonly facts: number;
  readonly problems: readonly ArchiveProblem[];
}

export interface VerifyEvidenceOptions {
  /** A head of the archive that was noted elsewhere: the chain of the file must contain it. */
  readonly head?: string;
}

/**
 * Checks the evidence of a Job without the archive: the chain of manifests, the proof of each fact, and that the answer
 * follows from the facts.
 */
export async function verifyEvidence(
  evidence: EvidenceFile,
  { head }: VerifyEvidenceOptions = {},
): Promise<VerifiedEvidence> {
  const check = new EvidenceCheck(evidence);
  check.chain(head);
  for (const file of evidence.files) check.file(file);
  // Facts that were changed may not even have the form of facts.
  if (check.problems.length === 0) await check.answer();
  return { facts: evidence.files.reduce((sum, { facts }) => sum + facts.length, 0), problems: check.problems };
}

interface CheckedLink {
  readonly name: ManifestName;
  readonly key: string;
  readonly sha256: string;
  readonly manifest: Manifest;
}

class EvidenceCheck {
  readonly problems: ArchiveProblem[] = [];
  readonly #evidence: EvidenceFile;
  readonly #links = new Map<string, CheckedLink>();

  constructor(evidence: EvidenceFile) {
    this.#evidence = evidence;
  }

  /** Each manifest has the hash of the one before it, and the last one is the head. */
  chain(noted: string | undefined): void {
    let before: CheckedLink | undefined;
    for (const stored of this.#evidence.manifests) {
      const link = this.#link(stored);
      if (link !== undefined && before !== undefined) this.#follows(before, link);
      before = link;
      if (link !== undefined) this.#links.set(link.key, link);
    }
    this.#endsWithHead(before);
    if (noted !== undefined && ![...this.#links.values()].some(({ sha256 }) => sha256 === noted)) {
      this.#found("manifests", "missing", `No manifest has the SHA-256 ${noted}.`);
    }
  }

  #endsWithHead(last: CheckedLink | undefined): void {
    const { head } = this.#evidence;
    if (last?.sha256 === head) return;
    this.#found(last?.key ?? "manifests", "changed", `It is not the head of the archive, ${head}.`);
  }

  file({ key, manifest, size, facts, proof }: EvidenceOfFile): void {
    const object = this.#links.get(manifest)?.manifest.objects.find((one) => one.key === key);
    if (object?.factsRoot === undefined) return this.#found(key, "invalid", `Manifest ${manifest} does not have it.`);
    if (object.cluster !== this.#evidence.cluster) {
      this.#found(key, "foreign", `Its facts are of cluster ${object.cluster}, not of ${this.#evidence.cluster}.`);
    }
    const leaves = new Map<number, Buffer>();
    for (const { index, segment, leaf, fact } of facts) {
      // The root would prove only one of two facts at the same place.
      if (leaves.has(index)) this.#found(`${key} fact ${index} (${fact.kind})`, "changed", "Its place has two facts.");
      leaves.set(index, Buffer.from(leaf, "hex"));
      if (factLeaf(segment, fact).toString("hex") === leaf) continue;
      this.#found(`${key} fact ${index} (${fact.kind})`, "changed", "Its hash is not the one of the archive.");
    }
    const root = rootOfProof({ size, leaves, proof: proof.map((hash) => Buffer.from(hash, "hex")) });
    if (root?.toString("hex") === object.factsRoot) return;
    this.#found(key, "changed", "Its facts do not give the factsRoot of its manifest: one was changed or removed.");
  }

  async answer(): Promise<void> {
    const { cluster, uid, files, answer, why } = this.#evidence;
    const jobUid = decodeJobUid(uid);
    if (jobUid === undefined) return this.#found("uid", "invalid", `${uid} is no uid.`);
    const facts = files.flatMap((file) => file.facts.map(({ fact }) => fact));
    const derived = await answerFromFacts({ cluster, jobUid, facts });
    const reason = "It does not follow from the facts. It was changed, or another release derived it.";
    if (canonical(derived.answer) !== canonical(answer)) this.#found("answer", "changed", reason);
    if (canonical(derived.why) !== canonical(why)) this.#found("why", "changed", reason);
  }

  #link({ key, text }: EvidenceManifest): CheckedLink | undefined {
    const bytes = Buffer.from(text, "utf8");
    const name = decodeManifestKey(key);
    const decoded = decodeManifest(bytes);
    if (name === undefined || decoded.outcome === "rejected") {
      this.#found(key, "invalid", decoded.outcome === "rejected" ? decoded.reason : "It is no key of a manifest.");
      return undefined;
    }
    if (decoded.document.archive !== this.#evidence.archive) {
      this.#found(key, "foreign", `It belongs to archive ${decoded.document.archive}.`);
    }
    return { name, key, sha256: sha256Of(bytes), manifest: decoded.document };
  }

  #follows(before: CheckedLink, { key, name, manifest }: CheckedLink): void {
    const due = nextName(before.name);
    if (due.hour !== name.hour || due.kind !== name.kind) {
      this.#found(key, "broken chain", `Manifests are missing after ${before.key}.`);
    } else if (manifest.previous !== before.sha256) {
      this.#found(before.key, "changed", `${key} follows SHA-256 ${manifest.previous}, but it has ${before.sha256}.`);
    }
  }

  #found(key: string, problem: ArchiveProblem["problem"], reason: string): void {
    this.problems.push({ key, problem, reason });
  }
}
