import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { skipPoll } from "../api/changes.ts";
import { type Live, type LiveOptions, type Load, Poller } from "../api/live.ts";
import type { AttentionAnswer } from "../../src/query/attention/attention.ts";
import { loadAttention } from "./attention-requests.ts";
import { changeVisits } from "./visit-store.ts";
import { withFirstAnswer } from "./visits.ts";

/** What time alone changes, such as a missed run, is announced by no change. */
const OLD_AFTER = 10 * 60_000;
/** How often the page checks for that, and first repeats a failed request. */
const CHECK_INTERVAL = 30_000;
/** The least time between two requests because of changes. */
const REST = 60_000;

/** The badge and the view share one request for everything. */
const read = signal<Live<AttentionAnswer>>({ phase: "loading" });
let users = 0;
let poller: Poller<AttentionAnswer> | undefined;

/** All that needs attention, in every cluster, as the API's standard time range has it. */
export function useAttention(): Live<AttentionAnswer> {
  useEffect(() => {
    users += 1;
    poller ??= startedPoller();
    return () => {
      users -= 1;
      if (users === 0) stop();
    };
  }, []);
  return read.value;
}

function startedPoller(): Poller<AttentionAnswer> {
  const current = (): Live<AttentionAnswer> => read.peek();
  const load = periodic(loadAttention({}), current);
  const noted: Load<AttentionAnswer> = async (abort) => {
    const result = await load(abort);
    if (result.outcome === "answered") noteFirst(result);
    return result;
  };
  const started = new Poller(read, noted, attentionOptions(current));
  started.start();
  return started;
}

function noteFirst({ answer, at }: { readonly answer: AttentionAnswer; readonly at: number }): void {
  changeVisits((visits) => withFirstAnswer(visits, answer.items, at));
}

/** Follows changes of Jobs, at most once a minute, and is read again after ten minutes. */
export function attentionOptions(current: () => Live<AttentionAnswer>): LiveOptions {
  return {
    everyMillis: CHECK_INTERVAL,
    restMillis: REST,
    repeats: (why) => why === "missed" || isOld(current()),
    isOld: (job) => mayConcern(job, current()),
  };
}

/** An idle page sends no more requests than its polls for changes: the periodic request takes the turn of one. */
export function periodic(load: Load<AttentionAnswer>, current: () => Live<AttentionAnswer>): Load<AttentionAnswer> {
  return (abort) => {
    if (isOld(current())) skipPoll();
    return load(abort);
  };
}

/** Whether an entry may have come, changed or gone with the change of this Job. */
function mayConcern({ uid, findings, verdict }: JobAnswer, live: Live<AttentionAnswer>): boolean {
  if (findings.length > 0 || verdict.state === "Failed") return true;
  return live.phase === "answered" && live.answer.items.some(({ newest }) => newest?.uid === uid);
}

function isOld(live: Live<AttentionAnswer>): boolean {
  return live.phase === "answered" && Date.now() - live.at >= OLD_AFTER;
}

/** The next reader may have access to others. */
function stop(): void {
  poller?.stop();
  poller = undefined;
  read.value = { phase: "loading" };
}
