import type { ContainerRef } from "../../job/cause/pod-cause.ts";

/** "container work", "init container prepare", "sidecar proxy". */
export function containerText({ container, role }: ContainerRef): string {
  switch (role) {
    case "main":
      return `container ${container}`;
    case "init":
      return `init container ${container}`;
    case "sidecar":
      return `sidecar ${container}`;
  }
}
