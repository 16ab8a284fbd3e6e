import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { outputOption } from "../../../cli/options/output-format.ts";

function parsed(text: string): unknown {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  command.addOption(outputOption({ csv: "An explanation is no table." }));
  return command.parse(["-o", text], { from: "user" }).opts()["output"];
}

describe("the output format", () => {
  it.each(["table", "wide", "json", "yaml", "name"])("is %s by its name", (name) => {
    expect(parsed(name)).toBe(name);
  });

  it("has a template or columns with = in them", () => {
    expect(parsed(`jsonpath={.items[?(@.name=="a")].uid}`)).toHaveProperty("template");
    expect(parsed("custom-columns=UID:.items[?(@.name=='a')].uid")).toHaveProperty("customColumns");
  });

  it.each([
    ["toml", /Allowed choices are table, wide, json, yaml, name, jsonpath=TEMPLATE/],
    ["", /Allowed choices/],
    ["csv", /An explanation is no table/],
    ["jsonpath", /template is missing/],
    ["jsonpath=", /template is missing/],
    ["jsonpath={.a", /no "}".*character 1/],
    ["custom-columns=", /columns are missing/],
    ["custom-columns=A", /"A" is not a column/],
  ])("%j is refused with what to write", (text, message) => {
    expect(() => parsed(text)).toThrow(message);
  });
});
