import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestReply, TestRequest } from "./test-request.ts";

export type TestOutcome = "passed" | "failed" | "skipped" | "timed out";

/** Runs test files in a process that stays warm. It is ended and replaced after a run that takes too long. */
export class TestRunner {
  readonly #folder: string;
  #child: ChildProcess | undefined;

  /** @param folder the folder of the project */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async run(request: TestRequest, limitMillis: number): Promise<TestOutcome> {
    const child = this.#child ?? (await this.#start());
    const reply = replyOf(child, limitMillis);
    child.send(request);
    const outcome = await reply;
    if (outcome === "timed out") this.close();
    return outcome;
  }

  /** Ends the process and the workers that it started. */
  close(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  }

  async #start(): Promise<ChildProcess> {
    const path = fileURLToPath(new URL("test-process.ts", import.meta.url));
    // A group of its own, so that its workers end with it.
    const child = fork(path, { cwd: this.#folder, detached: true, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    this.#child = child;
    await replyOf(child, STARTUP_MILLIS);
    return child;
  }
}

const STARTUP_MILLIS = 120_000;

function replyOf(child: ChildProcess, limitMillis: number): Promise<TestOutcome> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: TestOutcome): void => {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
      resolve(outcome);
    };
    const onMessage = ({ outcome }: TestReply): void => settle(outcome === "ready" ? "passed" : outcome);
    const onExit = (code: number | null): void => {
      clearTimeout(timer);
      reject(new Error(`The test process ended with exit status ${code}. Its error is above.`));
    };
    const timer = setTimeout(() => settle("timed out"), limitMillis);
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}
