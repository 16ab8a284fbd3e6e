import { SSMClient } from "@aws-sdk/client-ssm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSsmRegistrations } from "../../../src/adapters/ssm/ssm-registrations.ts";
import type { Registrations } from "../../../src/ports/registrations/registrations.ts";
import { jsonAnswer, jsonError, ScriptedAws } from "../../support/aws/scripted-aws.ts";

let aws: ScriptedAws;
let registrations: Registrations;
beforeAll(async () => {
  aws = await ScriptedAws.start();
  registrations = createSsmRegistrations(new SSMClient(aws.settings), "live");
});
beforeEach(() => aws.requests.splice(0));
afterAll(() => aws.stop());

const DENIED = jsonError(400, "AccessDeniedException", "not authorized");
const sender = { principalId: "AROA1", value: '{"cluster":"east"}' };
const lastRequest = () => JSON.parse(aws.requests.at(-1) ?? "") as object;

describe("the registrations of a stage", () => {
  it("are the parameters below its path, by principal", async () => {
    aws.answer = jsonAnswer({
      Parameters: [
        { Name: "/outlive/live/senders/AROA1", Value: '{"cluster":"east"}', LastModifiedDate: 1_700_000_000 },
      ],
    });
    expect(await registrations.list("senders")).toEqual([{ ...sender, at: 1_700_000_000_000 }]);
    expect(lastRequest()).toEqual({ Path: "/outlive/live/senders", MaxResults: 10 });
  });

  it("are written as parameters, in place of earlier ones", async () => {
    aws.answer = jsonAnswer({ Version: 1 });
    expect(await registrations.write("readers", { principalId: "AIDA1", value: "{}" })).toBe("written");
    expect(lastRequest()).toEqual({
      Name: "/outlive/live/readers/AIDA1",
      Value: "{}",
      Type: "String",
      Overwrite: true,
    });
  });

  it("are not replaced where they must be new", async () => {
    aws.answer = jsonError(400, "ParameterAlreadyExists", "");
    expect(await registrations.write("senders", { ...sender, isNew: true })).toBe("exists");
    expect(lastRequest()).toMatchObject({ Overwrite: false });
  });

  it("are removed, if there are any", async () => {
    aws.answer = jsonAnswer({});
    expect(await registrations.remove("senders", "AROA1")).toBe("removed");
    expect(lastRequest()).toEqual({ Name: "/outlive/live/senders/AROA1" });
    aws.answer = jsonError(400, "ParameterNotFound", "");
    expect(await registrations.remove("senders", "AROA1")).toBe("absent");
  });

  it.each<readonly [string, () => Promise<unknown>, string]>([
    ["listed", () => registrations.list("senders"), "Parameters /outlive/live/senders"],
    ["written", () => registrations.write("senders", sender), "Parameter /outlive/live/senders/AROA1"],
    ["removed", () => registrations.remove("senders", "AROA1"), "Parameter /outlive/live/senders/AROA1"],
  ])("that cannot be %s cause an error with their name", async (_, request, name) => {
    aws.answer = DENIED;
    await expect(request()).rejects.toThrow(`${name}: access denied`);
  });
});
