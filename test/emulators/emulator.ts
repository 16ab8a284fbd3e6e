import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** MiniStack is quick and answers most calls; LocalStack is the second opinion, with the real DynamoDB Local inside. */
export type EmulatorName = "ministack" | "localstack";

/** An AWS that runs on this machine, empty when it starts. */
export interface Emulator {
  readonly name: EmulatorName;
  /** Who runs it: a person who gave its address, Docker, or a plain process of ours. */
  readonly by: "given" | "docker" | "process";
  /** What the AWS SDK, the CDK and `cdklocal` need in their environment to speak to it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly endpoint: string;
  stop(): void;
  /** The processes in which functions run now; none where they are not children of ours. */
  functionProcesses(): readonly number[];
}

/** The last LocalStack that starts without a token. */
const LOCALSTACK_IMAGE = "localstack/localstack:4.14.0";
const LAUNCHER = fileURLToPath(new URL("emulator.py", import.meta.url));
const START_MILLIS = 90_000;
const HEALTH_MILLIS = 200;
const REGION = "eu-central-1";

/** No emulator can run here. The message says what is missing and what to install. */
class EmulatorUnavailableError extends Error {
  override readonly name = "EmulatorUnavailableError";
}

/**
 * Starts the emulator on a free port of 127.0.0.1: the one at AWS_ENDPOINT_URL where that is set (which stays as it is
 * when the tests end), else LocalStack's pinned image where a Docker engine answers, else a plain process from PyPI and
 * npm (README.md beside this file).
 */
export async function startEmulator(
  name: EmulatorName,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Emulator> {
  const given = environment["AWS_ENDPOINT_URL"];
  if (given !== undefined) {
    return {
      name,
      by: "given",
      endpoint: given,
      environment: settings(given),
      stop: () => {},
      functionProcesses: () => [],
    };
  }
  const port = await freePort();
  return name === "localstack" && hasDocker() ? startImage(port) : startProcess(name, port);
}

/** Fetches what the emulator is made of, once; says what is missing where it cannot run here. */
export function installEmulator(name: EmulatorName): { readonly failure?: string } {
  return name === "localstack" && hasDocker() ? {} : run("python3", [LAUNCHER, name, "install"]);
}

function startProcess(name: EmulatorName, port: number): Emulator {
  const launch = (action: string) => run("python3", [LAUNCHER, name, action, "--port", `${port}`]);
  const started = launch("start");
  if (started.failure !== undefined) throw new EmulatorUnavailableError(`${name} does not start: ${started.failure}`);
  const pid = Number(/PID (\d+)/.exec(started.output)?.[1]);
  return {
    name,
    by: "process",
    ...reachedAt(port),
    stop: () => void launch("stop"),
    functionProcesses: () => childrenOf(pid),
  };
}

async function startImage(port: number): Promise<Emulator> {
  const container = `outlive-localstack-${port}`;
  const ports = ["--publish", `127.0.0.1:${port}:4566`];
  const socket = ["--volume", "/var/run/docker.sock:/var/run/docker.sock"];
  const started = run("docker", [
    "run",
    "--detach",
    "--rm",
    "--name",
    container,
    ...ports,
    ...socket,
    LOCALSTACK_IMAGE,
  ]);
  if (started.failure !== undefined) throw new EmulatorUnavailableError(`${LOCALSTACK_IMAGE}: ${started.failure}`);
  const reached = reachedAt(port);
  await becomeHealthy(`${reached.endpoint}/_localstack/health`);
  const stop = () => void run("docker", ["stop", container]);
  return { name: "localstack", by: "docker", ...reached, stop, functionProcesses: () => [] };
}

async function becomeHealthy(address: string): Promise<void> {
  const deadline = Date.now() + START_MILLIS;
  for (;;) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok === true) return;
    if (Date.now() > deadline) throw new EmulatorUnavailableError(`${address} is silent after ${START_MILLIS} ms.`);
    await setTimeout(HEALTH_MILLIS);
  }
}

function reachedAt(port: number): Pick<Emulator, "endpoint" | "environment"> {
  const endpoint = `http://localhost:${port}`;
  return { endpoint, environment: settings(endpoint) };
}

function settings(endpoint: string): Readonly<Record<string, string>> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    // `cdklocal` forgets every other variable that begins with AWS_.
    AWS_ENVAR_ALLOWLIST: "AWS_REGION,AWS_DEFAULT_REGION",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_EC2_METADATA_DISABLED: "true",
  };
}

function hasDocker(): boolean {
  return run("docker", ["info", "--format", "{{.ServerVersion}}"]).failure === undefined;
}

/** Functions run in Node; what else an emulator started stays. */
function childrenOf(parent: number): readonly number[] {
  const { output } = run("ps", ["-eo", "pid=,ppid=,args="]);
  return output.split("\n").flatMap((line) => {
    const [, pid, ppid, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(ppid) === parent && /^\S*node\b/.test(args ?? "") ? [Number(pid)] : [];
  });
}

function run(command: string, args: readonly string[]): { readonly failure?: string; readonly output: string } {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? { output: stdout } : { failure: error?.message ?? `${stderr}${stdout}`.trim(), output: "" };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new EmulatorUnavailableError("No port is free.");
  return address.port;
}
