import type { Command, Option } from "commander";
import type { Query } from "../../src/http/contract/api-paths.ts";
import { clusterOption, namespaceOption } from "./query-options.ts";
import { TIME_FORM, timeOption } from "./time-option.ts";

/** Which Jobs, whatever their state and times. */
export interface JobSelection {
  /** Absent for all namespaces. */
  readonly namespace?: string;
  readonly allNamespaces?: true;
  readonly cluster?: string;
  readonly selector?: string;
  readonly name?: string;
  readonly owner?: string;
  readonly run?: string;
}

/** The filters of a list of Jobs. */
export interface JobFilterOptions extends JobSelection {
  readonly fieldSelector?: string;
  readonly state?: readonly string[];
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly startedAfter?: string;
  readonly startedBefore?: string;
  readonly finishedAfter?: string;
  readonly finishedBefore?: string;
  readonly deletedAfter?: string;
  readonly deletedBefore?: string;
  readonly waiting?: true;
  readonly attention?: true;
}

/** The filters of `jobs`, `summary` and `changes`. Commands about all namespaces pass {@link anyNamespaceOption}. */
export function addJobFilterOptions(command: Command, namespace = namespaceOption("Jobs of this namespace")): Command {
  return addJobSelection(command.addOption(namespace).option("-A, --all-namespaces", "Jobs of all namespaces"))
    .option(
      "--field-selector <selector>",
      "field selector: metadata.name, metadata.namespace, status.successful, state",
    )
    .option(
      "--state <state...>",
      "Pending, Running, Suspended, Complete, Failed, Deleted or Unknown, in any case; several with commas",
    )
    .addOption(timeOption("--created-after <time>", `time: ${TIME_FORM}, 90m or 7d`))
    .addOption(timeOption("--created-before <time>", "time or duration before now"))
    .addOption(timeOption("--started-after <time>", "time or duration before now"))
    .addOption(timeOption("--started-before <time>", "time or duration before now"))
    .addOption(timeOption("--finished-after <time>", "time or duration before now"))
    .addOption(timeOption("--finished-before <time>", "time or duration before now"))
    .addOption(timeOption("--deleted-after <time>", "time or duration before now"))
    .addOption(timeOption("--deleted-before <time>", "time or duration before now"))
    .option("--waiting", "only Jobs that are not running because they wait")
    .option("--attention", "only Jobs with findings");
}

/** The options of {@link JobSelection} without the namespace. */
export function addJobSelection(command: Command): Command {
  return command
    .addOption(clusterOption("Jobs of this cluster (default: all clusters)"))
    .option("-l, --selector <selector>", "label selector, as in kubectl: app=a,tier in (web,db),!legacy")
    .option("--name <name>", "exact name: every Job that had it")
    .option("--owner <owner>", "the controller that owns the Job: name, kind/name or uid")
    .option("--run <run>", "the run that the Job is part of: jobset/train (the newest of that name), a name or uid");
}

export function jobSelectionQuery(options: JobSelection): Query {
  const { cluster, allNamespaces, selector: labelSelector, name, owner, run } = options;
  const namespace = allNamespaces === true ? undefined : options.namespace;
  return { cluster, namespace, name, labelSelector, owner, run };
}

/** A shorter `--created-after`, for commands in which `--since` has no other meaning. */
export function sinceOption(): Option {
  return timeOption("--since <time>", "short for --created-after, such as --since 2h").conflicts("createdAfter");
}

/** The filter with `--since` as the bound that it means. */
export function withSince<Options extends JobFilterOptions>({
  since,
  ...options
}: Options & { readonly since?: string }): Omit<Options, "since"> {
  return since === undefined ? options : { ...options, createdAfter: since };
}

export function jobFilterQuery(options: JobFilterOptions): Query {
  return {
    ...jobSelectionQuery(options),
    state: options.state?.join(","),
    fieldSelector: options.fieldSelector,
    createdAfter: options.createdAfter,
    createdBefore: options.createdBefore,
    startedAfter: options.startedAfter,
    startedBefore: options.startedBefore,
    finishedAfter: options.finishedAfter,
    finishedBefore: options.finishedBefore,
    deletedAfter: options.deletedAfter,
    deletedBefore: options.deletedBefore,
    waiting: options.waiting,
    attention: options.attention,
  };
}
