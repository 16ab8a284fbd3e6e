/** What a view of the page is about. */
export interface PageSubject {
  readonly view: "attention" | "jobs" | "runs" | "cronjobs" | "clusters" | "summary" | "job" | "compare";
  /** The parts of its path, such as cluster, namespace and name. */
  readonly path?: readonly string[];
  readonly uid?: string | undefined;
}

/** The link to a view of the page at this address. */
export function pageLink(page: string, { view, path = [], uid }: PageSubject): string {
  const query = uid === undefined ? "" : `?uid=${encodeURIComponent(uid)}`;
  return `${page.replace(/\/?$/, "/#/")}${[view, ...path.map(encodeURIComponent)].join("/")}${query}`;
}
