/** Whether amounts of a resource are bytes. The others are cores, or units of an extended resource. */
export function isBytes(resource: string): boolean {
  return ["memory", "ephemeral-storage", "storage"].includes(resource) || resource.startsWith("hugepages-");
}
