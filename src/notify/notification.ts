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
  readonly findings: readonly { readonly kind: string; readonly message: string }[];
  readonly at: string;
  readonly link?: string;
  /** Where the logs of the Pods that explain it can be read. */
  readonly logs?: readonly PodLogLink[];
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
  findings: v.array(v.object({ kind: text, message: text })),
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
