import { createHash } from "node:crypto";
import { logLinkText, type Notification } from "../notification.ts";
import type { RequestForm } from "./webhook-request.ts";

export interface PagerDutyTarget {
  readonly url: string;
  readonly routingKey: string;
}

/** A dedup_key has at most 255 characters. */
const MAX_DEDUP_KEY = 255;

/** An event of PagerDuty's Events API v2. A correction updates the alert, because it has the same `dedup_key`. */
export function pagerdutyRequest(notification: Notification, { url, routingKey }: PagerDutyTarget): RequestForm {
  const { kind, subject, headline, rule, at } = notification;
  const links = linksOf(notification);
  const { uid, cluster, namespace, name } = subject;
  const source = [cluster, namespace, name].filter((part) => part !== "").join("/");
  const event = {
    routing_key: routingKey,
    event_action: kind === "resolved" ? "resolve" : "trigger",
    dedup_key: dedupKey(`${cluster}/${uid}/${rule}`),
    payload: {
      summary: `${headline} (${subject.kind} ${source})`.slice(0, 1_024),
      source,
      severity: "error",
      timestamp: at,
      component: name,
      group: namespace === "" ? cluster : namespace,
      class: notification.findings[0]?.kind ?? notification.reason ?? notification.state ?? kind,
      custom_details: { ...notification, link: undefined, logs: undefined },
    },
    client: "Outlive",
    ...(links.length > 0 && { links }),
  };
  return { url, headers: { "content-type": "application/json" }, body: JSON.stringify(event) };
}

function linksOf({ link, logs = [] }: Notification): readonly object[] {
  const page = link === undefined ? [] : [{ href: link, text: "Open in Outlive" }];
  return [...page, ...logs.map((one) => ({ href: one.url, text: logLinkText(one) }))];
}

function dedupKey(text: string): string {
  return text.length <= MAX_DEDUP_KEY ? text : createHash("sha256").update(text).digest("hex");
}
