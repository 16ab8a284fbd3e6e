import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { LONG_BUSY_MILLIS } from "../../src/host/embedded/embedded-tracker.ts";
import { erasurePorts } from "../../src/host/embedded/erase-embedded.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import type { ErasureStep } from "../../src/log/erasure/command/erase-data.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { openExistingArchive } from "../archive/open-archive.ts";
import { caller, type ErasedStage, type EraseFlags } from "./erase-flags.ts";

type OnStep = (step: ErasureStep) => void;

/** Opens what the options name. Throws CommandFailure. */
export async function withErasedStage(
  options: EraseFlags,
  onStep: OnStep,
  work: (stage: ErasedStage) => Promise<void>,
): Promise<void> {
  if (options.stage !== undefined) return work(await openStage(options.stage, options, onStep));
  const archive = options.archive === undefined ? undefined : await openExistingArchive({ archive: options.archive });
  const { database } = options;
  await withDatabase(database, { create: false, busyMillis: LONG_BUSY_MILLIS }, (embedded) =>
    work({ name: `Database ${database}`, ports: erasurePorts(embedded, { archive, onStep }), by: caller() }),
  );
}

async function openStage(stage: string, { archive, wait }: EraseFlags, onStep: OnStep): Promise<ErasedStage> {
  if (archive !== undefined) {
    throw new CommandFailure(2, "Name either --stage or --archive: a deployment has an archive of its own.");
  }
  const { openDeployedErasure } = await import("../deployment/deployed-erasure.ts");
  return openDeployedErasure(stage, { onStep, waitSeconds: wait });
}

/** The records of what the options name, to list its erasures. It needs no permission to erase. */
export async function withErasures(
  { stage, database }: EraseFlags,
  work: (meta: MetaStore) => Promise<void>,
): Promise<void> {
  if (stage === undefined) return withDatabase(database, { create: false }, ({ meta }) => work(meta));
  const [{ readDeployment }, { deployedMeta }] = await Promise.all([
    import("../deployment/deployment.ts"),
    import("../deployment/deployed-meta.ts"),
  ]);
  return work(deployedMeta((await readDeployment(stage)).output("MetaTable")));
}
