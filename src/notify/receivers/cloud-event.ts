import type { Notification } from "../notification.ts";

/** A notification as a CloudEvents 1.0 event. `data` is the notification: the same for every attempt. */
export function cloudEvent(notification: Notification): object {
  const { key, subject, at } = notification;
  const { namespace, name } = subject;
  return {
    specversion: "1.0",
    id: key,
    source: `/outlive/clusters/${encodeURIComponent(subject.cluster)}`,
    type: eventType(notification),
    subject: namespace === "" ? name : `${namespace}/${name}`,
    time: at,
    datacontenttype: "application/json",
    data: notification,
  };
}

export function eventType({ kind }: Notification): string {
  return `outlive.notification.${kind}`;
}
