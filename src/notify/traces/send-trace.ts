import pLimit, { type LimitFunction } from "p-limit";
import * as v from "valibot";
import { decodeClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { shortText } from "../../job/text/short-text.ts";
import type { HttpMessage, SendOf, SendResult, TraceMessage } from "../../ports/message-sender.ts";
import { nextTurn } from "../../ports/concurrency/fair-turns.ts";
import type { QueryPorts } from "../../query/ports.ts";
import { loadRun } from "./load-run.ts";
import { otlpRequests } from "./otlp-requests.ts";
import { traceOf } from "./run-trace.ts";

export interface TraceSenderPorts {
  /** The stores as they are now: a rebuild changes which projection answers. */
  readonly open: () => Promise<QueryPorts>;
  readonly post: SendOf<HttpMessage>;
  readonly now: () => Instant;
}

/** Traces for one receiver whose spans are in memory at the same time. One has up to 10 MB. */
const AT_ONCE = 2;

/**
 * Sends the trace of a run by OTLP/HTTP, in as many requests as it needs. If one fails, the next attempt sends all of
 * them again: their ids are the same. What the receiver rejects of a request that it accepts is never tried again, as
 * OTLP demands, and the message is given up with this problem, so that it is not lost silently.
 */
export function createTraceSender({ open, post, now }: TraceSenderPorts): SendOf<TraceMessage> {
  // A receiver that does not answer must not delay another one.
  const limits = new Map<string, LimitFunction>();
  const limitOf = (url: string): LimitFunction => {
    const limit = limits.get(url) ?? pLimit(AT_ONCE);
    limits.set(url, limit);
    return limit;
  };
  const send: SendOf<TraceMessage> = async ({ url, headers, allowAddresses, run, link }) => {
    const cluster = decodeClusterName(run.cluster);
    const ports = await open();
    const traced = cluster && (await loadRun(ports, { ...run, cluster }, { now: now() }));
    const trace = traced && traceOf({ ...traced, link });
    if (trace === undefined) return { outcome: "refused", problem: "the run was deleted before its trace was sent" };
    const problems: string[] = [];
    let last: SendResult = { outcome: "refused", problem: "the trace has no spans" };
    for (const body of otlpRequests(trace)) {
      await nextTurn(ports);
      last = await post({ kind: "http", url, headers, body, allowAddresses, readsAnswer: true });
      if (last.outcome !== "accepted") return last;
      problems.push(...rejectedIn(last.answer));
    }
    const [problem] = problems;
    return problem === undefined ? last : { outcome: "refused", problem };
  };
  return (message) => limitOf(message.url)(() => send(message).catch(unread));
}

/** A run that cannot be read now is tried again, and given up after a day, as one that its receiver does not accept. */
function unread(cause: unknown): SendResult {
  const why = cause instanceof Error ? cause.message : String(cause);
  return { outcome: "unreachable", problem: shortText(`the run cannot be read: ${why}`) };
}

/** An ExportTraceServiceResponse. In JSON, a number of 64 bits may be a text. */
const answerSchema = v.object({
  partialSuccess: v.object({
    rejectedSpans: v.pipe(v.union([v.string(), v.number()]), v.transform(Number)),
    errorMessage: v.optional(v.string(), ""),
  }),
});

/** What the receiver rejected of a request that it accepted. A text without rejected spans is a remark. */
function rejectedIn(answer = ""): readonly string[] {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), answerSchema), answer);
  if (!read.success || !(read.output.partialSuccess.rejectedSpans > 0)) return [];
  const { rejectedSpans, errorMessage } = read.output.partialSuccess;
  return [`${rejectedSpans} spans were rejected: ${shortText(errorMessage)}`];
}
