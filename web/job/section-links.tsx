/** Jumps within the page of a Job. These are buttons, because the fragment of the address is the route. */
export function SectionLinks({ indexed, generations }: { readonly indexed: boolean; readonly generations: boolean }) {
  const sections = SECTIONS.filter(([id]) => (id !== "indexes" || indexed) && (id !== "generations" || generations));
  return (
    <nav class="sections" aria-label="Sections of this Job">
      {sections.map(([id, text]) => (
        <button key={id} type="button" class="bare" onClick={() => jumpTo(id)}>
          {text}
        </button>
      ))}
      <button type="button" class="bare" onClick={() => print()}>
        Print as a report
      </button>
    </nav>
  );
}

const SECTIONS = [
  ["status", "Status"],
  ["timeline", "Timeline"],
  ["indexes", "Indexes"],
  ["why", "Evidence"],
  ["pods", "Pods"],
  ["history", "History"],
  ["generations", "Same name"],
  ["spec", "Spec"],
  ["commands", "Commands"],
] as const;

function jumpTo(id: string): void {
  const section = document.getElementById(id);
  section?.scrollIntoView({ block: "start" });
  section?.focus({ preventScroll: true });
}
