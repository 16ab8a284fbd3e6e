import { compareText } from "../../job/model/compare-text.ts";
import type { Category } from "../../job/attribution/category.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { WorkTry } from "../kinds.ts";
import type { State } from "../../job/model/states.ts";

/** What a run needs to know of one of its Jobs. */
export interface RunJob {
  readonly uid: string;
  readonly name: string;
  readonly role?: string;
  /** How often its run had started its Jobs again, as the Job says. */
  readonly attempt?: number;
  readonly createdAt: Instant;
  readonly startedAt?: Instant;
  /** Whether its own counts say that a Pod has started, if none was observed to. */
  readonly hasStarted?: true;
  readonly state: State;
  /** Whether it starts the work of its run, and does not do it. */
  readonly isLauncher?: true;
  /** When it ended, if it is a launcher. */
  readonly finishedAt?: Instant;
  /** Absent if its name says what work it does. */
  readonly workTry?: WorkTry;
  /** When it turned out to have failed: its condition, or that of a failure that is being counted. */
  readonly failedAt?: Instant;
  /** The first of its Pods that failed by itself. */
  readonly firstFailure?: PodFailure;
}

/** By creation; of Jobs that were created at the same time, by uid. */
export function byCreation(a: RunJob, b: RunJob): number {
  return a.createdAt - b.createdAt || compareText(a.uid, b.uid);
}

/** Equal for the Jobs of an attempt of which the last one counts. */
export function workOfJob({ name, workTry }: Pick<RunJob, "name" | "workTry">): string {
  return workTry?.work ?? name;
}

/** By their tries. Others keep their order. */
export function byTry(a: RunJob, b: RunJob): number {
  return (a.workTry?.number ?? 0) - (b.workTry?.number ?? 0);
}

/** A Pod that failed, and not because it was deleted. */
export interface PodFailure {
  readonly pod: string;
  readonly exitCode?: number;
  /** The node that it was lost with. */
  readonly node?: string;
  readonly category: Category;
  readonly at: Instant;
}
