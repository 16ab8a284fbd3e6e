import type { Argument, Complete, Option, RootCommand } from "@bomb.sh/tab";
import { STATES } from "../../src/job/model/states.ts";
import { type CompletedLine, knownValues } from "./known-values.ts";

/** The shell waits for the values: without them it completes nothing. */
const LONGEST_MILLIS = 1_000;

const FROM_THE_SOURCE = ["cluster", "namespace", "name"];

/** Adds what only the server or the database file knows to the completions of every command. */
export async function completeValues(root: RootCommand, line: CompletedLine): Promise<void> {
  const values = await Promise.race([knownValues(line), nothingAfter(LONGEST_MILLIS)]);
  const handler = (complete: Complete): void => values.forEach((value) => complete(value, ""));
  for (const { options, arguments: positions } of root.commands.values()) {
    for (const name of FROM_THE_SOURCE) setHandler(options.get(name), handler);
    for (const position of positions.values()) if (/^(?:job|name)/.test(position.name)) setHandler(position, handler);
    setHandler(options.get("state"), (complete) => STATES.forEach((state) => complete(state, "")));
  }
}

function setHandler(of: Option | Argument | undefined, handler: (complete: Complete) => void): void {
  if (of !== undefined) of.handler = handler;
}

async function nothingAfter(milliseconds: number): Promise<readonly string[]> {
  return new Promise((resolve) => {
    setTimeout(() => resolve([]), milliseconds).unref();
  });
}
