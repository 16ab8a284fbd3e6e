import type { JobName } from "../shell/route.ts";
import { shellWord } from "../text/shell-word.ts";

/** The commands that show the same as the Job's page. */
export function jobCommands({ cluster, namespace, name, uid }: JobName, server: string): readonly string[] {
  const job = `${shellWord(`job/${name}`)} -n ${shellWord(namespace)} --cluster ${shellWord(cluster)}`;
  const at = ` --server ${shellWord(server)}`;
  return [
    `outlive get ${job}${uid === undefined ? "" : ` --uid ${shellWord(uid)}`} -o yaml${at}`,
    `outlive why ${job}${at}`,
    `outlive pods ${job}${at}`,
    `outlive history ${job}${at}`,
    `outlive wait ${job} --for=finished${at}`,
  ];
}
