import { useEffect } from "preact/hooks";
import { type Live, type Load, useLive } from "../api/live.ts";
import { NotReportingBanner } from "../clusters/not-reporting-banner.tsx";
import { route } from "../shell/location.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { SEVERITIES } from "../../src/explain/attention/severity.ts";
import { TourOffer } from "../tour/tour-offer.tsx";
import type { AttentionAnswer, AttentionEntry } from "../../src/query/attention/attention.ts";
import { AttentionFilters } from "./attention-filters.tsx";
import { type AttentionList, attentionList } from "./attention-lists.ts";
import { attentionParameters } from "./attention-parameters.ts";
import { loadAttention } from "./attention-requests.ts";
import { AttentionSections } from "./attention-sections.tsx";
import { AttentionHead } from "./attention-head.tsx";
import { attentionOptions, periodic, useAttention } from "./live-attention.ts";
import { SeverityFilter } from "./severity-filter.tsx";
import { NothingListed } from "./nothing-listed.tsx";
import { PartialBanner } from "./partial-banner.tsx";
import { changeVisits, visits } from "./visit-store.ts";
import { withListed } from "./visits.ts";

/** What needs attention, the most urgent first. */
export function AttentionView() {
  useTitle("Attention");
  const { parameters } = route.value;
  const live = useListed(parameters);
  const { items, older = 0 } = live.phase === "answered" ? live.answer : {};
  const lists = SEVERITIES.map((severity) => attentionList(severity, items ?? [], visits.value));
  const isOne = SEVERITIES.some((severity) => severity === parameters["severity"]);
  const shown = lists.filter(({ severity }) => !isOne || severity === parameters["severity"]);
  useListedNote(items);
  return (
    <>
      <NotReportingBanner cluster={parameters["cluster"]} />
      <TourOffer />
      <AttentionHead lists={items && lists} shown={shown} older={older} />
      <div class="attention-bar">
        <SeverityFilter lists={lists} />
        <AttentionFilters />
      </div>
      <WithLive live={live} what="what needs attention">
        {(answer) => <ListedAttention answer={answer} at={live.phase === "answered" ? live.at : 0} shown={shown} />}
      </WithLive>
    </>
  );
}

/** Without filters, the view shows the answer that the badge reads anyway. */
function useListed(parameters: Readonly<Record<string, string>>): Live<AttentionAnswer> {
  const all = useAttention();
  const given = attentionParameters(parameters);
  const isFiltered = Object.keys(given).length > 0;
  const current = (): Live<AttentionAnswer> => filtered.peek();
  const load = isFiltered ? periodic(loadAttention(given), current) : sendNothing;
  const filtered = useLive(JSON.stringify(given), load, attentionOptions(current));
  return isFiltered ? filtered.value : all;
}

const sendNothing: Load<AttentionAnswer> = () => new Promise(() => undefined);

interface ListedAttentionProps {
  readonly answer: AttentionAnswer;
  /** When it came. */
  readonly at: number;
  readonly shown: readonly AttentionList[];
}

function ListedAttention({ answer, at, shown }: ListedAttentionProps) {
  const isEmpty = shown.every(({ open, acknowledged }) => open.length + acknowledged.length === 0);
  return (
    <>
      <PartialBanner answer={answer} />
      {isEmpty ? <NothingListed answer={answer} at={at} /> : <AttentionSections lists={shown} />}
    </>
  );
}

/** What the reader is shown is seen when the visit ends. */
function useListedNote(items: readonly AttentionEntry[] | undefined): void {
  useEffect(() => {
    if (items === undefined) return;
    const note = (): void => {
      if (!document.hidden) changeVisits((before) => withListed(before, items));
    };
    note();
    document.addEventListener("visibilitychange", note);
    return () => document.removeEventListener("visibilitychange", note);
  }, [items]);
}
