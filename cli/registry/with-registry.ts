import type { MetaStore } from "../../src/ports/meta.ts";
import type { RegistryOptions } from "../options/registry-options.ts";

/** The store of senders and readers, and its name in messages. */
export interface Registry {
  readonly meta: MetaStore;
  readonly name: string;
}

/** Opens the registry of the deployment if one is named, else of the database file. */
export async function withRegistry<Result>(
  { stack, metaTable, database }: RegistryOptions,
  work: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  if (metaTable !== undefined) {
    const { deployedMeta } = await import("../deployment/deployed-meta.ts");
    return work({ meta: deployedMeta(metaTable), name: `table ${metaTable}` });
  }
  if (stack !== undefined) {
    const [{ readDeployment }, { deployedMeta }] = await Promise.all([
      import("../deployment/deployment.ts"),
      import("../deployment/deployed-meta.ts"),
    ]);
    const deployment = await readDeployment(stack);
    return work({ meta: deployedMeta(deployment.output("MetaTable")), name: `stack ${stack}` });
  }
  const { withDatabase } = await import("../../src/host/embedded/with-database.ts");
  return withDatabase(database, { create: true }, ({ meta }) => work({ meta, name: database }));
}
