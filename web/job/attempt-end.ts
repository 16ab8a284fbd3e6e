import type { Attempt } from "../../src/explain/answer-document.ts";
import { millisOf } from "../text/instant-text.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";

/** How an attempt ended, in a few words: `exit code 137, OOMKilled`. */
export function endOf({ exitCode, reason, category, outcome }: Attempt): string {
  const parts = [
    outcome === "Failed" && category !== undefined && category !== "unknown" ? category : undefined,
    exitCode === undefined || (exitCode === 0 && outcome === "Succeeded") ? undefined : `exit code ${exitCode}`,
    reason === "Completed" ? undefined : reason,
  ].filter((part) => part !== undefined && part !== "");
  return shownText(parts.join(", "));
}

export function ranFor({ startedAt, finishedAt }: Attempt): string {
  const [from, to] = [millisOf(startedAt), millisOf(finishedAt)];
  return from === undefined || to === undefined ? "–" : spanText(to - from);
}
