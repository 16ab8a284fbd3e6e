import type { Attempt, JobAnswer } from "../../src/explain/answer-document.ts";
import type { WhyAnswer } from "../../src/query/job/explain-job.ts";
import { type Live, useLive } from "../ask/live.ts";
import type { ReadPages } from "../ask/read-pages.ts";
import { place } from "../shell/location.ts";
import { jobOf } from "../shell/place.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithAnswer } from "../shell/with-answer.tsx";
import { shownText } from "../text/shown-text.ts";
import { CommandsPanel } from "./commands-panel.tsx";
import { FindingsPanel } from "./findings-panel.tsx";
import { GenerationsPanel } from "./generations-panel.tsx";
import { HistoryPanel } from "./history-panel.tsx";
import { IndexPanel } from "./index-panel.tsx";
import { JobBanners } from "./job-banners.tsx";
import { askJob, askPods, askWhy } from "./job-question.ts";
import type { OneJob } from "./one-job.ts";
import { PodsPanel } from "./pods-panel.tsx";
import { SectionLinks } from "./section-links.tsx";
import { SidesPanel } from "./sides-panel.tsx";
import { SpecPanel } from "./spec-panel.tsx";
import { TimelinePanel } from "./timeline-panel.tsx";
import { VerdictPanel } from "./verdict-panel.tsx";
import { WhyPanel } from "./why-panel.tsx";

/** Pods and evidence may be megabytes, and a change is heard of: they are read anew once a minute besides. */
const DETAILS_AGAIN = 60_000;

export function JobView() {
  const job = jobOf(place.value);
  const { namespace, name } = job;
  const asOf = place.value.parameters["asOf"];
  const key = JSON.stringify(job);
  useTitle(`${shownText(name)} in ${shownText(namespace)}`);
  const isOld = (changed: JobAnswer): boolean => changed.name === name && changed.namespace === namespace;
  const answer = useLive(`${key} ${asOf ?? ""}`, askJob(job, asOf), { isOld }).value;
  const why = useLive(key, askWhy(job), { isOld, everyMillis: DETAILS_AGAIN }).value;
  const pods = useLive(key, askPods(job), { isOld, everyMillis: DETAILS_AGAIN }).value;
  return (
    <WithAnswer live={answer} what="the Job" isView>
      {(one) => <OneJobView job={one} why={why} pods={pods} asOf={asOf} />}
    </WithAnswer>
  );
}

interface OneJobViewProps {
  readonly job: OneJob;
  readonly why: Live<WhyAnswer>;
  readonly pods: Live<ReadPages<Attempt>>;
  readonly asOf: string | undefined;
}

function OneJobView({ job, why, pods, asOf }: OneJobViewProps) {
  const indexed = job.spec.completionMode === "Indexed";
  const read = pods.phase === "answered" ? pods.answer : undefined;
  return (
    <>
      <VerdictPanel
        job={job}
        sentence={why.phase === "answered" && asOf === undefined ? why.answer.answer : undefined}
      />
      <JobBanners job={job} asOf={asOf} />
      <SectionLinks indexed={indexed} generations={job.generations !== undefined} />
      {job.findings.length > 0 ? <FindingsPanel findings={job.findings} /> : null}
      <SidesPanel job={job} />
      <TimelinePanel job={job} pods={pods} why={why} />
      {indexed ? <IndexPanel job={job} attempts={read?.items ?? NO_ATTEMPTS} /> : null}
      <WhyPanel why={why} />
      <PodsPanel pods={pods} seen={job.pods.seen} />
      <HistoryPanel job={job} />
      {job.generations === undefined ? null : <GenerationsPanel job={job} generations={job.generations} />}
      <SpecPanel job={job} />
      <CommandsPanel job={job} />
    </>
  );
}

const NO_ATTEMPTS: readonly Attempt[] = [];
