import { readFile } from "node:fs/promises";
import { decodeEvidence } from "../../src/archive/evidence/evidence-file.ts";
import { verifyEvidence } from "../../src/archive/evidence/verify-evidence.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { count } from "../../src/job/text/sentence.ts";
import { remark } from "../output/print-answer.ts";

/** Checks the evidence of a Job in a file, and fails with status 1 if a part of it was changed. */
export async function verifyEvidenceIn(file: string, head: string | undefined): Promise<void> {
  const decoded = decodeEvidence(await readFile(file, "utf8"));
  if (decoded.outcome === "rejected") {
    throw new CommandFailure(2, `${file} is no evidence of a Job. ${decoded.reason} Name an archive, or such a file.`);
  }
  const { evidence } = decoded;
  const { facts, problems } = await verifyEvidence(evidence, { ...(head !== undefined && { head }) });
  for (const { key, problem, reason } of problems) remark(`${key}: ${problem}. ${reason}`);
  if (problems.length > 0) {
    throw new CommandFailure(1, `${file} has ${count(problems.length, "problem")}. Export the evidence again.`);
  }
  const { namespace, name, uid, verdict } = evidence.answer;
  remark(
    `Verified ${count(facts, "fact")} about Job ${namespace}/${name} (uid ${uid}): no problems. ` +
      `It is ${verdict.state}. The head of the archive was ${evidence.head}.`,
  );
}
