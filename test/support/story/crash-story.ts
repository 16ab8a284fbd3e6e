import type { Fact, JobFact, PodFact } from "../../../src/job/model/fact.ts";
import { decodeJobUid } from "../../../src/job/model/ids.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../facts/large-job-facts.ts";

/** The Pods of the large Job, whose state has pages. */
const LARGE = 400;
const SMALL_JOBS = 150;
const PODS_EACH = 3;

/** The facts of a recording, grouped by event: one large Job, and small ones that start and end meanwhile. */
export function crashStory(): readonly (readonly Fact[])[] {
  const large = Array.from({ length: LARGE }, (_, number) => [podBeginFacts(number), podEndFacts(number)]).flat();
  const small = Array.from({ length: SMALL_JOBS }, (_, number) => smallJob(number)).flat();
  const every = small.length / large.length;
  const woven = large.flatMap((facts, index) => [
    facts,
    ...small.slice(Math.round(index * every), Math.round((index + 1) * every)),
  ]);
  return [largeJobFacts({ indexed: false, completions: LARGE }), ...woven];
}

function smallJob(number: number): readonly (readonly JobFact[])[] {
  const jobUid = decodeJobUid(`small-${number}`);
  if (jobUid === undefined) throw new Error(`small-${number} is no uid.`);
  const own = largeJobFacts({ indexed: false, completions: PODS_EACH }).map((fact) => ({ ...fact, jobUid }));
  const ofJob = (facts: readonly PodFact[]) => facts.map((fact) => ({ ...fact, jobUid }));
  const pods = Array.from({ length: PODS_EACH }, (_, pod) => LARGE + number * PODS_EACH + pod);
  return [own, ...pods.map((pod) => ofJob(podBeginFacts(pod))), ...pods.map((pod) => ofJob(podEndFacts(pod)))];
}
