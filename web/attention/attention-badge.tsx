import { useEffect } from "preact/hooks";
import { badge } from "../shell/badge.ts";
import { number } from "../text/plural.ts";
import { badgeCount } from "./attention-lists.ts";
import { useAttention } from "./live-attention.ts";
import { visits } from "./visit-store.ts";

/** The number of new entries that failed or are at risk: beside the name of the view, and on the tab. */
export function AttentionBadge() {
  const live = useAttention();
  const count = live.phase === "answered" ? badgeCount(live.answer.items, visits.value) : 0;
  useEffect(() => {
    badge.value = count;
  }, [count]);
  useEffect(() => () => void (badge.value = 0), []);
  return count === 0 ? null : (
    <>
      {" "}
      <span class="count">
        {number(count)}
        <span class="only-read"> new</span>
      </span>
    </>
  );
}
