import { parseObject } from "../../kubernetes/json/object-scanner.ts";
import type { Journal } from "../../ports/runtime/journal.ts";
import { errorMessage } from "../../job/text/error-message.ts";
import type { AuditSource } from "./audit-source.ts";
import { FollowedFile } from "./follow-file.ts";

/** The polling interval. A late hint does no harm. */
const POLL_MILLIS = 1000;

/** Sends the audit events of a log file, for API servers that write one where this process can read it. */
export function followAuditLog(
  path: string,
  source: Pick<AuditSource, "hasRoom" | "take">,
  journal: Journal,
): { readonly stop: () => void } {
  const file = new FollowedFile({
    path,
    onLine: (line) => source.take(parseObject(line)),
    hasRoom: () => source.hasRoom,
  });
  const poll = pollOf(file, path, journal);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const follow = async (): Promise<void> => {
    await poll();
    if (isStopped) await file.close();
    else timer = setTimeout(() => void follow(), POLL_MILLIS);
  };
  void follow();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Reads new lines, and logs whether the file exists whenever that changes. */
function pollOf(file: FollowedFile, path: string, journal: Journal): () => Promise<void> {
  let existed: boolean | undefined;
  return async () => {
    try {
      const exists = await file.read();
      if (exists && existed !== true) journal.info("Following the audit log.", { path });
      if (!exists && existed !== false) journal.warn(missing(path));
      existed = exists;
    } catch (cause) {
      journal.warn(`Cannot read the audit log: ${errorMessage(cause)}. The exporter retries every second.`);
    }
  };
}

function missing(path: string): string {
  return (
    `The audit log ${path} does not exist. The exporter checks ` +
    "every second. Mount it where the API server writes it."
  );
}
