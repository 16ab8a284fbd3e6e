import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { admitToken, bearerAccess } from "../../http/access/token-access.ts";
import { isObject } from "../../kubernetes/json/json-field.ts";
import { isWithinBounds } from "../../kubernetes/json/json-size.ts";
import type { AuditSource } from "./audit-source.ts";

/** The API server's batches have at most 10 MiB (`--audit-webhook-truncate-max-batch-size`). */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** An audit event with a request object is less than 50 levels deep; a batch has at most 400 events by default. */
const BOUNDS = { depth: 128, containers: 1_000_000 };

/**
 * Receives batches (`EventList`) from the API server's webhook audit backend. Every request needs the token, because
 * audit events prove who deleted an object. Without a token, the server must require client certificates. The API
 * server repeats a batch that is not answered with success.
 */
export function auditApp(source: Pick<AuditSource, "hasRoom" | "take">, token: string | undefined): Hono {
  const app = new Hono();
  if (token !== undefined) app.use(requireToken(token));
  app.post("*", bodyLimit({ maxSize: MAX_BATCH_BYTES }), async (context) => {
    if (!source.hasRoom) return context.text("The queue is not available. Retry later.\n", 429);
    const events = eventsOf(new Uint8Array(await context.req.arrayBuffer()));
    if (events === undefined) return context.text("The body must be a JSON EventList of audit.k8s.io/v1.\n", 400);
    for (const event of events) source.take(withVersion(event));
    return context.text("ok\n");
  });
  app.all("*", (context) => context.text("Only POST is supported.\n", 405));
  return app;
}

function requireToken(token: string): MiddlewareHandler {
  const access = bearerAccess(token);
  return async (context, next) => {
    const admission = admitToken(access, context.req.header("authorization"));
    if (admission.outcome === "admitted") return next();
    return context.text("The token is missing or invalid. Set it in the API server's audit webhook kubeconfig.\n", 401);
  };
}

function eventsOf(body: Uint8Array): readonly unknown[] | undefined {
  if (!isWithinBounds(body, BOUNDS)) return undefined;
  try {
    const list: unknown = JSON.parse(new TextDecoder().decode(body));
    return isObject(list) && list["kind"] === "EventList" && Array.isArray(list["items"]) ? list["items"] : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** Items of a list have neither kind nor version. */
function withVersion(event: unknown): unknown {
  return isObject(event) ? { ...event, kind: "Event", apiVersion: "audit.k8s.io/v1" } : event;
}
