import type { CronRunsAnswer } from "../../src/query/cron-jobs/cron-runs.ts";
import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { useLive } from "../api/live.ts";
import { request } from "../api/request.ts";
import type { TimeRange } from "../pictures/bucket.ts";
import type { Baseline } from "../pictures/percentiles-picture.ts";
import { Picture, type PictureProps } from "../pictures/picture.tsx";
import type { Captured } from "../pictures/picture-data.ts";
import { type CoveredBucket, coveredBuckets, type Observed } from "../pictures/coverage.ts";
import { OnRequest } from "../shell/on-request.tsx";
import { Panel } from "../shell/panel.tsx";
import { millisOf } from "../text/instant-text.ts";
import {
  delaysOf,
  durationsOf,
  failedShareOf,
  failuresOf,
  groupsByTime,
  hasJobs,
  type SummaryOverTime,
} from "./summary-pictures.ts";
import { jobsIn, type SummaryQuery } from "./summary-range.ts";

interface PicturesProps {
  readonly summary: SummaryAnswer;
  readonly range: TimeRange;
  readonly query: SummaryQuery;
  readonly observed: Observed;
}

/** Failures, durations and waiting time over time. */
export function PicturesPanel({ summary, range, query, observed }: PicturesProps) {
  const baseline = useBaseline(query.filters);
  const shown = overTime(summary, range, observed);
  return (
    <div class="pictures">
      <Shown title="Failed Jobs" query={query} of={failuresOf(shown)} more={{ state: "Failed" }} />
      <Shown title="Share of failed Jobs" query={query} of={failedShareOf(shown)} more={{ state: "Failed" }} />
      <Shown title="Duration" query={query} of={durationsOf(shown, baseline)} />
      <WaitingTime range={range} query={query} observed={observed} />
    </div>
  );
}

/** The groups of a summary with what was observed in each hour or day. */
function overTime(summary: SummaryAnswer, range: TimeRange, observed: Observed): SummaryOverTime {
  const groups = groupsByTime(summary);
  const answered = { hasJobs: hasJobs(groups), readSince: millisOf(summary.partial?.since) };
  return { unit: range.unit, buckets: coveredBuckets(range, observed, answered), groups };
}

interface ShownProps {
  readonly title: string;
  readonly query: SummaryQuery;
  readonly of: Captured;
  readonly more?: Readonly<Record<string, string>>;
  readonly isWithin?: boolean;
}

/** A picture whose hours and days open the list of their Jobs. */
function Shown({ title, query, of, more = {}, isWithin = false }: ShownProps) {
  const jobsOf: PictureProps["jobsOf"] = (bucket: CoveredBucket) => ({ ...jobsIn(query, bucket), ...more });
  return <Picture title={title} {...of} jobsOf={jobsOf} isWithin={isWithin} />;
}

/** It needs the Pods of each Job, which neither counts nor lists have. */
function WaitingTime({ range, query, observed }: Omit<PicturesProps, "summary">) {
  const parameters = { ...query.jobs, by: range.unit, startDelays: "true" };
  return (
    <Panel id="waiting" title="Waiting time" remark={`by ${range.unit}, UTC`}>
      <p class="inside">From creation to the first running Pod. It is read from the Pods of the newest 5,000 Jobs.</p>
      <OnRequest<SummaryAnswer>
        name="waiting"
        showLabel="Read the waiting times"
        hideLabel="Hide the waiting times"
        what="the Pods"
        of={JSON.stringify(parameters)}
        load={(signal) => request<SummaryAnswer>("summary", parameters, signal)}
      >
        {(summary) => (
          <Shown title="Waiting time" query={query} of={delaysOf(overTime(summary, range, observed))} isWithin />
        )}
      </OnRequest>
    </Panel>
  );
}

const CRON_JOB = /^CronJob\/(.+)$/iu;

/** The baseline of the series that the filters name; `undefined` for anything else. */
function useBaseline({ cluster, namespace, owner = "" }: SummaryQuery["filters"]): Baseline | undefined {
  const [, name] = CRON_JOB.exec(owner) ?? [];
  const path =
    cluster === undefined || namespace === undefined || name === undefined
      ? undefined
      : `clusters/${[cluster, "namespaces", namespace, "cronjobs", name].map(encodeURIComponent).join("/")}/runs`;
  const load = async (signal: AbortSignal) => {
    if (path === undefined) return { outcome: "answered", answer: undefined, at: Date.now() } as const;
    // The baseline does not depend on the runs of the answer, so it asks for few of them.
    const read = await request<CronRunsAnswer>(path, { since: "1h" }, signal);
    return read.outcome === "answered" ? { ...read, answer: read.answer.expected } : read;
  };
  const live = useLive(path ?? "no baseline", load, { repeats: () => false }).value;
  return live.phase === "answered" ? live.answer : undefined;
}
