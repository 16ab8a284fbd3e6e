import type { Attribution } from "../job/attribution/attribution.ts";

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
