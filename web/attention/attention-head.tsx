import { Age } from "../text/moment.tsx";
import { number } from "../text/plural.ts";
import type { AttentionList } from "./attention-lists.ts";
import { SEVERITIES } from "../../src/explain/attention/severity.ts";
import { route } from "../shell/location.ts";
import { linkTo } from "../shell/route.ts";
import { attentionParameters } from "./attention-parameters.ts";
import { changeVisits, visits } from "./visit-store.ts";
import { withSeen } from "./visits.ts";

interface AttentionHeadProps {
  /** Every severity; `undefined` before the first answer. */
  readonly lists: readonly AttentionList[] | undefined;
  /** Those that the view shows. */
  readonly shown: readonly AttentionList[];
  /** How many entries are older than the chosen time. */
  readonly older: number;
}

/** How much needs attention, and what is new. */
export function AttentionHead({ lists, shown, older }: AttentionHeadProps) {
  const fresh = shown.flatMap((list) => list.open.filter(({ isNew }) => isNew).map(({ entry }) => entry));
  return (
    <div class="view-head attention-head">
      <h1>{lists === undefined ? "Attention" : countText(lists)}</h1>
      <span class="quiet">
        <NewMeans />
        {older === 0 ? null : <Older count={older} />}
      </span>
      <button type="button" disabled={fresh.length === 0} onClick={() => changeVisits((is) => withSeen(is, fresh))}>
        Mark {isAll(shown) ? "all" : "these"} as seen
      </button>
    </div>
  );
}

function countText(lists: readonly AttentionList[]): string {
  const open = lists.reduce((sum, list) => sum + list.open.length, 0);
  if (open === 0) return "Nothing needs attention";
  return open === 1 ? "1 entry needs attention" : `${number(open)} entries need attention`;
}

/** Leads to entries that are left out because of their age. */
function Older({ count }: { readonly count: number }) {
  return (
    <>
      {" "}
      {number(count)} older: <a href={linkTo("attention", [], { ...route.value.parameters, since: "all" })}>any time</a>
      .
    </>
  );
}

/** Only what is listed is marked. */
function isAll({ length }: readonly AttentionList[]): boolean {
  return length === SEVERITIES.length && Object.keys(attentionParameters(route.value.parameters)).length === 0;
}

/** Since when entries are new. */
function NewMeans() {
  const { since, isFirst = true } = visits.value ?? {};
  if (since === undefined || isFirst) {
    return <>This is your first visit in this browser: entries that come from now on are marked as new.</>;
  }
  return (
    <>
      New: after your last visit in this browser, which ended <Age at={new Date(since).toISOString()} /> ago.
    </>
  );
}
