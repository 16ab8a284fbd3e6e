import { createHash } from "node:crypto";
import * as v from "valibot";
import { knownKeys } from "../../ports/files/known-keys.ts";
import { logLinkText, type Notification } from "../notification.ts";
import { findingLines, placeOf, subjectText } from "./message-texts.ts";
import { address, receiverKind } from "./receiver-kind.ts";
import { secretOf, variable } from "./secret.ts";

const EVENTS = "https://events.pagerduty.com/v2/enqueue";

export const pagerduty = receiverKind({
  form: knownKeys({ keyEnv: variable, url: v.exactOptional(address, EVENTS) }),
  open: ({ keyEnv, url }, { environment, allowAddresses }) => {
    const routingKey = secretOf(environment, ["keyEnv", keyEnv]);
    if (typeof routingKey !== "string") return routingKey;
    const headers = { "content-type": "application/json" };
    return {
      compose: ([notification]) => {
        const event = eventOf(notification, routingKey);
        const body = JSON.stringify(event);
        const title = `${event.event_action}: ${event.payload.summary}`;
        return { title, message: { kind: "http", url, headers, body, allowAddresses } };
      },
    };
  },
});

/** A dedup_key has at most 255 characters. */
const MAX_DEDUP_KEY = 255;

/** An event of PagerDuty's Events API v2. A correction updates the alert, because it has the same `dedup_key`. */
function eventOf(notification: Notification, routingKey: string) {
  const { kind, subject, headline, rule, at } = notification;
  const links = linksOf(notification);
  const { uid, cluster, namespace, name } = subject;
  return {
    routing_key: routingKey,
    event_action: kind === "resolved" ? "resolve" : "trigger",
    dedup_key: dedupKey(`${cluster}/${uid}/${rule}`),
    payload: {
      summary: `${headline} (${subjectText(notification)})`.slice(0, 1_024),
      source: placeOf(notification),
      severity: "error",
      timestamp: at,
      component: name,
      group: namespace === "" ? cluster : namespace,
      class: classOf(notification),
      custom_details: detailsOf(notification),
    },
    client: "Outlive",
    ...(links.length > 0 && { links }),
  };
}

function classOf({ findings, reason, state, kind }: Notification): string {
  return findings.find((one) => one.matched)?.kind ?? reason ?? state ?? kind;
}

/** What no other field of the event has. */
function detailsOf(notification: Notification): object {
  const { subject, headline: _headline, at: _at, link: _link, logs: _logs, ...more } = notification;
  return { ...more, uid: subject.uid, findings: findingLines(notification) };
}

function linksOf({ link, logs = [] }: Notification): readonly object[] {
  const page = link === undefined ? [] : [{ href: link, text: "Open in Outlive" }];
  return [...page, ...logs.map((one) => ({ href: one.url, text: logLinkText(one) }))];
}

function dedupKey(text: string): string {
  return text.length <= MAX_DEDUP_KEY ? text : createHash("sha256").update(text).digest("hex");
}
