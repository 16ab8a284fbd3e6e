import type { StartProblem } from "../../job/model/message-details.ts";
import { missingObjectIn } from "./missing-object-message.ts";
import { type ParseMessage, withoutQuoted } from "./message-grammar.ts";

const PROBLEMS: readonly (readonly [RegExp, StartProblem])[] = [
  [/runAsNonRoot|non-root policy|image will run as root/, "runsAsRoot"],
  [/(?:seccomp|apparmor) profile/i, "profileMissing"],
  [/no matching entries in (?:passwd|group) file|unable to find (?:user|group)/, "userMissing"],
  [/sandbox image/, "sandboxImage"],
  [/assign an IP address|no IP addresses|IP address(?:es)? (?:are |is )?exhausted/i, "noAddress"],
  [/unable to set memory limit|memory limit too low|container init was OOM-killed/i, "limitTooLow"],
  [/missing value for /, "variableMissing"],
  [/reserve (?:container|sandbox) name|name .* is (?:already in use|reserved)/i, "nameInUse"],
  [/no space left on device|disk quota exceeded/i, "diskFull"],
  [/no runtime for|runtime handler|unknown runtime/i, "noRuntimeHandler"],
  [/does not support|not supported/i, "unsupported"],
  [/chdir to cwd|container init: mkdir /i, "workingDir"],
  [/no command specified/i, "noCommand"],
  [/exec format error/i, "wrongFormat"],
  [/permission denied|operation not permitted/i, "permissionDenied"],
  [/CDI device|unresolvable.*device|error gathering device|nvidia-container-cli/i, "device"],
  [/failed to (?:generate|stat|mkdir)/, "mountFailed"],
  [/error mounting|not a directory|mount/i, "mountFailed"],
  [/executable file not found|no such file or directory|not found in \$PATH/i, "programNotFound"],
  [/network|\bcni\b/i, "network"],
  [/connection refused|transport is closing|dial unix|is not running|code = Unavailable/i, "runtimeUnavailable"],
  [/deadline ?exceeded|timed? ?out/i, "timeout"],
];

/** Why a container or a sandbox could not be created or started. The program's name and arguments are left out. */
export const parseStartMessage: ParseMessage = (message, options) => {
  const missing = missingObjectIn(message, options);
  if (missing !== undefined) return missing;
  const text = withoutQuoted(message);
  const problem = PROBLEMS.find(([pattern]) => pattern.test(text))?.[1];
  return problem === undefined ? undefined : { about: "start", problem };
};
