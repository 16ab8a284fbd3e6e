import type { ComparisonAnswer } from "../../src/explain/compare/comparison-document.ts";
import type { RunState } from "../../src/job/model/states.ts";
import type { ApiResult, ListPage } from "../api/api-result.ts";
import type { Load } from "../api/live.ts";
import { request } from "../api/request.ts";
import type { ComparedName } from "../shell/route.ts";

/** What the list of other runs shows of a Job or a run. */
export interface OtherRun {
  readonly name: string;
  readonly uid?: string;
  readonly createdAt?: string;
  readonly verdict: { readonly state: RunState };
}

interface OneOfSeries {
  readonly name: string;
  readonly uid?: string;
  readonly series?: { readonly kind: string; readonly name: string };
  readonly owner?: { readonly kind: string; readonly name: string };
}

/** How many other runs are offered. */
const MOST_OTHERS = 10;

export function loadComparison(compared: ComparedName): Load<ComparisonAnswer> {
  const { uid, other } = compared;
  return (signal) => request<ComparisonAnswer>(`${pathOf(compared)}/compare`, { uid, with: other }, signal);
}

/** The newest runs of the same series, owner or name. Two requests. */
export function loadOthers(compared: ComparedName): Load<readonly OtherRun[]> {
  return async (signal) => {
    const one = await request<OneOfSeries>(pathOf(compared), { uid: compared.uid }, signal);
    if (one.outcome !== "answered") return one;
    const { cluster, namespace } = compared;
    const limit = MOST_OTHERS + 1;
    const list = isJob(compared) ? "jobs" : "runs";
    const same = isJob(compared) ? jobsLike(one.answer) : runsLike(compared, one.answer);
    const page = await request<ListPage<OtherRun>>(list, { cluster, namespace, limit, ...same }, signal);
    return withoutItself(page, one.answer.uid);
  };
}

function withoutItself(page: ApiResult<ListPage<OtherRun>>, uid: string | undefined): ApiResult<readonly OtherRun[]> {
  if (page.outcome !== "answered") return page;
  return { ...page, answer: page.answer.items.filter((other) => other.uid !== uid).slice(0, MOST_OTHERS) };
}

type Filter = Readonly<Record<string, string>>;

function jobsLike({ name, owner }: OneOfSeries): Filter {
  return owner === undefined ? { name } : { owner: `${owner.kind}/${owner.name}` };
}

function runsLike({ kind }: ComparedName, { name, series }: OneOfSeries): Filter {
  return series === undefined ? { kind, name } : { series: `${series.kind}/${series.name}` };
}

export function isJob({ kind }: Pick<ComparedName, "kind">): boolean {
  return kind.toLowerCase() === "job";
}

function pathOf(compared: ComparedName): string {
  const { cluster, namespace, kind, name } = compared;
  const [inCluster, inNamespace, ofKind, named] = [cluster, namespace, kind, name].map(encodeURIComponent);
  return `clusters/${inCluster}/namespaces/${inNamespace}/${isJob(compared) ? "jobs" : `runs/${ofKind}`}/${named}`;
}
