#!/usr/bin/env node
// Plain JavaScript, so that any release of Node can start it. In a checkout it runs the sources, TypeScript that needs
// Node 24; in the package, what "npm run build:package" bundled from them.
import { existsSync } from "node:fs";

const lowestMajor = 24;
const isCheckout = existsSync(new URL("main.ts", import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= lowestMajor) await runHere();
else await runWithInstalledNode();

async function runHere() {
  silenceExperimentalWarnings();
  const { enableCompileCache } = await import("node:module");
  enableCompileCache();
  await import(isCheckout ? "./main.ts" : "./main.js");
}

/** Early releases of Node 24 warn on stderr that type stripping and node:sqlite are experimental. */
function silenceExperimentalWarnings() {
  const emitWarning = process.emitWarning.bind(process);
  /**
   * @param {string | Error} warning
   * @param {unknown[]} rest
   */
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== "ExperimentalWarning") Reflect.apply(emitWarning, undefined, [warning, ...rest]);
  };
}

/** Runs the same file again under the Node 24 that `npm ci` linked in the checkout. */
async function runWithInstalledNode() {
  const { fileURLToPath } = await import("node:url");
  const node = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  if (!existsSync(node)) {
    const advice = isCheckout
      ? `Install Node ${lowestMajor}, or run "npm ci" in the checkout of Outlive, which installs one.\n`
      : `Install Node ${lowestMajor} from https://nodejs.org or with a version manager, then run the command again.\n`;
    process.stderr.write(`outlive needs Node ${lowestMajor} or newer, and this is ${process.version}. ${advice}`);
    process.exitCode = 2;
    return;
  }
  const { spawn } = await import("node:child_process");
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  forwardSignals(child);
  child.on("error", (error) => {
    process.stderr.write(`Cannot start Node ${lowestMajor} at ${node}: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/**
 * Forwards signals to the child. A terminal sends Ctrl-C to the whole process group, so that case is left out.
 * @param {import("node:child_process").ChildProcess} child
 */
function forwardSignals(child) {
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"])) {
    process.on(signal, () => {
      const fromTerminal = process.stdin.isTTY && (signal === "SIGINT" || signal === "SIGQUIT");
      if (!fromTerminal) child.kill(signal);
    });
  }
}
