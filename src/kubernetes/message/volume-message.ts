import type { VolumeProblem } from "../../job/model/message-details.ts";
import { missingObjectIn } from "./missing-object-message.ts";
import type { ParseMessage } from "./message-grammar.ts";

const PROBLEMS: readonly (readonly [RegExp, VolumeProblem])[] = [
  // The kubelet does not read ConfigMaps and Secrets for a Pod right after a restart, or once the Pod is being deleted.
  [/^(?:.* : )?object "[^"]*"\/"[^"]*" not registered/, "notRegistered"],
  [/not found in the list of registered CSI drivers|no volume plugin matched/, "driverMissing"],
  [/unknown filesystem type|mount\.\w+ helper/i, "driverMissing"],
  [/hostPath type check failed|special device .* does not exist|no such file or directory/i, "pathMissing"],
  [/access denied by server|permission denied|operation not permitted/i, "accessDenied"],
  [/Multi-Attach|already (?:used|exclusively attached)/i, "inUse"],
  [/timed? ?out|deadline ?exceeded/i, "timeout"],
  [/AttachVolume|failed to attach|unable to attach/i, "attachFailed"],
  [/./s, "mountFailed"],
];

/**
 * Why a volume could not be attached or mounted: `MountVolume.SetUp failed for volume "s" : secret "keys" not found`.
 */
export const parseVolumeMessage: ParseMessage = (message, options) => {
  const missing = missingObjectIn(message, options);
  if (missing !== undefined) return missing;
  const problem = PROBLEMS.find(([pattern]) => pattern.test(message))?.[1];
  return problem === undefined ? undefined : { about: "volume", problem };
};
