import { freshness } from "../ask/freshness.ts";
import { askAgain } from "../ask/live.ts";
import { localTime } from "../text/instant-text.ts";
import { shownText } from "../text/shown-text.ts";
import { Banner } from "./banner.tsx";

/** Above every view while the API does not answer. */
export function StaleBanner() {
  const { answeredAt, failure } = freshness.value;
  if (failure === undefined || answeredAt === undefined) return null;
  return (
    <Banner tone="bad" title={`What is shown is from ${localTime(answeredAt)}.`}>
      {shownText(failure.detail)} The page keeps asking.{" "}
      <button type="button" onClick={askAgain}>
        Ask now
      </button>
    </Banner>
  );
}
