import type { JobName } from "../shell/place.ts";

/** The page's questions about a Job, as the command line asks them. */
export function jobCommands({ cluster, namespace, name, uid }: JobName, server: string): readonly string[] {
  const job = `${quoted(`job/${name}`)} -n ${quoted(namespace)} --cluster ${quoted(cluster)}`;
  const at = ` --server ${quoted(server)}`;
  return [
    `outlive get ${job}${uid === undefined ? "" : ` --uid ${quoted(uid)}`} -o yaml${at}`,
    `outlive why ${job}${at}`,
    `outlive pods ${job}${at}`,
    `outlive history ${job}${at}`,
    `outlive wait ${job} --for=finished${at}`,
  ];
}

/** A word of a POSIX shell: plain where it may be, else within single quotes. */
function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
