import { type Command, Option, program } from "commander";
import manifest from "../package.json" with { type: "json" };
import { CommandFailure } from "../src/host/command-line/command-failure.ts";
import { addExamples } from "../src/host/command-line/add-examples.ts";
import { exitStatusOf, withOptionHint } from "./output/exit-status.ts";
import { processEnvironment } from "../src/host/runtime/process-environment.ts";
import { reportFailure } from "../src/host/command-line/report-failure.ts";

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Adds arguments, options and the action. Imported only for the named command, so that help is fast. */
  readonly load: () => Promise<{ readonly define: (command: Command) => void }>;
}

const usageError = 2;

const commands: readonly CommandEntry[] = [
  {
    name: "demo",
    summary: "Import recorded incidents, explain them, and serve them",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "init",
    summary: "Write the files to run Outlive on this machine, in a cluster or on AWS",
    load: () => import("./init/init.ts"),
  },
  {
    name: "serve",
    summary: "Serve the API and the page, and watch a cluster",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "record",
    summary: "Record the watch events of a cluster in a file",
    load: () => import("./commands/record.ts"),
  },
  {
    name: "export",
    summary: "Watch a cluster and send its facts to a queue",
    load: () => import("./commands/export.ts"),
  },
  {
    name: "import",
    summary: "Import recordings into a database file",
    load: () => import("./commands/import.ts"),
  },
  { name: "fold", summary: "Answer from recordings, without a database", load: () => import("./commands/fold.ts") },
  { name: "jobs", summary: "List Jobs, including deleted ones", load: () => import("./commands/jobs.ts") },
  {
    name: "runs",
    summary: "List runs: JobSets, RayJobs and others, with their Jobs",
    load: () => import("./commands/runs.ts"),
  },
  { name: "get", summary: "Show Jobs or runs by name", load: () => import("./commands/get.ts") },
  { name: "pods", summary: "List the Pods of a Job, including deleted ones", load: () => import("./commands/pods.ts") },
  {
    name: "history",
    summary: "List what happened to a Job or a run, in order",
    load: () => import("./commands/history.ts"),
  },
  {
    name: "why",
    summary: "Explain the state of a Job or a run, with evidence",
    load: () => import("./commands/why.ts"),
  },
  {
    name: "diff",
    summary: "List what differs between a Job or a run and the last good one",
    load: () => import("./commands/diff.ts"),
  },
  {
    name: "wait",
    summary: "Wait for a Job or a run to finish",
    load: () => import("./commands/wait.ts"),
  },
  {
    name: "changes",
    summary: "List or follow status changes",
    load: () => import("./commands/changes.ts"),
  },
  {
    name: "cronjobs",
    summary: "List CronJobs, or the runs of one by day",
    load: () => import("./commands/cronjobs.ts"),
  },
  {
    name: "kubeconfig",
    summary: "Print a kubeconfig that points kubectl at Outlive",
    load: () => import("./commands/kubeconfig.ts"),
  },
  {
    name: "mcp",
    summary: "Answer an agent over the Model Context Protocol (stdio)",
    load: () => import("./agents/mcp.ts"),
  },
  {
    name: "summary",
    summary: "Count Jobs by state, and their Pods and findings",
    load: () => import("./commands/summary.ts"),
  },
  {
    name: "usage",
    summary: "Report what Jobs reserved, and what became of it",
    load: () => import("./usage/usage.ts"),
  },
  {
    name: "nodes",
    summary: "List the nodes on which most Pods failed",
    load: () => import("./commands/nodes.ts"),
  },
  {
    name: "clusters",
    summary: "List clusters, or register one",
    load: () => import("./commands/clusters.ts"),
  },
  {
    name: "readers",
    summary: "Manage the IAM principals that may read a deployment on AWS",
    load: () => import("./commands/readers.ts"),
  },
  {
    name: "rules",
    summary: "Check and test notification rules, and show what was sent",
    load: () => import("./rules/rules-command.ts"),
  },
  { name: "gaps", summary: "List monitoring gaps", load: () => import("./commands/gaps.ts") },
  {
    name: "doctor",
    summary: "Check a deployment, a server or a database file",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "redrive",
    summary: "Ingest failed and set-aside messages again",
    load: () => import("./commands/redrive.ts"),
  },
  {
    name: "replay",
    summary: "Rebuild the projection from the log",
    load: () => import("./commands/projection/replay.ts"),
  },
  {
    name: "compare",
    summary: "Compare the two projections of a trial",
    load: () => import("./commands/projection/compare.ts"),
  },
  {
    name: "switch",
    summary: "Let the other projection of a trial answer",
    load: () => import("./commands/projection/switch.ts"),
  },
  {
    name: "verify",
    summary: "Compare the projection with the log",
    load: () => import("./commands/projection/verify.ts"),
  },
  {
    name: "archive",
    summary: "Archive the log, and check or list an archive",
    load: () => import("./archive/archive.ts"),
  },
  {
    name: "restore",
    summary: "Restore a deployment from an archive, or from a copy of its log table",
    load: () => import("./restore/restore.ts"),
  },
  {
    name: "retention",
    summary: "Show and set for how long Jobs are kept",
    load: () => import("./retention/retention.ts"),
  },
  { name: "hold", summary: "Set, list and release legal holds on Jobs", load: () => import("./hold/hold.ts") },
  {
    name: "erase",
    summary: "Erase the data of a Job, a namespace or a cluster",
    load: () => import("./erase/erase.ts"),
  },
  { name: "backup", summary: "Copy a database while it is in use", load: () => import("./backup/backup.ts") },
  {
    name: "upgrade",
    summary: "Check formats and versions for an upgrade, or migrate a database file",
    load: () => import("./commands/upgrade.ts"),
  },
];

