import { findArchivedJobs } from "../../src/archive/read/find-archived-jobs.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { CountsBehindError } from "../../src/count/await-counted.ts";
import {
  eraseData,
  type ErasureOutcome,
  type ErasurePorts,
  type ErasureStep,
} from "../../src/log/erasure/command/erase-data.ts";
import type { ErasureCounts } from "../../src/log/erasure/erasure-record.ts";
import { type ErasureTarget, holdOnTarget } from "../../src/log/erasure/erasure-target.ts";
import { planErasure } from "../../src/log/erasure/command/plan-erasure.ts";
import { droppedBy } from "../../src/log/erasure/command/erase-set-aside.ts";
import { UnerasableSegmentError } from "../../src/log/erasure/command/erase-log.ts";
import { type Hold, readHolds } from "../../src/ports/expiry/holds.ts";
import { ARCHIVE_KEY } from "../../src/ports/meta-key.ts";
import { liveJobs } from "../../src/projection/live-projection.ts";
import { count } from "../../src/job/text/sentence.ts";
import { remark } from "../output/print-answer.ts";
import { applyThoroughly, holdText } from "./apply-erasures.ts";
import { describe, type ErasedStage, type EraseFlags, nameOf, reasonOf, targetOf } from "./erase-flags.ts";
import { withErasedStage } from "./erased-stage.ts";
import { printErasures, printPlan, printRecord } from "./print-erasures.ts";
import { createInterface } from "node:readline/promises";
import { terminalText } from "../../src/job/text/terminal-text.ts";

/** Erases, or lists or applies erasures. */
export async function runErase(job: string | undefined, options: EraseFlags): Promise<void> {
  if (options.list === true) return printErasures(options);
  if (options.apply === true) return withErasedStage(options, announceStep, applyErasures);
  const target = targetOf(job, options);
  const reason = reasonOf(options);
  await withErasedStage(options, announceStep, async (stage) => {
    await requireArchive(stage.ports);
    await requireKnown(stage.ports, target);
    if (options.all !== true) await requireOneJob(stage.ports, target);
    await erase({ ...stage, options }, target, reason);
  });
}

interface Erasing extends ErasedStage {
  readonly options: EraseFlags;
}

async function erase({ ports, by, options }: Erasing, target: ErasureTarget, reason: string): Promise<void> {
  const request = { target, reason, by, at: Date.now() };
  try {
    const plan = await planErasure(ports, request);
    if (options.dryRun === true) return await preview({ ports, options }, target, plan);
    const warning = `This erases ${describe(target)}: ${count(plan.jobs, "Job")}, ${count(plan.facts, "fact")}.`;
    if (options.yes !== true) {
      await confirmByName({ warning, name: nameOf(target) }, { input: process.stdin, output: process.stderr });
    }
    await report(await eraseData(ports, request), target, { ports, options });
  } catch (cause) {
    throw isUnfinished(cause) ? new CommandFailure(1, cause.message, { cause }) : cause;
  }
}

/** The erasure continues when the reason is gone. */
function isUnfinished(cause: unknown): cause is Error {
  return cause instanceof UnerasableSegmentError || cause instanceof CountsBehindError;
}

/** Prints what would be erased. Throws CommandFailure where the erasure would be refused, or find nothing. */
async function preview(
  { ports, options }: Pick<Erasing, "ports" | "options">,
  target: ErasureTarget,
  plan: ErasureCounts,
): Promise<void> {
  const hold = holdOnTarget(await readHolds(ports), target);
  if (hold !== undefined) throw heldFailure(hold);
  const { jobs, pods, facts, records, objects } = plan;
  if (jobs + pods + facts + records + objects === 0) throw unknownFailure(target);
  await printPlan(options, target, plan);
}

function heldFailure(hold: Hold): CommandFailure {
  return new CommandFailure(1, `Nothing was erased: ${holdText(hold)}. Release it with "outlive hold release" first.`);
}

function unknownFailure(target: ErasureTarget): CommandFailure {
  return new CommandFailure(3, `There is no data of ${describe(target)}. List Jobs with "outlive jobs -A".`);
}

