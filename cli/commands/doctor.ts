import { type Command, InvalidArgumentError, Option } from "commander";
import type { DoctorOptions } from "../doctor/doctor-options.ts";
import { addExamples } from "../../src/command-line/add-examples.ts";
import { addQueryOptions } from "../options/query-options.ts";
import { stackOption } from "../options/registry-options.ts";

export function define(command: Command): void {
  addQueryOptions(command, { nameless: "A check has no name: ask with table, json or yaml." })
    .addOption(stackOption())
    .addOption(new Option("--endpoint-url <url>").env("AWS_ENDPOINT_URL").hideHelp())
    .addOption(
      new Option("--timeout <seconds>", "how long to wait for the probe at each step")
        .argParser(readSeconds)
        .default(60, "60"),
    )
    .action(async (options: DoctorOptions) => {
      const { diagnose } = await import("../doctor/diagnose.ts");
      await diagnose(options);
    });
  addExamples(command, [
    [
      "outlive doctor --stack Outlive-prod",
      "look at a deployment from end to end: send a probe, follow it to the answer; 1: something is wrong",
    ],
    ["outlive doctor", "look at the database file, and ask the API over it"],
    ["outlive doctor --server https://outlive.example.org", "ask whether a server answers, and takes your token"],
  ]);
}

function readSeconds(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number of seconds from 1 to 9999.");
}
