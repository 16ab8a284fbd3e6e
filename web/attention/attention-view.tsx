import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { useLive } from "../ask/live.ts";
import { type ReadPages, readPages } from "../ask/read-pages.ts";
import { SilentBanner } from "../clusters/silent-banner.tsx";
import { Banner } from "../shell/banner.tsx";
import { place } from "../shell/location.ts";
import { linkTo } from "../shell/place.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithAnswer } from "../shell/with-answer.tsx";
import { number, plural } from "../text/plural.ts";
import { concernGroups } from "./attention-groups.ts";
import { ConcernPanel } from "./concern-panel.tsx";
import { KIND_TEXTS } from "./finding-kinds.ts";

/** The most Jobs that are grouped: more need a narrower question than a longer page. */
const MOST = 2_000;
const PAGE = 500;

/** What needs a person, what is going wrong now first. */
export function AttentionView() {
  useTitle("Needs attention");
  const { cluster, namespace, kind } = place.value.parameters;
  const load = (signal: AbortSignal) =>
    readPages<JobAnswer>("jobs", { attention: "true", cluster, namespace }, { most: MOST, pageSize: PAGE }, signal);
  const live = useLive(`${cluster} ${namespace}`, load, { isOld: () => true }).value;
  return (
    <>
      <SilentBanner cluster={cluster} />
      <WithAnswer live={live} what="what needs attention" isView>
        {(read) => <Grouped read={read} chosen={kind} />}
      </WithAnswer>
    </>
  );
}

function Grouped({ read, chosen }: { readonly read: ReadPages<JobAnswer>; readonly chosen: string | undefined }) {
  const { items, more } = read;
  const groups = concernGroups(items);
  const shown = groups.filter(({ kind }) => chosen === undefined || kind === chosen);
  return (
    <>
      <div class="view-head">
        <h1>
          {items.length === 0
            ? "Nothing needs attention"
            : `${plural(items.length, "Job")} with something that stands out`}
        </h1>
      </div>
      {more ? (
        <Banner tone="warn" title={`The newest ${number(items.length)} are grouped, and there are more.`}>
          Choose a cluster or a namespace among the <a href={linkTo("jobs", [], { attention: "true" })}>Jobs</a> to see
          fewer.
        </Banner>
      ) : null}
      {groups.length > 1 ? (
        <nav class="chips" aria-label="Kinds of findings">
          {groups.map(({ kind, concerns }) => (
            <a
              key={kind}
              class="button tag warn"
              aria-current={chosen === kind ? "true" : undefined}
              href={linkTo("attention", [], { ...place.value.parameters, kind: chosen === kind ? undefined : kind })}
            >
              {KIND_TEXTS[kind].title} {number(concerns.length)}
            </a>
          ))}
        </nav>
      ) : null}
      {shown.map((group) => (
        <ConcernPanel key={group.kind} group={group} whole={chosen !== undefined} />
      ))}
      {items.length === 0 ? (
        <p class="empty">
          No Job stands out. <a href={linkTo("jobs")}>All Jobs</a> are a key away: <kbd>1</kbd>.
        </p>
      ) : null}
    </>
  );
}
