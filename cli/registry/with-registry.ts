import type { MetaStore } from "../../src/ports/meta.ts";
import type { RegistryOptions } from "../options/registry-options.ts";

/** The records of a stage or a database file, and its name in messages. */
export interface Registry {
  readonly meta: MetaStore;
  readonly name: string;
}

/** Opens the records of the deployment if one is named, else of the database file. */
export async function withRegistry<Result>(
  { stage, database }: RegistryOptions,
  work: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  if (stage !== undefined) {
    const [{ readDeployment }, { deployedMeta }] = await Promise.all([
      import("../deployment/deployment.ts"),
      import("../deployment/deployed-meta.ts"),
    ]);
    const deployment = await readDeployment(stage);
    return work({ meta: deployedMeta(deployment.output("MetaTable")), name: `stage ${stage}` });
  }
  const { withDatabase } = await import("../../src/host/embedded/with-database.ts");
  return withDatabase(database, { create: true }, ({ meta }) => work({ meta, name: database }));
}
