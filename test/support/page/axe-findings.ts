import axe from "axe-core";
import { expect } from "vitest";
import { page } from "./page-scene.ts";

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** The violations of the shown view: every rule of axe, with best practices, and the contrast of dark colours. */
export async function axeFindings(): Promise<readonly string[]> {
  await page.locator("main h1").first().waitFor();
  await expect.poll(() => page.locator(".waiting").count(), { timeout: 10_000 }).toBe(0);
  await page.evaluate(axe.source);
  const light = await findingsOf("axe.run()");
  await page.emulateMedia({ colorScheme: "dark" });
  return [...light, ...(await findingsOf("axe.run({ runOnly: ['color-contrast'] })"))];
}

/** The debugger loads the script of axe, so the page's policy is unchanged. */
async function findingsOf(run: string): Promise<readonly string[]> {
  const { violations } = await page.evaluate<AxeResults>(run);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
