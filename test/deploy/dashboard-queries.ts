import { readFileSync } from "node:fs";

interface Dashboard {
  /** A row has no targets. */
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly type: string; readonly query: unknown }[] };
}

const FILE = new URL("../../deploy/grafana/outlive-jobs.json", import.meta.url);

const dashboard = JSON.parse(readFileSync(FILE, "utf8")) as Dashboard;

/** Every query of the dashboard by panel, with all values of its variables. */
export const dashboardQueries: readonly (readonly [panel: string, query: string])[] = dashboard.panels.flatMap(
  ({ title, targets = [] }) =>
    targets.map(({ expr }) => {
      const query = expr.replaceAll(/\$(cluster|namespace)\b/g, ".*").replaceAll("$__rate_interval", "30s");
      return [title, query] as const;
    }),
);
