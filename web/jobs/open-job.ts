import { goTo } from "../shell/location.ts";
import type { JobListRow } from "./job-list-row.ts";

export function openJob({ cluster, namespace, name, uid }: JobListRow): void {
  goTo({ view: "job", path: [cluster, namespace, name], parameters: { uid } });
}
