import { type Command, Option, program } from "commander";
import manifest from "../package.json" with { type: "json" };
import { CommandFailure } from "../src/command-line/command-failure.ts";
import { addExamples } from "../src/command-line/add-examples.ts";
import { exitStatusOf, withOptionHint } from "./output/exit-status.ts";
import { reportFailure } from "../src/command-line/report-failure.ts";

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Adds arguments, options and the action; imported only when the command line names the command, so that help starts fast. */
  readonly load: () => Promise<{ readonly define: (command: Command) => void }>;
}

const usageError = 2;

const commands: readonly CommandEntry[] = [
  {
    name: "demo",
    summary: "replay a recorded incident, tell what happened, and serve the answers",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "serve",
    summary: "answer questions over HTTP from a database file",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "record",
    summary: "write what a cluster's watches tell of Jobs into a recording",
    load: () => import("./commands/record.ts"),
  },
  {
    name: "export",
    summary: "watch a cluster and send what happens to a tracker's queue",
    load: () => import("./commands/export.ts"),
  },
  {
    name: "import",
    summary: "send recordings of a cluster through the real path into a database file",
    load: () => import("./commands/import.ts"),
  },
  { name: "fold", summary: "answer from recordings alone, offline", load: () => import("./commands/fold.ts") },
  { name: "jobs", summary: "list Jobs, whether they still exist or not", load: () => import("./commands/jobs.ts") },
  { name: "get", summary: "show Jobs by name", load: () => import("./commands/get.ts") },
  { name: "pods", summary: "list every Pod a Job ever had", load: () => import("./commands/pods.ts") },
  { name: "history", summary: "list what happened to a Job, in order", load: () => import("./commands/history.ts") },
  { name: "why", summary: "explain a Job's verdict, with the evidence", load: () => import("./commands/why.ts") },
  {
    name: "wait",
    summary: "wait for a Job to end, also when it is long gone",
    load: () => import("./commands/wait.ts"),
  },
  {
    name: "changes",
    summary: "list or follow verdicts that became others",
    load: () => import("./commands/changes.ts"),
  },
  {
    name: "cronjobs",
    summary: "list CronJobs, or one's runs by day and what was due and never ran",
    load: () => import("./commands/cronjobs.ts"),
  },
  {
    name: "kubeconfig",
    summary: "print a kubeconfig that points kubectl at Outlive",
    load: () => import("./commands/kubeconfig.ts"),
  },
  { name: "summary", summary: "count what many Jobs came to", load: () => import("./commands/summary.ts") },
  {
    name: "clusters",
    summary: "list the clusters that are known, or register one",
    load: () => import("./commands/clusters.ts"),
  },
  {
    name: "readers",
    summary: "say which IAM principals may ask a deployment on AWS, and for what",
    load: () => import("./commands/readers.ts"),
  },
  { name: "gaps", summary: "list the times in which nobody watched", load: () => import("./commands/gaps.ts") },
  {
    name: "doctor",
    summary: "check a deployment, a server or a database file from end to end",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "redrive",
    summary: "ingest again what failed, or was set aside",
    load: () => import("./commands/redrive.ts"),
  },
  { name: "replay", summary: "rebuild the projection from the log", load: () => import("./commands/replay.ts") },
  {
    name: "verify",
    summary: "compare the projection with a fresh fold of the log",
    load: () => import("./commands/verify.ts"),
  },
  { name: "backup", summary: "copy a database file while it is in use", load: () => import("./commands/backup.ts") },
];

const typed = process.argv.slice(2);
/** `help A B` is `A B --help`: commander's own knows one word, and takes what it does not know for none. */
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
    "\nExit status: 0 done, 1 the answer is no, 2 usage or unreachable, 3 not decidable.\nEvery command has examples: outlive help COMMAND",
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageError));

for (const { name, summary, load } of commands) {
  const command = program.command(name).description(summary);
  if (completing || words.includes(name)) (await load()).define(command);
}

if (completing) {
  const { default: addCompletion } = await import("@bomb.sh/tab/commander");
  addCompletion(program, { completionCommandName: "completion" });
} else {
  const completion = program
    .command("completion")
    .description("print the completion script of a shell: bash, zsh, fish or powershell");
  addExamples(completion, [
    ["source <(outlive completion bash)", "complete commands, options and formats in this shell"],
  ]);
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as head, closes the pipe.
  if (error.code === "EPIPE") process.exit(0);
  const failure = new CommandFailure(usageError, `The answer cannot be written: ${error.message}.`, { cause: error });
  reportFailure(failure, { stack: false });
  process.exit(usageError);
});

try {
  refuseUnknownTopic(typed);
  await program.parseAsync(words, { from: "user" });
} catch (error) {
  reportFailure(withOptionHint(error), { stack: program.opts<{ readonly debug?: true }>().debug === true });
  process.exitCode = exitStatusOf(error);
}

/** Help of a command that there is not would be the general help, as if nothing were wrong. */
function refuseUnknownTopic([first, topic]: readonly string[]): void {
  if (first !== "help" || topic === undefined) return;
  const known = ["help", ...program.commands.map((command) => command.name())];
  if (known.includes(topic)) return;
  throw new CommandFailure(usageError, `There is no command ${topic}: ${known.join(", ")} are known.`);
}