const STEPS: { readonly [Step in ErasureStep]: string } = {
  gathering: "Finding its Jobs and Pods",
  log: "Rewriting the log",
  states: "Removing states",
  records: "Removing records",
  messages: "Removing messages and metrics",
  archive: "Rewriting the archive",
  checking: "Checking that nothing is left",
  files: "Rewriting the file",
};

function announceStep(step: ErasureStep): void {
  if (process.stderr.isTTY) remark(`${STEPS[step]} ...`);
}

async function report(
  outcome: ErasureOutcome,
  target: ErasureTarget,
  { ports, options }: Pick<Erasing, "ports" | "options">,
): Promise<void> {
  switch (outcome.outcome) {
    case "erased":
      return printRecord(options, outcome.record, await droppedBy(ports.meta, outcome.record.id));
    case "held":
      throw heldFailure(outcome.hold);
    case "unfinished":
      throw new CommandFailure(
        1,
        `Nothing was erased: erasure ${outcome.other.id} of a ${outcome.other.level} of ${outcome.other.cluster} is ` +
          "not finished. Repeat its command first: it continues.",
      );
    case "nothing":
      throw unknownFailure(target);
  }
}

/** An archive that is not named would keep the data. */
async function requireArchive({ meta, archive }: ErasurePorts): Promise<void> {
  if (archive !== undefined || (await meta.read("position", ARCHIVE_KEY)) === undefined) return;
  throw new CommandFailure(
    2,
    "This database has an archive, which would keep the data. Name it with --archive. If it was deleted, name an " +
      "empty folder.",
  );
}

async function requireKnown({ meta }: ErasurePorts, { cluster }: ErasureTarget): Promise<void> {
  if ((await meta.read("cluster", cluster)) !== undefined) return;
  throw new CommandFailure(3, `Cluster ${cluster} is unknown. List clusters with "outlive clusters".`);
}

async function requireOneJob({ projections, meta, archive }: ErasurePorts, target: ErasureTarget): Promise<void> {
  if (target.level !== "job" || target.uid !== undefined) return;
  const jobs = await liveJobs(projections, meta);
  const { rows } = await jobs.listByName(target, { limit: MOST_LISTED });
  const archived = archive === undefined ? [] : await findArchivedJobs(archive.store, { ...target, now: Date.now() });
  const uids = [...new Set([...rows.map(({ jobUid }) => String(jobUid)), ...archived.map(({ uid }) => uid)])];
  if (uids.length < 2) return;
  throw new CommandFailure(
    2,
    `${count(uids.length, "Job")} had the name ${target.name}: ${uids.slice(0, MOST_SHOWN).join(", ")}. ` +
      "Choose one with --uid, or erase all with --all.",
  );
}

const MOST_LISTED = 1_000;
const MOST_SHOWN = 10;

async function applyErasures({ name, ports }: ErasedStage): Promise<void> {
  const { archive } = ports;
  if (archive === undefined) throw new CommandFailure(2, "Name the archive that has the erasures with --archive.");
  const applied = await applyThoroughly({ ...ports, archive });
  if (applied.length === 0) return remark(`${name} has all erasures of the archive.`);
  remark(`Applied ${count(applied.length, "erasure")} to ${name.replace(/^[DS]/, (letter) => letter.toLowerCase())}.`);
}

/** What a person reads before, and the name to type. */
interface Confirmation {
  readonly warning: string;
  readonly name: string;
}

/** Asks the operator to type a name. Throws CommandFailure if the text differs, or if there is no terminal. */
async function confirmByName(
  { warning, name }: Confirmation,
  { input, output }: { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream },
): Promise<void> {
  if (!input.isTTY) {
    throw new CommandFailure(2, `${warning} Nothing was erased: confirm with --yes where there is no terminal.`);
  }
  const lines = createInterface({ input, output });
  try {
    const typed = await lines.question(`${terminalText(warning)}\nType ${terminalText(name)} to erase it for ever: `);
    if (typed.trim() !== name) {
      throw new CommandFailure(1, `Nothing was erased: you typed another name than ${name}. Run the command again.`);
    }
  } finally {
    lines.close();
  }
}
