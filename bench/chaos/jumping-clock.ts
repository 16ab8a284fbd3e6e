// Preloaded into the programs of a run (`--import`): their wall clock is ahead by the milliseconds in a file. Timers
// and performance.now() do not jump, as on a machine whose clock is set.
import { readFileSync } from "node:fs";

const PERIOD_MILLIS = 100;
const file = new URL(import.meta.url).searchParams.get("clock") ?? "";
const RealDate = Date;
const realNow = Date.now.bind(Date);
let aheadMillis = 0;

function read(): void {
  try {
    aheadMillis = Number(readFileSync(file, "utf8"));
  } catch (cause) {
    // No file: the clock is right.
    if (!(cause instanceof Error)) throw cause;
    aheadMillis = 0;
  }
}

read();
setInterval(read, PERIOD_MILLIS).unref();
Date.now = () => realNow() + aheadMillis;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [realNow() + aheadMillis] : args, newTarget) as object,
});
