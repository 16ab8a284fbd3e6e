import type { ErasurePorts } from "../../src/log/erasure/command/erase-data.ts";
import { userInfo } from "node:os";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import type { ErasureTarget } from "../../src/log/erasure/erasure-target.ts";
import { decodeClusterName, decodeJobUid } from "../../src/job/model/ids.ts";
import { jobNameOf } from "../options/job-argument.ts";
import { canBeName } from "../options/object-name.ts";
import type { PrintOptions } from "../options/query-options.ts";

/** What a command erases from: a database file, or a deployment on AWS. */
export interface ErasedStage {
  /** For messages: `Database outlive.sqlite`. */
  readonly name: string;
  readonly ports: ErasurePorts;
  /** Who erases, as it is recorded: a user of this machine, or an IAM principal. */
  readonly by: string;
}

export interface EraseFlags extends PrintOptions {
  readonly cluster?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly all?: true;
  readonly reason?: string;
  readonly database: string;
  readonly stage?: string;
  /** Seconds. */
  readonly wait?: number;
  readonly archive?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly list?: true;
  readonly apply?: true;
}

/** What the options ask to erase. Throws CommandFailure. */
export function targetOf(job: string | undefined, flags: EraseFlags): ErasureTarget {
  const { namespace, uid } = flags;
  const cluster = decodeClusterName(flags.cluster);
  if (cluster === undefined) throw new CommandFailure(2, "Name the cluster of the data with --cluster.");
  if (namespace !== undefined && !canBeName(namespace)) throw new CommandFailure(2, "Name a namespace with -n.");
  if (job !== undefined) return { level: "job", cluster, ...jobOf(job, flags) };
  if (uid !== undefined) throw new CommandFailure(2, "Name the Job of the uid, too: outlive erase job/NAME --uid UID.");
  return namespace === undefined ? { level: "cluster", cluster } : { level: "namespace", cluster, namespace };
}

function jobOf(job: string, { namespace, uid }: EraseFlags) {
  if (namespace === undefined) throw new CommandFailure(2, "Name the namespace of the Job with -n.");
  if (uid !== undefined && decodeJobUid(uid) === undefined) {
    throw new CommandFailure(2, `"${uid}" is not a uid. List the uids of Jobs with "outlive jobs -o json".`);
  }
  return { namespace, name: jobNameOf(job), ...(uid !== undefined && { uid }) };
}

/** The reason as it is recorded. Throws CommandFailure. */
export function reasonOf({ reason = "" }: EraseFlags): string {
  const text = reason.trim();
  if (text === "") throw new CommandFailure(2, "State why with --reason, such as the number of a request.");
  if (text.length > MOST_CHARACTERS) {
    throw new CommandFailure(2, `The reason has ${text.length} characters. Write at most ${MOST_CHARACTERS}.`);
  }
  return text;
}

const MOST_CHARACTERS = 1_000;

/** Throws TypeError. */
export function secondsOf(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new TypeError("Write a whole number of seconds from 0 to 9999.");
  return Number(text);
}

/** The last name of a target: a person types it to confirm. */
export function nameOf(target: ErasureTarget): string {
  switch (target.level) {
    case "job":
      return target.name;
    case "namespace":
      return target.namespace;
    case "cluster":
      return target.cluster;
  }
}

export function describe(target: ErasureTarget): string {
  switch (target.level) {
    case "job":
      return `Job ${target.name} of namespace ${target.namespace} of ${target.cluster}`;
    case "namespace":
      return `namespace ${target.namespace} of ${target.cluster}`;
    case "cluster":
      return `cluster ${target.cluster}`;
  }
}

/** The user of this process, who erases. */
export function caller(): string {
  return userInfo().username;
}
