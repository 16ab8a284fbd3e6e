import { linkTo, linkToJob, linkToRun } from "../shell/route.ts";
import type { AttentionEntry } from "../../src/query/attention/attention.ts";

/** What an entry is about, in words and as links. */
export interface EntryLinks {
  /** Kind and name, as in `CronJob nightly`. */
  readonly kind: string;
  readonly name: string;
  /** The CronJob, the run, or the Job on its own; `undefined` if the page has no view of it. */
  readonly subject: string | undefined;
  readonly newestJob: string | undefined;
  /** The list of its Jobs; `undefined` if there is at most one, which `newestJob` opens. */
  readonly jobs: string | undefined;
  /** What the Enter key opens: where the cause is. */
  readonly opens: string | undefined;
}

export function entryLinks(entry: AttentionEntry): EntryLinks {
  const { cluster, namespace, group, newest, jobs } = entry;
  const newestJob = newest && linkToJob({ cluster, namespace, ...newest });
  const subject = group === undefined ? (jobs === 1 ? newestJob : undefined) : linkToGroup(entry, group);
  return {
    ...subjectOf(entry),
    subject,
    newestJob,
    jobs: jobs > 1 ? linkToJobs(entry) : undefined,
    opens: group?.type === "run" ? (subject ?? newestJob) : (newestJob ?? subject),
  };
}

function subjectOf({ group, jobs, newest, namespace }: AttentionEntry): Pick<EntryLinks, "kind" | "name"> {
  if (group !== undefined) return { kind: group.kind, name: group.name };
  return jobs === 1 && newest !== undefined
    ? { kind: "Job", name: newest.name }
    : { kind: "Jobs in namespace", name: namespace };
}

function linkToGroup(
  { cluster, namespace }: AttentionEntry,
  { type, kind, name, uid }: NonNullable<AttentionEntry["group"]>,
): string | undefined {
  if (type === "run") return linkToRun({ cluster, namespace, kind, name, uid });
  return kind === "CronJob"
    ? linkTo("cronjobs", [cluster, namespace, name])
    : linkTo("runs", [], { cluster, namespace, series: `${kind}/${name}` });
}

/** The page searches the loaded Jobs for the kind of finding, which the API cannot filter by. */
function linkToJobs({ cluster, namespace, group, kind }: AttentionEntry): string {
  const name = group && `${group.kind}/${group.name}`;
  const of = group?.type === "run" ? { run: name } : { owner: name };
  return linkTo("jobs", [], {
    cluster,
    namespace,
    attention: "true",
    ...of,
    q: group === undefined ? kind : undefined,
  });
}
