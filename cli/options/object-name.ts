/** Whether a Job or a namespace can be called so. In the path of a URL the dots would be a step elsewhere. */
export function canBeName(text: string): boolean {
  return text !== "" && text !== "." && text !== "..";
}
