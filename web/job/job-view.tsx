import type { Attempt, JobAnswer } from "../../src/explain/answer-document.ts";
import { responsibilityText } from "../../src/explain/cause/responsibility-text.ts";
import type { WhyAnswer } from "../../src/query/job/explain-job.ts";
import { type Live, useLive } from "../api/live.ts";
import type { ReadPages } from "../api/read-pages.ts";
import { route } from "../shell/location.ts";
import { jobOfRoute } from "../shell/route.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { shownText } from "../text/shown-text.ts";
import { UsagePanel } from "../usage/usage-panel.tsx";
import { AnswerPanel } from "./answer/answer-panel.tsx";
import { EvidencePanel } from "./answer/evidence-panel.tsx";
import { VerdictPanel } from "./answer/verdict-panel.tsx";
import { CommandsPanel } from "./commands-panel.tsx";
import { GenerationsPanel } from "./generations-panel.tsx";
import { HistoryPanel } from "./history-panel.tsx";
import { IndexPanel } from "./indexes/index-panel.tsx";
import { JobBanners } from "./job-banners.tsx";
import { loadJob, loadPods, loadWhy } from "./job-requests.ts";
import type { JobWithGenerations } from "./job-with-generations.ts";
import { PodsPanel } from "./pods-panel.tsx";
import { StatusPanel } from "./status-panel.tsx";
import { SpecPanel } from "./spec-panel.tsx";
import { TimelinePanel } from "./timeline/timeline-panel.tsx";

/** Pods and evidence can be megabytes, and changes trigger a reload, so a minute is enough. */
const DETAILS_INTERVAL = 60_000;

export function JobView() {
  const job = jobOfRoute(route.value);
  const { namespace, name } = job;
  const asOf = route.value.parameters["asOf"];
  const key = JSON.stringify(job);
  useTitle(`${shownText(name)} in ${shownText(namespace)}`);
  const isOld = (changed: JobAnswer): boolean => changed.name === name && changed.namespace === namespace;
  const answer = useLive(`${key} ${asOf ?? ""}`, loadJob(job, asOf), { isOld }).value;
  const why = useLive(key, loadWhy(job), { isOld, everyMillis: DETAILS_INTERVAL }).value;
  const pods = useLive(key, loadPods(job), { isOld, everyMillis: DETAILS_INTERVAL }).value;
  return (
    <WithLive live={answer} what="the Job" isView>
      {(found) => <JobSections job={found} why={why} pods={pods} asOf={asOf} />}
    </WithLive>
  );
}

interface JobSectionsProps {
  readonly job: JobWithGenerations;
  readonly why: Live<WhyAnswer>;
  readonly pods: Live<ReadPages<Attempt>>;
  readonly asOf: string | undefined;
}

function JobSections({ job, why, pods, asOf }: JobSectionsProps) {
  const indexed = job.spec.completionMode === "Indexed";
  const read = pods.phase === "answered" ? pods.answer : undefined;
  return (
    <>
      <VerdictPanel
        job={job}
        sentence={why.phase === "answered" && asOf === undefined ? why.answer.answer : undefined}
      />
      <JobBanners job={job} asOf={asOf} />
      {asOf === undefined ? <AnswerPanel job={job} why={why} pods={pods} /> : null}
      <TimelinePanel job={job} pods={pods} why={why} />
      <SectionLinks parts={partsOf(job)} />
      <EvidencePanel findings={job.findings} why={why} job={job} said={saidOf(job)} />
      <StatusPanel job={job} />
      {indexed ? <IndexPanel job={job} attempts={read?.items ?? NO_ATTEMPTS} /> : null}
      {job.pods.seen > 0 ? <PodsPanel job={job} pods={pods} /> : null}
      <UsagePanel usage={job.usage} />
      <HistoryPanel job={job} />
      {job.generations === undefined ? null : <GenerationsPanel job={job} generations={job.generations} />}
      <SpecPanel job={job} />
      <CommandsPanel job={job} />
    </>
  );
}

/** What the first screen says besides the headline. */
function saidOf({ cause }: JobWithGenerations): readonly string[] {
  return cause === undefined ? [] : [responsibilityText(cause)];
}

const NO_ATTEMPTS: readonly Attempt[] = [];

/** Whether the page of a Job has those sections that not every Job has. */
type Parts = { readonly [Id in (typeof SECTIONS)[number][0]]?: boolean };

function partsOf({ spec, usage, generations, pods }: JobWithGenerations): Parts {
  return {
    pods: pods.seen > 0,
    indexes: spec.completionMode === "Indexed",
    usage: usage !== undefined && usage.pods > 0,
    generations: generations !== undefined,
  };
}

/** Jumps within the page of a Job. These are buttons, because the fragment of the address is the route. */
function SectionLinks({ parts }: { readonly parts: Parts }) {
  const sections = SECTIONS.filter(([id]) => parts[id] !== false);
  return (
    <nav class="sections" aria-label="Sections of this Job">
      {sections.map(([id, text]) => (
        <button key={id} type="button" class="bare" onClick={() => jumpTo(id)}>
          {text}
        </button>
      ))}
      <button type="button" class="bare" onClick={() => print()}>
        Print as a report
      </button>
    </nav>
  );
}

const SECTIONS = [
  ["why", "Evidence"],
  ["status", "Status"],
  ["indexes", "Indexes"],
  ["pods", "Pods"],
  ["usage", "Reserved"],
  ["history", "History"],
  ["generations", "Same name"],
  ["spec", "Spec"],
  ["commands", "Commands"],
] as const;

function jumpTo(id: string): void {
  const section = document.getElementById(id);
  section?.scrollIntoView({ block: "start" });
  section?.focus({ preventScroll: true });
}
