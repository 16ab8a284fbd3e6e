import { knownKeys } from "../../ports/files/known-keys.ts";
import type { Notification } from "../notification.ts";
import { findingLines, subjectText } from "./message-texts.ts";
import { receiverKind } from "./receiver-kind.ts";
import { secretUrl, urlBelow, variable } from "./secret.ts";

/** A check of a service that waits for heartbeats, such as healthchecks.io. */
export const heartbeat = receiverKind({
  form: knownKeys({ urlEnv: variable }),
  open: ({ urlEnv }, { environment, allowAddresses }) => {
    const url = secretUrl(environment, ["urlEnv", urlEnv]);
    if (typeof url !== "string") return url;
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return {
      compose: ([notification]) => {
        const signal = signalOf(notification);
        const title = `${signal}: ${notification.headline}`;
        const body = [notification.headline, subjectText(notification), ...findingLines(notification)].join("\n");
        const pinged = signal === "success" ? url : urlBelow(url, signal);
        return { title, message: { kind: "http", url: pinged, headers, body, allowAddresses } };
      },
    };
  },
});

type Signal = "success" | "fail" | "start" | "log";

/**
 * A finding that the rule names is a failure, whatever the state. `log` does not change the check. A finding of a run
 * may be over because the run failed, which is no success. The state of a CronJob is that of its last run.
 */
function signalOf({ kind, state = "", subject, findings }: Notification): Signal {
  if (kind === "resolved") return subject.kind !== "CronJob" && FAILED.has(state) ? "fail" : "success";
  if (findings.some((one) => one.matched)) return "fail";
  return SIGNALS.get(state) ?? "fail";
}

const FAILED: ReadonlySet<string> = new Set(["Failed", "Deleted", "Interrupted"]);

const SIGNALS: ReadonlyMap<string, Signal> = new Map<string, Signal>([
  ["Complete", "success"],
  ["Running", "start"],
  ["Pending", "log"],
  ["Suspended", "log"],
  ["Unknown", "log"],
]);
