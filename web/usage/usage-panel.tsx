import { amountText, CLASS_WORDS, classesOf, shareText, usageText } from "../../src/explain/usage/usage-text.ts";
import type { UsageAnswer } from "../../src/explain/usage/usage-schema.ts";
import { Section } from "../job/section.tsx";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";

/** What Pods reserved, by what became of that time. */
export function UsagePanel({ usage }: { readonly usage: UsageAnswer | undefined }) {
  if (usage === undefined || usage.pods === 0) return null;
  const { podSeconds, resources } = usage;
  const names = Object.keys(resources);
  return (
    <Section id="usage" title="Reserved">
      <p class="inside">{usageText(usage)}</p>
      <div class="scroll">
        <table class="comparison">
          <caption class="only-read">What Pods reserved, by what became of that time</caption>
          <thead>
            <tr>
              <th scope="col">Class</th>
              <th scope="col">Share</th>
              <th scope="col">Pod time</th>
              {names.map((name) => (
                <th key={name} scope="col">
                  {shownText(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...classesOf(podSeconds), "total" as const].map((of) => (
              <tr key={of}>
                <th scope="row">{of === "total" ? "Total" : CLASS_WORDS[of]}</th>
                <td>{of === "total" ? "100 %" : shareText(podSeconds, of)}</td>
                <td>{spanText(podSeconds[of] * 1_000)}</td>
                {names.map((name) => (
                  <td key={name}>{amountText(name, resources[name]?.[of] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
