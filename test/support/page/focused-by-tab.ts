import type { CDPSession } from "playwright-core";
import { page } from "./page-scene.ts";

/** What is wrong with the focused element: it has no accessible name, no ring, or is not in view. */
export interface Focused {
  /** Its tag and its text, to find it. */
  readonly element: string;
  readonly problems: readonly string[];
}

/** Each element that Tab reaches until it leaves the page, or the first `most` of them. */
export async function focusedByTab(most: number): Promise<readonly Focused[]> {
  const session = await page.context().newCDPSession(page);
  const focused: Focused[] = [];
  while (focused.length < most) {
    await page.keyboard.press("Tab");
    const { element, problems } = await page.evaluate(focusedElement);
    if (element === "body") break;
    const name = await accessibleName(session);
    focused.push({ element, problems: name === "" ? [...problems, "has no accessible name"] : problems });
  }
  await session.detach();
  return focused;
}

/** Runs in the page. */
function focusedElement(): Focused {
  const element = document.activeElement ?? document.body;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [x0, y0] = [Math.max(0, left), Math.max(0, top)];
  const [x1, y1] = [Math.min(innerWidth, right), Math.min(innerHeight, bottom)];
  const shown = document.elementFromPoint((x0 + x1) / 2, (y0 + y1) / 2);
  const isShown = shown !== null && (element.contains(shown) || shown.contains(element));
  const { outlineStyle } = getComputedStyle(element);
  const problems = [
    x0 < x1 && y0 < y1 ? "" : "is not in view",
    isShown ? "" : `is covered by ${shown?.outerHTML.slice(0, 60) ?? "nothing"}`,
    outlineStyle === "none" ? "has no focus ring" : "",
  ];
  const named = `${element.tagName} ${element.textContent.slice(0, 40)}`;
  return { element: element === document.body ? "body" : named, problems: problems.filter((text) => text !== "") };
}

async function accessibleName(session: CDPSession): Promise<string> {
  const { result } = await session.send("Runtime.evaluate", { expression: "document.activeElement" });
  if (result.objectId === undefined) return "";
  const given = { objectId: result.objectId, fetchRelatives: false };
  const { nodes } = await session.send("Accessibility.getPartialAXTree", given);
  return String(nodes[0]?.name?.value ?? "");
}
