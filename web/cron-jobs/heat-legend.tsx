import type { DayTone } from "./heat-day.ts";

const TONES: readonly (readonly [tone: DayTone, example: string, meaning: string])[] = [
  ["good", "2", "all runs complete or running"],
  ["failed", "2 ✕1", "✕ runs that failed"],
  ["missed", "1 !1", "! due and not created"],
  ["both", "2 ✕1 !1", "✕ and !"],
  ["unobserved", "0 ?1", "? due and not observed"],
  ["none", "0", "nothing due"],
];

/** What the colours and marks of a heat map mean. A cell is one day. */
export function HeatLegend() {
  return (
    <p class="legend heat-legend" aria-label="Legend of the heat map">
      {TONES.map(([tone, example, meaning]) => (
        <span key={tone}>
          <span class={`cell h-${tone}`} aria-hidden="true">
            {example}
          </span>{" "}
          {meaning}
        </span>
      ))}
    </p>
  );
}
