import { maybe, text } from "../../explain/answer-parts.ts";
import { type PageSubject, pageLink } from "../../job/text/page-link.ts";
import { marked, plain, untrusted } from "./marked.ts";

/** A Job, a run or a CronJob. */
export interface Subject {
  readonly cluster: string;
  readonly namespace: string;
  /** `job`, `cronjob`, or the kind of a run. */
  readonly kind: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

/** How answers name a subject. */
export const subjectEntries = { target: maybe(text), uid: maybe(text), ...untrusted } as const;

/** `prod/batch/job/report`: what every tool takes as its target. */
export function targetOf({ cluster, namespace, kind, name }: Omit<Subject, "uid">): string | undefined {
  return [cluster, namespace, kind, name].every((part) => plain(part) !== undefined)
    ? `${cluster}/${namespace}/${kind.toLowerCase()}/${name}`
    : undefined;
}

/** Words from the cluster about a subject. They are marked where they are not plain. */
interface SubjectWords {
  readonly reason?: string | undefined;
  readonly role?: string | undefined;
}

/** The subject, with further texts and words from the cluster about it. */
export function presentSubject(
  subject: Subject,
  texts: Parameters<typeof marked>[1] = {},
  { reason, role }: SubjectWords = {},
) {
  const { cluster, namespace, kind, name, uid } = subject;
  const target = targetOf(subject);
  const unnamed = target === undefined ? { cluster, namespace, kind, name } : {};
  return marked({ target, uid, reason, role }, { ...unnamed, ...texts });
}

/** "Job batch/report of cluster prod", or "The Job" if its name may be anything. */
export function subjectText(subject: Subject, kind = subject.kind): string {
  const { cluster, namespace, name } = subject;
  if (targetOf(subject) === undefined) return `The ${plain(kind) ?? "run"}`;
  return `${kind} ${namespace}/${name} of cluster ${cluster}`;
}

/** The link to the page of a subject. */
export function linkTo(page: string | undefined, { cluster, namespace, kind, name, uid }: Subject) {
  const path = [cluster, namespace, name];
  const of: PageSubject =
    kind === "job"
      ? { view: "job", path, uid }
      : kind === "cronjob"
        ? { view: "cronjobs", path }
        : { view: "runs", path: [cluster, namespace, kind.toLowerCase(), name], uid };
  return linkOf(page, of);
}

/** The link to a view. Without the address of the page, and where a name could be a sentence, there is none. */
export function linkOf(page: string | undefined, of: PageSubject): { readonly link?: string } {
  const parts = [...(of.path ?? []), ...(of.uid === undefined ? [] : [of.uid])];
  if (page === undefined || parts.some((part) => plain(part) === undefined)) return {};
  return { link: pageLink(page, of) };
}
