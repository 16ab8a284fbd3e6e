#!/usr/bin/env node
// Plain JavaScript, so that any release of Node can start it. The sources are TypeScript that needs Node 24.
const lowestMajor = 24;
const installed = new URL("..", import.meta.url).href;
const isInstalledPackage = import.meta.url.includes("/node_modules/");

if (Number.parseInt(process.versions.node, 10) >= lowestMajor) await runHere();
else await runWithInstalledNode();

async function runHere() {
  silenceExperimentalWarnings();
  const { enableCompileCache, registerHooks, stripTypeScriptTypes } = await import("node:module");
  enableCompileCache();
  if (isInstalledPackage) {
    // Node strips types everywhere except below node_modules, where an installed outlive is.
    const { readFileSync } = await import("node:fs");
    registerHooks({
      load(url, context, next) {
        if (!url.startsWith(installed) || !url.endsWith(".ts")) return next(url, context);
        return {
          format: "module",
          shortCircuit: true,
          source: stripTypeScriptTypes(readFileSync(new URL(url), "utf8")),
        };
      },
    });
  }
  await import("./main.ts");
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
  const [{ existsSync }, { fileURLToPath }] = await Promise.all([import("node:fs"), import("node:url")]);
  const node = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  if (!existsSync(node)) {
    const advice = isInstalledPackage
      ? `Install Node ${lowestMajor} from https://nodejs.org or with a version manager, then run the command again.\n`
      : `Install Node ${lowestMajor}, or run "npm ci" in the checkout of Outlive, which installs one.\n`;
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
