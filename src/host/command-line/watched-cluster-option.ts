import { Option } from "commander";
import { asArgument } from "./as-argument.ts";
import { readClusterName } from "./cluster-name.ts";

const DEFAULT_NAME = "kubernetes";

/** The option for the name of a watched cluster. */
export function watchedClusterOption(): Option {
  return new Option("--cluster <name>", "the name of the cluster")
    .env("OUTLIVE_CLUSTER")
    .argParser(asArgument(readClusterName))
    .default(readClusterName(DEFAULT_NAME), DEFAULT_NAME);
}
