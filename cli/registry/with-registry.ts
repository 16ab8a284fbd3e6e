import type { MetaStore } from "../../src/ports/meta.ts";
import type { RegistryOptions } from "../options/registry-options.ts";

/** Where something is kept, and what people call that place. */
export interface Registry {
  readonly meta: MetaStore;
  readonly place: string;
}

/** Works on the records of the deployment that is named, else of the database file. */
export async function withRegistry<Result>(
  { stack, metaTable, database }: RegistryOptions,
  work: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  if (metaTable !== undefined) {
    const { deployedMeta } = await import("../deployment/deployed-meta.ts");
    return work({ meta: deployedMeta(metaTable), place: `table ${metaTable}` });
  }
  if (stack !== undefined) {
    const [{ readDeployment }, { deployedMeta }] = await Promise.all([
      import("../deployment/deployment.ts"),
      import("../deployment/deployed-meta.ts"),
    ]);
    const deployment = await readDeployment(stack);
    return work({ meta: deployedMeta(deployment.output("MetaTable")), place: `stack ${stack}` });
  }
  const { withDatabase } = await import("../../src/embedded/with-database.ts");
  return withDatabase(database, { create: true }, ({ meta }) => work({ meta, place: database }));
}
