import { type ArchiveProblem, type ErasedProof, verifyArchive } from "../../src/archive/verify/verify-archive.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { count } from "../../src/job/text/sentence.ts";
import { remark } from "../output/print-answer.ts";
import { showProgress } from "../output/progress-bar.ts";
import { type ArchiveLocation, openExistingArchive } from "./open-archive.ts";

/** The most problems that are listed; the others are only counted. */
const MOST_SHOWN = 50;

/** Checks an archive, and fails with status 1 if an object is missing or changed. */
export async function verifyArchiveIn(location: ArchiveLocation, head: string | undefined): Promise<void> {
  const store = await openExistingArchive(location);
  const progress = showProgress("Verifying hours");
  let hours = 0;
  try {
    const onLink = (): void => progress.at(++hours, hours);
    const verified = await verifyArchive(store, { onLink, ...(head !== undefined && { head }) });
    progress.stop();
    report(store.name, verified.problems);
    reportErased(verified.erased);
    remark(
      `Verified ${count(verified.hours, "hour")} and ${count(verified.objects, "object")} of ${store.name}: ` +
        `no problems. Its head is ${verified.head ?? "unset"}.`,
    );
  } finally {
    progress.stop();
  }
}

/** Objects that were erased are no problem, and are named. */
function reportErased(erased: readonly ErasedProof[]): void {
  for (const { key, by, now } of erased.slice(0, MOST_SHOWN)) {
    remark(`${key}: erased by ${by.join(" and ")}. ${now === undefined ? "Nothing remains." : `The rest is ${now}.`}`);
  }
  if (erased.length > MOST_SHOWN) remark(`${erased.length - MOST_SHOWN} more objects were erased.`);
}

function report(name: string, problems: readonly ArchiveProblem[]): void {
  if (problems.length === 0) return;
  for (const { key, problem, reason } of problems.slice(0, MOST_SHOWN)) remark(`${key}: ${problem}. ${reason}`);
  throw new CommandFailure(
    1,
    `Archive ${name} has ${count(problems.length, "problem")}. Restore the objects from a copy of the archive.`,
  );
}
