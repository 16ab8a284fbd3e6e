import type { Attribution } from "../../src/explain/answer-document.ts";
import { linkTo } from "../shell/place.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { millisOf } from "../text/instant-text.ts";
import { Age, Moment } from "../text/moment.tsx";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";
import type { OneJob } from "./one-job.ts";

/** What became of the Job, in words, before anything else. */
export function VerdictPanel({ job, sentence }: { readonly job: OneJob; readonly sentence: string | undefined }) {
  const { verdict } = job;
  return (
    <section class="verdict" aria-label="Verdict">
      <p class="quiet breaks">
        <a href={linkTo("jobs", [], { cluster: job.cluster })}>
          <ClusterText text={job.cluster} />
        </a>{" "}
        /{" "}
        <a href={linkTo("jobs", [], { cluster: job.cluster, namespace: job.namespace })}>
          <ClusterText text={job.namespace} />
        </a>
      </p>
      <h1 class="breaks">
        <StateBadge state={verdict.state} final={verdict.final} /> <ClusterText text={job.name} />
      </h1>
      <p class="answer">{sentence === undefined ? inShort(job) : shownText(sentence)}</p>
      <p class="line quiet">
        <span>{basisText(job)}</span>
        <span>
          Created <Moment at={job.createdAt} /> (<Age at={job.createdAt} /> ago)
        </span>
        {job.startedAt === undefined ? null : (
          <span>
            Started <Moment at={job.startedAt} form="time" />
          </span>
        )}
        {job.finishedAt === undefined ? null : (
          <span>
            Finished <Moment at={job.finishedAt} form="time" />, after {ranFor(job)}
          </span>
        )}
        {job.deletedAt === undefined ? null : (
          <span>
            Object gone <Moment at={job.deletedAt} form="time" />
            {job.deletedBy === undefined ? "" : ` by ${who(job.deletedBy)}`}
          </span>
        )}
        {job.owner === undefined ? null : (
          <span>
            Of{" "}
            <a href={linkTo("jobs", [], { cluster: job.cluster, owner: `${job.owner.kind}/${job.owner.name}` })}>
              {job.owner.kind} <ClusterText text={job.owner.name} />
            </a>
          </span>
        )}
      </p>
    </section>
  );
}

function inShort({ verdict, status, spec }: OneJob): string {
  const of = spec.completions === undefined ? "" : ` of ${spec.completions}`;
  const reason = verdict.reason === undefined ? "" : ` (${shownText(verdict.reason)})`;
  return `${verdict.state}${reason}: ${status.succeeded ?? 0}${of} succeeded.`;
}

function basisText({ verdict, tracking }: OneJob): string {
  const final = verdict.final ? "Final" : "Not final yet";
  const counted =
    tracking === "unknown"
      ? ""
      : `; Kubernetes ${tracking === "tracked" ? "counts it by finalizer" : "counts the Pods that exist"}`;
  switch (verdict.basis) {
    case "both":
      return `${final}: Kubernetes and the facts agree on that state${counted}.`;
    case "reported":
      return `${final}: Kubernetes says so${counted}.`;
    case "observed":
      return `${final}: the facts prove it, Kubernetes has not said it${counted}.`;
  }
}

function ranFor({ startedAt, finishedAt }: OneJob): string {
  const [from, to] = [millisOf(startedAt), millisOf(finishedAt)];
  return from === undefined || to === undefined ? "an unknown time" : spanText(to - from);
}

/** Who did it, and how sure that is. */
export function who({ actor, confidence }: Attribution): string {
  const name = shownText(actor);
  switch (confidence) {
    case "certain":
      return name;
    case "likely":
      return `${name} (likely)`;
    case "possible":
      return `${name} (possibly)`;
  }
}
