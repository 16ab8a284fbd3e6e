import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import { CommandFailure } from "./command-failure.ts";

/** What a cluster is to be called, as it was typed; ends the command where none can be called so. */
export function readClusterName(text: string): ClusterName {
  const name = decodeClusterName(text);
  if (name !== undefined) return name;
  throw new CommandFailure(
    2,
    `"${text}" cannot be a cluster's name: use 1 to 63 letters, digits, dots, dashes and underscores, and begin with a letter or digit.`,
  );
}
