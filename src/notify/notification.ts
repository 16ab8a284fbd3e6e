import * as v from "valibot";
import type { PodLogLink } from "../explain/answer-document.ts";

/** One message, as it is stored until it is sent. Receivers give it their form. */
export interface Notification {
  readonly key: string;
  /** `changed`: an update of the message `firstKey`. `resolved`: the condition is over. */
  readonly kind: "opened" | "changed" | "resolved";
  readonly firstKey: string;
  readonly rule: string;
  readonly subject: {
    readonly kind: string;
    readonly cluster: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly version: number;
  readonly state?: string;
  readonly reason?: string;
  /** Who has to act on the Job's cause. Absent if it has none. */
  readonly responsible?: string;
  /** What the next run needs in order not to fail for the same cause. */
  readonly retry?: string;
  readonly headline: string;
  /** Those of the subject: first the ones for which the rule matches, which are marked. */
  readonly findings: readonly NotifiedFinding[];
  /** How many findings of the subject are left out. */
  readonly findingsBeyond?: number;
  /** A message will follow when the condition is over. Absent: one follows only if a final state was wrong. */
  readonly resolves?: true;
  readonly at: string;
  readonly link?: string;
  /** Where the logs of the Pods that explain it can be read. */
  readonly logs?: readonly PodLogLink[];
}

export interface NotifiedFinding {
  readonly kind: string;
  readonly message: string;
  /** The rule matches because of it. Messages of version 0.1 have such findings only, without this mark. */
  readonly matched?: true;
}

const text = v.string();
const maybe = v.exactOptional(text);

/** Reads the value of a stored delivery. */
const notificationSchema: v.GenericSchema<unknown, Notification> = v.object({
  key: text,
  kind: v.picklist(["opened", "changed", "resolved"]),
  firstKey: text,
  rule: text,
  subject: v.object({ kind: text, cluster: text, namespace: text, name: text, uid: text }),
  version: v.number(),
  state: maybe,
  reason: maybe,
  responsible: maybe,
  retry: maybe,
  headline: text,
  findings: v.array(v.object({ kind: text, message: text, matched: v.exactOptional(v.literal(true)) })),
  findingsBeyond: v.exactOptional(v.number()),
  resolves: v.exactOptional(v.literal(true)),
  at: text,
  link: maybe,
  logs: v.exactOptional(v.array(v.object({ pod: text, name: text, container: maybe, url: text }))),
});

/** Throws ValiError where the text is not a stored notification. */
export function readNotification(value: string): Notification {
  return v.parse(notificationSchema, JSON.parse(value));
}

/** "Logs of report-x2x9s (Grafana)". */
export function logLinkText({ pod, name, container }: PodLogLink): string {
  return `Logs of ${container === undefined ? pod : `${pod}, container ${container}`} (${name})`;
}
