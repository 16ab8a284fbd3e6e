import type { UsageAnswer } from "../../src/explain/usage/usage-schema.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";

/** How long Pods reserved a node, all together. */
export function reservedText({ bound, podSeconds }: Pick<UsageAnswer, "bound" | "podSeconds">): string {
  const time = humanDuration(podSeconds.total * 1_000);
  return bound === "exact" ? time : `<=${time}`;
}
