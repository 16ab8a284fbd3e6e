import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { deriveRecord } from "../../src/explain/derived-job.ts";
import { responsibilityOfJob } from "../../src/explain/cause/job-responsibility.ts";
import { type ReadingTally, recordedFacts } from "../../src/host/embedded/recorded-facts.ts";
import { foldFacts } from "../../src/query/job/fold-facts.ts";
import type { Judged } from "./matrix.ts";
import { trueCauses, type TruthFile } from "./truth.ts";

/** Recordings, and the records of what truly happened in them. */
export interface Source {
  readonly recordings: string;
  readonly truths: string;
}

const root = join(import.meta.dirname, "../..");
const shared = ["recordings", "recordings-node", "recordings-lineage"]
  .map((name) => join(root, "../shared", name))
  .filter(existsSync)
  .map((folder) => ({ recordings: folder, truths: folder }));

/** The project's own copies of some recordings. Their truth has only the fields that are read here. */
export const EXAMPLES: Source = {
  recordings: join(root, "examples"),
  truths: join(import.meta.dirname, "examples"),
};

/** The recordings beside the checkout, otherwise its examples. */
export const SOURCES: readonly Source[] = shared.length > 0 ? shared : [EXAMPLES];

/** Judges each Job that has ended in a recording with truth. */
export async function judgeRecordings(sources: readonly Source[] = SOURCES): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const source of sources) {
    const files = readdirSync(source.truths).filter((file) => /\.truth\.json(\.gz)?$/.test(file));
    for (const file of files.toSorted()) judged.push(...(await judge(source, file)));
  }
  return judged;
}

async function judge({ recordings, truths: folder }: Source, truthFile: string): Promise<readonly Judged[]> {
  const recording = truthFile.replace(/\.truth\..*$/, "");
  const truths = trueCauses(JSON.parse(textOf(join(folder, truthFile))) as TruthFile);
  const names = [".ndjson", ".ndjson.gz", ".audit.ndjson", ".audit.ndjson.gz"].map((end) =>
    join(recordings, `${recording}${end}`),
  );
  const tally: ReadingTally = { events: 0, rejected: [], rejectedBeyond: 0 };
  const { jobs, clusterContext, latestAt } = await foldFacts(recordedFacts(names.filter(existsSync), tally));
  return [...jobs].flatMap((record) => {
    const truth = truths.get(record.job.uid);
    if (truth === undefined) return [];
    const answer = responsibilityOfJob(deriveRecord(record, { clusterContext, now: latestAt }));
    return [{ recording, job: record.job.created?.name ?? record.job.uid, truth, answer }];
  });
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
}
