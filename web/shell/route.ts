/** A view, its path, and its filters: `#/job/prod/batch/report?uid=...`. */
export interface Route {
  readonly view: View;
  readonly path: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
}

export const VIEWS = ["attention", "jobs", "runs", "cronjobs", "clusters", "summary", "job", "pod", "compare"] as const;
export type View = (typeof VIEWS)[number];

/** The route of a URL fragment. An invalid one is the landing view. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [first, ...rest] = path.split("/").map(decoded);
  const view = VIEWS.find((name) => name === first);
  const isWhole = view !== undefined && rest.length >= (SHORTEST_PATHS[view] ?? 0);
  if (!isWhole) return { view: "attention", path: [], parameters: {} };
  return { view, path: rest, parameters: Object.fromEntries(new URLSearchParams(query)) };
}

/** Views of one object need its whole path. */
const SHORTEST_PATHS: Partial<Record<View, number>> = { job: 3, pod: 4, compare: 4 };

export function formatRoute({ view, path, parameters }: Route): string {
  const query = new URLSearchParams(parameters).toString();
  return `#/${[view, ...path.map(encodeURIComponent)].join("/")}${query === "" ? "" : `?${query}`}`;
}

/** Text that is not valid percent-encoding was typed by hand and is used unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

export function linkTo(
  view: View,
  path: readonly string[] = [],
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value] as const],
  );
  return formatRoute({ view, path, parameters: Object.fromEntries(given) });
}

export interface JobName {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

/** The Job of a Job's route. */
export function jobOfRoute({ path, parameters }: Route): JobName {
  const [cluster = "", namespace = "", name = ""] = path;
  return { cluster, namespace, name, uid: parameters["uid"] };
}

export function linkToJob({ cluster, namespace, name, uid }: JobName): string {
  return linkTo("job", [cluster, namespace, name], { uid });
}

/** A Pod by its uid, and the Job that it belongs to. */
export interface PodName {
  readonly cluster: string;
  readonly namespace: string;
  readonly job: string;
  readonly jobUid: string | undefined;
  readonly uid: string;
}

/** The Pod of a Pod's route: `#/pod/prod/batch/report/POD_UID?uid=JOB_UID`. */
export function podOfRoute({ path, parameters }: Route): PodName {
  const [cluster = "", namespace = "", job = "", uid = ""] = path;
  return { cluster, namespace, job, jobUid: parameters["uid"], uid };
}

export function linkToPod({ cluster, namespace, job, jobUid, uid }: PodName): string {
  return linkTo("pod", [cluster, namespace, job, uid], { uid: jobUid });
}

export interface RunName {
  readonly cluster: string;
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

/** The run of a run's route; `undefined` for the list of runs. */
export function runOfRoute({ view, path, parameters }: Route): RunName | undefined {
  const [cluster, namespace, kind, name] = view === "runs" ? path : [];
  if (cluster === undefined || namespace === undefined || kind === undefined || name === undefined) return undefined;
  return { cluster, namespace, kind, name, uid: parameters["uid"] };
}

export function linkToRun({ cluster, namespace, kind, name, uid }: RunName): string {
  return linkTo("runs", [cluster, namespace, kind, name], { uid });
}

/** A run, or a Job of kind `job`, and the uid or name of the one that it is compared with: absent for the last good. */
export interface ComparedName extends RunName {
  readonly other?: string | undefined;
}

export function comparedOfRoute({ path, parameters }: Route): ComparedName {
  const [cluster = "", namespace = "", kind = "", name = ""] = path;
  return { cluster, namespace, kind, name, uid: parameters["uid"], other: parameters["with"] };
}

export function linkToComparison({ cluster, namespace, kind, name, uid, other }: ComparedName): string {
  return linkTo("compare", [cluster, namespace, kind.toLowerCase(), name], { uid, with: other });
}
