import type { StartProblem } from "../../job/model/message-details.ts";
import { missingObjectIn } from "./missing-object-message.ts";
import type { ParseMessage } from "./message-grammar.ts";

const PROBLEMS: readonly (readonly [RegExp, StartProblem])[] = [
  [/runAsNonRoot|image will run as root/, "runsAsRoot"],
  [/no command specified/i, "noCommand"],
  [/exec format error/i, "wrongFormat"],
  [/permission denied|operation not permitted/i, "permissionDenied"],
  [/error mounting|not a directory|mount/i, "mountFailed"],
  [/executable file not found|no such file or directory|not found in \$PATH/i, "programNotFound"],
  [/network|cni/i, "network"],
  [/deadline exceeded|timed? ?out/i, "timeout"],
];

/** Why a container could not be created or started. The program's name and arguments are left out. */
export const parseStartMessage: ParseMessage = (message, options) => {
  const missing = missingObjectIn(message, options);
  if (missing !== undefined) return missing;
  const problem = PROBLEMS.find(([pattern]) => pattern.test(message))?.[1];
  return problem === undefined ? undefined : { about: "start", problem };
};
