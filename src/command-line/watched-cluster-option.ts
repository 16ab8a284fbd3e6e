import { Option } from "commander";
import { asArgument } from "./as-argument.ts";
import { readClusterName } from "./cluster-name.ts";

const DEFAULT_NAME = "kubernetes";

/** What a cluster that is watched is called in answers. */
export function watchedClusterOption(): Option {
  return new Option("--cluster <name>", "what to call the cluster")
    .env("OUTLIVE_CLUSTER")
    .argParser(asArgument(readClusterName))
    .default(readClusterName(DEFAULT_NAME), DEFAULT_NAME);
}
