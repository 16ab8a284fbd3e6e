import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

const RULES = new URL("../../../deploy/prometheus/outlive.rules.yaml", import.meta.url);

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** A Prometheus that scrapes Outlive each second, with the alerting rules of the project. */
export interface Prometheus {
  readonly url: string;
  /** Throws where Prometheus refuses the query. */
  readonly query: (text: string) => Promise<readonly Sample[]>;
  readonly stop: () => Promise<void>;
}

export function hasPrometheus(): boolean {
  return spawnSync("prometheus", ["--version"]).status === 0;
}

/** Starts Prometheus with its files in `folder`. It may answer some seconds later. */
export async function startPrometheus(folder: string, target: string): Promise<Prometheus> {
  const listen = `127.0.0.1:${await freePort()}`;
  const settings = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: ["rules.yml"],
    scrape_configs: [{ job_name: "outlive", static_configs: [{ targets: [new URL(target).host] }] }],
  };
  writeFileSync(join(folder, "rules.yml"), fastRules());
  // JSON is YAML.
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(settings));
  const args = ["--config.file=prometheus.yml", "--storage.tsdb.path=data", `--web.listen-address=${listen}`];
  const running = spawn("prometheus", args, { cwd: folder, stdio: "ignore" });
  const url = `http://${listen}`;
  return {
    url,
    query: (text) => query(url, text),
    stop: async () => {
      const closed = once(running, "close");
      running.kill("SIGKILL");
      await closed;
    },
  };
}

/** The rules with seconds instead of minutes, so that an alert resolves while one waits for it. */
function fastRules(): string {
  return readFileSync(RULES, "utf8")
    .replaceAll("offset 15m", "offset 8s")
    .replaceAll("offset 1h", "offset 8s")
    .replaceAll("[1h]", "[60s]")
    .replaceAll(/for: \d+m/g, "for: 0s");
}

async function query(url: string, text: string): Promise<readonly Sample[]> {
  const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(text)}`);
  const answer = (await response.json()) as {
    readonly error?: string;
    readonly data?: { readonly result: readonly Sample[] };
  };
  if (answer.error !== undefined) throw new Error(`${text}: ${answer.error}`);
  return answer.data?.result ?? [];
}
