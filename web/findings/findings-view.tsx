import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { FindingKind } from "../../src/explain/findings/finding-kinds.ts";
import { useLive } from "../api/live.ts";
import { type ReadPages, readPages } from "../api/read-pages.ts";
import { NotReportingBanner } from "../clusters/not-reporting-banner.tsx";
import { Banner } from "../shell/banner.tsx";
import { route } from "../shell/location.ts";
import { linkTo } from "../shell/route.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { number, plural } from "../text/plural.ts";
import { type FindingGroup, findingGroups } from "./finding-groups.ts";
import { CronJobFindings } from "./cron-job-findings.tsx";
import { FindingGroupPanel } from "./finding-group-panel.tsx";
import { KIND_TEXTS } from "../../src/explain/findings/findings.ts";

/** The most Jobs that the view reads. If there are more, the reader should narrow the filters. */
const MAX_JOBS = 2_000;
const PAGE_SIZE = 500;

/** Jobs with findings, by kind of finding; ongoing problems first. */
export function FindingsView() {
  useTitle("Attention");
  const { cluster, namespace, kind } = route.value.parameters;
  const load = (signal: AbortSignal) => {
    const limits = { most: MAX_JOBS, pageSize: PAGE_SIZE };
    const parameters = { attention: "true", cluster, namespace };
    return readPages<JobAnswer>({ path: "jobs", parameters, ...limits }, signal);
  };
  const live = useLive(`${cluster} ${namespace}`, load, { isOld: () => true }).value;
  return (
    <>
      <NotReportingBanner cluster={cluster} />
      <WithLive live={live} what="the findings" isView>
        {(read) => <GroupedFindings read={read} chosen={kind} />}
      </WithLive>
      {kind === undefined ? <CronJobFindings cluster={cluster} namespace={namespace} /> : null}
    </>
  );
}

interface GroupedFindingsProps {
  readonly read: ReadPages<JobAnswer>;
  readonly chosen: string | undefined;
}

function GroupedFindings({ read: { items, more }, chosen }: GroupedFindingsProps) {
  if (items.length === 0) return <NoFindings />;
  const groups = findingGroups(items);
  const shown = groups.filter(({ kind }) => chosen === undefined || kind === chosen);
  return (
    <>
      <div class="view-head">
        <h1>{plural(items.length, "Job")} with findings</h1>
      </div>
      {more ? (
        <Banner tone="warn" title={`Only the newest ${number(items.length)} Jobs are shown.`}>
          Choose a cluster or a namespace among the <a href={linkTo("jobs", [], { attention: "true" })}>Jobs</a> to
          narrow the list.
        </Banner>
      ) : null}
      {groups.length > 1 ? <KindFilter groups={groups} chosen={chosen} /> : null}
      {shown.map((group) => (
        <FindingGroupPanel key={group.kind} group={group} isExpanded={chosen !== undefined} />
      ))}
    </>
  );
}

interface KindFilterProps {
  readonly groups: readonly FindingGroup[];
  readonly chosen: string | undefined;
}

function KindFilter({ groups, chosen }: KindFilterProps) {
  const linkOf = (kind: FindingKind): string =>
    linkTo("attention", [], { ...route.value.parameters, kind: chosen === kind ? undefined : kind });
  return (
    <nav class="chips" aria-label="Kinds of findings">
      {groups.map(({ kind, jobFindings }) => (
        <a key={kind} class="button tag warn" aria-current={chosen === kind ? "true" : undefined} href={linkOf(kind)}>
          {KIND_TEXTS[kind].title} {number(jobFindings.length)}
        </a>
      ))}
    </nav>
  );
}

function NoFindings() {
  return (
    <>
      <div class="view-head">
        <h1>No findings</h1>
      </div>
      <p class="empty">
        No Job has findings. See <a href={linkTo("jobs")}>all Jobs</a> (key <kbd>2</kbd>).
      </p>
    </>
  );
}
