import { freshness } from "../api/freshness.ts";
import { refresh } from "../api/live.ts";
import { localTime } from "../text/instant-text.ts";
import { shownText } from "../text/shown-text.ts";
import { Banner } from "./banner.tsx";

/** Shown above every view while the API does not answer. */
export function StaleBanner() {
  const { answeredAt, failure } = freshness.value;
  if (failure === undefined || answeredAt === undefined) return null;
  return (
    <Banner tone="bad" title={`This data is from ${localTime(answeredAt)}.`}>
      {shownText(failure.detail)} The page keeps retrying.{" "}
      <button type="button" onClick={refresh}>
        Retry now
      </button>
    </Banner>
  );
}
