import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { BatchReply, BatchRequest, TestReply, TestRequest } from "./test-request.ts";

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
    const reply = await this.#ask<TestReply>(request, limitMillis);
    if (reply === undefined) return "timed out";
    return reply.outcome === "ready" ? "passed" : reply.outcome;
  }

  /** The outcomes of each test, as {@link BatchReply} has them; `undefined` if the tests take too long. */
  async runTogether(request: BatchRequest, limitMillis: number): Promise<BatchReply["outcomes"] | undefined> {
    return (await this.#ask<BatchReply>(request, limitMillis))?.outcomes;
  }

  /** Ends the process and the workers that it started. */
  close(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  }

  /** `undefined` if there is no reply within the limit. */
  async #ask<Reply>(request: TestRequest | BatchRequest, limitMillis: number): Promise<Reply | undefined> {
    const child = this.#child ?? (await this.#start());
    const reply = replyOf<Reply>(child, limitMillis);
    child.send(request);
    const answer = await reply;
    if (answer === undefined) this.close();
    return answer;
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

function replyOf<Reply>(child: ChildProcess, limitMillis: number): Promise<Reply | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (reply: Reply | undefined): void => {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
      resolve(reply);
    };
    const onMessage = (reply: unknown): void => settle(reply as Reply);
    const onExit = (code: number | null): void => {
      clearTimeout(timer);
      reject(new Error(`The test process ended with exit status ${code}. Its error is above.`));
    };
    const timer = setTimeout(() => settle(undefined), limitMillis);
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}
