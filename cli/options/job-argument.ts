import { canBeName } from "./object-name.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";

/** The name in `NAME`, `job/NAME`, `jobs/NAME` or `job.batch/NAME`, as kubectl takes them. */
export function jobNameOf(argument: string): string {
  const [, type, name] = /^(?:([^/]*)\/)?([^/]*)$/.exec(argument) ?? [];
  if (name === undefined || !canBeName(name)) {
    throw new CommandFailure(2, `"${argument}" does not name a Job. Write NAME or job/NAME.`);
  }
  if (type !== undefined && !JOB_TYPES.includes(type.toLowerCase())) {
    throw new CommandFailure(2, `Unsupported type "${type}": write NAME or job/${name}.`);
  }
  return name;
}

/** What an argument names: a Job, or a run of a kind. */
export type NamedTarget =
  | { readonly type: "job"; readonly name: string }
  | { readonly type: "run"; readonly kind: string; readonly name: string };

/**
 * The Job of `NAME` or `job/NAME`, or the run of `KIND/NAME`: `jobset/NAME`, `rayjobs.ray.io/NAME`. The name of a run
 * of another system may have any characters.
 */
export function targetOf(argument: string): NamedTarget {
  const [, kind, name] = /^([a-z][a-z0-9.-]*)\/(.+)$/is.exec(argument) ?? [];
  if (
    kind === undefined ||
    name === undefined ||
    !canBeName(name) ||
    [...JOB_TYPES, ...OTHER_TYPES].includes(kind.toLowerCase())
  ) {
    return { type: "job", name: jobNameOf(argument) };
  }
  return { type: "run", kind, name };
}

/** Types that people may write, which are no runs. */
const OTHER_TYPES = ["pod", "pods", "po", "node", "nodes", "no", "cronjob", "cronjobs", "cj", "workload", "workloads"];

const JOB_TYPES = ["job", "jobs", "job.batch", "jobs.batch", "job.v1.batch", "jobs.v1.batch"];
