import { linkTo, type View } from "./route.ts";
import { AttentionBadge } from "../attention/attention-badge.tsx";
import { freshness } from "../api/freshness.ts";
import { session } from "../api/session.ts";
import { route } from "./location.ts";

const LINKS: readonly { readonly view: View; readonly text: string; readonly key: string }[] = [
  { view: "attention", text: "Attention", key: "1" },
  { view: "jobs", text: "Jobs", key: "2" },
  { view: "runs", text: "Runs", key: "3" },
  { view: "cronjobs", text: "CronJobs", key: "4" },
  { view: "clusters", text: "Clusters", key: "5" },
  { view: "summary", text: "Summary", key: "6" },
];

/** Views by their key. */
export const VIEW_KEYS: ReadonlyMap<string, View> = new Map(LINKS.map(({ key, view }) => [key, view]));

/** The badge comes after the first answer of the view, and never before a sign-in. */
function mayAsk(): boolean {
  return session.value === "open" && freshness.value.answeredAt !== undefined;
}

export function Navigation() {
  const { view } = route.value;
  return (
    <nav aria-label="Views">
      <ul>
        {LINKS.map((link) => (
          <li key={link.view}>
            <a href={linkTo(link.view)} aria-current={link.view === view ? "page" : undefined}>
              {link.text}
              {link.view === "attention" && mayAsk() ? <AttentionBadge /> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
