import type { JobFact } from "../../job/model/fact.ts";
import { isJobFact } from "../../job/model/fact.ts";
import type { JobUid } from "../../job/model/ids.ts";
import type { Log } from "../../ports/log.ts";
import type { JobView } from "../../projection/job-state/read-job.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";

/** The facts of one Job as the log holds them, segment by segment. A segment that is gone or cannot be read is passed over: what it said is in the record. */
export async function* loggedFacts(log: Log, view: JobView): AsyncGenerator<JobFact> {
  for await (const key of view.logKeys()) {
    const item = await log.read(key);
    const segment = item === undefined ? undefined : decodeSegment(item.bytes);
    if (segment?.outcome === "decoded") yield* factsOfJob(segment.segment.facts, view.job.uid);
  }
}

function factsOfJob(facts: readonly Parameters<typeof isJobFact>[0][], jobUid: JobUid): readonly JobFact[] {
  return facts.filter(isJobFact).filter((fact) => fact.jobUid === jobUid);
}
