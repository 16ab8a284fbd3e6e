import type { Context } from "hono";
import type { DatabaseCopy } from "../ports/files/database-copy.ts";
import { type Problem, problem } from "./contract/problem.ts";
import type { OptionalApi, SharedServer } from "./optional-api.ts";
import { respondProblem } from "./respond.ts";

/** The media type that IANA registered for database files of SQLite. */
const MEDIA_TYPE = "application/vnd.sqlite3";
const RETRY_SECONDS = 5;

/** `GET /v1/backup`: a copy of the database, for readers of everything. There is one at a time, until it was read. */
export function backupApi(copy: () => Promise<DatabaseCopy>): OptionalApi {
  let isCopying = false;
  return {
    paths: ["/v1/backup"],
    serve: async (context, server) => {
      const refused = await refusalOf(context, server);
      if (refused !== undefined) return respondProblem(context, refused);
      if (isCopying) {
        context.header("retry-after", String(RETRY_SECONDS));
        return respondProblem(context, problem("too-many-requests", "Another copy is being made or read. Retry."));
      }
      isCopying = true;
      const end = () => {
        isCopying = false;
      };
      return respondCopy(context, await copyUntilRead(copy, end));
    },
  };
}

/** Calls `end` if there is no copy, and else when its stream has ended or was given up. */
async function copyUntilRead(make: () => Promise<DatabaseCopy>, end: () => void): Promise<DatabaseCopy> {
  let isBeingRead = false;
  try {
    const copy = await make();
    if (copy.outcome !== "copied") return copy;
    isBeingRead = true;
    return { ...copy, stream: withEnd(copy.stream, end) };
  } finally {
    if (!isBeingRead) end();
  }
}

/** The same bytes. Calls `end` after the last one, if the stream fails, and if its reader leaves. */
function withEnd(stream: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
        } catch (error) {
          end();
          throw error;
        }
        end();
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason).finally(end),
    },
    { highWaterMark: 0 },
  );
}

async function refusalOf(context: Context, server: SharedServer): Promise<Problem | undefined> {
  const admission = await server.admit(context);
  if (admission.outcome === "refused") return admission.problem;
  if (context.req.method !== "GET") {
    context.header("allow", "GET");
    return problem("method-not-allowed", `/v1/backup only supports GET, not ${context.req.method}.`);
  }
  return admission.scope === "everything"
    ? undefined
    : problem("forbidden", "A backup contains everything. Use a token with the grant *.");
}

function respondCopy(context: Context, copy: DatabaseCopy): Response {
  if (copy.outcome === "noSpace") {
    const [needed, free] = [copy.neededBytes, copy.freeBytes].map((bytes) => `${Math.ceil(bytes / 1024 ** 2)} MiB`);
    const detail = `A copy needs ${needed} beside the database, and ${free} are free. Enlarge the volume.`;
    return respondProblem(context, problem("no-space", detail));
  }
  return context.body(copy.stream, { headers: { "content-type": MEDIA_TYPE, "content-length": String(copy.bytes) } });
}
