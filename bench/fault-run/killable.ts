import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A process that can be killed, stopped and started again. */
export interface Killable {
  readonly name: string;
  readonly isRunning: () => boolean;
  kill(): void;
  freeze(): void;
  thaw(): void;
  start(): void;
}

/**
 * A part of the control plane that another program started. Its command line is read once, and its pid file is updated
 * for the program that stops it.
 */
export function controlPlanePart(home: string, name: string): Killable {
  const pidFile = join(home, `${name}.pid`);
  const pid = () => Number(readFileSync(pidFile, "utf8"));
  const [command = "", ...args] = readFileSync(`/proc/${pid()}/cmdline`, "utf8").split("\0").filter(Boolean);
  const send = (signal: NodeJS.Signals) => {
    if (isAlive(pid())) process.kill(pid(), signal);
  };
  return {
    name,
    isRunning: () => isAlive(pid()),
    kill: () => send("SIGKILL"),
    freeze: () => send("SIGSTOP"),
    thaw: () => send("SIGCONT"),
    start: () => {
      if (isAlive(pid())) return;
      const log = openSync(join(home, `${name}.log`), "a");
      const child = spawn(command, args, { detached: true, stdio: ["ignore", log, log] });
      child.unref();
      writeFileSync(pidFile, `${child.pid}\n`);
    },
  };
}

function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/status`)) return false;
  return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

/** A child of this process. */
export class Child implements Killable {
  readonly name: string;
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: string;
  #child: ChildProcess | undefined;

  constructor(options: {
    readonly name: string;
    readonly args: readonly string[];
    readonly env: NodeJS.ProcessEnv;
    readonly log: string;
  }) {
    this.name = options.name;
    this.#args = options.args;
    this.#env = options.env;
    this.#log = options.log;
  }

  isRunning = (): boolean => this.#child?.exitCode === null && this.#child.signalCode === null;

  start(): void {
    if (this.isRunning()) return;
    const log = openSync(this.#log, "a");
    this.#child = spawn(process.execPath, this.#args, { env: this.#env, stdio: ["ignore", log, log] });
  }

  kill(): void {
    this.#child?.kill("SIGKILL");
  }

  freeze(): void {
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Requests its end, and waits for it. */
  async end(): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || !this.isRunning()) return null;
    const ended = new Promise<number | null>((resolve) => {
      child.once("exit", resolve);
    });
    this.thaw();
    child.kill("SIGTERM");
    return ended;
  }
}
