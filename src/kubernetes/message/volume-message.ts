import type { VolumeProblem } from "../../job/model/message-details.ts";
import { missingObjectIn } from "./missing-object-message.ts";
import type { ParseMessage } from "./message-grammar.ts";

const PROBLEMS: readonly (readonly [RegExp, VolumeProblem])[] = [
  [/Multi-Attach|already (?:used|exclusively attached)/i, "inUse"],
  [/timed? ?out|deadline exceeded/i, "timeout"],
  [/AttachVolume|attach/i, "attachFailed"],
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
