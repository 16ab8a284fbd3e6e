import type { Attribution, Finding, QueueAnswer } from "../../explain/answer-document.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { Attributes, SpanEvent } from "./span.ts";

/** What its queue of Kueue did. The preemptor has its uid alone: the reader may not see its namespace. */
export function queueEvents(queue: QueueAnswer | undefined): readonly SpanEvent[] {
  if (queue === undefined) return [];
  const of = { "outlive.queue.name": queue.name, "outlive.queue.cluster_queue": queue.clusterQueue };
  return [
    ...queue.waits.flatMap(({ from, to, reason, message }) =>
      eventAt("outlive.queue.wait", from, {
        ...of,
        "outlive.queue.wait.until": to,
        "outlive.queue.wait.reason": reason,
        "outlive.queue.wait.message": message,
      }),
    ),
    ...queue.admittedAt.flatMap((at) => eventAt("outlive.queue.admitted", at, of)),
    ...queue.evictions.flatMap(({ at, reason, by }) =>
      eventAt("outlive.queue.evicted", at, {
        ...of,
        "outlive.queue.eviction.reason": reason,
        "outlive.queue.eviction.by_uid": by?.uid,
      }),
    ),
  ];
}

/** One event for each finding, when it began. Without that instant, it is at the end. */
export function findingEvents(findings: readonly Finding[], endAt: Instant): readonly SpanEvent[] {
  return findings.map(({ kind, message, since, podCount, pods }) => ({
    name: "outlive.finding",
    at: parseInstant(since) ?? endAt,
    attributes: {
      "outlive.finding.kind": kind,
      "outlive.finding.message": message,
      "outlive.finding.pods": podCount ?? pods?.length,
    },
  }));
}

interface Deleted {
  readonly deletedAt?: string;
  readonly deletedBy?: Attribution;
}

/** The deletion of the object, with who did it and why, if that is known. */
export function deletionEvents({ deletedAt, deletedBy }: Deleted): readonly SpanEvent[] {
  return eventAt("outlive.deleted", deletedAt, {
    "outlive.deleted.by": deletedBy?.actor,
    "outlive.deleted.cause": deletedBy?.cause,
    "outlive.deleted.confidence": deletedBy?.confidence,
  });
}

/** An event at an instant of an answer; none if it is unknown. */
export function eventAt(name: string, instant: string | undefined, attributes: Attributes): readonly SpanEvent[] {
  const at = parseInstant(instant);
  return at === undefined ? [] : [{ name, at, attributes }];
}
