import type { Cause, CauseShare } from "../../job/cause/cause.ts";
import type { ByPodCause, PodCause, PodCauseName, PodCauseOf } from "../../job/cause/pod-cause.ts";
import { count } from "../../job/text/sentence.ts";
import { byWhom } from "../attribution-text.ts";
import { describeCause } from "./describe-cause.ts";
import { PROBES } from "./details-text.ts";

/** The most causes that one clause names. */
const MAX_SHARES = 3;

/** Whether attempts failed for several causes and none decided. If so, one clause names them in order. */
export function isMixture({ shares, decides }: Pick<Cause, "shares" | "decides">): boolean {
  return shares.length > 1 && !decides;
}

/** "OOMKilled: container work exceeded its memory limit (32Mi) once, then container work exited with code 1 twice". */
export function mixtureText(cause: Cause): string {
  return joined(cause, describeCause);
}

/** The same in few words: "OOMKilled once, then exit code 1 twice". */
export function shortMixtureText(cause: Cause): string {
  return joined(cause, nameCause);
}

function joined(cause: Cause, describe: (why: PodCause) => string): string {
  const shown = shownShares(cause);
  const more = cause.shares.length - shown.length;
  const texts = shown.map((share) => `${describe(share.why)} ${timesText(share)}`);
  return `${texts.join(", then ")}${more > 0 ? `, and ${count(more, "other cause")}` : ""}`;
}

/** The first causes. The cause of most attempts is always one of them. */
function shownShares({ shares, why }: Cause): readonly CauseShare[] {
  if (shares.length <= MAX_SHARES) return shares;
  const first = shares.slice(0, MAX_SHARES);
  const most = shares.find((share) => share.why === why);
  return most === undefined || first.includes(most) ? first : [...first.slice(0, -1), most];
}

function timesText({ attempts, restarts, beside = 0 }: CauseShare): string {
  const times = attempts + restarts + beside;
  const where = attempts > 0 ? "" : restarts > 0 ? " in place" : " beside it";
  return times > 2 ? `(${times} times${where})` : `${times === 2 ? "twice" : "once"}${where}`;
}

/** A cause in two or three words. */
export function nameCause<Name extends PodCauseName>(why: PodCauseOf<Name>): string {
  return NAMES[why.cause](why);
}

const NAMES: ByPodCause<string> = {
  outOfMemory: ({ exitCode, memoryLimit, podMemoryLimit = memoryLimit }) => {
    if (exitCode !== 137) return `OOMKilled (a child; exit code ${exitCode})`;
    // Attempts of one Job can have different limits (KEP-5440, KEP-1287).
    return `OOMKilled${podMemoryLimit === undefined ? "" : ` (${memoryLimit ?? podMemoryLimit})`}`;
  },
  imageNotPulled: ({ reason }) => reason,
  containerNotStarted: ({ reason }) => reason,
  volumeNotMounted: ({ reason }) => reason,
  sandboxFailed: ({ reason }) => reason,
  notScheduled: ({ reason }) => reason,
  refused: () => "FailedCreate",
  preempted: () => "preempted",
  evicted: () => "evicted",
  refusedByNode: ({ reason }) => reason,
  probeFailed: ({ probe }) => `${PROBES[probe]} failed`,
  nodeLost: ({ node = "node" }) => `${node} lost`,
  outcomeLost: () => "outcome unknown",
  podDeadline: () => "Pod deadline passed",
  deleted: (by) => `deleted ${byWhom(by)}`,
  exited: ({ exitCode, container, role }) =>
    `exit code ${exitCode}${role === "main" ? "" : ` of ${role} ${container}`}`,
};
