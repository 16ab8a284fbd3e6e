import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

/** An alert as the API of Alertmanager shows it. */
export interface ShownAlert {
  readonly fingerprint: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL: string;
  readonly status: { readonly state: string };
}

export interface Alertmanager {
  readonly url: string;
  /** The alerts that are not over. */
  readonly alerts: () => Promise<readonly ShownAlert[]>;
  readonly stop: () => Promise<void>;
}

/** Debian names the program after its package. */
const PROGRAMS = ["alertmanager", "prometheus-alertmanager"];

function program(): string | undefined {
  return PROGRAMS.find((name) => spawnSync(name, ["--version"]).status === 0);
}

export function hasAlertmanager(): boolean {
  return program() !== undefined;
}

/** Starts Alertmanager with its files in `folder`. It sends each change of an alert to a webhook at once. */
export async function startAlertmanager(folder: string, webhook: string): Promise<Alertmanager> {
  const settings = {
    route: { receiver: "hook", group_by: ["..."], group_wait: "0s", group_interval: "1s" },
    receivers: [{ name: "hook", webhook_configs: [{ url: webhook, send_resolved: true }] }],
  };
  // JSON is YAML.
  writeFileSync(join(folder, "alertmanager.yml"), JSON.stringify(settings));
  const listen = `127.0.0.1:${await freePort()}`;
  const args = ["--config.file=alertmanager.yml", "--storage.path=data", `--web.listen-address=${listen}`];
  const running = spawn(program() ?? "alertmanager", [...args, "--cluster.listen-address="], {
    cwd: folder,
    stdio: "ignore",
  });
  const url = `http://${listen}`;
  return {
    url,
    alerts: async () => (await (await fetch(`${url}/api/v2/alerts`)).json()) as readonly ShownAlert[],
    stop: async () => {
      const closed = once(running, "close");
      running.kill("SIGKILL");
      await closed;
    },
  };
}
