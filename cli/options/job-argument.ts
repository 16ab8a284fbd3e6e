import { canBeName } from "./object-name.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";

/** The name in `NAME`, `job/NAME`, `jobs/NAME` or `job.batch/NAME`, as kubectl takes them. */
export function jobNameOf(argument: string): string {
  const [, type, name] = /^(?:([^/]*)\/)?([^/]*)$/.exec(argument) ?? [];
  if (name === undefined || !canBeName(name)) {
    throw new CommandFailure(2, `"${argument}" does not name a Job. Write NAME or job/NAME.`);
  }
  if (type !== undefined && !JOB_TYPES.includes(type.toLowerCase())) {
    throw new CommandFailure(2, `Unsupported type "${type}": outlive has Jobs only. Write NAME or job/${name}.`);
  }
  return name;
}

const JOB_TYPES = ["job", "jobs", "job.batch", "jobs.batch", "job.v1.batch", "jobs.v1.batch"];
