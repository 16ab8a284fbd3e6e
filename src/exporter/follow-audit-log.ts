import { parseObject } from "../kubernetes/json/object-scanner.ts";
import type { Journal } from "../runtime/journal.ts";
import type { AuditSource } from "./audit-source.ts";
import { FollowedFile } from "./follow-file.ts";
import { errorMessage } from "../text/error-message.ts";

/** How often the file is looked at: hints may be late. */
const LOOK_EVERY_MILLIS = 1000;

/** Sends the requests that an audit log tells of, for clusters whose API server writes one where this process can read it. */
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
  let wasThere: boolean | undefined;
  const look = async (): Promise<void> => {
    try {
      const isThere = await file.read();
      if (isThere !== wasThere) tell(isThere);
      wasThere = isThere;
    } catch (cause) {
      const said = errorMessage(cause);
      journal.warn(`The audit log cannot be read (${said}): it is tried again.`);
    }
  };
  const tell = (isThere: boolean) =>
    isThere
      ? journal.info("Following the audit log.", { path })
      : journal.warn(
          `There is no audit log ${path}: it is looked for every second. Mount it where the API server writes it.`,
        );
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const follow = async (): Promise<void> => {
    await look();
    if (isStopped) await file.close();
    else timer = setTimeout(() => void follow(), LOOK_EVERY_MILLIS);
  };
  void follow();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
