import { writeFile } from "node:fs/promises";
import { decodeEvidence, encodeEvidence, type EvidenceFile } from "../../src/archive/evidence/evidence-file.ts";
import { verifyEvidence } from "../../src/archive/evidence/verify-evidence.ts";
import { sha256Of } from "../../src/archive/layout/manifest.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { errorMessage } from "../../src/job/text/error-message.ts";
import { count } from "../../src/job/text/sentence.ts";
import { remark } from "../output/print-answer.ts";

/** Verifies the evidence that an API answered with, and writes it to a new file. */
export async function writeEvidence(answer: unknown, file: string): Promise<void> {
  const decoded = decodeEvidence(JSON.stringify(answer));
  if (decoded.outcome === "rejected") {
    throw new CommandFailure(2, `The API did not answer with evidence. ${decoded.reason} Update the server.`);
  }
  const { evidence } = decoded;
  const { facts, problems } = await verifyEvidence(evidence);
  const [first] = problems;
  if (first !== undefined) {
    throw new CommandFailure(
      1,
      `The evidence of the API is invalid: ${first.key}: ${first.reason} Nothing was written.`,
    );
  }
  const text = encodeEvidence(evidence);
  await create(file, text);
  remark(
    `Wrote ${count(facts, "fact")} and ${count(evidence.manifests.length, "manifest")} to ${file}. ` +
      `Its SHA-256 is ${sha256Of(Buffer.from(text))}. The head of the archive is ${evidence.head}.`,
  );
  remarkOnMissing(evidence);
}

function remarkOnMissing({ notArchived }: EvidenceFile): void {
  if (notArchived === 0) return;
  remark(
    `${count(notArchived, "segment")} with facts about the Job ${notArchived === 1 ? "is" : "are"} not archived yet. ` +
      "Export again after the end of the hour.",
  );
}

async function create(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o640 });
  } catch (cause) {
    throw new CommandFailure(2, `Cannot write ${file}: ${errorMessage(cause)}. Name a new file.`, { cause });
  }
}
