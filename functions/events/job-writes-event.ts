import type { DynamoDBStreamEvent } from "aws-lambda";
import { ofRuns, recordBatch } from "../../src/count/record-batch.ts";
import type { ProjectionTables } from "../../src/ports/deployment/settings/function-settings.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";
import { toStreamedWrite } from "../../src/adapters/dynamodb/jobs/stream-write.ts";
import { readMetricsRecord } from "../../src/count/metrics/sums/metrics-record.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { ProjectionName } from "../../src/ports/projections.ts";
import { readLivePointer } from "../../src/projection/live-projection.ts";
import type { Clock } from "../../src/ports/runtime/clock.ts";

/**
 * Records of the stream of a table of Jobs or runs, as Lambda delivers them with a tumbling window: without one, the
 * event does not name its shard (Lambda Developer Guide, "Implementing stateful DynamoDB stream processing"). The last
 * event of a window has no records.
 */
export interface WindowedEvent extends DynamoDBStreamEvent {
  readonly shardId?: string;
  readonly eventSourceARN?: string;
}

/** Lambda repeats an event whose answer has no state. Nothing is kept in it. */
export interface WindowState {
  readonly state: Readonly<Record<string, never>>;
}

export interface JobWritesDependencies {
  readonly meta: MetaStore;
  readonly tables: Pick<ProjectionTables, "jobs" | "runs">;
  readonly clock: Pick<Clock, "now">;
  readonly count: CountMetric;
}

/** Records what writes of Jobs and runs change in counts and metrics. The schedule adds it to the sums. */
export async function onJobWrites(
  { meta, tables, clock, count }: JobWritesDependencies,
  { Records, shardId: shard, eventSourceARN }: WindowedEvent,
): Promise<WindowState> {
  const stream = eventSourceARN ?? Records[0]?.eventSourceARN ?? "";
  if (shard === undefined) throw new ShardUnknownError(stream);
  const writes = Records.flatMap(({ dynamodb }) => toStreamedWrite(dynamodb ?? {}) ?? []);
  if (writes.length === 0) return { state: {} };
  const { projection, isRun } = tableOf(stream, tables);
  const shown = (await readMetricsRecord(meta))?.value.of ?? (await readLivePointer(meta)).live;
  const metrics = { isShown: shown === projection };
  const delivered = { shard, writes };
  const { behindMillis } = await recordBatch(
    { meta, projection, metrics },
    isRun ? ofRuns(delivered) : delivered,
    clock.now(),
  );
  // The lag is reported here too, because writes also wait if the schedule fails.
  count("UncountedSeconds", Math.round(behindMillis / 1_000));
  return { state: {} };
}

/** The table whose stream has this ARN. */
function tableOf(
  stream: string,
  { jobs, runs }: JobWritesDependencies["tables"],
): { readonly projection: ProjectionName; readonly isRun: boolean } {
  const table = stream.split("/")[1];
  const isRun = table === runs.A || table === runs.B;
  return { projection: table === jobs.B || table === runs.B ? "B" : "A", isRun };
}

/** Without a shard, repeated writes could be counted twice. */
export class ShardUnknownError extends Error {
  override readonly name = "ShardUnknownError";

  constructor(stream: string) {
    super(
      `Cannot count the writes of stream "${stream}": the event does not name its shard. ` +
        "Set TumblingWindowInSeconds of its event source mapping, as the stack does.",
    );
  }
}
