import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import { CommandFailure } from "./command-failure.ts";

/** Decodes the name of a cluster. Throws CommandFailure where it is invalid. */
export function readClusterName(text: string): ClusterName {
  const name = decodeClusterName(text);
  if (name !== undefined) return name;
  throw new CommandFailure(
    2,
    `"${text}" cannot be a cluster's name. Use 1 to 63 letters, digits, dots, dashes and underscores, ` +
      "and start with a letter or digit.",
  );
}
