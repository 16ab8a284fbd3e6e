import type { MetaStore } from "../../src/ports/meta.ts";
import { isTrialComplete } from "../../src/upkeep/replay/switch-projection.ts";
import { readLivePointer } from "../../src/projection/live-projection.ts";
import type { Embedded } from "../../src/host/embedded/embedded-tracker.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import { inProcessClient } from "../../src/host/embedded/in-process-client.ts";
import { type Check, checkThat, collect, failed, ok, warning } from "./check.ts";
import { checkApi } from "./check-api.ts";
import { checkAcknowledgements, checkCommands, checkFreshness, checkSetAside } from "./check-records.ts";

/** Checks a database file, and the API over it. */
export async function checkDatabase(database: string): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const opened = await checkThat("database", async () => {
    await withDatabase(database, { create: false }, async (embedded) => {
      checks.push(...(await checksIn(embedded, database)));
    });
    return ok(`${database} opens, and its schema is of this release.`);
  });
  return [opened, ...checks];
}

async function checksIn(embedded: Embedded, database: string): Promise<readonly Check[]> {
  const { meta } = embedded;
  const apiChecks = await collect(checkApi(inProcessClient(embedded, database), Date.now));
  return [
    await checkIntegrity(embedded),
    await checkProjection(meta),
    await checkCommands(meta),
    await checkFreshness(meta, Date.now()),
    await checkSetAside(meta, Date.now()),
    await checkAcknowledgements(meta),
    ...apiChecks,
  ];
}

async function checkIntegrity(embedded: Embedded): Promise<Check> {
  return checkThat("integrity", async () => {
    const problems = await embedded.findDamage();
    return problems.length === 0
      ? ok("SQLite finds no damage, and every index has the rows of its table.")
      : failed(`SQLite's integrity_check found ${problems.length} problems: ${problems.slice(0, 3).join("; ")}`);
  });
}

async function checkProjection(meta: MetaStore): Promise<Check> {
  return checkThat("projection", async () => {
    const { live, building } = await readLivePointer(meta);
    if (building === undefined) return ok(`Projection ${live} is live. "outlive verify" compares it with the log.`);
    if (await isTrialComplete(meta)) {
      return ok(
        `Projection ${live} is live, and the trial's projection ${building} is complete and kept up to date. ` +
          'Compare them with "outlive compare", then use "outlive switch".',
      );
    }
    return warning(
      `Projection ${live} is live. A replay builds ${building}, or was interrupted: run "outlive replay" again.`,
    );
  });
}
