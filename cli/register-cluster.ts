import { decodeClusterName } from "../src/job/ids.ts";
import { noteCluster } from "../src/projection/project-cluster.ts";
import { CommandFailure } from "./failure.ts";
import { remark } from "./print-answer.ts";
import { withDatabase } from "./with-database.ts";

/** Makes a cluster known in a database file before it has sent anything. */
export async function registerCluster(database: string, name: string): Promise<void> {
  const cluster = decodeClusterName(name);
  if (cluster === undefined) {
    throw new CommandFailure(
      2,
      `"${name}" cannot be a cluster's name: use 1 to 63 letters, digits, dots, dashes and underscores.`,
    );
  }
  await withDatabase(database, { create: true }, ({ meta }) => noteCluster(meta, cluster));
  remark(`Cluster ${cluster} is known in ${database}.`);
}
