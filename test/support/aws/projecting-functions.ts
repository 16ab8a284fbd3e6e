import { onStreamRecords } from "../../../functions/events/project-event.ts";
import { onRefoldMessages } from "../../../functions/events/refold-event.ts";
import { AwsRequestRefusedError, AwsThrottledError } from "../../../src/adapters/aws/aws-error.ts";
import type { EncodedJobState } from "../../../src/ports/job-row.ts";
import type { JobKey } from "../../../src/ports/jobs.ts";
import type { LogItem, LogKey } from "../../../src/ports/log.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { MemoryJobStore } from "../stores/memory-job-store.ts";
import { MemoryLog } from "../stores/memory-log.ts";
import { MemoryMetaStore } from "../stores/memory-meta-store.ts";
import { clusterNamed } from "../facts/names.ts";
import { queueEvent } from "./queue-event.ts";
import { Story } from "../story/story.ts";
import type { streamRecord } from "./stream-event.ts";
import { FunctionJournal } from "./function-journal.ts";

export const NOON = Date.UTC(2026, 10, 21, 12);
export const cluster = clusterNamed("east");

/** A projection that some Jobs cannot be written into. */
class PickyJobStore extends MemoryJobStore {
  readonly refused = new Map<string, () => Error>();
  /** So many writes meet another writer. */
  conflicts = 0;

  override async write(key: JobKey, state: EncodedJobState, expected: number) {
    const refusal = this.refused.get(key.jobUid) ?? this.refused.get("*");
    if (refusal !== undefined) throw refusal();
    if (this.conflicts > 0) {
      this.conflicts -= 1;
      return { outcome: "conflict" } as const;
    }
    return super.write(key, state, expected);
  }
}

/** The functions that project and refold, over stores in memory. */
export function projectingFunctions() {
  const jobs = new PickyJobStore();
  const told = new FunctionJournal();
  const sent: LogKey[] = [];
  const stores = {
    log: new MemoryLog(),
    meta: new MemoryMetaStore(),
    projections: { open: () => jobs, runs: () => new MemoryJobStore() },
    refoldQueue: { send: async (keys: readonly LogKey[]) => void sent.push(...keys) },
    count: told.count,
    logger: told.logger,
  };
  return {
    jobs,
    told,
    sent,
    stores,
    project: (records: readonly ReturnType<typeof streamRecord>[]) =>
      onStreamRecords(stores, { Records: [...records] }, told.context),
    refold: (bodies: readonly string[]) => {
      const messages = bodies.map((body, index) => ({ messageId: `${index}`, body }));
      return onRefoldMessages(stores, queueEvent(messages), told.context);
    },
    names: () => [...jobs.states.keys()].map((key) => key.slice("east|".length)).toSorted((a, b) => (a < b ? -1 : 1)),
  };
}

let sequence = 0;

/** One segment with the creation of each of these Jobs. */
export function segmentOf(...jobNames: readonly string[]): LogItem {
  const facts = jobNames.flatMap((name) => {
    const story = new Story(name);
    story.jobCreated();
    return story.facts;
  });
  sequence += 1;
  return sealSegment({ cluster, sealedAt: NOON, session: "0123456789abcdef", sequence, facts });
}

export const poison = () => new AwsRequestRefusedError("The item is too large.");
export const outage = () => new AwsThrottledError("The table is throttled.");
