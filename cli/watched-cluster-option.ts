import { InvalidArgumentError, Option } from "commander";
import { type ClusterName, decodeClusterName } from "../src/job/ids.ts";

const DEFAULT_NAME = "kubernetes";

/** What a cluster that is watched is called in answers. */
export function watchedClusterOption(): Option {
  return new Option("--cluster <name>", "what to call the cluster")
    .env("OUTLIVE_CLUSTER")
    .argParser(readName)
    .default(readName(DEFAULT_NAME), DEFAULT_NAME);
}

function readName(text: string): ClusterName {
  const name = decodeClusterName(text);
  if (name !== undefined) return name;
  throw new InvalidArgumentError(
    "Use 1 to 63 letters, digits, dots, dashes and underscores, and begin with a letter or digit.",
  );
}
