import type { Command } from "commander";
import { defineExport } from "../../src/host/exporter/export-command.ts";

export function define(command: Command): void {
  defineExport(command);
}
