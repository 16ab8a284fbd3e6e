import type { PodEnded } from "../job/findings/pod-end-evidence.ts";

/** The end of a Pod as a clause: "failed with exit code 1 (Error)". */
export function describePodEnd({ phase, exitCode, reason }: PodEnded): string {
  const word = phase === "Succeeded" ? "succeeded" : "failed";
  const code = exitCode === undefined ? "" : ` with exit code ${exitCode}`;
  return `${word}${code}${reason === undefined ? "" : ` (${reason})`}`;
}
