import { type Probe, sealProbe } from "../../src/log/probe.ts";
import { setAsideKey } from "../../src/log/set-aside.ts";
import { setAsideRecord } from "../../src/ports/records/set-aside-record.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { Projections } from "../../src/ports/projections.ts";
import type { SegmentQueue } from "../../src/ports/segment-queue.ts";
import { isLogged } from "../../src/log/read-log.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import { readJob } from "../../src/projection/job-state/read-job.ts";
import { type ApiClient, tryGetJson } from "../../src/host/client/api-client.ts";
import { jobPath } from "../../src/http/contract/api-paths.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import { type Check, checkThat, failed, type Finding, ok, warning } from "./check.ts";

export interface ProbePorts {
  readonly queue: SegmentQueue;
  readonly log: Log;
  readonly meta: MetaStore;
  readonly projections: Projections;
  /** Absent if the API failed an earlier check. */
  readonly api?: ApiClient;
  readonly now: () => number;
  /** Waits before the next poll. */
  readonly pause: () => Promise<void>;
  readonly timeoutMillis: number;
}

/** Sends a probe and follows it through queue, log, projection and API. Stops at the first step that fails. */
export async function* checkProbe(ports: ProbePorts): AsyncGenerator<Check> {
  const sentAt = ports.now();
  const probe = sealProbe(sentAt);
  const steps: readonly (readonly [string, () => Promise<Finding>])[] = [
    ["queue", () => send(ports, probe)],
    ["ingest", () => awaitLog(ports, probe, sentAt)],
    ["projection", () => awaitJob(ports, probe, sentAt)],
    ["answer", () => queryProbe(ports, probe)],
  ];
  for (const [name, step] of steps) {
    const check = await checkThat(name, step);
    yield check;
    if (check.result === "failed") return;
  }
}

async function send({ queue }: ProbePorts, { sealed, job }: Probe): Promise<Finding> {
  const [sent] = await queue.send([{ cluster: job.cluster, bytes: sealed.bytes }]);
  if (sent?.outcome === "accepted") return ok("The queue accepted the probe.");
  return failed(sent?.reason ?? "The queue returned no result for the probe.");
}

async function awaitLog(ports: ProbePorts, { sealed }: Probe, sentAt: number): Promise<Finding> {
  const { log, meta } = ports;
  const found = await until(ports, async () => {
    if (await isLogged({ log, meta }, sealed.key, sentAt - CLOCKS_APART_MS)) return { inLog: true } as const;
    const reason = await setAsideReason(meta, sealed.bytes);
    return reason === undefined ? undefined : ({ inLog: false, reason } as const);
  });
  if (found === undefined) return failed(`${lost(ports, "in the log")} ${INGEST_SILENT}`);
  if (!found.inLog) return failed(`The probe was set aside: ${found.reason}`);
  return ok(`The probe was in the log ${after(ports, sentAt)} after it was sent.`);
}

/** Packs are ordered by the clock of the ingest function, which this machine's clock may be ahead of. */
const CLOCKS_APART_MS = 5 * 60_000;

/**
 * Only the queue knows the probe's sender, so the record is looked up by the hash of the message, without a sender.
 */
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

async function queryProbe({ api }: ProbePorts, { job, resourceVersion }: Probe): Promise<Finding> {
  if (api === undefined) return { result: "skipped", detail: "The API failed an earlier check." };
  const reply = await tryGetJson<JobAnswer>(api, jobPath(job), { uid: job.jobUid });
  if (reply.outcome === "refused") return refusal(api, reply.problem);
  const answered = Number(reply.answer.reported?.resourceVersion ?? 0);
  if (answered >= resourceVersion) return ok(`${api.name} answers with the probe.`);
  return failed(
    `${api.name} answers with an older probe than the projection has: it reads other tables. Deploy the stage again.`,
  );
}

function refusal(api: ApiClient, { status, detail }: { readonly status: number; readonly detail: string }): Finding {
  if (status === 404) {
    return warning(
      `${api.name} answers, and you have no access to the probe. Grant outlive-doctor/* to this reader to check it.`,
    );
  }
  return failed(`${api.name} rejects the query: ${detail}`);
}

/** Polls until `find` returns something or the time is over. */
async function until<Found>(
  { now, pause, timeoutMillis }: ProbePorts,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const deadline = now() + timeoutMillis;
  for (;;) {
    const found = await find();
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
  "The ingest function receives no messages, fails, or is far behind: see its log, and its trigger " +
  "(aws lambda list-event-source-mappings).";
const STREAM_STILL =
  "The log's stream does not move, or the project function fails: see its log, and its trigger " +
  "(aws lambda list-event-source-mappings). If it stood still for more than 24 hours, run a replay.";
