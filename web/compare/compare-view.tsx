import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { ComparedSubject, ComparisonAnswer } from "../../src/explain/compare/comparison-document.ts";
import { useLive } from "../api/live.ts";
import { route } from "../shell/location.ts";
import { OnRequest } from "../shell/on-request.tsx";
import { Banner } from "../shell/banner.tsx";
import { PlaceLinks } from "../shell/place-links.tsx";
import { type ComparedName, comparedOfRoute, linkToComparison } from "../shell/route.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { shownText } from "../text/shown-text.ts";
import { isJob, loadComparison, loadOthers } from "./compare-requests.ts";
import { DifferencesPanel } from "./differences-panel.tsx";
import { OtherRunChoice } from "./other-run-choice.tsx";
import { RestPanel } from "./rest-panel.tsx";
import { TimesPanel } from "./times-panel.tsx";

/** A Job or a run beside another one: `#/compare/prod/batch/job/report?uid=...&with=...`. */
export function CompareView() {
  const compared = comparedOfRoute(route.value);
  const { namespace, name, uid } = compared;
  useTitle(`Compare ${shownText(name)} in ${shownText(namespace)}`);
  // Two runs that are over do not change. The request is not repeated, except after a change of this one.
  const isOld = (job: JobAnswer): boolean => job.namespace === namespace && (job.uid === uid || job.name === name);
  const once = { isOld, repeats: () => false };
  const live = useLive(JSON.stringify(compared), loadComparison(compared), once).value;
  return (
    <WithLive live={live} what="the comparison" isView>
      {(comparison) => <Comparison compared={compared} comparison={comparison} />}
    </WithLive>
  );
}

interface ComparisonProps {
  readonly compared: ComparedName;
  readonly comparison: ComparisonAnswer;
}

function Comparison({ compared, comparison }: ComparisonProps) {
  const { before, after, noLastGood } = comparison;
  return (
    <>
      <Heading comparison={comparison} />
      <OtherRuns compared={compared} before={before} after={after} />
      {noLastGood === undefined ? null : <Banner tone="warn" title="No last good run." />}
      {before === undefined ? null : (
        <>
          <InPart subjects={[before, after]} />
          <DifferencesPanel before={before} after={after} fields={comparison.differences} />
          <TimesPanel comparison={comparison} />
          <RestPanel comparison={{ ...comparison, before }} />
        </>
      )}
    </>
  );
}

function Heading({ comparison: { answer, chosen, after } }: { readonly comparison: ComparisonAnswer }) {
  const what = chosen === "lastGood" ? "with the last good run" : "with another run";
  return (
    <section class="verdict" aria-label="Comparison">
      <p class="quiet breaks">
        <PlaceLinks view={isJob(after) ? "jobs" : "runs"} cluster={after.cluster} namespace={after.namespace} />
      </p>
      <h1 class="breaks">
        Compare <ClusterText text={after.name} /> {what}
      </h1>
      <p class="answer">{shownText(answer)}</p>
    </section>
  );
}

interface OtherRunsProps {
  readonly compared: ComparedName;
  readonly before: ComparedSubject | undefined;
  readonly after: ComparedSubject;
}

/** Other runs are two requests and a list, so they are loaded on request. */
function OtherRuns({ compared, before, after }: OtherRunsProps) {
  const { other, ...one } = compared;
  return (
    <div class="compare-choice">
      <OnRequest
        name="others"
        showLabel="Choose another run"
        hideLabel="Hide other runs"
        what="the newest runs"
        of={JSON.stringify(one)}
        load={loadOthers(compared)}
      >
        {(others) => <OtherRunChoice others={others} chosen={other} />}
      </OnRequest>
      {before === undefined ? null : (
        <p class="inside">
          <a href={linkToComparison({ ...before, other: after.uid ?? after.name })}>Swap the two</a>
        </p>
      )}
    </div>
  );
}

/** What was observed in part has values in part. */
function InPart({ subjects }: { readonly subjects: readonly ComparedSubject[] }) {
  const inPart = subjects.filter(({ completeness }) => completeness === "gaps" || completeness === "stale");
  if (inPart.length === 0) return null;
  return (
    <Banner tone="warn" title="Observed in part:">
      {inPart.length === subjects.length ? "both runs" : <ClusterText text={inPart[0]?.name ?? ""} />}. Values may be
      incomplete.
    </Banner>
  );
}
