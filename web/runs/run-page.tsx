import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { type Live, useLive } from "../api/live.ts";
import type { ReadPages } from "../api/read-pages.ts";
import { EvidencePanel } from "../job/answer/evidence-panel.tsx";
import { Panel } from "../shell/panel.tsx";
import { linkToRun, type RunName } from "../shell/route.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { shownText } from "../text/shown-text.ts";
import { UsagePanel } from "../usage/usage-panel.tsx";
import { AttemptsPanel } from "./attempts-panel.tsx";
import { RunAnswerPanel } from "./run-answer-panel.tsx";
import { RunHistoryPanel } from "./run-history-panel.tsx";
import { RunJobsPanel } from "./run-jobs-panel.tsx";
import { loadPodsOfJobs, loadRun, loadRunJobs, loadRunWhy, type RunWithOthers } from "./run-requests.ts";
import { jobsWithPods, type PodsByJob } from "./run-timeline.ts";
import { RunTimelinePanel } from "./run-timeline-panel.tsx";
import { RunVerdictPanel } from "./run-verdict-panel.tsx";

/** Jobs are one read each, and changes trigger a reload, so a minute is enough. */
const DETAILS_INTERVAL = 60_000;

/** One run: its verdict, attempts, Jobs and Pods, and the evidence, which includes what Kueue did. */
export function RunPage({ run }: { readonly run: RunName }) {
  useTitle(`${shownText(run.name)} in ${shownText(run.namespace)}`);
  const key = JSON.stringify(run);
  const isOld = (job: RunOfJob): boolean => job.namespace === run.namespace && job.run.name === run.name;
  const live = useLive(key, loadRun(run), { isOld }).value;
  return (
    <WithLive live={live} what="the run" isView>
      {(found) => <RunSections run={found} />}
    </WithLive>
  );
}

interface RunOfJob {
  readonly namespace: string;
  readonly run: { readonly name: string };
}

function RunSections({ run }: { readonly run: RunWithOthers }) {
  const { cluster, namespace, kind, name, uid } = run;
  const key = JSON.stringify([cluster, namespace, kind, name, uid, run.jobs.total]);
  const jobs = useLive(key, loadRunJobs(run), { everyMillis: DETAILS_INTERVAL }).value;
  const pods = useRunPods(jobs);
  const why = useLive(`${key} ${run.verdict.state}`, loadRunWhy(run), { everyMillis: DETAILS_INTERVAL }).value;
  return (
    <>
      <RunVerdictPanel run={run} sentence={why.phase === "answered" ? why.answer.answer : undefined} />
      <RunAnswerPanel run={run} why={why} pods={pods.phase === "answered" ? pods.answer : NO_PODS} />
      <RunTimelinePanel run={run} jobs={jobs} pods={pods} />
      {run.attempts.length > 1 ? <AttemptsPanel run={run} /> : null}
      <EvidencePanel findings={run.findings} why={why} />
      <RunJobsPanel run={run} jobs={jobs} />
      <UsagePanel usage={run.usage} />
      <RunHistoryPanel run={run} />
      <LabelsPanel run={run} />
      {run.otherUids === undefined ? null : <OthersPanel run={run} uids={run.otherUids} />}
    </>
  );
}

const NO_PODS: PodsByJob = new Map();

/** The Pods of the Jobs in the timeline. */
function useRunPods(jobs: Live<ReadPages<JobAnswer>>): Live<PodsByJob> {
  const shown = jobs.phase === "answered" ? jobsWithPods(jobs.answer.items) : [];
  const key = `${jobs.phase} ${shown.map(({ cluster, uid }) => `${cluster}/${uid}`).join()}`;
  return useLive(key, loadPodsOfJobs(shown), { everyMillis: DETAILS_INTERVAL }).value;
}

function LabelsPanel({ run: { labels, externalIds } }: { readonly run: RunWithOthers }) {
  const all = [...Object.entries(externalIds), ...Object.entries(labels)];
  if (all.length === 0) return null;
  return (
    <Panel id="labels" title="External ids and labels">
      <ul class="pods-named" aria-label="External ids and labels">
        {all.map(([key, value]) => (
          <li key={key} class="tag mono breaks">
            <bdi>{shownText(`${key}=${value}`)}</bdi>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function OthersPanel({ run, uids }: { readonly run: RunName; readonly uids: readonly string[] }) {
  return (
    <Panel id="others" title="Runs with this name">
      <ul>
        {uids.map((uid) => (
          <li key={uid} class="mono">
            <a href={linkToRun({ ...run, uid })}>{shownText(uid)}</a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
