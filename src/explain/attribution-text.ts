import type { Attribution } from "../job/attribution/attribution.ts";

/**
 * Who did it, as certain as that is: "by alice", "most likely by pod-garbage-collector", "possibly by ...", "by
 * somebody".
 */
export function byWhom(by: Pick<Attribution, "actor" | "confidence"> | undefined): string {
  if (by === undefined || by.actor === "unknown") return "by somebody";
  switch (by.confidence) {
    case "certain":
      return `by ${by.actor}`;
    case "likely":
      return `most likely by ${by.actor}`;
    case "possible":
      return `possibly by ${by.actor}`;
  }
}
