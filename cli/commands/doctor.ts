import { type Command, InvalidArgumentError, Option } from "commander";
import type { DoctorOptions } from "../doctor/doctor-options.ts";
import { addExamples } from "../../src/host/command-line/add-examples.ts";
import { addQueryOptions } from "../options/query-options.ts";
import { stageOption } from "../options/registry-options.ts";

export function define(command: Command): void {
  addQueryOptions(command, { name: "Checks have no names. Use table, json, yaml or csv." })
    .addOption(stageOption())
    .addOption(new Option("--endpoint-url <url>").env("AWS_ENDPOINT_URL").hideHelp())
    .addOption(
      new Option("--timeout <seconds>", "time to wait for the probe at each step")
        .argParser(readSeconds)
        .default(60, "60"),
    )
    .action(async (options: DoctorOptions) => {
      const { diagnose } = await import("../doctor/diagnose.ts");
      await diagnose(options);
    });
  addExamples(command, [
    ["outlive doctor --stage prod", "send a probe through a deployment and follow it; exit status 1 if a check fails"],
    ["outlive doctor", "check the database file"],
    ["outlive doctor --server https://outlive.example.org", "check that a server answers and accepts your token"],
  ]);
}

function readSeconds(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number of seconds from 1 to 9999.");
}