const given = process.argv.slice(2);
/** The completion takes the word after an option for its value, so that `--name=value` becomes two words. */
const typed = given[0] === "complete" ? given.flatMap(splitBeforeLast) : given;
/** `help A B` means `A B --help`. Commander's own help takes one word, and ignores an unknown one. */
const words = typed[0] === "help" && typed[1] !== undefined ? [...typed.slice(1), "--help"] : typed;
const completing = typed[0] === "complete" || typed[0] === "completion";

program
  .name("outlive")
  .description("Job status that outlives its Pods")
  .version(manifest.version)
  .addOption(new Option("--debug").env("OUTLIVE_DEBUG").hideHelp())
  .showSuggestionAfterError()
  .addHelpText(
    "after",
    [
      "",
      "Exit status:",
      "  0  done",
      "  1  condition not met, or not found",
      "  2  usage error, or server unreachable",
      "  3  unknown",
      "",
      "See the options and examples of a command: outlive help COMMAND",
    ].join("\n"),
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageError));

for (const { name, summary, load } of commands) {
  const command = program.command(name).description(summary);
  if (completing || words.includes(name)) (await load()).define(command);
}

if (completing) {
  const { default: addCompletion } = await import("@bomb.sh/tab/commander");
  const root = addCompletion(program, { completionCommandName: "completion" });
  const { completeValues } = await import("./completion/complete-values.ts");
  // The words follow `complete --`.
  if (typed[0] === "complete") await completeValues(root, { words: typed.slice(2), environment: processEnvironment() });
} else {
  const completion = program
    .command("completion")
    .description("Print a completion script for bash, zsh, fish or powershell");
  addExamples(completion, [["source <(outlive completion bash)", "complete commands and options in this shell"]]);
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A program that reads only the first lines, such as head, closes the pipe.
  if (error.code === "EPIPE") process.exit(0);
  const failure = new CommandFailure(usageError, `Cannot write to standard output: ${error.message}.`, {
    cause: error,
  });
  reportFailure(failure, { stack: false });
  process.exit(usageError);
});

try {
  rejectUnknownTopic(typed);
  await program.parseAsync(words, { from: "user" });
  // A request for values that is still open must not keep the shell waiting.
  if (typed[0] === "complete") process.stdout.write("", () => process.exit());
} catch (error) {
  reportFailure(withOptionHint(error), { stack: program.opts<{ readonly debug?: true }>().debug === true });
  process.exitCode = exitStatusOf(error);
}

function splitBeforeLast(word: string, index: number): readonly string[] {
  const [, name, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
  return name === undefined || value === undefined || index === given.length - 1 ? [word] : [name, value];
}

/** For an unknown command, commander would print the general help and succeed. */
function rejectUnknownTopic([first, topic]: readonly string[]): void {
  if (first !== "help" || topic === undefined) return;
  const known = ["help", ...program.commands.map((command) => command.name())];
  if (known.includes(topic)) return;
  throw new CommandFailure(usageError, `Unknown command ${topic}. Commands: ${known.join(", ")}.`);
}
