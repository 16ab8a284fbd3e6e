import { responsibilityText } from "../../src/explain/cause/responsibility-text.ts";
import type { Attempt } from "../../src/explain/answer-document.ts";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import type { RunWhyAnswer } from "../../src/query/runs/explain-run.ts";
import type { Live } from "../api/live.ts";
import { DecisivePodCard } from "../job/answer/decisive-pod-card.tsx";
import { LogLinks } from "../job/log-links.tsx";
import { Remedies } from "../job/remedies.tsx";
import { Panel } from "../shell/panel.tsx";
import { linkToJob } from "../shell/route.ts";
import { WithLive } from "../shell/with-live.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { shownText } from "../text/shown-text.ts";
import { decisiveFailure, podOfFailure } from "./decisive-failure.ts";

interface RunAnswerPanelProps {
  readonly run: RunAnswer;
  readonly why: Live<RunWhyAnswer>;
  /** By the uid of the Job, as far as they are read. */
  readonly pods: ReadonlyMap<string, readonly Attempt[]>;
}

/** What to do about a run, beside the logs of the Pod that failed first. */
export function RunAnswerPanel({ run, why, pods }: RunAnswerPanelProps) {
  const remedies = why.phase === "answered" ? why.answer.remedies : [];
  const failure = decisiveFailure(run);
  const isFine = run.verdict.state === "Complete" || run.verdict.state === "Running";
  if (failure === undefined && isFine && remedies.length === 0) return null;
  return (
    <Panel id="answer" title={run.verdict.state === "Complete" ? "What failed before" : "How to fix it"}>
      <WithLive live={why} what="the explanation">
        {({ logs = [] }) => (
          <div class="inside two even answer-parts">
            <div>
              {remedies.length === 0 ? <p>{nothingText(run)}</p> : <Remedies remedies={remedies} />}
              {run.cause === undefined ? null : <p class="quiet">{responsibilityText(run.cause)}.</p>}
            </div>
            {failure === undefined ? (
              <LogLinks links={logs} />
            ) : (
              <FailedPod run={run} attempt={podOfFailure(failure, pods)} logs={logs} />
            )}
          </div>
        )}
      </WithLive>
    </Panel>
  );
}

function nothingText({ verdict: { state, final }, attempts }: RunAnswer): string {
  if (state === "Complete") return `Nothing is left to do: attempt ${attempts.at(-1)?.number ?? 0} completed the run.`;
  return final ? "No remedy is known for this." : "Nothing yet: the run has not ended.";
}

interface FailedPodProps {
  readonly run: RunAnswer;
  readonly attempt: Attempt | undefined;
  readonly logs: NonNullable<RunWhyAnswer["logs"]>;
}

function FailedPod({ run, attempt, logs }: FailedPodProps) {
  const decisive = decisiveFailure(run);
  if (decisive === undefined) return null;
  const { job: name, jobUid, pod } = decisive.failure;
  const job = { cluster: run.cluster, namespace: run.namespace, name, uid: jobUid };
  const ofJob = (
    <>
      {" of Job "}
      <a href={linkToJob(job)}>
        <ClusterText text={name} />
      </a>
      {run.attempts.length > 1 ? `, attempt ${decisive.number}` : ""}
    </>
  );
  if (attempt === undefined) {
    return (
      <div>
        <h3>Failed first</h3>
        <p class="breaks">
          {pod === undefined ? "A Pod" : <span class="mono">{shownText(pod)}</span>}
          {ofJob}
        </p>
        <LogLinks links={logs.filter((link) => pod === undefined || link.pod === pod)} />
      </div>
    );
  }
  return (
    <DecisivePodCard job={job} decisive={{ is: "cause", pod: attempt, attempt }} heardAt={run.asOf.time} logs={logs}>
      {ofJob}
    </DecisivePodCard>
  );
}
