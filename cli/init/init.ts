import { createInterface } from "node:readline";
import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { isCheckout, packageFile, packageFolder } from "../../src/host/runtime/package-folder.ts";
import { remark } from "../output/print-answer.ts";
import { AWS_QUESTIONS, npmSpec, planAws } from "./aws.ts";
import { CLUSTER_QUESTIONS, planCluster } from "./in-cluster.ts";
import { MACHINE_QUESTIONS, planMachine } from "./machine.ts";
import type { Plan } from "./plan.ts";
import { type Answers, type Ask, askWith, collectAnswers, type Question } from "./question.ts";
import { writePlan } from "./write-plan.ts";

interface Place {
  readonly name: string;
  readonly summary: string;
  readonly questions: readonly Question[];
  readonly plan: (answers: Answers, options: InitOptions) => Plan;
  readonly examples: readonly (readonly [string, string])[];
}

interface InitOptions {
  readonly to: string;
  readonly force?: boolean;
  /** @default this version, if it is an installed package */
  readonly package?: string;
}

const PLACES: readonly Place[] = [
  {
    name: "machine",
    summary: "Run the tracker on this machine: a script for outlive serve",
    questions: MACHINE_QUESTIONS,
    plan: (answers, { to }) => planMachine(answers, { folder: to, program: packageFile("cli/outlive.js") }),
    examples: [["outlive init machine --context prod --cluster prod", "write outlive/serve.sh"]],
  },
  {
    name: "cluster",
    summary: "Run the tracker in a cluster, without AWS: values of chart outlive",
    questions: CLUSTER_QUESTIONS,
    plan: (answers, { to }) => planCluster(answers, { folder: to, charts: packageFolder("deploy/charts") }),
    examples: [["outlive init cluster --image registry.example.org/outlive", "write outlive/values.yaml"]],
  },
  {
    name: "aws",
    summary: "Run the tracker on AWS: a CDK app, and values of chart outlive-exporter for each cluster",
    questions: AWS_QUESTIONS,
    plan: (answers, { to, package: given }) =>
      planAws(answers, { folder: to, outlive: given === undefined ? publishedVersion() : npmSpec(given) }),
    examples: [
      [
        "outlive init aws --clusters prod-eu,prod-us --image registry.example.org/outlive",
        "write a CDK app for two clusters of EKS, whose exporters use Pod Identity",
      ],
    ],
  },
];

export function define(command: Command): void {
  for (const place of PLACES) {
    const { name, summary, questions, examples } = place;
    const added = command.command(name).description(summary);
    for (const question of questions) added.option(`--${question.name} <${question.value}>`, descriptionOf(question));
    added.option("--to <folder>", "where to write", "outlive").option("--force", "replace files that exist");
    if (name === "aws") added.option("--package <spec>", "the package outlive for npm (default: this version)");
    added.action((options: Answers & InitOptions) => init(place, options));
    addExamples(added, examples);
  }
  addExamples(
    command,
    PLACES.flatMap(({ examples }) => examples),
  );
  command.action(choosePlace);
}

/** npm cannot install a checkout: it has no bundles. */
function publishedVersion(): string {
  if (!isCheckout()) return manifest.version;
  throw new CommandFailure(
    2,
    "The app needs the package of Outlive, and this is a checkout. Run npm run build:package and npm pack " +
      "./dist/package, then set --package to the path of the tarball.",
  );
}

function descriptionOf({ ask, fallback = "" }: Question): string {
  // As a description: "Name of" is "name of", but "ARN of" and "OpenID" stay.
  const text = /^[A-Z][a-z]+\b/.test(ask) ? `${ask.charAt(0).toLowerCase()}${ask.slice(1)}` : ask;
  return fallback === "" ? text : `${text} (default: ${fallback})`;
}

async function choosePlace(): Promise<void> {
  await withPerson(async (ask) => {
    const names = PLACES.map(({ name }) => name);
    const problem = `write ${names.join(", ")}.`;
    const where: Question = {
      name: "where",
      value: "place",
      ask: "Where does Outlive run: machine, cluster or aws",
      problem: (answer) => (names.includes(answer) ? undefined : problem),
    };
    if (ask === undefined) throw new CommandFailure(2, "No place is set. Run outlive init machine, cluster or aws.");
    const { where: chosen } = await collectAnswers([where], {}, ask);
    const place = PLACES.find(({ name }) => name === chosen);
    if (place !== undefined) await write(place, { to: "outlive" }, ask);
  });
}

async function init(place: Place, options: Answers & InitOptions): Promise<void> {
  await withPerson((ask) => write(place, options, ask));
}

async function write(place: Place, options: Partial<Answers> & InitOptions, ask: Ask | undefined): Promise<void> {
  const given = Object.fromEntries(place.questions.map(({ name }) => [name, textOf(options, name)]));
  const { files, commands } = place.plan(await collectAnswers(place.questions, given, ask), options);
  const paths = await writePlan(files, { folder: options.to, ...(options.force === true && { force: true }) });
  for (const path of paths) remark(`Wrote ${path}`);
  remark("Next:");
  process.stdout.write(commands.map((line) => `${line}\n`).join(""));
}

function textOf(options: object, name: string): string | undefined {
  const value: unknown = Reflect.get(options, name);
  return typeof value === "string" ? value : undefined;
}

/** Asks on a terminal only. Answers come from standard input, questions go to standard error. */
async function withPerson(use: (ask: Ask | undefined) => Promise<void>): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return use(undefined);
  const lines = createInterface({ input: process.stdin });
  try {
    await use(askWith(lines[Symbol.asyncIterator](), process.stderr));
  } finally {
    lines.close();
  }
}
