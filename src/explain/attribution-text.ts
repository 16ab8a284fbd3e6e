import type { Attribution } from "../job/attribution/attribution.ts";
import { list } from "../job/text/sentence.ts";

/** The actor and the confidence: "by alice", "most likely by pod-garbage-collector", "by an unknown actor". */
export function byWhom(by: Pick<Attribution, "actor" | "confidence"> | undefined): string {
  if (by === undefined || by.actor === "unknown") return "by an unknown actor";
  switch (by.confidence) {
    case "certain":
      return `by ${by.actor}`;
    case "likely":
      return `most likely by ${by.actor}`;
    case "possible":
      return `possibly by ${by.actor}`;
  }
}

/** A text names so many requesters. */
const MAX_REQUESTERS = 3;

/** Who requested an eviction: "at the request of acme.io/rebalancer and 2 others". */
export function onRequestOf(requesters: readonly string[]): string {
  const beyond = requesters.length - MAX_REQUESTERS;
  const others = beyond > 0 ? [beyond === 1 ? "another" : `${beyond} others`] : [];
  return `at the request of ${list([...requesters.slice(0, MAX_REQUESTERS), ...others])}`;
}
