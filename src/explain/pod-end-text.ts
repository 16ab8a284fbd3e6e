import type { PodEnded } from "../job/evidence/pod-end-evidence.ts";

/** The end of a Pod as a clause: "failed (Evicted) with exit code 137 (OOMKilled) of container work". */
export function describePodEnd({ phase, exitCode, reason, containerReason, container }: PodEnded): string {
  const word = phase === "Succeeded" ? "succeeded" : "failed";
  const why = inBrackets(reason);
  if (exitCode === undefined) return `${word}${why}`;
  const of = container === undefined ? "" : ` of container ${container}`;
  return `${word}${why} with exit code ${exitCode}${inBrackets(containerReason)}${of}`;
}

function inBrackets(text: string | undefined): string {
  return text === undefined ? "" : ` (${text})`;
}
