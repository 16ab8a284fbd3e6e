import type { Browser, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, openTab, skipWithoutBrowser } from "../../support/page/browser.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { OidcIssuer } from "../../support/http/oidc-issuer.ts";
import { openIssuer, type SmallIssuer } from "../../support/page/small-issuer.ts";
import { createApiClient } from "./api-client.ts";
import { type DeployedStack, deployStack, speakTo } from "./deployed-stack.ts";
import { emulatorWanted } from "./emulator-wanted.ts";
import { poll } from "./poll.ts";
import { recordedClusters, sealed } from "./recorded-clusters.ts";
import { createStackTools } from "./stack-tools.ts";

const wanted = emulatorWanted();
/** LocalStack shows nothing of it that MiniStack does not. */
const isSkipped = wanted.outcome === "skip" || wanted.name !== "ministack" || skipWithoutBrowser();
const CLUSTER = clusterNamed("signed-in");

let keys: OidcIssuer | undefined;
let doors: SmallIssuer | undefined;
let deployed: DeployedStack | undefined;
let browser: Browser | undefined;
let stack: DeployedStack;
let token: string;

interface Answered {
  readonly path: string;
  readonly bytes: number;
}

async function readAnswer(response: Response): Promise<Answered> {
  const { pathname } = new URL(response.url());
  return { path: pathname.slice(pathname.indexOf("/v1/")), bytes: (await response.body()).length };
}

/** An issuer with two addresses: one for its discovery document and keys, one for the sign-in. */
beforeAll(async () => {
  if (isSkipped) return;
  keys = await OidcIssuer.start();
  token = await keys.token({ claims: { outlive: [`${CLUSTER}/*`] } });
  doors = await openIssuer(token);
  deployed = stack = await deployStack("ministack", {
    stage: "sign-in",
    disposable: "true",
    oidcIssuer: keys.url,
    oidcAudience: "outlive",
    pageClientId: "page",
    pageAuthorizationUrl: `${doors.url}/authorize`,
    pageTokenUrl: `${doors.url}/token`,
  });
  speakTo(stack);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  deployed?.stop();
  await doors?.close();
  await keys?.stop();
});

describe.skipIf(isSkipped)("a deployed stage whose readers sign in with an issuer", () => {
  it("answers a token by its grants, and nothing without a token", async () => {
    const api = createApiClient(stack.apiUrl);
    expect(await api.ask("/v1/jobs")).toMatchObject({ status: 401 });
    const answered = await api.ask("/v1/jobs", { headers: { authorization: `Bearer ${token}` } });
    expect(answered).toMatchObject({ status: 200 });
  });

  it("shows its Jobs on the page after sign-in, at the address from before", async () => {
    const [recorded] = (await recordedClusters()).filter(({ cluster }) => cluster === "deadline");
    if (recorded === undefined || browser === undefined) throw new Error("There is no recording, or no browser.");
    const tools = createStackTools(stack);
    await tools.send({ ...recorded, cluster: CLUSTER }, sealed({ ...recorded, cluster: CLUSTER }, Date.now()));
    const reason = await poll("the segment is set aside, because no sender is registered", async () => {
      const [aside] = await tools.setAside();
      return aside?.reason;
    });
    const principal = /Principal (\S+) is not registered/.exec(reason)?.[1] ?? "";
    const register = ["clusters", "register", CLUSTER, "--principal-id", principal, "--stage", stack.stage];
    expect(await tools.outlive(register)).toMatchObject({ status: 0 });
    expect(await tools.outlive(["redrive", "--stage", stack.stage])).toMatchObject({ status: 0 });

    const { page, complaints } = await openTab(browser);
    await page.goto(`${stack.apiUrl}/#/jobs`);
    await page.getByRole("button", { name: /^Sign in at 127\.0\.0\.1/ }).click();
    await page.getByRole("link", { name: "report-job-deadline" }).first().waitFor();
    expect(page.url()).toBe(`${stack.apiUrl}/#/jobs`);

    const landed = page.getByRole("heading", { name: "Failed now" });
    await page.goto(`${stack.apiUrl}/#/attention?since=all`);
    await landed.waitFor();
    const answers: Answered[] = [];
    page.on("response", (response) => {
      if (/\/v1\/(?!changes)/.test(response.url())) void readAnswer(response).then((answer) => answers.push(answer));
    });
    await page.reload();
    await landed.waitFor();
    // With a filter, the number on the tab is a request of its own.
    const paths = ["/v1/attention", "/v1/attention", "/v1/clusters"];
    await expect.poll(() => answers.map(({ path }) => path).sort(), { timeout: 30_000 }).toEqual(paths);
    expect(answers.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(5_000);
    process.stdout.write(`The landing view: ${answers.map(({ path, bytes }) => `${path} ${bytes} B`).join(", ")}\n`);
    expect(complaints).toEqual([]);
  });
});
