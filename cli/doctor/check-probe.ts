import { type Probe, sealProbe } from "../../src/ingest/probe.ts";
import { setAsideKey } from "../../src/ingest/set-aside.ts";
import { setAsideRecord } from "../../src/ports/records/set-aside-record.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { SegmentQueue } from "../../src/ports/segment-queue.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import { readJob } from "../../src/projection/job-state/read-job.ts";
import { type ApiClient, jobPath, tryGetJson } from "../../src/client/api-client.ts";
import { humanDuration } from "../../src/text/human-duration.ts";
import { type Check, checkThat, failed, type Finding, ok, warning } from "./check.ts";

export interface ProbePorts {
  readonly queue: SegmentQueue;
  readonly log: Log;
  readonly meta: MetaStore;
  readonly projections: Projections;
  /** Absent where nobody can ask it from here; then `unasked` says why. */
  readonly api?: ApiClient;
  readonly unasked?: string;
  readonly now: () => number;
  /** Waits before it is looked again. */
  readonly pause: () => Promise<void>;
  readonly timeoutMillis: number;
}

/** Sends a probe and follows it: queue, log, projection, API. Where it is lost, the rest is not looked at. */
export async function* checkProbe(ports: ProbePorts): AsyncGenerator<Check> {
  const sentAt = ports.now();
  const probe = sealProbe(sentAt);
  const steps: readonly (readonly [string, () => Promise<Finding>])[] = [
    ["queue", () => send(ports, probe)],
    ["ingest", () => awaitLog(ports, probe, sentAt)],
    ["projection", () => awaitJob(ports, probe, sentAt)],
    ["answer", () => askFor(ports, probe)],
  ];
  for (const [check, follow] of steps) {
    const followed = await checkThat(check, follow);
    yield followed;
    if (followed.result === "failed") return;
  }
}

async function send({ queue }: ProbePorts, { sealed, job }: Probe): Promise<Finding> {
  const [sent] = await queue.send([{ cluster: job.cluster, bytes: sealed.bytes }]);
  if (sent?.outcome === "accepted") return ok("It took the probe.");
  return failed(sent?.reason ?? "It did not say what became of the probe.");
}

async function awaitLog(ports: ProbePorts, { sealed }: Probe, sentAt: number): Promise<Finding> {
  const { log, meta } = ports;
  const found = await until(ports, async () => {
    if ((await log.read(sealed.key)) !== undefined) return { inLog: true } as const;
    const reason = await setAsideReason(meta, sealed.bytes);
    return reason === undefined ? undefined : ({ inLog: false, reason } as const);
  });
  if (found === undefined) return failed(`${lost(ports, "in the log")} ${INGEST_SILENT}`);
  if (!found.inLog) return failed(`The probe was set aside: ${found.reason}`);
  return ok(`The probe was in the log ${after(ports, sentAt)} later.`);
}

/** Who sent the probe is known to the queue alone: it is looked for under its own hash, whoever that is. */
async function setAsideReason(meta: MetaStore, bytes: Uint8Array): Promise<string | undefined> {
  const { records } = await meta.list("setAside", { prefix: setAsideKey(bytes, undefined), limit: 1 });
  return records[0] && setAsideRecord.decode(records[0]).reason;
}

async function awaitJob(ports: ProbePorts, { job, resourceVersion }: Probe, sentAt: number): Promise<Finding> {
  const found = await until(ports, async () => {
    const view = await readJob(await liveJobs(ports.projections, ports.meta), job);
    return (view?.job.reported?.resourceVersion ?? 0) >= resourceVersion ? view : undefined;
  });
  if (found === undefined) return failed(`${lost(ports, "in the projection")} ${STREAM_STILL}`);
  return ok(`The probe was in the projection ${after(ports, sentAt)} after it was sent.`);
}

async function askFor({ api, unasked }: ProbePorts, { job, resourceVersion }: Probe): Promise<Finding> {
  if (api === undefined) return { result: "skipped", detail: unasked ?? "Nobody was asked." };
  const reply = await tryGetJson<JobAnswer>(api, jobPath(job), { uid: job.jobUid });
  if (reply.outcome === "refused") return refusedBy(api, reply.problem);
  const answered = Number(reply.answer.reported?.resourceVersion ?? 0);
  if (answered >= resourceVersion) return ok(`${api.name} answers with the probe.`);
  return failed(
    `${api.name} answers with an older probe than the projection has: it reads other tables. Deploy the stack again.`,
  );
}

function refusedBy(api: ApiClient, { status, detail }: { readonly status: number; readonly detail: string }): Finding {
  if (status === 404) {
    return warning(
      `${api.name} answers, and does not let this reader see the probe: grant outlive-doctor/* to check further.`,
    );
  }
  return failed(`${api.name} refuses the question: ${detail}`);
}

/** Looks until it finds something or the time is over. */
async function until<Found>(
  { now, pause, timeoutMillis }: ProbePorts,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const deadline = now() + timeoutMillis;
  for (;;) {
    const found = await look();
    if (found !== undefined || now() >= deadline) return found;
    await pause();
  }
}

function after({ now }: ProbePorts, sentAt: number): string {
  const millis = now() - sentAt;
  return millis < 10_000 ? `${millis} ms` : humanDuration(millis);
}

function lost({ timeoutMillis }: ProbePorts, where: string): string {
  return `The probe was not ${where} within ${humanDuration(timeoutMillis)}.`;
}

const INGEST_SILENT =
  "The queue's function does not take messages, fails, or is far behind: see its log, and its trigger (aws lambda list-event-source-mappings).";
const STREAM_STILL =
  "The log's stream does not move, or its function fails: see the log of the project function, and its trigger (aws lambda list-event-source-mappings). If it stood still for more than 24 hours, run a replay.";
