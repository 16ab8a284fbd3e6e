import type { ProbeKind } from "../../job/model/message-details.ts";
import { isLabel, type ParseMessage } from "./message-grammar.ts";

const PROBES: ReadonlyMap<string, ProbeKind> = new Map([
  ["liveness", "liveness"],
  ["startup", "startup"],
  ["readiness", "readiness"],
]);

/** The Event Unhealthy: "Liveness probe failed: ...". The output of the probe is left out. */
export const parseUnhealthyMessage: ParseMessage = (message) => {
  const probe = PROBES.get(
    /^(Liveness|Startup|Readiness) probe (?:failed|errored)/.exec(message)?.[1]?.toLowerCase() ?? "",
  );
  return probe === undefined ? undefined : { about: "probe", probe };
};

/** The Event Killing: "Container work failed liveness probe, will be restarted". */
export const parseKillingMessage: ParseMessage = (message) => {
  const [, name = "", kind = ""] = /^Container (\S+) failed (liveness|startup) probe/.exec(message) ?? [];
  const probe = PROBES.get(kind);
  if (probe !== undefined) return { about: "probe", probe, ...(isLabel(name) && { container: name }) };
  return /^FailedPostStartHook|failed post-?start hook/i.test(message)
    ? { about: "probe", probe: "postStart" }
    : undefined;
};

/** The Events of lifecycle hooks. Their reasons name the hook, and their messages contain its command. */
export const parsePostStartMessage: ParseMessage = () => ({ about: "probe", probe: "postStart" });
export const parsePreStopMessage: ParseMessage = () => ({ about: "probe", probe: "preStop" });
