import { openDeployedRestore, withClosedHours } from "../deployment/deployed-restore.ts";
import { loggedBatches } from "../../src/upkeep/restore/logged-batches.ts";
import { noteBegun, noteFinished } from "../../src/upkeep/replay/unfinished-commands.ts";
import { restoreBatches } from "./restore-batches.ts";

/** Brings the segments of a copy of a log table back into the log of a deployment. */
export async function restoreTable(stage: string, table: string): Promise<void> {
  const deployed = await openDeployedRestore(stage);
  const { readTable } = deployed;
  const ports = await withClosedHours(deployed);
  const command = { command: "restore", of: `table ${table}` } as const;
  await noteBegun(deployed.meta, command);
  await restoreBatches({ stage, ports, source: command.of }, loggedBatches(readTable(table)));
  await noteFinished(deployed.meta, command);
}
