import type { JobName } from "../shell/route.ts";

/** The commands that show the same as the Job's page. */
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

/** A word of a POSIX shell, in single quotes if necessary. */
function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
