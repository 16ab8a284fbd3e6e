import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const LAUNCHER = fileURLToPath(new URL("../../../cli/outlive.js", import.meta.url));
const EXAMPLES = new URL("../../../examples/", import.meta.url);

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The files of an example recording. */
export function example(name: string): string {
  return fileURLToPath(new URL(name, EXAMPLES));
}

/**
 * A temporary folder for a test file. It is deleted at the end, after the processes that a failed test left running
 * were ended.
 */
export function scratchFolder(): { readonly path: string; readonly remove: () => Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), "outlive-test-"));
  return {
    path,
    remove: async () => {
      await Promise.all([...running].filter(([, cwd]) => cwd === path).map(([child]) => end(child)));
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** The running processes and their folders. */
const running = new Map<ChildProcess, string>();

function start(args: readonly string[], { cwd, env = {} }: RunOptions) {
  const child = spawn(process.execPath, [LAUNCHER, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  running.set(child, cwd);
  child.once("close", () => running.delete(child));
  return child;
}

const PATIENCE_MILLIS = 3_000;

/** SIGTERM first, because a demo deletes its folder. */
async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MILLIS);
  await closed;
  clearTimeout(force);
}

/** Runs `outlive` to its end with this environment only. */
export async function runOutlive(args: readonly string[], options: RunOptions): Promise<Ran> {
  const child = start(args, options);
  const output = outputOf(child);
  await once(child, "close");
  return { status: child.exitCode, ...output() };
}

/** Starts `outlive` for a test that kills it. */
export function startOutlive(args: readonly string[], options: RunOptions): { readonly kill: () => Promise<Ran> } {
  const child = start(args, options);
  const output = outputOf(child);
  const closed = once(child, "close");
  return {
    kill: async () => {
      child.kill("SIGKILL");
      await closed;
      return { status: child.exitCode, ...output() };
    },
  };
}

/** A running `outlive serve` or `demo`. */
export interface Serving {
  readonly url: string;
  /** Sends a signal, and waits for the end. */
  readonly stop: (signal: NodeJS.Signals) => Promise<Ran>;
  /** Waits for the end. */
  readonly ended: () => Promise<Ran>;
}

/** Starts a command that serves, and resolves when it has printed its address. */
export async function serveOutlive(args: readonly string[], options: RunOptions): Promise<Serving> {
  const child = start(args, options);
  const output = outputOf(child);
  const closed = once(child, "close");
  const url = await servedUrl(child, output);
  const ended = async (): Promise<Ran> => {
    await closed;
    return { status: child.exitCode, ...output() };
  };
  return {
    url,
    stop: (signal) => {
      child.kill(signal);
      return ended();
    },
    ended,
  };
}

/** Resolves when a process has printed the address that it serves. */
export function servedUrl(child: ChildProcess, output: ReturnType<typeof outputOf>): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const found = /Serving .*?(http:\/\/[^\s/]+)/.exec(Object.values(output()).join("\n"))?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.on("close", () => reject(new Error(`It ended: ${output().stderr}`)));
  });
}

/** Collects what a process prints. */
export function outputOf(child: ChildProcess): () => { readonly stdout: string; readonly stderr: string } {
  const heard = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      heard[name] += text;
    });
  }
  return () => ({ ...heard });
}
