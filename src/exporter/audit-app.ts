import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isObject } from "../kubernetes/json/json-field.ts";
import type { AuditSource } from "./audit-source.ts";

/** The API server's batches have at most 10 MiB (`--audit-webhook-truncate-max-batch-size`). */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

/** What the API server's webhook audit backend talks to: it posts batches (`EventList`), and sends one again that is not answered with success. */
export function auditApp(source: Pick<AuditSource, "hasRoom" | "take">): Hono {
  const app = new Hono();
  app.post("*", bodyLimit({ maxSize: MAX_BATCH_BYTES }), async (context) => {
    if (!source.hasRoom) return context.text("The queue is away: send it again later.\n", 429);
    const events = eventsOf(await context.req.text());
    if (events === undefined) return context.text("Send an EventList of audit.k8s.io/v1 as JSON.\n", 400);
    for (const event of events) source.take(withVersion(event));
    return context.text("ok\n");
  });
  app.all("*", (context) => context.text("Audit batches are posted here.\n", 405));
  return app;
}

function eventsOf(text: string): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return isObject(list) && list["kind"] === "EventList" && Array.isArray(list["items"]) ? list["items"] : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** Items of a list carry neither kind nor version. */
function withVersion(event: unknown): unknown {
  return isObject(event) ? { ...event, kind: "Event", apiVersion: "audit.k8s.io/v1" } : event;
}
