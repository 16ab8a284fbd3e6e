import * as v from "valibot";
import { knownKeys } from "../../ports/files/known-keys.ts";
import { formatInstant } from "../../job/model/instant.ts";
import type { Notification } from "../notification.ts";
import { changeText, findingLines } from "./message-texts.ts";
import { address, receiverKind } from "./receiver-kind.ts";
import { eitherUrl, urlBelow, variable } from "./secret.ts";

const LABEL = "Expected the name of a label, such as severity.";
/** The labels by which Alertmanager recognises the alert again. */
const IDENTITY: ReadonlySet<string> = new Set(["alertname", "cluster", "namespace", "kind", "name", "uid"]);

/** Alerts of Prometheus Alertmanager. */
export const alertmanager = receiverKind({
  form: knownKeys({
    url: v.exactOptional(address),
    urlEnv: v.exactOptional(variable),
    labels: v.exactOptional(
      v.record(
        v.pipe(
          v.string(LABEL),
          v.regex(/^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,127}$/, LABEL),
          v.check((name) => !IDENTITY.has(name), `Outlive sets ${[...IDENTITY].join(", ")}. Remove this label.`),
        ),
        v.pipe(v.string("Expected a text."), v.maxLength(253, "A value has at most 253 characters.")),
      ),
      {},
    ),
  }),
  isGrouping: true,
  open: ({ labels, ...where }, { environment, allowAddresses }) => {
    const base = eitherUrl(environment, where);
    if (typeof base !== "string") return base;
    const url = urlBelow(base, "api/v2/alerts");
    const headers = { "content-type": "application/json" };
    return {
      compose: (notifications, now) => {
        const body = JSON.stringify(notifications.map((one) => alertOf(one, labels, now)));
        return { title: changeText(notifications[0]), message: { kind: "http", url, headers, body, allowAddresses } };
      },
    };
  },
});

/** How long an alert lasts that no message will end, in milliseconds. */
const EVENT_MILLIS = 86_400_000;
/** How long one lasts whose end Outlive reports. Without an end, Alertmanager ends it after `resolve_timeout`. */
const CONDITION_MILLIS = 30 * EVENT_MILLIS;
/** The states of Jobs and runs that are over. The state of a CronJob is that of its last run. */
const OVER: ReadonlySet<string> = new Set(["Complete", "Failed", "Deleted", "Interrupted"]);

/**
 * Alertmanager compares alerts by their labels, so these are the same in each message about one subject and rule. The
 * end of an alert is counted from now, because a message may be sent long after the condition began.
 */
function alertOf(notification: Notification, labels: Readonly<Record<string, string>>, now: number): object {
  const { kind, rule, subject, state = "", at, link, resolves } = notification;
  const { kind: of, cluster, namespace, name, uid } = subject;
  const named = { ...labels, alertname: rule, cluster, namespace, kind: of, name, uid };
  const isOver = of !== "CronJob" && OVER.has(state);
  const lasts = resolves && !isOver ? CONDITION_MILLIS : EVENT_MILLIS;
  // The clock of a cluster may be ahead: an alert that ends in the future goes on, and none may end before it starts.
  const since = formatInstant(Math.min(Date.parse(at), now));
  return {
    // An empty label is none.
    labels: Object.fromEntries(Object.entries(named).filter(([, value]) => value !== "")),
    annotations: annotationsOf(notification),
    // Alertmanager keeps the start of the alert that this ends.
    ...(kind === "resolved" ? { endsAt: since } : { startsAt: since, endsAt: formatInstant(now + lasts) }),
    ...(link !== undefined && { generatorURL: link }),
  };
}

function annotationsOf(notification: Notification): Readonly<Record<string, string>> {
  const { headline, state = "", reason = "", responsible = "", retry = "", key, logs = [] } = notification;
  const description = findingLines(notification).join("\n");
  const all = { summary: headline, description, state, reason, responsible, retry, logs: logs[0]?.url ?? "", key };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}
